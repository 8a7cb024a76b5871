"""What the people at a table want of their lights: what is lit, how bright, when it is night."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.files import read_text
from companion.rules import BadInput

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
            raise BadInput(f"the level of the lights is full, errors or off, not {self.level!r}")
        for name in ("brightness", "night_brightness"):
            value = getattr(self, name)
            if type(value) is not int or not 0 <= value <= 100:
                raise BadInput(f"{name} is a whole number of percent, 0 to 100, not {value!r}")
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
    fits = hours.isdecimal() and minutes.isdecimal() and len(minutes) == 2
    if not fits or int(hours) > 23 or int(minutes) > 59:
        raise BadInput(f"the night is written as 22:00-07:00, or on, or left empty, not {whole!r}")
    return 60 * int(hours) + int(minutes)


def read_settings(data: Mapping[str, Any]) -> LightSettings:
    """Return the settings that JSON values describe; what is left out has its default.

    Raises:
        BadInput: an unknown name, or a value that does not fit.
    """
    names = [field.name for field in fields(LightSettings)]
    for name in data:
        if name not in names:
            raise BadInput(f"the lights have no setting {name!r}; they have {', '.join(names)}")
    if not isinstance(data.get("night", ""), str):
        raise BadInput(f"the night is written as 22:00-07:00, not {data['night']!r}")
    return LightSettings(**data)


def load_settings(path: Path) -> LightSettings:
    """Return the settings that an older companion kept at ``path``, the defaults if there is no
    such file.

    Raises:
        BadInput: the file is there and holds something else.
    """
    try:
        data = json.loads(read_text(path))
    except FileNotFoundError:
        return LightSettings()
    except OSError as error:
        raise BadInput(f"the lights' settings {path} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise BadInput(f"the lights' settings {path} cannot be read: {error}") from None
    if not isinstance(data, dict):
        raise BadInput(f"the lights' settings {path} hold no JSON object; delete the file")
    return read_settings(data)
