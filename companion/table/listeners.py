"""Telling listeners what happened: in order, one at a time, and never while a lock is held."""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

T = TypeVar("T")

_log = logging.getLogger(__name__)


class Listeners(Generic[T]):
    """Functions to be called with each news, and the news that they were not told yet."""

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
        """Queue news to be told; callers hold a lock of their own, which keeps news in order."""
        self._untold.extend(news)

    def tell(self) -> None:
        """Call every listener with the queued news. If another thread is doing that already, it
        tells these too, so that everybody hears everything in order and may act on it. A listener
        that fails is logged; the others are called all the same."""
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
