"""What values that somebody hands us may weigh, counted before any work is done with them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.rules import BadInput


@dataclass(frozen=True, slots=True)
class Limits:
    """How many ``values`` there may be, how many ``characters`` a text has, how ``great`` a number
    is, and how ``deep`` lists stand in lists."""

    values: int
    characters: int
    great: int
    deep: int = 24


POSITION = Limits(values=20_000, characters=2_000, great=10**9)
"""A position with all that was played before it."""
TABLE_FILE = Limits(values=500_000, characters=1_000_000, great=10**15)
"""A table file with everything told in a long evening."""


def weigh(data: Any, limits: Limits) -> None:
    """Look through values that were read from JSON.

    Raises:
        BadInput: they are beyond the limits, or one is no number.
    """
    left, seen = [(data, 1)], 0
    while left:
        value, depth = left.pop()
        if not isinstance(value, (dict, list)):
            _weigh_one(value, limits)
            continue
        inner = [*value, *value.values()] if isinstance(value, dict) else value
        seen += len(inner)
        if seen > limits.values:
            raise BadInput(f"it holds more than {limits.values} values")
        if depth > limits.deep:
            raise BadInput(f"lists stand in lists more than {limits.deep} deep")
        left.extend((one, depth + 1) for one in inner)


def _weigh_one(value: Any, limits: Limits) -> None:
    if isinstance(value, str) and len(value) > limits.characters:
        raise BadInput(f"a text in it is longer than {limits.characters} characters")
    # What is no number at all compares with none.
    if isinstance(value, (int, float)) and not -limits.great <= value <= limits.great:
        raise BadInput(f"a number in it is not between -{limits.great} and {limits.great}")
