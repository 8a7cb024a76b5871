"""Operations of the API, each with the types of what it takes and answers, and what is made of
these: the reading of a request, and JSON schemas."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from functools import cache
from typing import Annotated, Any, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

from companion.machine.tokens import Token
from companion.rules import BadInput, say, whole_number
from web.access import request_fields
from web.access.request_fields import unfit
from web.access.seats import Person

MOST = 64
"""Items of a list, and members of an object, that a request may carry."""
_PLAIN: Mapping[Any, str] = {str: "string", int: "integer", float: "number", bool: "boolean"}


class Caller(NamedTuple):
    """The program that asks: its ``token``, and the ``person`` whose part it has at the table."""

    token: Token
    person: Person


class Operation(NamedTuple):
    """One thing that a program can ask. ``asks`` is the type of its body, or of its query in a GET;
    ``answers`` the type of the answer, or a media type. ``scope`` is empty where no token is
    needed."""

    method: str
    path: str
    scope: str
    asks: Any
    answers: Any
    about: str
    do: Callable[..., Any]

    @property
    def name(self) -> str:
        """Return its name, such as ``play_action``."""
        return self.do.__name__


LONGEST_KEY = 64
"""Letters of a key by which a request is done once, at most."""


class Nothing(NamedTuple):
    """Nothing has to be said."""


OPERATIONS: list[Operation] = []


D = TypeVar("D", bound=Callable[..., Any])


def operation(
    method: str, path: str, scope: str, answers: Any, asks: Any = Nothing
) -> Callable[[D], D]:
    """Register what the decorated function does as an operation; its docstring tells programmers
    what that is."""

    def register(do: D) -> D:
        about = " ".join((do.__doc__ or "").split())
        OPERATIONS.append(Operation(method, path, scope, asks, answers, about, do))
        return do

    return register


# -- reading what is asked ---------------------------------------------------------------------


def read(kind: Any, given: Mapping[str, Any], *, texts: bool = False) -> Any:
    """Return ``given``, a JSON object or a query of ``texts``, as the NamedTuple ``kind``; a field
    that has a default may be left out.

    Raises:
        Refusal: a field is missing or of another type.
        BadInput: a number in a query is none.
    """
    found = {}
    for name, hint in _hints(kind).items():
        if name in given and given[name] is not None:
            found[name] = (_from_text if texts else _value)(given, name, _bare(hint))
        elif name not in kind._field_defaults:
            raise unfit(name)
    return kind(**found)


def _from_text(given: Mapping[str, Any], name: str, hint: Any) -> Any:
    if hint is not int:
        return request_fields.text(given, name)
    number = whole_number(given[name])
    if number is None:
        raise BadInput(say("{name} is a whole number", name=name))
    return number


def _value(given: Mapping[str, Any], name: str, hint: Any) -> Any:
    if hint is str:
        return request_fields.text(given, name)
    if hint is bool:
        return request_fields.flag(given, name)
    if hint is int:
        return request_fields.integer(given, name)
    if get_origin(hint) is tuple:
        return tuple(request_fields.words(given, name, MOST, 0))
    return request_fields.texts(given, name, MOST)


# -- telling what there is ---------------------------------------------------------------------


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind, include_extras=True)


def _bare(hint: Any) -> Any:
    """Return ``hint`` without its description and without None."""
    if get_origin(hint) is Annotated:
        return _bare(get_args(hint)[0])
    if get_origin(hint) in (Union, types.UnionType):
        return next(_bare(one) for one in get_args(hint) if one is not type(None))
    return hint


def called(kind: Any) -> str:
    """Return what a type is called in the document: without the ending that tells its module's
    readers on which way it goes."""
    name: str = kind.__name__
    return name.removesuffix("Told").removesuffix("Asked")


def schema(hint: Any, named: dict[str, Any]) -> dict[str, Any]:
    """Return the JSON schema (2020-12) of a type; NamedTuples are added to ``named``, by their
    names, and referred to."""
    if get_origin(hint) is Annotated:
        inner, about = get_args(hint)
        return {**schema(inner, named), "description": about}
    if hint in _PLAIN:
        return {"type": _PLAIN[hint]}
    if hasattr(hint, "_fields"):
        name = called(hint)
        if name not in named:
            named[name] = {}
            named[name] = _record(hint, named)
        return {"$ref": f"#/components/schemas/{name}"}
    origin, inside = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        some = [schema(one, named) for one in inside if one is not type(None)]
        return {"anyOf": [*some, {"type": "null"}]}
    if origin is tuple:
        return {"type": "array", "items": schema(inside[0], named)}
    return {"type": "object", "additionalProperties": schema(inside[1], named)}


def _record(kind: Any, named: dict[str, Any]) -> dict[str, Any]:
    defaults = kind._field_defaults
    return {
        "type": "object",
        "description": " ".join((kind.__doc__ or "").split()),
        "properties": {name: schema(hint, named) for name, hint in _hints(kind).items()},
        "required": [name for name in kind._fields if name not in defaults],
        "additionalProperties": False,
    }


def as_json(value: Any) -> Any:
    """Return an answer as JSON values: NamedTuples are objects."""
    if hasattr(value, "_asdict"):
        return {name: as_json(one) for name, one in value._asdict().items()}
    if isinstance(value, Mapping):
        return {name: as_json(one) for name, one in value.items()}
    if isinstance(value, (tuple, list)):
        return [as_json(one) for one in value]
    return value
