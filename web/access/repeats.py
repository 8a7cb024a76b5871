"""Requests that arrive twice: one with a key that was seen before gets the answer that it got
then."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

T = TypeVar("T")


class Once(Generic[T]):
    """Remembers the last answers. One request is carried out after another."""

    def __init__(self, limit: int = 512) -> None:
        self._limit = limit
        self._guard = threading.RLock()
        self._answers: OrderedDict[Hashable, T] = OrderedDict()

    def answer(self, key: Hashable, do: Callable[[], T]) -> T:
        """Return ``do()``, or what it returned for the same ``key`` before. If it raises an
        exception nothing is remembered, so that the next try runs again."""
        with self._guard:
            if key not in self._answers:
                self._answers[key] = do()
                while len(self._answers) > self._limit:
                    self._answers.popitem(last=False)
            return self._answers[key]
