"""Who hears of what happened: in order, one at a time, and never under anybody's lock."""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

T = TypeVar("T")

_log = logging.getLogger(__name__)


class Listeners(Generic[T]):
    """Listeners, and the news that they have not heard yet."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._telling = threading.Lock()
        self._listeners: tuple[Callable[[T], None], ...] = ()
        self._untold: deque[T] = deque()

    def add(self, listener: Callable[[T], None]) -> Callable[[], None]:
        """Have ``listener`` called with all news from now on; return how to stop it."""
        with self._guard:
            self._listeners += (listener,)

        def stop() -> None:
            with self._guard:
                kept = list(self._listeners)
                if listener in kept:
                    kept.remove(listener)
                self._listeners = tuple(kept)

        return stop

    def put(self, news: Iterable[T]) -> None:
        """Add news; the caller's lock keeps them in order."""
        self._untold.extend(news)

    def tell(self) -> None:
        """Hand the news on. Whoever finds another thread telling leaves it to that one,
        so that listeners hear everything in order and may act themselves. One that fails is
        logged and disturbs nobody."""
        while self._untold and self._telling.acquire(blocking=False):
            try:
                while self._untold:
                    self._hand_on(self._untold.popleft())
            finally:
                self._telling.release()

    def _hand_on(self, news: T) -> None:
        for listener in self._listeners:
            try:
                listener(news)
            except Exception:
                _log.exception("a listener failed on %s", news)
