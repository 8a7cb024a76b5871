"""How long a player may think."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final


class Spent(Exception):
    """The budget is spent, or nobody waits for the answer any more."""


def _never() -> bool:
    return False


@dataclass(frozen=True)
class Budget:
    """What one decision may cost: positions looked at (``nodes``), ``seconds``, or both; the one
    that is spent first ends it. ``cancelled`` is asked all the time. None is no limit."""

    nodes: int | None = None
    seconds: float | None = None
    cancelled: Callable[[], bool] = _never
    clock: Callable[[], float] = field(default=time.monotonic, repr=False)

    def share(self, part: float) -> Budget:
        """Return a budget of so great a ``part`` of this one, at least one position."""
        nodes = None if self.nodes is None else max(1, round(self.nodes * part))
        seconds = None if self.seconds is None else self.seconds * part
        return replace(self, nodes=nodes, seconds=seconds)


OFTEN: Final = 64
"""Positions between two looks at the clock: a few milliseconds."""


class Meter:
    """Counts what one decision costs."""

    def __init__(self, budget: Budget) -> None:
        self._cancelled, self._clock = budget.cancelled, budget.clock
        self._end = math.inf if budget.seconds is None else budget.clock() + budget.seconds
        self._most = sys.maxsize if budget.nodes is None else budget.nodes
        self.nodes = 0

    def spend(self) -> None:
        """Count one position.

        Raises:
            Spent: there is no more to be spent.
        """
        self.nodes += 1
        if self.nodes > self._most:
            raise Spent
        if self.nodes % OFTEN == 1 and (self._clock() >= self._end or self._cancelled()):
            raise Spent
