"""Pushes the game at the table to a server that broadcasts it: the whole of it, whenever it has
changed, to the address that the owner has set."""

from __future__ import annotations

import http.client
import logging
import threading
from collections.abc import Callable
from datetime import date

from companion.live.webhooks import read_address, send
from companion.referee.broadcast import written_game
from companion.rules import HardwareFault, notations_of
from companion.table.evening import Evening

_log = logging.getLogger(__name__)

NOTATION = "pgn"
APART = 2.0
"""Seconds between two pushes at least."""
RESTS, LATE = 60.0, 300.0
"""Seconds after which it is looked again, and after which it is tried again at most."""


class Pusher:
    """Pushes what is played at the table of ``evening`` to ``address`` with ``token``; ``clock``
    gives steady seconds."""

    def __init__(
        self, evening: Evening, address: str, token: str, clock: Callable[[], float]
    ) -> None:
        """Begin to listen to the table; raises BadInput where the address is none."""
        self._evening, self._clock = evening, clock
        self._address = read_address(address)
        self._headers = {
            "Authorization": f"Bearer {token}",
            "Content-Type": "text/plain; charset=utf-8",
            "User-Agent": "tabletop-companion",
        }
        self._wake = threading.Event()
        self._pushed, self._due, self._pause = "", 0.0, APART
        self._stop = evening.subscribe(lambda event: self._wake.set())

    def step(self) -> bool:
        """Push the game if it has changed, or wait for that; return that there is more to do."""
        left = self._due - self._clock()
        if left > 0:
            self._wake.wait(left)
            self._wake.clear()
            return True
        text = self._game()
        if text in ("", self._pushed):
            self._wake.wait(RESTS)
            self._wake.clear()
            return True
        try:
            send(self._address, text.encode(), self._headers)
        except (OSError, http.client.HTTPException, HardwareFault) as error:
            self._pause = min(2 * self._pause, LATE)
            _log.warning("the broadcast at %s hears nothing: %s", self._address.host, error)
        else:
            self._pushed, self._pause = text, APART
        self._due = self._clock() + self._pause
        return True

    def _game(self) -> str:
        """Return the game in the notation that broadcasts read; empty where it has none."""
        table = self._evening.table
        if NOTATION not in notations_of(table.game):
            return ""
        events, people = table.events(), self._evening.people
        names = {seat: people.name_of(seat) for seat in table.setup.seats}
        tags = {**names, "date": date.fromtimestamp(events[0].at).isoformat()}
        return written_game(
            NOTATION, table.game, table.setup, table.line, events, tags, table.outcome
        )

    def close(self) -> None:
        """Listen no more."""
        self._stop()
        self._wake.set()
