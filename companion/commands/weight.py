"""Limits on the size of a position that somebody hands us, checked before a game works with it."""

from __future__ import annotations

from typing import Any

from companion.rules import BadInput

VALUES, CHARACTERS, GREATEST = 20_000, 2_000, 10**9
"""The most values in a position with everything that was played before it, the most characters in
one of its texts, and its greatest number."""


def weigh(data: Any) -> None:
    """Check values that were read from JSON against these limits.

    Raises:
        BadInput: they exceed one.
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
