"""A box's buttons, knob, buzzer and status LED on gpiozero. Pin numbers are GPIO (BCM) numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Any

from companion.rules import BadInput, HardwareFault, quoted
from hardware.pins import Pins

_REMEDY = "pip install 'tabletop-companion[pi]', or on a Pi: sudo apt install python3-gpiozero"
BOUNCE = 0.03
"""Seconds for which a button's contacts bounce."""
TONE_HZ = 880.0

Pattern = tuple[tuple[float, float], ...]
"""On and off in turn: seconds on, seconds off after it."""

PATTERNS: Mapping[str, Pattern] = MappingProxyType(
    {
        "accepted": ((0.1, 0.0),),
        "refused": ((0.4, 0.2), (0.4, 0.0)),
        "differs": ((0.1, 0.1), (0.1, 0.1), (0.1, 0.0)),
        "asks": ((0.1, 0.3), (0.3, 0.0)),
        "over": ((0.2, 0.1), (0.2, 0.1), (0.8, 0.0)),
    }
)
"""What the buzzer plays: an action was accepted or refused, the table differs, a question is open,
the game is over."""

STATUSES: Mapping[str, Pattern] = MappingProxyType(
    {
        "off": ((0.0, 1.0),),
        "watching": ((1.0, 0.0),),
        "waiting": ((1.0, 1.0),),
        "mend": ((0.25, 0.25),),
        "fault": ((0.1, 0.1), (0.1, 0.7)),
    }
)
"""What the status LED shows again and again: the camera watches; it waits for hands to leave, or
for the set-up; the table differs or a question is open; something is out of order."""


def sounding(pattern: Pattern, t: float) -> bool:
    """Tell whether a pattern is on ``t`` seconds after it began."""
    for on, silence in pattern:
        if t < on:
            return t >= 0
        t -= on + silence
        if t < 0:
            return False
    return False


def shining(status: str, t: float) -> bool:
    """Tell whether the status LED is on at ``t`` seconds."""
    pattern = STATUSES[status]
    return sounding(pattern, t % sum(on + off for on, off in pattern))


class Controls:
    """Whatever of :class:`hardware.pins.Pins` is built in.

    ``press`` is called with ``turn``, ``undo``, ``new``, ``brighter`` or ``dimmer``, from
    gpiozero's threads or from whoever calls :meth:`update`.
    """

    def __init__(
        self,
        pins: Pins,
        press: Callable[[str], None],
        clock: Callable[[], float],
        *,
        pin_factory: Any = None,
        bounce: float | None = BOUNCE,
    ) -> None:
        """Open every device.

        Raises:
            HardwareFault: gpiozero is missing, or this machine has no such pin.
        """
        self._gpiozero = _gpiozero()
        self._press, self._clock = press, clock
        self._factory, self._bounce = pin_factory, bounce
        self._devices: list[Any] = []
        self._holds: list[_Hold] = []
        self._sounds: list[Callable[[bool], None]] = []
        self._lamp: Any = None
        self._pattern: Pattern = ()
        self._began = 0.0
        self._loud = False
        self._status = "waiting"
        try:
            self._open(pins)
        except HardwareFault:
            self.close()
            raise

    def _open(self, pins: Pins) -> None:
        if pins.turn is not None:
            self._button("turn", pins.turn).when_pressed = lambda: self._press("turn")
        for name, pin, hold in (
            ("undo", pins.undo, pins.undo_hold),
            ("new", pins.new, pins.new_hold),
        ):
            if pin is not None:
                self._holds.append(_Hold(name, self._button(name, pin), hold))
        if pins.knob is not None:
            a, b = pins.knob
            knob = self._device("the knob", a, "RotaryEncoder", a, b, max_steps=0)
            knob.when_rotated_clockwise = lambda: self._press("brighter")
            knob.when_rotated_counter_clockwise = lambda: self._press("dimmer")
        if pins.buzzer is not None:
            buzzer = self._device("the buzzer", pins.buzzer, "Buzzer", pins.buzzer)
            self._sounds.append(lambda on: buzzer.on() if on else buzzer.off())
        if pins.speaker is not None:
            speaker = self._device("the speaker", pins.speaker, "TonalBuzzer", pins.speaker)
            self._sounds.append(lambda on: speaker.play(TONE_HZ) if on else speaker.stop())
        if pins.status is not None:
            self._lamp = self._device("the status LED", pins.status, "LED", pins.status)

    def _button(self, name: str, pin: int) -> Any:
        return self._device(
            f"the {name} button", pin, "Button", pin, pull_up=True, bounce_time=self._bounce
        )

    def _device(self, what: str, pin: int, kind: str, *pins: int, **more: Any) -> Any:
        try:
            device = getattr(self._gpiozero, kind)(*pins, pin_factory=self._factory, **more)
        except self._gpiozero.GPIOZeroError as error:
            raise HardwareFault(_no_pin(what, pin, error)) from error
        self._devices.append(device)
        return device

    def sound(self, name: str) -> None:
        """Begin a pattern of :data:`PATTERNS`; one that is still sounding is cut off.

        Raises:
            BadInput: there is no such pattern.
        """
        if name not in PATTERNS:
            raise BadInput(f"the buzzer knows {', '.join(PATTERNS)}, not {quoted(name)}")
        self._pattern, self._began = PATTERNS[name], self._clock()

    def say(self, status: str) -> None:
        """Let the status LED say one of :data:`STATUSES`.

        Raises:
            BadInput: there is no such status.
        """
        if status not in STATUSES:
            raise BadInput(f"the status LED knows {', '.join(STATUSES)}, not {quoted(status)}")
        self._status = status

    def update(self) -> None:
        """Look at held buttons, move sound and LED along; call it ten times a second or more."""
        now = self._clock()
        for hold in self._holds:
            if hold.due(now):
                self._press(hold.name)
        loud = sounding(self._pattern, now - self._began)
        if loud != self._loud:
            self._loud = loud
            for switch in self._sounds:
                switch(loud)
        if self._lamp is not None:
            self._lamp.value = int(shining(self._status, now))

    def close(self) -> None:
        """Fall silent and give all pins back; closing twice does no harm."""
        self._holds.clear()
        self._sounds.clear()
        self._lamp = None
        while self._devices:
            self._devices.pop().close()


class _Hold:
    """A button that acts once when it has been held for a while."""

    def __init__(self, name: str, button: Any, seconds: float) -> None:
        self.name, self._button, self._seconds = name, button, seconds
        self._since: float | None = None
        self._acted = False

    def due(self, now: float) -> bool:
        """Tell, once in a hold, that it has lasted long enough."""
        if not self._button.is_pressed:
            self._since, self._acted = None, False
            return False
        if self._since is None:
            self._since = now
        if self._acted or now - self._since < self._seconds:
            return False
        self._acted = True
        return True


def _no_pin(what: str, pin: int, error: Exception) -> str:
    return (
        f"{what} on GPIO {pin} cannot be opened ({error or type(error).__name__}); "
        "check that this is a Raspberry Pi with lgpio installed and that nothing else uses the pin"
    )


def _gpiozero() -> Any:
    try:
        return import_module("gpiozero")
    except ImportError as error:
        raise HardwareFault(
            f"the package gpiozero is not installed; install it with: {_REMEDY}"
        ) from error
