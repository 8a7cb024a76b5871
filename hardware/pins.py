"""Which buttons, lamps and buzzers a box has, and on which pins: settings, every one optional."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from companion.rules import BadInput, quoted
from companion.runtime.files import read_json

Pin = int | None
HIGHEST = 27
"""The highest GPIO (BCM number) on a Raspberry Pi's header."""


@dataclass(frozen=True, slots=True)
class Pins:
    """GPIO (BCM) numbers; None is not built in.

    Buttons, to ground: ``turn`` ends the turn, ``undo`` takes back when held for ``undo_hold``
    seconds, ``new`` begins a new game when held for ``new_hold``. ``knob`` is a rotary encoder's A
    and B, for the brightness. ``buzzer`` is active (it has a tone of its own), ``speaker`` passive,
    ``status`` an LED.
    """

    turn: Pin = None
    undo: Pin = None
    new: Pin = None
    knob: tuple[int, int] | None = None
    buzzer: Pin = None
    speaker: Pin = None
    status: Pin = None
    undo_hold: float = 0.8
    new_hold: float = 3.0

    def __post_init__(self) -> None:
        used: dict[int, str] = {}
        for name, number in self.named():
            if type(number) is not int or not 0 <= number <= HIGHEST:
                raise BadInput(f"{name} is a GPIO number from 0 to {HIGHEST}, not {quoted(number)}")
            if number in used:
                raise BadInput(f"{used[number]} and {name} are both on GPIO {number}")
            used[number] = name
        for name in ("undo_hold", "new_hold"):
            value = getattr(self, name)
            if type(value) not in (int, float) or not 0 <= value <= 30:
                raise BadInput(f"{name} is a number of seconds from 0 to 30, not {quoted(value)}")

    @property
    def buttons(self) -> tuple[str, ...]:
        """Return what a hand can press or turn, as :class:`hardware.buttons.Controls` calls it."""
        pressed = [name for name in ("turn", "undo", "new") if getattr(self, name) is not None]
        return (*pressed, *(("brighter", "dimmer") if self.knob is not None else ()))

    def named(self) -> list[tuple[str, int]]:
        """Return every pin in use with what is on it."""
        found: list[tuple[str, int]] = []
        for name in ("turn", "undo", "new", "knob", "buzzer", "speaker", "status"):
            value = getattr(self, name)
            if isinstance(value, tuple):
                found += [(name, number) for number in value]
            elif value is not None:
                found.append((name, value))
        return found


USUAL = Pins(turn=23, undo=24, new=22, knob=(17, 27), buzzer=25, status=16)
"""The pins of the build guide."""


def read_pins(text: str) -> Pins:
    """Return the pins that a setting names: ``usual``, ``turn=23,knob=17:27``, or a JSON file.

    Raises:
        BadInput: an unknown name, no GPIO, or a pin that is used twice.
    """
    if text == "usual":
        return USUAL
    if "=" not in text:
        return pins_of(_loaded(Path(text)))
    values: dict[str, Any] = {}
    for part in text.split(","):
        name, _, value = part.partition("=")
        numbers = [_number(name, number) for number in value.split(":")]
        values[name.strip()] = numbers if len(numbers) > 1 else numbers[0]
    return pins_of(values)


def pins_of(data: Mapping[str, Any]) -> Pins:
    """Return the pins that JSON values describe.

    Raises:
        BadInput: see :func:`read_pins`.
    """
    names = [field.name for field in fields(Pins)]
    values = dict(data)
    for name in values:
        if name not in names:
            raise BadInput(f"there is no {quoted(name)} on a panel; it may have {', '.join(names)}")
    if (knob := values.get("knob")) is not None:
        if not isinstance(knob, list | tuple) or len(knob) != 2:
            raise BadInput("knob needs two pins, its A and B, as in knob=17:27")
        values["knob"] = tuple(knob)
    return Pins(**values)


def _number(name: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise BadInput(
            f"{quoted(f'{name}={text}')} is no number; write a pin as in turn=23"
        ) from None
    return int(value) if value.is_integer() and not name.endswith("_hold") else value


def _loaded(path: Path) -> Mapping[str, Any]:
    try:
        return read_json(path)
    except BadInput as error:
        raise BadInput(
            f"the panel {quoted(path)} is neither usual, nor pins such as turn=23,undo=24, nor a "
            f'JSON file such as {{"turn": 23}}: {error}'
        ) from error
