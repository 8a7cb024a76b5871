"""What values that somebody hands us may weigh, counted before any work is done with them."""

from __future__ import annotations

import math
from typing import Any

from companion.rules import BadInput

DEEPEST, LONGEST, GREATEST = 24, 2_000, 10**9
"""How deep lists stand in lists, how many characters a text has, how far a number is from 0:
no game and no table knows more."""


def weigh(data: Any, most: int) -> None:
    """Look through values read from JSON or TOML, ``most`` of them at the most.

    Raises:
        BadInput: there are more, or one is too deep, too long, too great, or is no number.
    """
    left = [(data, 1)]
    seen = 0
    while left:
        value, depth = left.pop()
        if isinstance(value, dict):
            inner = [*value, *value.values()]
        elif isinstance(value, list):
            inner = value
        else:
            _weigh_one(value)
            continue
        seen += len(inner)
        if seen > most:
            raise BadInput(f"it holds more than {most} values")
        if depth > DEEPEST and inner:
            raise BadInput(f"lists stand in lists more than {DEEPEST} deep")
        left.extend((one, depth + 1) for one in inner)


def _weigh_one(value: Any) -> None:
    if isinstance(value, str) and len(value) > LONGEST:
        raise BadInput(f"a text in it is longer than {LONGEST} characters")
    if isinstance(value, (int, float)) and not -GREATEST <= value <= GREATEST:
        real = isinstance(value, int) or math.isfinite(value)
        raise BadInput(f"a number in it is beyond {GREATEST}" if real else "a number in it is none")
