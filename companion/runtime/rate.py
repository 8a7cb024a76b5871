"""Limits how often somebody may do something."""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from collections.abc import Callable

SENDERS = 1024


class Rate:
    """Counts by sender: full after ``limit`` counts within ``window`` seconds."""

    def __init__(self, limit: int, window: float, clock: Callable[[], float]) -> None:
        self._limit, self._window, self._clock = limit, window, clock
        self._guard = threading.Lock()
        self._counts: OrderedDict[str, deque[float]] = OrderedDict()

    def full(self, sender: str) -> bool:
        """Tell whether ``sender`` has to wait."""
        counts = self._counts.get(sender)
        if counts is None or len(counts) < self._limit:
            return False
        return counts[0] > self._clock() - self._window

    def count(self, sender: str) -> None:
        """Count once for ``sender``. If there are too many senders, the one silent for longest is
        forgotten."""
        with self._guard:
            self._counts.setdefault(sender, deque(maxlen=self._limit)).append(self._clock())
            self._counts.move_to_end(sender)
            if len(self._counts) > SENDERS:
                self._counts.popitem(last=False)
