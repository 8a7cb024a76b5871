"""Lights, buttons, buzzer, status LED and sensors tried out one after the other, from a page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from companion.live.light_panel import LightPanel
from companion.rules import BadInput, say
from hardware.lights import Light, LightFrame

if TYPE_CHECKING:
    from hardware.pins import Pins

ABANDONED = 120.0
"""Seconds after which a trial that nobody goes on with has ended."""
COLOURS = MappingProxyType({"red": (255, 0, 0), "green": (0, 255, 0), "blue": (0, 0, 255)})
WHITE = (200, 200, 200)
WORDS = "tried out"
PRESSES = 40
"""Presses that are remembered."""

Step = tuple[str, str]
"""What is tried out: its kind (``colour``, ``cell``, ``sound``, ``status``, ``button`` or
``sensors``), and which."""


class HardwareTrial:
    """Tries out what is wired to a table, one step at a time: while a trial goes on the lights of
    ``panel`` show its step, and buttons do nothing but say that they were heard. ``pins`` tell
    which there are, None for no box; ``sound`` plays a pattern of its buzzer; ``felt`` tells on
    which spots a board of sensors feels something, None where there is no such board. All methods
    may be called from any thread."""

    def __init__(
        self,
        panel: LightPanel,
        clock: Callable[[], float],
        pins: Pins | None,
        sound: Callable[[str], None],
        felt: Callable[[], Sequence[str] | None] = lambda: None,
    ) -> None:
        self._panel, self._clock, self._sound = panel, clock, sound
        self.felt, self._says = felt, ""
        self._pins = pins
        self._frame: LightFrame = {}
        self._until = -1.0
        self._heard: tuple[str, ...] = ()

    def steps(self) -> Sequence[Step]:
        """Return what can be tried out, in order: all lights in each colour, the light of each cell
        as the strip comes to them, the buzzer's patterns, what the status LED says, the buttons,
        the board of sensors as a whole."""
        steps = [("colour", name) for name in COLOURS]
        steps += [("cell", spot) for spot in self._panel.spots()]
        steps += self._of_the_box(self._pins) if self._pins is not None else []
        return steps + ([("sensors", "")] if self.felt() is not None else [])

    @staticmethod
    def _of_the_box(pins: Pins) -> list[Step]:
        # A table without a box starts without what is only needed for one.
        from hardware.buttons import PATTERNS, STATUSES

        loud = (pins.buzzer, pins.speaker) != (None, None)
        steps = [("sound", name) for name in PATTERNS] if loud else []
        lamp = pins.status is not None
        steps += [("status", name) for name in STATUSES if name != "off"] if lamp else []
        return steps + [("button", name) for name in pins.buttons]

    def show(self, kind: str, name: str) -> None:
        """Begin one of the steps; what was shown before ends.

        Raises:
            BadInput: there is no such step.
        """
        if (kind, name) not in self.steps():
            raise BadInput(say("there is nothing of the kind to be tried out at this table"))
        spots = self._panel.spots() if kind == "colour" else (name,) if kind == "cell" else ()
        light = Light(COLOURS.get(name, WHITE), "steady", "trial", WORDS)
        self._frame = MappingProxyType(dict.fromkeys(spots, light))
        self._until, self._heard = self._clock() + ABANDONED, ()
        self._says = name if kind == "status" else ""
        self._panel.instead = self.frame
        self._panel.tick()
        if kind == "sound":
            self._sound(name)

    def heard(self) -> Sequence[str]:
        """Return the buttons that were pressed since the step began, the earliest first."""
        return self._heard

    def end(self) -> None:
        """Give lights and buttons back to the game."""
        self._until, self._panel.instead = -1.0, None
        self._panel.tick()

    def frame(self) -> LightFrame | None:
        """Return what shines for the trial; None once it has ended."""
        return self._frame if self._goes_on() else None

    def says(self) -> str:
        """Return what the status LED says for the trial; empty where it is the game's."""
        return self._says if self._goes_on() else ""

    def takes(self, button: str) -> bool:
        """Tell whether a press of ``button`` belongs to the trial, and not to the game."""
        if self._goes_on():
            self._heard = (*self._heard, button)[-PRESSES:]
        return self._goes_on()

    def _goes_on(self) -> bool:
        return self._clock() < self._until
