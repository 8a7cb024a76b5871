"""The settings of a machine's tables in one file, which commands and pages read and change.

The file is ``settings.toml`` beside the games, so that a backup of their folder contains it. Its
section ``play`` holds what ``companion play`` does when its flags are left out, ``lights`` and
``table`` what the Settings page sets.
"""

from __future__ import annotations

import argparse
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

from companion.machine.options import port, whole
from companion.rules import BadInput, HardwareFault, quoted, read_toml, whole_number
from companion.runtime.disk_space import MEGABYTES
from companion.runtime.files import private_folder, read_text, write_private
from companion.runtime.table_settings import TableSettings
from hardware.settings import LightSettings

NAME = "settings.toml"
HEADER = "What `companion settings` lists; docs/settings.md says what each is."
SOURCES = (
    "v4l2:DEVICE (webcam), picamera, http://… or rtsp://… (network), "
    "udp:PORT, mqtt://…, serial:DEVICE or dgt:DEVICE (boards of sensors), a folder or a video file"
)
"""Where frames come from, for the help of every command that takes a SOURCE."""
LIGHTS = (
    "auto, ws281x:GPIO, spi:0.0, wled:HOST, ddp:HOST, sacn:HOST, artnet:HOST, "
    "esphome:BROKER/NODE, terminal, simulated or off"
)
"""Which lights there are, for the help of every command that takes a DRIVER."""
PATIENCE = 5.0
"""Seconds that a change waits for another program to finish changing the file."""
WORDS = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}
"""How a truth value may be written on a command line."""


class Setting(NamedTuple):
    """One setting: its ``name``, such as ``play.port``, its ``default``, what it is ``about``, how
    its value is called in help texts (``metavar``), and the function ``fits``, which raises
    ValueError or ArgumentTypeError for a wrong value."""

    name: str
    default: Any
    about: str
    metavar: str
    fits: Callable[[Any], object]

    @property
    def option(self) -> str:
        """Return the setting's name within its section, as a parsed command line has it."""
        return self.name.partition(".")[2]

    def problem(self, value: Any) -> str:
        """Return why ``value`` does not fit this setting, empty if it does."""
        number = type(self.default) is int
        if type(value) is not type(self.default) and not number:
            kind = "true or false" if isinstance(self.default, bool) else "a text"
            return f"{quoted(value)} is not {kind}"
        try:
            self.fits(value)
        except (ValueError, argparse.ArgumentTypeError) as error:
            return str(error)
        fits = type(value) is type(self.default)
        return "" if fits else f"{quoted(value)} is not a whole number"

    def checked(self, value: Any) -> Any:
        """Return ``value``, which was read from TOML, if it fits this setting.

        Raises:
            BadInput: it does not fit; the sentence says why.
        """
        if problem := self.problem(value):
            raise BadInput(f"{self.name}: {problem}")
        return value

    def meant(self, text: str) -> Any:
        """Return the value that ``text``, a word of a command line, means; the text itself if it
        means none."""
        if isinstance(self.default, bool):
            return WORDS.get(text.lower(), text)
        digits = text.removeprefix("-")
        number = isinstance(self.default, int) and whole_number(digits) is not None
        return int(text) if number else text

    def flag(self, text: str) -> Any:
        """Return the value of a flag, for argparse."""
        value = self.meant(text)
        if problem := self.problem(value):
            raise argparse.ArgumentTypeError(problem)
        return value


def _text(least: int = 0) -> Callable[[Any], object]:
    def fits(value: str) -> None:
        if not least <= len(value) <= 500 or not value.isprintable():
            raise ValueError(f"{quoted(value)} is not a short text of one line")

    return fits


def _one_of(*words: str) -> Callable[[Any], object]:
    def fits(value: str) -> None:
        if value not in words:
            raise ValueError(f"{quoted(value)} is none of {', '.join(words)}")

    return fits


PLAY = (
    Setting("play.host", "0.0.0.0", "address to listen on; 0.0.0.0 is all", "ADDRESS", _text(1)),
    Setting(
        "play.port", 8000, "port to listen on; 0 is any that is free", "PORT",
        lambda value: port(str(value)),
    ),
    Setting(
        "play.open", False,
        "seats need no join code; the host's part still needs his link, or this machine",
        "", lambda value: None,
    ),
    Setting(
        "play.camera", "simulated", f"simulated, simulated-sensors, {SOURCES}", "SOURCE", _text(1),
    ),
    Setting(
        "play.sensors", "", "the board of sensors that lies under the camera, as udp:PORT, "
        "mqtt://…, serial:DEVICE, dgt:DEVICE or simulated; without it none", "SOURCE", _text(),
    ),
    Setting("play.lights", "simulated", LIGHTS, "DRIVER", _text(1)),
    Setting(
        "play.wiring", "", "the file that tells which LED lies under which spot; without one they "
        "run column by column", "FILE", _text(),
    ),
    Setting(
        "play.panel", "", "buttons, knob, buzzer and status LED: usual, turn=23,undo=24,… or a "
        "JSON file; without it none", "PINS", _text(),
    ),
    Setting(
        "play.record_megabytes", MEGABYTES, "a recording ends when it has so many megabytes", "N",
        lambda value: whole(1)(str(value)),
    ),
)  # fmt: skip
"""What ``companion play`` does when the flags of these names are left away."""

