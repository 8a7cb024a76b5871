"""Checks of the machine the companion runs on: what is there, what is not, what to do about it."""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from companion.games import games, unplayable
from companion.machine.findings import OPENCV, Finding, mended_by
from companion.machine.pi_checks import (
    Installed,
    User,
    check_audio,
    check_cameras,
    check_clock,
    check_disk_speed,
    check_groups,
    check_light_drivers,
    check_pins,
    check_pixels,
    check_sensors,
    check_spi,
    check_wiring,
    installed,
)
from companion.machine.settings_file import SettingsFile
from companion.rules import BadInput, HardwareFault, quoted
from companion.runtime.files import private_folder
from companion.runtime.locations import TROUBLES
from companion.runtime.supervisor import GAME, PARTS, read_troubles
from hardware.machine import Machine
from hardware.wled import Controller, ask_wled, find_wleds
from vision.sensing.sensor_source import is_felt

ROOM_NEEDED_MB = 200
"""Megabytes that have to be free; a long game with its photographs takes far less."""
PATIENCE = 10.0
"""Seconds that another program has to answer."""
OLDEST_OPENCV = (4, 6)
OPENCV_WHEELS = ("opencv-python", "opencv-python-headless")
SAFE_WHEEL = (4, 8, 1, 78)
"""The first version of pip's OpenCV packages without the hole in WebP (CVE-2023-4863); Debian mends
its packages by itself."""


BROKEN_GAME = "update its package, or tell who made it what the log says; all other games go on"


def examine(data_folder: Path, machine: Machine | None = None) -> tuple[Finding, ...]:
    """Run every check on ``machine``, by default the one this runs on."""
    looked_at = machine or Machine()
    checks: tuple[Callable[[], Iterator[Finding]], ...] = (
        check_python,
        check_packages,
        lambda: check_folder(data_folder),
        lambda: check_settings(data_folder),
        lambda: check_disk_speed(data_folder),
        lambda: check_clock(time.time(), data_folder),
        lambda: check_eyes(data_folder, looked_at, installed),
        lambda: check_pixels(data_folder),
        lambda: check_light_drivers(looked_at, installed),
        lambda: check_wled(data_folder),
        lambda: check_audio(looked_at),
        lambda: check_spi(looked_at),
        lambda: check_wiring(looked_at),
        lambda: check_groups(looked_at, User.current()),
        lambda: check_pins(looked_at, installed),
        check_power,
        lambda: check_parts(data_folder),
        check_games,
    )
    # What several checks stumble over is told once.
    return tuple(dict.fromkeys(finding for check in checks for finding in _found(check)))


def _found(check: Callable[[], Iterator[Finding]]) -> Iterator[Finding]:
    """Yield what a check finds; what may not be looked at is a finding, too."""
    try:
        yield from check()
    except OSError as error:
        advice = "look with the rights of the user that the table runs as, or give it its files"
        yield Finding("files", "fault", f"{error.filename}: {error.strerror}", advice)


def check_eyes(folder: Path, machine: Machine, installed: Installed) -> Iterator[Finding]:
    """Tell whether the board of sensors that the settings name can be had, and of the cameras where
    that is not the only eye."""
    try:
        given = SettingsFile(folder).given()
    except BadInput:
        given = {}  # told by the check of the settings
    camera = str(given.get("play.camera", ""))
    for address in filter(is_felt, (camera, str(given.get("play.sensors", "")))):
        yield from check_sensors(address, machine, installed)
    if not is_felt(camera):
        yield from check_cameras(machine, installed)


def check_wled(
    data_folder: Path,
    ask: Callable[[str], Controller] = ask_wled,
    find: Callable[[], list[Controller]] = find_wleds,
) -> Iterator[Finding]:
    """Tell whether the WLED controller that the settings name is there, else which ones are."""
    try:
        lights = str(SettingsFile(data_folder).given().get("play.lights", ""))
    except BadInput:
        return  # told by the check of the settings
    kind, _, rest = lights.partition(":")
    if kind != "wled":
        return
    try:
        told = ask(rest.partition(":")[0])
    except HardwareFault as fault:
        yield Finding("lights", "fault", str(fault), _others(find))
        return
    called = f"WLED {told.version} {quoted(told.name)} at {told.host}"
    yield Finding("lights", "ok", f"{called} answers and drives {told.leds} LEDs")


def _others(find: Callable[[], list[Controller]]) -> str:
    try:
        found = [f"{quoted(one.name)} at {one.host}" for one in find()]
    except HardwareFault as fault:
        return f"see that it has power and is in this network; others cannot be looked for: {fault}"
    if not found:
        return "no WLED announces itself here: see that it has power and is in this network"
    return f"these are there: {', '.join(found)}; set play.lights=wled:ADDRESS"


def check_python() -> Iterator[Finding]:
    """Tell whether Python and SQLite are new enough."""
    version = ".".join(map(str, sys.version_info[:3]))
    good = sys.version_info >= (3, 11)
    yield Finding(
        "python",
        "ok" if good else "fault",
        f"Python {version}",
        "" if good else "install Python 3.11 or newer",
    )
    yield Finding("sqlite", "ok", f"SQLite {sqlite3.sqlite_version}")


