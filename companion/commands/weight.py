"""What a position may weigh that somebody hands us, counted before a game does any work with it."""

from __future__ import annotations

from typing import Any

from companion.rules import BadInput

VALUES, CHARACTERS, GREATEST = 20_000, 2_000, 10**9
"""How many values a position with all that was played before it has at most, how many characters
a text of it, and how great a number of it is."""


def weigh(data: Any) -> None:
    """Look through values that were read from JSON.

    Raises:
        BadInput: they are more than any game needs.
    """
    left, seen = [data], 0
    while left:
        value = left.pop()
        if not isinstance(value, (dict, list)):
            _weigh_one(value)
            continue
        inner = [*value, *value.values()] if isinstance(value, dict) else value
        seen += len(inner)
        if seen > VALUES:
            raise BadInput(f"it holds more than {VALUES} values")
        left.extend(inner)


def _weigh_one(value: Any) -> None:
    if isinstance(value, str) and len(value) > CHARACTERS:
        raise BadInput(f"a text in it is longer than {CHARACTERS} characters")
    if isinstance(value, (int, float)) and not -GREATEST <= value <= GREATEST:
        raise BadInput(f"a number in it is not between -{GREATEST} and {GREATEST}")
