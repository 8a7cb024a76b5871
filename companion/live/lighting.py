"""The lights of one game after another, on the same strip."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from companion.live.environment import Environment
from companion.rules import CompanionError, HardwareFault
from companion.runtime.locations import lights_file_of
from companion.runtime.table_settings import Kept
from companion.table import Table
from hardware.opening import open_lights, real
from hardware.settings import LightSettings, load_settings
from hardware.strip import LightShow, SimulatedStrip
from hardware.wiring import default_wiring, load_wiring

_log = logging.getLogger(__name__)


def light_settings(kept: Kept, journal: Path) -> LightSettings:
    """Return the settings of the lights: those in the settings file, and those that a companion
    before it kept beside the journal.

    Raises:
        BadInput: what is kept cannot be read.
    """
    values = kept.load()
    old = lights_file_of(journal)
    if old.exists():
        settings = asdict(load_settings(old))
        values = {**settings, **values}
        try:
            kept.save(values)
            old.unlink()
        except (HardwareFault, OSError) as fault:
            _log.warning("%s", fault)
    return LightSettings(**values)


def keeper(kept: Kept, settings: LightSettings) -> Callable[[LightSettings], None]:
    """Return a function that keeps those settings which differ from ``settings``."""
    last = settings

    def keep(wanted: LightSettings) -> None:
        nonlocal last
        before = asdict(last)
        kept.save({name: v for name, v in asdict(wanted).items() if v != before[name]})
        last = wanted

    return keep


class Lighting:
    """Opens the lights at ``address`` for the board of a game. ``wiring`` is a file, None for the
    usual one."""

    def __init__(self, address: str, wiring: Path | None, outside: Environment) -> None:
        self._address, self._wiring, self._outside = address, wiring, outside

    def open(self, table: Table[Any], settings: LightSettings) -> tuple[LightShow, bool]:
        """Return the lights for the board of ``table``, and whether they are real.

        Raises:
            BadInput, HardwareFault: they are not to be had.
        """
        board, clock = table.game.board(table.setup), self._outside.clock
        wiring = load_wiring(self._wiring, board) if self._wiring else default_wiring(board)
        strip = self._outside.strip(open_lights(self._address, wiring, board, clock))
        show = LightShow(strip, wiring, clock, settings, minutes_of_day)
        return show, real(self._address, wiring)

    def any(self, table: Table[Any], settings: LightSettings) -> LightShow:
        """Return the lights for the board of ``table``, simulated ones where there are none."""
        try:
            return self.open(table, settings)[0]
        except CompanionError as error:
            _log.warning("no lights for this game: %s", error)
            wiring = default_wiring(table.game.board(table.setup))
            return LightShow(SimulatedStrip(keep=1), wiring, self._outside.clock, settings)


def minutes_of_day() -> int:
    """Return the local time of day in minutes since midnight."""
    now = time.localtime()
    return 60 * now.tm_hour + now.tm_min
