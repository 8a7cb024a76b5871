"""Whether a row of a journal is something that a companion can have written.

A journal may come from a failing disk, from a backup that somebody changed, or from another
program. What is read is checked here once, so that all other code may rely on it. Unknown kinds of
events and unknown fields are accepted: a newer companion wrote them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from string import Formatter
from typing import Any

from companion.runtime.timekeeper import LATEST

GREATEST = 2**53 - 1
"""The greatest number in a journal, 2**53 - 1: other programs' JSON readers are exact no
further."""

_NEEDED: Mapping[str, tuple[str, ...]] = {
    "undone": ("count",),
    "corrected": ("count",),
    "arranged": ("position",),
    "ended": ("winners", "rule", "reason"),
    "joined": ("key",),
    "seated": ("seat", "key"),
    "left": ("seat",),
    "handed": ("seat", "person"),
    "hosted": ("person",),
    "dismissed": ("person",),
    "array": ("game", "seats", "position"),
    "jumped": ("by",),
    "aside": ("game", "name"),
    "preset": ("game", "name"),
    "reseated": ("people", "names"),
    "machines": ("seats",),
    "online": ("game", "seat"),
    "rematch": ("word",),
    "lesson": ("game", "lesson", "word"),
    "mirrors": ("id", "epoch"),
}
"""The fields that the data of an event of a kind must have."""

_MAYBE = type(None)
_TYPES: Mapping[str, tuple[type, ...]] = {
    **dict.fromkeys(("key", "was", "person", "player", "name", "colour", "rule", "what"), (str,)),
    **dict.fromkeys(("seat", "to_move", "turn", "why", "reason", "doubt"), (str, _MAYBE)),
    **dict.fromkeys(("count", "games", "photographs"), (int,)),
    "host": (bool,),
    "id": (str,),
    "epoch": (int,),
    "game": (str, int),
    "by": (str, int, float),
    "position": (dict, _MAYBE),
    **dict.fromkeys(("seats", "winners", "spots", "chosen", "candidates"), (list, tuple)),
}
_KIND_TYPES: Mapping[tuple[str, str], tuple[type, ...]] = {
    ("jumped", "by"): (int, float),
    ("ended", "by"): (str,),
    ("array", "game"): (str,),
    ("aside", "game"): (int,),
    ("preset", "game"): (str,),
    ("preset", "options"): (dict,),
    ("machines", "seats"): (dict,),
    ("online", "game"): (str,),
    ("reseated", "people"): (dict,),
    ("reseated", "names"): (dict,),
    ("rematch", "word"): (str,),
    **dict.fromkeys((("lesson", field) for field in ("game", "lesson", "word")), (str,)),
}
"""The types of a field in any event (_TYPES), and those that depend on the event's kind."""
_PAIRS = (("preset", "options"), ("reseated", "people"), ("reseated", "names"))
"""Fields that give texts for names."""


def decoded(text: str) -> Any:
    """Return the value of a JSON text.

    Raises:
        ValueError: it is no JSON, or holds a text or a number that no companion writes.
    """
    try:
        value = _DECODER.decode(text)
        if "\\u" in text or not text.isascii():
            json.dumps(value, ensure_ascii=False).encode()
    except RecursionError:
        raise ValueError("it is nested too deep") from None
    return value


def _number(text: str) -> int:
    if len(text) > 16 or abs(int(text)) > GREATEST:
        raise ValueError("a number is too great")
    return int(text)


def _constant(text: str) -> float:
    raise ValueError(f"{text} is no number")


_DECODER = json.JSONDecoder(parse_int=_number, parse_constant=_constant)


def check_event(seq: int, at: float, told: tuple[str | None, ...]) -> None:
    """Check the number and the time of an event, and the texts that it ``told``.

    Raises:
        ValueError: they cannot be any event's.
    """
    if not 0 < seq <= GREATEST or not 0 <= at <= LATEST:
        raise ValueError("no event has such a number or happened then")
    for text in told:
        if text and not text.isascii():
            text.encode()


def check_ruling(told: Any) -> None:
    """Check a ruling.

    Raises:
        ValueError: no companion wrote it.
    """
    if not isinstance(told, list) or not 4 <= len(told) <= 5 or not isinstance(told[0], bool):
        raise ValueError("no ruling is written so")
    check_texts(told[1:3])
    check_texts(told[3])
    check_said(told[4] if len(told) == 5 else None)


def check_data(kind: str, data: Any) -> None:
    """Check the data of an event of ``kind``.

    Raises:
        ValueError: no companion wrote it.
    """
    if not isinstance(data, dict):
        raise ValueError("an event tells named things")
    needed = _NEEDED.get(kind, ())
    if kind == "named":
        needed = ("seat", "name") if "seat" in data else ("person",)
    if missing := [name for name in needed if data.get(name) is None]:
        raise ValueError(f"{missing[0]} is missing")
    for name, value in data.items():
        wanted = _KIND_TYPES.get((kind, name)) or _TYPES.get(name)
        if wanted and (not isinstance(value, wanted) or (_is_bool(value) and bool not in wanted)):
            raise ValueError(f"{name} cannot be that")
        texts = ("position", "seats", "winners", "spots", "chosen")
        if (name in texts or (kind, name) in _PAIRS) and value is not None:
            check_texts(value)


def _is_bool(value: Any) -> bool:
    return isinstance(value, bool)


def check_texts(value: Any) -> None:
    """Check that ``value`` is a list of texts, or an object whose values are texts.

    Raises:
        ValueError: it is not.
    """
    texts = [*value.keys(), *value.values()] if isinstance(value, dict) else value
    if not isinstance(texts, list | tuple) or not all(isinstance(text, str) for text in texts):
        raise ValueError("these are to be texts")


def check_said(made: Any, depth: int = 8) -> None:
    """Check the description of how a sentence was made (:mod:`companion.journal.sentences`).

    Raises:
        ValueError: no companion makes sentences so.
    """
    if made is None:
        return
    if not isinstance(made, dict) or depth < 0 or not isinstance(made.get("message"), str):
        raise ValueError("no sentence is made so")
    values = made.get("values")
    if not isinstance(values, dict):
        raise ValueError("no sentence is made so")
    for _, name, form, conversion in Formatter().parse(made["message"]):
        # A name alone: what else a format may say reaches into programs.
        if name is not None and (name not in values or form or conversion):
            raise ValueError("no sentence is made so")
    for value in values.values():
        for one in value if isinstance(value, list) else (value,):
            if isinstance(one, dict):
                if not isinstance(one.get("text"), str):
                    raise ValueError("no sentence is made so")
                check_said(one, depth - 1)
            elif isinstance(one, list):
                raise ValueError("no sentence is made so")
