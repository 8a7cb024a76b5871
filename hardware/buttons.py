"""Buttons to end a turn and to undo, and a buzzer. Pin numbers are GPIO (BCM) numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Any

from companion.rules import BadInput, HardwareFault

_REMEDY = "pip install 'tabletop-companion[pi]', or on a Pi: sudo apt install python3-gpiozero"

Pattern = tuple[tuple[float, float], ...]
"""Sounds in turn: seconds on, seconds of silence after it."""

PATTERNS: Mapping[str, Pattern] = MappingProxyType(
    {
        "accepted": ((0.1, 0.0),),
        "refused": ((0.4, 0.2), (0.4, 0.0)),
        "differs": ((0.1, 0.1), (0.1, 0.1), (0.1, 0.0)),
        "asks": ((0.1, 0.3), (0.3, 0.0)),
        "over": ((0.2, 0.1), (0.2, 0.1), (0.8, 0.0)),
    }
)
"""What the buzzer says: a move stands, is refused; the table differs; a question; the end."""


def sounding(pattern: Pattern, t: float) -> bool:
    """Tell whether the buzzer sounds ``t`` seconds after the pattern began."""
    for on, silence in pattern:
        if t < on:
            return t >= 0
        t -= on + silence
        if t < 0:
            return False
    return False


class Buttons:
    """The two buttons, each between its GPIO and ground. The calls come from gpiozero's thread."""

    def __init__(
        self,
        end_turn: Callable[[], None],
        undo: Callable[[], None],
        *,
        end_pin: int = 23,
        undo_pin: int = 24,
        bounce: float | None = 0.05,
        pin_factory: Any = None,
    ) -> None:
        """Open the buttons; ``bounce`` in seconds.

        Raises:
            HardwareFault: gpiozero is missing, or this machine has no such pin.
        """
        gpiozero = _gpiozero()
        self._buttons: list[Any] = []
        for pin, act in ((end_pin, end_turn), (undo_pin, undo)):
            try:
                button = gpiozero.Button(
                    pin, pull_up=True, bounce_time=bounce, pin_factory=pin_factory
                )
            except gpiozero.GPIOZeroError as error:
                self.close()
                raise HardwareFault(_no_pin("a button", pin, error)) from error
            button.when_pressed = act
            self._buttons.append(button)

    def close(self) -> None:
        """Give the pins back; closing twice does no harm."""
        while self._buttons:
            self._buttons.pop().close()


class Buzzer:
    """A buzzer that plays :data:`PATTERNS`; :meth:`update` moves it along, without a thread."""

    def __init__(
        self, clock: Callable[[], float], *, pin: int = 25, pin_factory: Any = None
    ) -> None:
        """Open the buzzer.

        Raises:
            HardwareFault: gpiozero is missing, or this machine has no such pin.
        """
        gpiozero = _gpiozero()
        self._clock = clock
        self._pattern: Pattern = ()
        self._began = 0.0
        try:
            self._buzzer: Any = gpiozero.Buzzer(pin, pin_factory=pin_factory)
        except gpiozero.GPIOZeroError as error:
            raise HardwareFault(_no_pin("the buzzer", pin, error)) from error

    def play(self, name: str) -> None:
        """Begin a pattern; one that is still sounding is cut off.

        Raises:
            BadInput: there is no such pattern.
        """
        if name not in PATTERNS:
            raise BadInput(f"the buzzer knows {', '.join(PATTERNS)}, not {name!r}")
        self._pattern, self._began = PATTERNS[name], self._clock()
        self.update()

    def update(self) -> None:
        """Switch the buzzer as the pattern has it now; call it about ten times a second."""
        if sounding(self._pattern, self._clock() - self._began):
            self._buzzer.on()
        else:
            self._buzzer.off()

    def close(self) -> None:
        """Fall silent and give the pin back; closing twice does no harm."""
        self._buzzer.close()


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
