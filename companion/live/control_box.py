"""A box beside the table: its buttons act on the game, its buzzer and status LED tell what
happens."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from companion.journal import Event
from companion.live.hardware_trial import HardwareTrial
from companion.live.light_panel import LightPanel
from companion.rules import BadInput, CompanionError, Uncertain, quoted, say
from companion.table import Table
from companion.table.evening import Evening

if TYPE_CHECKING:
    from hardware.buttons import Controls

_log = logging.getLogger(__name__)

STEP = 10
"""Percent by which one click of the knob changes the brightness."""
SOUNDS: Mapping[str, str] = {
    "action": "accepted",
    "refused": "refused",
    "differs": "differs",
    "asked": "asks",
    "ended": "over",
}
"""The pattern that the buzzer plays for each kind of event."""


def press_at(table: Table[Any], name: str) -> None:
    """Do at ``table`` what its ``turn`` or ``undo`` button asks.

    Raises:
        BadInput: there is no such button, or nothing to end or to take back.
        HardwareFault: the journal cannot be written.
    """
    if name == "undo":
        table.undo(1, "button")
    elif name == "turn":
        game = table.game
        spoken = [a for a in game.legal(table.state) if a.verb in game.ends_turn]
        if not spoken:
            raise BadInput(say("there is no turn to end now: a piece has to be moved first"))
        table.play(spoken[0], "button")
    else:
        raise BadInput(
            say("the table has no button {name}; it has turn and undo", name=quoted(name))
        )


class ControlBox:
    """Connects the controls of a box with its table. ``status`` is the camera's
    (``web.Eyes.status``), ``press`` does what the buttons ask. Call :meth:`tick` ten times a
    second or more."""

    def __init__(
        self,
        table: Table[Any] | Evening,
        panel: LightPanel,
        status: Callable[[], Mapping[str, Any]],
        press: Callable[[str], None],
    ) -> None:
        self._panel, self._status, self._press = panel, status, press
        self._controls: Controls | None = None
        self.trial: HardwareTrial | None = None
        """What tries lights and controls out, if anything does."""
        self._lost = False
        self._forget = table.subscribe(self._heard)

    def connect(self, controls: Controls) -> None:
        """Take the controls, which call :meth:`press`."""
        self._controls = controls

    def press(self, name: str) -> None:
        """Do what the button called ``name`` asks; if that fails, the box sounds *refused*, or
        *asks* where the companion is in doubt."""
        if self.trial is not None and self.trial.takes(name):
            return
        try:
            self.do(name)
        except CompanionError as error:
            _log.warning("the %s button: %s", name, error)
            self.sound("asks" if isinstance(error, Uncertain) else "refused")

    def do(self, name: str) -> None:
        """Do what a button or the knob asks.

        Raises:
            BadInput, HardwareFault: it cannot be done.
        """
        if name in ("brighter", "dimmer"):
            self._turn_the_knob(STEP if name == "brighter" else -STEP)
        else:
            self._press(name)

    def _turn_the_knob(self, percent: int) -> None:
        settings = self._panel.settings
        brightness = max(0, min(100, settings.brightness + percent))
        if brightness != settings.brightness:
            self._panel.adjust(replace(settings, brightness=brightness))

    def _heard(self, event: Event) -> None:
        if event.kind in ("lost", "found"):
            self._lost = event.kind == "lost"
        if sound := SOUNDS.get(event.kind):
            self.sound(sound)

    def sound(self, name: str) -> None:
        """Play a pattern of :data:`hardware.buttons.PATTERNS`, if there is a buzzer."""
        if self._controls is not None:
            self._controls.sound(name)

    def tick(self) -> None:
        """Look at the buttons, move sound and LED along."""
        if self._controls is not None:
            tried = self.trial.says() if self.trial is not None else ""
            self._controls.say(tried or self.status())
            self._controls.update()

    def status(self) -> str:
        """Return what the status LED says now."""
        seen = self._status()
        if self._lost or seen.get("troubles"):
            return "fault"
        if seen["differs"] or seen["asks"]:
            return "mend"
        return "watching" if seen["still"] else "waiting"

    def close(self) -> None:
        """Put the LED out and give the pins back."""
        self._forget()
        if self._controls is not None:
            self._controls.close()
