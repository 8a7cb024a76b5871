"""The line of a table to its club, for a table that belongs to one."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.live.elsewhere import TablesElsewhere
from companion.live.light_panel import LightPanel
from companion.rules import BadInput, HardwareFault
from companion.table import Table
from companion.table.evening import Evening

if TYPE_CHECKING:
    from companion.club.home import TableNow
    from companion.club.metrics import Metric
    from companion.club.outbox import Beside, Cursor, Outbox

_log = logging.getLogger(__name__)

PAUSE = 60.0
"""Seconds after which it is tried again where packages are missing or the settings are wrong."""


class Publisher:
    """Publishes the journal of ``evening`` as the section ``club`` of the settings says, and shows
    the table to Home Assistant, which presses its buttons (``press``) and switches its lights
    (``panel``). Tables ``elsewhere`` speak over the same line. Nothing of the club is loaded
    before the first turn; ``wait`` lets seconds pass."""

    def __init__(
        self,
        evening: Evening,
        settings: Mapping[str, Any],
        wait: Callable[[float], object],
        press: Callable[[str], None],
        panel: LightPanel,
        elsewhere: TablesElsewhere | None = None,
    ) -> None:
        self._elsewhere = elsewhere
        self._evening, self._settings, self._wait = evening, settings, wait
        self._press, self._panel = press, panel
        self._level = panel.settings.level
        self._outbox: Outbox | None = None
        self._seen: tuple[object, TableNow] | None = None
        self._guard, self._leaving = threading.Lock(), ExitStack()

    def step(self) -> bool:
        """Take one turn; return that there is more to do."""
        try:
            with self._guard:
                self._outbox = self._outbox or self._open()
                self._outbox.step()
                resting = self._outbox.resting
                if self._elsewhere is not None:
                    resting = self._elsewhere.tick(self._outbox)
        except (BadInput, HardwareFault, ImportError) as error:
            _log.warning("the club hears nothing of this table: %s", error)
            resting = PAUSE
        if resting:
            self._wait(resting)
        return True

    def _open(self) -> Outbox:
        from companion.club.credential import connecting
        from companion.club.link import read_address
        from companion.club.outbox import Outbox

        address = read_address(self._settings["broker"], self._settings.get("ca", ""))
        journal = Path(self._evening.journal.path)
        name = str(self._settings.get("name", ""))
        delay = float(self._settings.get("delay", 0))
        clock, home = self._evening.clock, self._settings.get("home", "off")
        outbox = Outbox(
            journal, connecting(address, journal.parent), name, self._playing, delay=delay,
            invited=address.name, shares=home != "alone", beside=self._beside, now=clock,
        )  # fmt: skip
        self._leaving.callback(self._evening.subscribe(lambda event: outbox.wake()))
        if where := self._settings.get("metrics", ""):
            from companion.club.metrics import serve

            self._leaving.callback(serve(where, partial(self._figures, outbox)))
        return outbox

    def _beside(self, cursor: Cursor) -> list[Beside]:
        """Return what else is told over the table's line."""
        told: list[Beside] = []
        name = str(self._settings.get("name", ""))
        if (home := self._settings.get("home", "off")) != "off":
            from companion.club.home import Home

            press = partial(self._press, "turn")
            told.append(Home(cursor.table, name, self._now, press, self._light))
        if home != "alone" and self._elsewhere is not None:
            told.append(self._elsewhere.beside(name, cursor.table))
        if self._settings.get("photographs", False) and home != "alone":
            from companion.club.photographs import Photographs

            told.append(Photographs(cursor, Path(self._evening.journal.path)))
        return told

    def _light(self, on: bool) -> None:
        """Switch the lights off, or on again as they were."""
        settings = self._panel.settings
        if on != (settings.level != "off"):
            self._level = self._level if on else settings.level
            level = (self._level if self._level != "off" else "full") if on else "off"
            self._panel.adjust(replace(settings, level=level))

    def _now(self) -> TableNow:
        """Return how the table is; it is reckoned anew when something has happened."""
        table, lit = self._evening.table, self._panel.settings.level != "off"
        key = (table.game_id, table.state_id, table.paused, lit)
        if self._seen is None or self._seen[0] != key:
            self._seen = key, _table_now(table, lit)
        return self._seen[1]

    def _figures(self, outbox: Outbox) -> Iterable[Metric]:
        from companion.club.metrics import Metric

        last, stored = self._evening.journal.last_seq, outbox.cursor.place.seq
        yield Metric("journal_events", "Number of the last event of the journal", last)
        yield Metric("stored_events", "Number of the last event that the club has stored", stored)
        yield Metric("broker_up", "1 while the broker has let the table in", float(outbox.up))
        yield Metric("playing", "1 while a game is played", float(bool(self._playing())))

    def _playing(self) -> str:
        table = self._evening.table
        return table.game.name if table.outcome is None and table.actions else ""

    def close(self) -> None:
        """Say that the table is offline."""
        with self._guard:
            self._leaving.close()
            if self._outbox is not None:
                self._outbox.close()


def _table_now(table: Table[Any], lit: bool) -> TableNow:
    from companion.club.home import TableNow

    over, clock = table.outcome is not None, table.running
    cards = table.game.scorecards(table.state)
    scores = {card.seat: card.score for card in cards if card.score is not None}
    state = "over" if over else "playing" if table.actions else "waiting"
    left = []
    if clock is not None and clock.seat is not None and not (table.paused or over):
        own = clock.seat_left(clock.seat, clock.since)
        left = [
            clock.game_left(clock.since),
            None if own is None else own + clock.free_left(clock.since),
        ]
    ends = min((one for one in left if one is not None), default=None)
    return TableNow(
        table.game.name,
        "paused" if table.paused and not over else state,
        "" if over else table.to_move or "",
        scores,
        None if ends is None or clock is None else clock.since + ends,
        lit,
    )
