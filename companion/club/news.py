"""Word from the club's database that something was stored, for whoever waits for it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection
from contextlib import closing

from companion.club.store import EVERY, Store
from companion.rules import HardwareFault

PAUSE = 1.0
"""Seconds after which whoever waits looks for himself while the database tells nothing."""
IDLE = 5.0
"""Seconds for which is listened after the last one has waited."""


class News:
    """Hears of which tables ``store`` has something new, by a thread that lives as long as somebody
    waits. May be used from any thread."""

    def __init__(self, store: Store) -> None:
        self._store, self._told = store, threading.Condition()
        self._last = dict[str, int]()
        self._waiting, self._until, self._listens = 0, 0.0, False
        self.edition = 0
        """Grows with everything that is heard."""

    def wait(
        self, tables: Collection[str], seen: int, seconds: float, gone: Callable[[], bool] = bool
    ) -> bool:
        """Wait until there is something of one of ``tables`` that is newer than the edition
        ``seen``, at most so many seconds and only until whoever waits is ``gone``; return whether
        there is."""
        end = time.monotonic() + seconds
        with self._told:
            self._waiting += 1
            if not self._listens:
                self._listens = True
                threading.Thread(target=self._listen, name="news", daemon=True).start()
            while not (new := self._newer(tables, seen)) and not gone():
                left = end - time.monotonic()
                if left <= 0:
                    break
                self._told.wait(min(left, PAUSE))
            self._waiting -= 1
            self._until = time.monotonic() + IDLE
        return new

    def _newer(self, tables: Collection[str], seen: int) -> bool:
        return any(self._last.get(table, 0) > seen for table in (*tables, EVERY))

    def _listen(self) -> None:
        while self._wanted():
            try:
                with closing(self._store.tidings(PAUSE)) as tidings:
                    for tables in tidings:
                        self._tell(tables)
                        if not self._wanted():
                            return
            except HardwareFault:
                self._tell([EVERY])
                with self._told:
                    self._told.wait(PAUSE)

    def _wanted(self) -> bool:
        with self._told:
            self._listens = self._waiting > 0 or time.monotonic() < self._until
            return self._listens

    def _tell(self, tables: Collection[str]) -> None:
        with self._told:
            self.edition += 1
            self._last.update(dict.fromkeys(tables, self.edition))
            self._told.notify_all()
