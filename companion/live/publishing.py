"""The line of a table to its club, for a table that belongs to one."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.rules import BadInput, HardwareFault
from companion.table.evening import Evening

if TYPE_CHECKING:
    from companion.club.outbox import Outbox

_log = logging.getLogger(__name__)

PAUSE = 60.0
"""Seconds after which it is tried again where packages are missing or the settings are wrong."""


class Publisher:
    """Publishes the journal of ``evening`` as the section ``club`` of the settings says. Nothing of
    the club is loaded before the first turn; ``wait`` lets seconds pass."""

    def __init__(
        self, evening: Evening, settings: Mapping[str, Any], wait: Callable[[float], object]
    ) -> None:
        self._evening, self._settings, self._wait = evening, settings, wait
        self._outbox: Outbox | None = None
        self._guard = threading.Lock()

    def step(self) -> bool:
        """Take one turn; return that there is more to do."""
        try:
            with self._guard:
                self._outbox = self._outbox or self._open()
                self._outbox.step()
                resting = self._outbox.resting
        except (BadInput, HardwareFault, ImportError) as error:
            _log.warning("the club hears nothing of this table: %s", error)
            resting = PAUSE
        if resting:
            self._wait(resting)
        return True

    def _open(self) -> Outbox:
        from companion.club.link import MqttLink, read_address
        from companion.club.outbox import Outbox

        address = read_address(self._settings["broker"], self._settings.get("ca", ""))
        journal = Path(self._evening.journal.path)
        name = str(self._settings.get("name", ""))
        delay = float(self._settings.get("delay", 0))
        clock = self._evening.clock
        return Outbox(
            journal, partial(MqttLink, address), name, self._playing,
            delay=delay, invited=address.name, now=clock,
        )  # fmt: skip

    def _playing(self) -> str:
        table = self._evening.table
        return table.game.name if table.outcome is None and table.actions else ""

    def close(self) -> None:
        """Say that the table is offline."""
        with self._guard:
            if self._outbox is not None:
                self._outbox.close()