CLUB = (
    Setting(
        "club.broker", "", "the broker of the club to which the table belongs: mqtt://HOST or "
        "mqtts://NAME:PASSWORD@HOST; without one the table is alone", "ADDRESS", _text(),
    ),
    Setting("club.ca", "", "the file with who signed for a broker with mqtts", "FILE", _text()),
    Setting("club.name", "", "what the table is called in the club", "NAME", _text()),
    Setting(
        "club.delay", 0, "seconds by which the club hears later of what happens at the table", "N",
        lambda value: whole(0, 86_400)(str(value)),
    ),
    Setting(
        "club.home", "off", "the table shows itself to Home Assistant at the broker: off, on (the "
        "club hears of it, too) or alone (nothing but that leaves the table)", "WHICH",
        _one_of("off", "on", "alone"),
    ),
    Setting(
        "club.metrics", "", "where Prometheus may ask: 9100 (this machine alone) or 0.0.0.0:9100; "
        "nowhere if empty", "PORT", _text(),
    ),
    Setting(
        "club.photographs", False, "the club may have the table's photographs, too", "",
        lambda value: None,
    ),
    Setting(
        "club.keep_days", 30, "the club's own service keeps photographs for so many days; 0 is for "
        "ever", "N", lambda value: whole(0)(str(value)),
    ),
    Setting(
        "club.address", "", "by which address tables reach the machine of `companion club start`; "
        "found by itself if empty", "ADDRESS", _text(),
    ),
    Setting(
        "club.port", 8883, "where tables come in at the broker of `companion club start`", "N",
        lambda value: whole(1, 65_535)(str(value)),
    ),
    Setting(
        "club.database", "postgresql:///companion",
        "where the club's own service stores: a PostgreSQL connection string", "ADDRESS", _text(1),
    ),
)  # fmt: skip

HOOKS = (
    Setting(
        "hooks.addresses", "", "where programs are told whose turn it is, what was refused and "
        "that a game is over: http://192.168.1.9/hook, several with a space between", "ADDRESSES",
        _text(),
    ),
    Setting(
        "hooks.secret", "", "what these messages are signed with: whsec_ and 16 to 64 random bytes "
        "in base64", "SECRET", _text(),
    ),
)  # fmt: skip

BROADCAST = (
    Setting(
        "broadcast.address", "", "where the game is pushed as PGN whenever it changes, such as "
        "https://lichess.org/api/broadcast/round/ROUND/push", "ADDRESS", _text(),
    ),
    Setting(
        "broadcast.token", "", "your token there (lichess: scope study:write)", "TOKEN", _text()
    ),
)  # fmt: skip

ONLINE = (
    Setting(
        "online.token", "", "your token of a server with lichess' Board API (scope board:play); "
        "without one no server is asked", "TOKEN", _text(),
    ),
    Setting(
        "online.server", "https://lichess.org", "the server on which games are played",
        "ADDRESS", _text(1),
    ),
)  # fmt: skip

_LIGHTS = {
    "level": "what is lit: full, errors or off",
    "brightness": "percent, as the eye sees it",
    "night": "from when till when it is night: 22:00-07:00, on, or empty for never",
    "night_brightness": "percent at night",
}
_TABLE = {
    "play": "who enters the moves: camera or phone",
    "sound": "phones make sounds",
    "speech": "phones say the moves aloud",
    "act_for_others": "anybody seated may act for a seat without a phone",
    "advice": "a machine gives advice to whoever asks",
    "take_back_offers": "a machine offers to take back what gives much away",
    "keep_days": "photographs are kept for so many days; 0 is for ever",
    "keep_megabytes": "photographs are kept as far as so many megabytes hold them",
}


def _settings(
    section: str, defaults: Mapping[str, Any], about: Mapping[str, str], fits: Callable[..., object]
) -> tuple[Setting, ...]:
    def fitting(name: str) -> Callable[[Any], object]:
        return lambda value: fits(**{name: value})

    return tuple(
        Setting(f"{section}.{name}", default, about[name], "", fitting(name))
        for name, default in defaults.items()
    )


