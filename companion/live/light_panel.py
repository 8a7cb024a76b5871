"""The lights of one table: what they say now, on the strip and in words for the phones."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from companion.live.greeting import Greeting
from companion.live.recent_lights import RecentLights
from companion.rules import HardwareFault
from companion.table import Table
from hardware.lights import Colour, LightFrame, Moment, lights
from hardware.settings import LightSettings
from hardware.strip import LightShow

_log = logging.getLogger(__name__)

REFRESH = 1 / 40
"""Seconds between two refreshes of a real strip."""


class LightPanel:
    """Shows on a strip what the table's state and the moment ask for.

    The last refusal is explained until the next accepted action or until the camera sees the
    table in order again. ``keep`` is called with settings that somebody changed. ``clock`` is the
    camera's: by it the panel knows what shone while a picture was taken. ``attempt`` does what
    concerns the strip and tells of a driver's unexpected fault. All methods may be called from any
    thread.
    """

    def __init__(
        self,
        table: Table[Any],
        show: LightShow,
        changed: Callable[[], None],
        keep: Callable[[LightSettings], None] = lambda settings: None,
        clock: Callable[[], float] = time.monotonic,
        attempt: Callable[[Callable[[], None]], None] = lambda do: do(),
    ) -> None:
        self._shone, self._attempt = RecentLights(clock), attempt
        self._guard = threading.RLock()
        self._table, self._strip, self._changed, self._keep = table, show, changed, keep
        self._frame: LightFrame = {}
        self._moment: Moment | None = None
        self._seen = -1
        self._out = False
        self._broken = False
        self.greeting: Greeting | None = None
        """What is shown instead, until somebody has joined."""
        self.instead: Callable[[], LightFrame | None] | None = None
        """What is tried out, and shown instead of all else as long as it is not None."""

    @property
    def settings(self) -> LightSettings:
        """Return what the people at the table want of their lights."""
        return self._strip.settings

    def adjust(self, settings: LightSettings) -> None:
        """Take other settings, show them at once and keep them.

        Raises:
            HardwareFault: they cannot be kept; they hold until the companion stops.
        """
        self._strip.settings = settings
        if self._moment is not None:
            self.show(self._moment)
        self._keep(settings)

    def follow(self, table: Table[Any], lit: Callable[[], LightShow]) -> LightShow:
        """Show the lights of ``table`` from now on and return them: ``lit`` opens those of its
        board, after the old ones were put out, for both may be on one strip. Where the table is
        the present one, nothing changes."""
        with self._guard:
            if table is self._table:
                return self._strip
            self._strip.close()
            self._table = table
            self._frame, self._moment, self._seen = {}, None, -1
            self._strip = lit()
            return self._strip

    def show(self, moment: Moment, table: Table[Any] | None = None) -> None:
        """Light what this moment asks for; called for every frame of the camera. One of another
        ``table`` than the panel's comes too late."""
        with self._guard:
            if table is None or table is self._table:
                self._light(moment)

    def _light(self, moment: Moment) -> None:
        outcome = self._table.outcome if self._table.ended_by != "rules" else None
        won = outcome.winners if outcome else None
        moment = moment._replace(level=self.settings.level, won=won)
        state_id = self._table.state_id
        if moment != self._moment or state_id != self._seen:
            self._moment, self._seen = moment, state_id
            frame = lights(self._table.game, self._table.state, moment)
            if frame != self._frame:
                self._frame = frame
                self._changed()
        self._on_the_strip(lambda: self._strip.show(self._shown()))

    def watch(self) -> Callable[[], Mapping[str, Colour]]:
        """Begin to note what is lit, and return a function: called once a picture has come, it
        returns the spots under which a light may have shone since then, with the light's colour."""
        return self._shone.watch()

    def dark(self, out: bool) -> None:
        """Put the lights out for a picture that must be seen without them, or light them again."""
        if out != self._out:
            self._out = out
            self._shone.put_out(out)
            self.tick()

    def _shown(self) -> LightFrame:
        tried = self.instead() if self.instead else None
        own = self.greeting.frame() if self.greeting else self._frame
        return self._shone.note(own if tried is None else tried)

    def tick(self) -> None:
        """Move the effects along between two frames of the camera."""
        with self._guard:
            self._on_the_strip(lambda: self._strip.show(self._shown()))

    def _on_the_strip(self, do: Callable[[], None]) -> None:
        self._attempt(lambda: self._without_fault(do))

    def _without_fault(self, do: Callable[[], None]) -> None:
        """A strip that fails is said once in the log; play goes on without lights."""
        try:
            do()
            self._broken = False
        except HardwareFault as fault:
            if not self._broken:
                _log.warning("%s", fault)
            self._broken = True

    def spots(self) -> tuple[str, ...]:
        """Return the spots that have a light, in the order in which the strip comes to them."""
        return self._strip.wiring.order

    def glow(self, at: float) -> Mapping[str, tuple[int, int, int]]:
        """Return what shines under every lit spot at ``at`` seconds."""
        return self._strip.glow(at)

    def words(self) -> Mapping[str, Mapping[str, str]]:
        """Return every lit spot with its colour, effect and meaning, for the pages."""
        return {
            spot: {
                "colour": "#{:02x}{:02x}{:02x}".format(*light.colour),
                "effect": light.effect,
                "meaning": light.words,
            }
            for spot, light in self._frame.items()
        }

    def close(self) -> None:
        """Put the lights out."""
        self._strip.close()
