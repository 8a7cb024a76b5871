"""The lights of one table: what they say now, on the strip and in words for the phones."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any

from companion.rules import HardwareFault
from companion.table import Table
from hardware.lights import LightFrame, Moment, lights
from hardware.strip import LightShow

_log = logging.getLogger(__name__)

WORDS: Mapping[str, str] = {
    "differs": "differs from the game",
    "proof": "proves the ruling",
    "capture": "may be captured",
    "destination": "may go here",
    "nowhere": "may not move",
    "home": "lifted from here",
    "highlight": "marked",
    "last": "last move",
    "turn": "may move",
}
"""What a light says, in the words of the pages."""


class Panel:
    """Shows on a strip what the table's state and the moment ask for.

    The last refusal is explained until the next accepted action or until the camera sees the
    table in order again.
    """

    def __init__(self, table: Table[Any], show: LightShow, changed: Callable[[], None]) -> None:
        self._table, self._strip, self._changed = table, show, changed
        self._frame: LightFrame = {}
        self._moment: Moment | None = None
        self._seen = -1
        self._broken = False

    def show(self, moment: Moment) -> None:
        """Light what this moment asks for; called for every frame of the camera.

        A strip that fails is said once in the log; play goes on without lights.
        """
        state_id = self._table.state_id
        if moment != self._moment or state_id != self._seen:
            self._moment, self._seen = moment, state_id
            frame = lights(self._table.game, self._table.state, moment)
            if frame != self._frame:
                self._frame = frame
                self._changed()
        try:
            self._strip.show(self._frame)
            self._broken = False
        except HardwareFault as fault:
            if not self._broken:
                _log.warning("%s", fault)
            self._broken = True

    def glow(self, at: float) -> Mapping[str, tuple[int, int, int]]:
        """Return what shines under every lit spot at ``at`` seconds."""
        return self._strip.glow(at)

    def words(self) -> Mapping[str, Mapping[str, str]]:
        """Return every lit spot with its colour, effect and meaning, for the pages."""
        return {
            spot: {
                "colour": "#{:02x}{:02x}{:02x}".format(*light.colour),
                "effect": light.effect,
                "meaning": WORDS[light.meaning],
            }
            for spot, light in self._frame.items()
        }

    def close(self) -> None:
        """Put the lights out."""
        self._strip.close()
