"""Reading what comes from outside within limits: numbers, JSON, TOML, and quotations of them."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from typing import Any, TypeGuard

from companion.rules.errors import BadInput
from companion.rules.words import say

DIGITS = 15
"""Digits of a number at most; all programs read such numbers alike."""
DEEPEST = 32
"""Depth at most to which lists and objects may be nested."""
LONGEST_JSON, LONGEST_TOML = 8_000_000, 256_000
"""Characters of a text at most. TOML has the lower limit, because reading it takes longer than in
proportion to its length."""
QUOTED = 40
"""Characters of a text that are quoted."""
_LINE = re.compile(r"line (\d+)")


def quoted(text: object) -> str:
    """Return ``text`` in quotation marks for an error message: on one line, without unprintable
    characters, and only its beginning if it is long."""
    begun = text[: 4 * QUOTED] if isinstance(text, str) else str(text)
    plain = "".join(c if c.isprintable() and c not in "“”" else " " for c in begun)
    plain = " ".join(plain.split())
    return f"“{plain}”" if len(plain) <= QUOTED else f"“{plain[:QUOTED]}…”"


def whole_number(text: str) -> int | None:
    """Return the whole number from 0 up that ``text`` writes in plain digits, None for any other
    text and for numbers of more than :data:`DIGITS` digits."""
    fits = text.isascii() and text.isdigit() and len(text) <= DIGITS
    return int(text) if fits else None


def read_json(text: str | bytes, what: str) -> Any:
    """Return the JSON value that ``text`` holds; ``what`` names it in error messages.

    Raises:
        BadInput: it is no JSON, or exceeds our limits: a name twice in one object, a number that is
            too great, half of a surrogate pair, too deep a nesting.
    """

    def value() -> Any:
        given = text.decode("utf-8") if isinstance(text, bytes) else text
        return json.loads(given.removeprefix("\ufeff"), object_pairs_hook=_object)

    return _read(value, len(text) <= LONGEST_JSON, what, "JSON")


def read_object(text: str | bytes, what: str) -> dict[str, Any]:
    """Return the JSON object that ``text`` holds; ``what`` says in words what it is.

    Raises:
        BadInput: as :func:`read_json`, or it holds a list or a single value.
    """
    found = read_json(text, what)
    if not isinstance(found, dict):
        raise BadInput(say("{what} holds no JSON object, but a list or a single value", what=what))
    return found


def is_texts(value: object) -> TypeGuard[list[str]]:
    """Tell whether ``value`` is a list of texts."""
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def read_toml(text: str, what: str) -> dict[str, Any]:
    """Return the values that the TOML ``text`` holds; ``what`` names it in error messages.

    Raises:
        BadInput: it is no TOML, or exceeds our limits for numbers and nesting.
    """
    import tomllib

    fits = len(text) <= LONGEST_TOML
    found: dict[str, Any] = _read(lambda: tomllib.loads(text), fits, what, "TOML")
    return found


def _read(value: Callable[[], Any], fits: bool, what: str, kind: str) -> Any:
    if not fits:
        raise BadInput(say("{what} is too long to be read", what=what))
    try:
        found = value()
    except (RecursionError, ValueError) as error:
        # Python itself reads no number of thousands of digits.
        beyond = type(error) in (RecursionError, ValueError)
        raise BadInput(_beyond(what, kind) if beyond else _unreadable(error, what, kind)) from None
    if not _within_bounds(found):
        raise BadInput(_beyond(what, kind))
    return found


def _beyond(what: str, kind: str) -> str:
    return say(
        "{what} is no {kind} that can be read: a number in it is too great, a letter is half a "
        "one, or lists lie too deep in one another",
        what=what,
        kind=kind,
    )


def _unreadable(error: Exception, what: str, kind: str) -> str:
    line = _LINE.search(str(error))
    if line is None:
        return say("{what} is no {kind}", what=what, kind=kind)
    return say("{what} is no {kind}: look at line {line}", what=what, kind=kind, line=line[1])


def _within_bounds(value: Any) -> bool:
    """Tell whether no list lies too deep, and every number and text can be written again."""
    level = [value]
    for _ in range(DEEPEST):
        inner: list[Any] = []
        for item in level:
            if isinstance(item, dict):
                inner += item
                inner += item.values()
            elif isinstance(item, list):
                inner += item
            elif not _plain(item):
                return False
        if not inner:
            return True
        level = inner
    return False


def _plain(value: object) -> bool:
    if isinstance(value, str):
        # An escape can stand for half a letter, which no file and no page can hold.
        return value.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in value)
    if isinstance(value, int):
        return bool(abs(value) < 10**DIGITS)
    return not isinstance(value, float) or bool(math.isfinite(value))


class _Twice(ValueError):
    """A name stands twice in an object."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _Twice
    return found