SETTINGS: Mapping[str, Setting] = {
    setting.name: setting
    for setting in (
        *PLAY,
        *CLUB,
        *BROADCAST,
        *HOOKS,
        *ONLINE,
        *_settings("lights", asdict(LightSettings()), _LIGHTS, LightSettings),
        *_settings(
            "table", TableSettings()._asdict(), _TABLE, lambda **one: TableSettings().changed(one)
        ),
    )
}


def known(name: str) -> Setting:
    """Return the setting called ``name``.

    Raises:
        BadInput: there is none; the message names the nearest.
    """
    if name in SETTINGS:
        return SETTINGS[name]
    from difflib import get_close_matches

    near = get_close_matches(name[:80], SETTINGS, 1)
    hint = f"did you mean {near[0]}?" if near else "`companion settings` lists them"
    raise BadInput(f"there is no setting {quoted(name)}; {hint}")


def _locked(folder: int) -> bool:
    """Lock an open folder, unless somebody else keeps it; closing it frees it."""
    if sys.platform != "linux":
        return True
    import fcntl

    try:
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


class SettingsFile:
    """The settings file of a folder of games; it need not exist. May be used from any thread."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / NAME
        self._guard = threading.Lock()

    def given(self) -> dict[str, Any]:
        """Return the settings in the file, by name.

        Raises:
            BadInput: the file cannot be read, or has an unknown name or a wrong value.
        """
        found = {}
        for section, inside in self._parsed().items():
            try:
                if not isinstance(inside, dict):
                    raise BadInput(f"{section} stands in no section, such as [play]")
                for name, value in inside.items():
                    setting = known(f"{section}.{name}")
                    found[setting.name] = setting.checked(value)
            except BadInput as error:
                raise BadInput(f"{self.path}: {error}") from error
        return found

    def change(self, changes: Mapping[str, Any]) -> None:
        """Write the settings in ``changes``; None removes one from the file. Everything else in the
        file stays as it is, comments too.

        Raises:
            BadInput: the file cannot be read.
            HardwareFault: it cannot be written; nothing is changed.
        """
        import tomlkit

        with self._guard, self._alone():
            self._parsed()
            there = self.path.exists()
            document = tomlkit.parse(read_text(self.path)) if there else tomlkit.document()
            if not there:
                document.add(tomlkit.comment(HEADER))
            for section in dict.fromkeys(name.partition(".")[0] for name in changes):
                if not isinstance(document.setdefault(section, tomlkit.table()), dict):
                    raise BadInput(f"{self.path}: {section} is a section, [{section}], not a value")
            for name, value in changes.items():
                section, _, option = name.partition(".")
                inside: Any = document[section]
                if value is None:
                    inside.pop(option, None)
                else:
                    inside[option] = value
            try:
                # The address of a camera may hold a password.
                write_private(self.path, tomlkit.dumps(document))
            except OSError as error:
                raise HardwareFault(f"{self.path} cannot be written: {error.strerror}") from error

    def _parsed(self) -> dict[str, Any]:
        try:
            return read_toml(read_text(self.path), str(self.path))
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise BadInput(f"{self.path} cannot be read: {error.strerror}") from error

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Let no other program change the file meanwhile: who read it first would undo that."""
        try:
            private_folder(self.path.parent)
            folder = os.open(self.path.parent, os.O_RDONLY)
        except OSError as error:
            raise HardwareFault(f"{self.path} cannot be written: {error.strerror}") from error
        try:
            end = time.monotonic() + PATIENCE
            while not _locked(folder):
                if time.monotonic() > end:
                    raise HardwareFault(
                        f"another program is changing {self.path} all the time; try again"
                    )
                time.sleep(0.02)
            yield
        finally:
            os.close(folder)


class Section(NamedTuple):
    """One section of the settings file, as the part of the companion sees it that it belongs to."""

    file: SettingsFile
    name: str

    def load(self) -> dict[str, Any]:
        """Return what the section gives.

        Raises:
            BadInput: as :meth:`SettingsFile.given`.
        """
        given = self.file.given().items()
        inside = f"{self.name}."
        return {name.removeprefix(inside): v for name, v in given if name.startswith(inside)}

    def save(self, values: Mapping[str, Any]) -> None:
        """Keep ``values`` in the section.

        Raises:
            BadInput: the file cannot be read.
            HardwareFault: it cannot be written; nothing is changed.
        """
        self.file.change({f"{self.name}.{name}": value for name, value in values.items()})
