"""What the people at a table want of their lights: what is lit, how bright, when it is night."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.rules import BadInput, quoted, say, whole_number
from companion.runtime.files import read_json

if TYPE_CHECKING:  # The lights themselves need numpy, and not every command needs lights.
    from hardware.lights import Level

LEVELS: tuple[Level, ...] = ("full", "errors", "off")


@dataclass(frozen=True, slots=True)
class LightSettings:
    """``level``: what is lit; ``brightness`` and ``night_brightness``: percent as the eye sees
    them; ``night``: from when till when the second holds, such as ``22:00-07:00``, empty for
    never, ``on`` for always."""

    level: Level = "full"
    brightness: int = 100
    night: str = ""
    night_brightness: int = 25

    def __post_init__(self) -> None:
        if self.level not in LEVELS:
            raise BadInput(
                say(
                    "the level of the lights is full, errors or off, not {level}",
                    level=quoted(self.level),
                )
            )
        for value in (self.brightness, self.night_brightness):
            if type(value) is not int or not 0 <= value <= 100:
                raise BadInput(
                    say(
                        "brightness is a whole number of percent, 0 to 100, not {value}",
                        value=quoted(value),
                    )
                )
        if self.night not in ("", "on"):
            _span(self.night)

    def dark(self, minutes: int) -> bool:
        """Tell whether it is night at ``minutes`` since midnight."""
        if self.night in ("", "on"):
            return self.night == "on"
        begins, ends = _span(self.night)
        if begins <= ends:
            return begins <= minutes < ends
        return minutes >= begins or minutes < ends

    def share(self, minutes: int) -> float:
        """Return which share of its full light every LED gives at ``minutes`` since midnight.

        The eye goes by ratios: half as bright to the eye is about a quarter of the light.
        """
        percent = self.brightness
        if self.dark(minutes):
            percent = min(percent, self.night_brightness)
        return (percent / 100) ** 2


def _span(text: str) -> tuple[int, int]:
    begins, _, ends = text.partition("-")
    return _minutes(begins, text), _minutes(ends, text)


def _minutes(text: str, whole: str) -> int:
    hours, _, minutes = text.strip().partition(":")
    hour, minute = whole_number(hours), whole_number(minutes)
    if hour is None or minute is None or len(minutes) != 2 or hour > 23 or minute > 59:
        raise _no_night(whole)
    return 60 * hour + minute


def _no_night(given: object) -> BadInput:
    return BadInput(
        say(
            "the night is written as 22:00-07:00, or on, or left empty, not {text}",
            text=quoted(given),
        )
    )


def read_settings(data: Mapping[str, Any]) -> LightSettings:
    """Return the settings that JSON values describe; what is left out has its default.

    Raises:
        BadInput: an unknown name, or a value that does not fit.
    """
    names = [field.name for field in fields(LightSettings)]
    for name in data:
        if name not in names:
            raise BadInput(say("the lights have no setting {name}", name=quoted(name)))
    if not isinstance(data.get("night", ""), str):
        raise _no_night(data["night"])
    return LightSettings(**data)


def load_settings(path: Path) -> LightSettings:
    """Return the settings that an older companion kept at ``path``, the defaults if there is no
    such file.

    Raises:
        BadInput: the file is there and holds something else.
    """
    return read_settings(read_json(path)) if path.exists() else LightSettings()
