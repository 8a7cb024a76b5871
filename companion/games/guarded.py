"""A guard round a game that others wrote: where it breaks the contract in mid-game, that is told in
one sentence, and the table goes on."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import is_dataclass
from functools import cache, wraps
from inspect import getattr_static, isfunction, signature
from traceback import extract_tb
from types import UnionType, new_class
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from companion.rules import CompanionError, Game, GameFault, S, say

_log = logging.getLogger(__name__)
_asking = threading.local()
_heard: list[Callable[[GameFault], None]] = []
logged: set[tuple[object, ...]] = set()
"""The faults that need not be logged again."""
G = TypeVar("G", bound=Game[Any])

CONTRACT, OURS = "companion.rules", "companion.games."
"""Where the contract is written, and the games that our own tests hold to it."""


def guarded(game: G) -> G:
    """Return ``game`` itself, from now on behind a guard: whatever its methods raise beside our own
    errors, and whatever they return that is not of the kind that the contract says, is raised as
    :class:`GameFault` and logged once with its trace. Our own games go without.

    What a game asks of itself on the way is its own business.
    """
    kind = type(game)
    if not kind.__module__.startswith(OURS) and not hasattr(kind, "_guarded"):
        game.__class__ = _guard_of(kind)
    return game


def foresee(game: Game[S], state: S) -> None:
    """Ask a guarded game all that is asked of it once it stands in ``state``: nothing is written
    down from which it could not go on.

    Raises:
        GameFault: it could not.
    """
    asked: Mapping[str, Sequence[str]] = getattr(game, "_guarded", {})
    for name in asked.get("state", ()):
        getattr(game, name)(state)
    for name in asked.get("token", ()):
        for token in set(game.expect(state).values()) if asked else ():
            getattr(game, name)(token)


def hear(listener: Callable[[GameFault], None]) -> Callable[[], None]:
    """Have ``listener`` called with each fault that is found; return how to stop that."""
    _heard.append(listener)
    return lambda: _heard.remove(listener)


@cache
def _guard_of(kind: type[Any]) -> type[Any]:
    """Return ``kind`` with a guard round each method that the contract names."""
    promised = {
        name: member
        for base in kind.__mro__
        if base.__module__.startswith(CONTRACT)
        for name, member in vars(base).items()
        if isfunction(member) and not name.startswith("_")
    }
    asked: dict[str, list[str]] = {}
    for name, member in promised.items():
        of = [*signature(member).parameters][1:]
        if len(of) == 1 and getattr(kind, name) is not member:
            asked.setdefault(of[0], []).append(name)
    body: dict[str, Any] = {
        name: _watched(getattr_static(kind, name), name, _given_by(member))
        for name, member in promised.items()
    }
    body |= {"_guarded": asked, "__module__": kind.__module__, "__qualname__": kind.__qualname__}
    return new_class(kind.__name__, (kind,), exec_body=lambda space: space.update(body))


def _given_by(member: Callable[..., Any]) -> Any:
    """Return the kind of value that the contract says this method gives."""
    return get_type_hints(member).get("return", Any)


def _watched(written: Any, name: str, kind: Any) -> Callable[..., Any]:
    """Return the method ``name`` with a look at what it gives, unless the game asks it itself.
    ``written`` is what stands in the class: a function, a static method, anything to be called."""

    @wraps(getattr(written, "__func__", written))
    def ask(game: Game[Any], *given: Any, **named: Any) -> Any:
        bind = getattr(written, "__get__", None)
        method = bind(game, type(game)) if bind else written
        if getattr(_asking, "game", None) is game:
            return method(*given, **named)
        before, _asking.game = getattr(_asking, "game", None), game
        try:
            answer = method(*given, **named)
            if not fits(answer, kind):
                raise TypeError(f"it gave {type(answer).__name__} where {kind} is due")
            return answer
        except CompanionError:
            raise
        except (Exception, SystemExit) as error:
            raise _fault(game, name, error) from error
        finally:
            _asking.game = before

    return ask


def _fault(game: Game[Any], method: str, error: BaseException) -> GameFault:
    """Return the fault that ``error`` is; log it where it is new."""
    what = f"{method}: {type(error).__name__}: {error}"
    words = say(
        "{game} ({name}) has a fault of its own and cannot do this; the table stands as it was: "
        "go on in another way, or play another game",
        game=game.title,
        name=game.name,
    )
    fault = GameFault(words, game.name, what)
    where = extract_tb(error.__traceback__)[-1]
    kind = (game.name, method, type(error), where.filename, where.lineno)
    if kind not in logged:
        logged.add(kind)
        _log.error("the game %s broke its contract in %s", game.name, what, exc_info=error)
        for listener in tuple(_heard):
            listener(fault)
    return fault


def fits(value: Any, kind: Any) -> bool:
    """Tell whether ``value`` is of ``kind``, a type as the contract writes it. A state, whose type
    only its game knows, is some hashable value."""
    return _test(kind)(value)


@cache
def _test(kind: Any) -> Callable[[Any], bool]:
    """Return what tells whether a value is of ``kind``: made once, since a camera asks a game
    thousands of times for one picture."""
    origin, inner = get_origin(kind), get_args(kind)
    if kind is Any:
        return lambda value: True
    if isinstance(kind, TypeVar):
        return lambda value: value is not None and isinstance(value, Hashable)
    parts = [_test(one) for one in inner if one is not ...]
    if origin in (Union, UnionType):
        return lambda value: any(test(value) for test in parts)
    if origin is tuple and inner[-1] is not ...:
        return lambda value: (
            isinstance(value, tuple)
            and len(value) == len(parts)
            and all(test(one) for test, one in zip(parts, value, strict=True))
        )
    if inner and issubclass(origin, Mapping):
        keys, values = parts
        return lambda value: (
            isinstance(value, origin) and all(map(keys, value)) and all(map(values, value.values()))
        )
    if inner and issubclass(origin, Sequence):
        return lambda value: (
            isinstance(value, Sequence) and not isinstance(value, str) and all(map(parts[0], value))
        )
    due: Any = {float: (int, float)}.get(origin or kind, origin or kind)
    fields_ = [(name, _test(of)) for name, of in _fields(origin or kind)]
    return lambda value: (
        isinstance(value, due) and all(test(getattr(value, name)) for name, test in fields_)
    )


@cache
def _fields(kind: type[Any]) -> tuple[tuple[str, Any], ...]:
    """Return the fields of a value of the contract with their types; none of other kinds."""
    if not (is_dataclass(kind) or hasattr(kind, "_fields")):
        return ()
    return tuple(get_type_hints(kind).items()) if kind.__module__.startswith(CONTRACT) else ()