def check_packages() -> Iterator[Finding]:
    """Tell which OpenCV, NumPy and Flask are imported, and what is wrong with them."""
    for module in ("cv2", "numpy", "flask", "waitress", "segno"):
        try:
            loaded = importlib.import_module(module)
        except (ImportError, ValueError) as error:  # NumPy's word for another NumPy's packages
            yield Finding(
                module, "fault", f"{module} cannot be imported: {error}", mended_by(str(error))
            )
        else:
            version = loaded.__dict__.get("__version__") or importlib.metadata.version(module)
            yield Finding(module, "ok", f"{module} {version}")
            if module == "cv2":
                yield from check_opencv(version, installed)


def check_opencv(version: str, installed: Installed) -> Iterator[Finding]:
    """Report an OpenCV that is too old, has a known hole, or is installed twice."""
    wheels = {name: found for name in OPENCV_WHEELS if (found := installed(name)) is not None}
    holed = [name for name, found in wheels.items() if _number(found) < SAFE_WHEEL]
    if _number(version) < OLDEST_OPENCV:
        yield Finding("cv2", "fault", f"OpenCV {version} is too old; it is 4.6 or newer", OPENCV)
    elif holed:
        yield Finding(
            "cv2",
            "fault",
            f"{holed[0]} {wheels[holed[0]]} has a hole that a WebP picture can open",
            f"pip install --upgrade {holed[0]}",
        )
    elif len(wheels) > 1:
        both = " and ".join(wheels)
        yield Finding(
            "cv2",
            "note",
            f"{both} are both installed and overwrite each other's files",
            f"pip uninstall {' '.join(wheels)}, then `make play`",
        )


def _number(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version))


def check_folder(folder: Path) -> Iterator[Finding]:
    """Tell whether games can be kept in ``folder``."""
    try:
        private_folder(folder)
        free = shutil.disk_usage(folder).free // 1_000_000
    except OSError as error:
        yield Finding(
            "disk",
            "fault",
            f"cannot use {folder}: {error.strerror}",
            "choose another place with --journal",
        )
        return
    if not os.access(folder, os.W_OK):
        yield Finding(
            "disk", "fault", f"{folder} cannot be written", "choose another with --journal"
        )
    elif free < ROOM_NEEDED_MB:
        yield Finding("disk", "fault", f"only {free} MB free in {folder}", "make room")
    else:
        yield Finding("disk", "ok", f"games are kept in {folder}, {free} MB free")


def check_parts(folder: Path) -> Iterator[Finding]:
    """Report which parts of the companion fell since it was last started at a table."""
    for file in sorted(folder.glob(f"*{TROUBLES}")):
        name = file.name.removesuffix(TROUBLES)
        for trouble in read_troubles(file):
            when = time.strftime("%Y-%m-%d %H:%M", time.localtime(trouble.last))
            times = "once" if trouble.times == 1 else f"{trouble.times} times"
            if trouble.part == GAME:
                message = f"{name}: a game broke its contract {times}, last {when} ({trouble.what})"
                yield Finding("games", "fault", message, BROKEN_GAME)
                continue
            part = PARTS.get(trouble.part, trouble.part)
            end = "and is well again" if trouble.well else "and was not well since"
            yield Finding(
                "parts",
                "note" if trouble.well else "fault",
                f"{name}: a fault stopped {part} {times}, last {when} ({trouble.what}), {end}",
                "" if trouble.well else "look at the log for its trace, and start companion again",
            )


def check_games() -> Iterator[Finding]:
    """Tell how many games can be played, and which of those that are installed cannot."""
    yield Finding("games", "ok", f"{len(games())} games can be played, see `companion games`")
    for one in unplayable():
        yield Finding("games", "fault", str(one.reason))


def check_settings(folder: Path) -> Iterator[Finding]:
    """Tell whether the settings of the tables in ``folder`` can be read; nothing begins else."""
    try:
        given = SettingsFile(folder).given()
    except BadInput as error:
        advice = "`companion settings --reset NAME` takes one out of the file; else mend it by hand"
        yield Finding("settings", "fault", str(error), advice)
    else:
        yield Finding("settings", "ok", f"{len(given)} settings are set, see `companion settings`")


def check_power() -> Iterator[Finding]:
    """Tell whether a Raspberry Pi saw its voltage drop since it was started."""
    if not shutil.which("vcgencmd"):
        return
    try:
        answer = subprocess.run(
            ["vcgencmd", "get_throttled"],
            capture_output=True, text=True, errors="replace", check=False, timeout=PATIENCE,
        )  # fmt: skip
        said = f"{answer.stdout} {answer.stderr}".strip()
        told = re.fullmatch(r"throttled=0x([0-9a-fA-F]+)", answer.stdout.strip())
    except subprocess.TimeoutExpired:
        said, told = f"it did not answer within {PATIENCE:.0f} seconds", None
    if told is None:
        advice = "ask as root, or as a user of the group video: vcgencmd get_throttled"
        yield Finding(
            "power", "note", f"vcgencmd does not tell the voltage: {quoted(said)}", advice
        )
    elif int(told[1], 16) & 0x10001:
        yield Finding(
            "power",
            "fault",
            "the voltage dropped since the start",
            "use a stronger power supply, and a separate one for the LEDs",
        )
    else:
        yield Finding("power", "ok", "the voltage is steady")
