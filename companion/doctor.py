"""Checks of the machine the companion runs on: what is there, what is not, what to do about it."""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOM_NEEDED_MB = 200
"""A long game with its replay photographs stays far below this."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One check: ``level`` is ``ok``, ``note`` (works, something is absent) or ``fault``."""

    check: str
    level: str
    message: str
    advice: str = ""


def examine(data_folder: Path) -> tuple[Finding, ...]:
    """Run every check."""
    checks: tuple[Callable[[], Iterator[Finding]], ...] = (
        check_python,
        check_packages,
        lambda: check_folder(data_folder),
        check_cameras,
        check_light_drivers,
        check_power,
    )
    return tuple(finding for check in checks for finding in check())


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
    """Tell which OpenCV, NumPy and Flask are imported."""
    for module in ("cv2", "numpy", "flask", "waitress", "segno"):
        try:
            loaded = importlib.import_module(module)
        except ImportError as error:
            advice = "apt install libgl1" if "libGL" in str(error) else "run `make play` once"
            yield Finding(module, "fault", f"{module} cannot be imported: {error}", advice)
        else:
            version = loaded.__dict__.get("__version__") or importlib.metadata.version(module)
            yield Finding(module, "ok", f"{module} {version}")


def check_folder(folder: Path) -> Iterator[Finding]:
    """Tell whether games can be kept in ``folder``."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
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


def check_cameras() -> Iterator[Finding]:
    """Tell which cameras the system shows."""
    usb = sorted(str(path) for path in Path("/dev/v4l/by-id").glob("*"))
    if usb:
        yield Finding("camera", "ok", f"USB cameras: {', '.join(usb)}")
    if importlib.util.find_spec("picamera2"):
        yield Finding("camera", "ok", "picamera2 is installed: Pi cameras can be used")
    elif not usb:
        yield Finding(
            "camera",
            "note",
            "no camera found: the simulated table works without",
            "on a Pi: apt install python3-picamera2, and create the environment "
            "with --system-site-packages",
        )


def check_light_drivers() -> Iterator[Finding]:
    """Tell which light drivers could be used, and name the known trap of lgpio."""
    for module, use in (("rpi_ws281x", "Pi 1 to 4"), ("spidev", "any Pi, over SPI")):
        found = importlib.util.find_spec(module) is not None
        yield Finding(
            "lights",
            "ok" if found else "note",
            f"{module} ({use}) {'is' if found else 'is not'} installed",
            "" if found else "only needed for LEDs on this machine: pip install '.[pi]'",
        )
    try:
        version = importlib.metadata.version("lgpio")
    except importlib.metadata.PackageNotFoundError:
        return
    if version.startswith("0.0."):
        yield Finding(
            "buttons",
            "fault",
            f"lgpio {version} is an empty stub",
            "apt install python3-lgpio, and use --system-site-packages",
        )


def check_power() -> Iterator[Finding]:
    """Tell whether a Raspberry Pi saw its voltage drop since it was started."""
    if not shutil.which("vcgencmd"):
        return
    answer = subprocess.run(
        ["vcgencmd", "get_throttled"], capture_output=True, text=True, check=False
    )
    flags = int(answer.stdout.strip().partition("=")[2] or "0", 16)
    if flags & 0x10001:
        yield Finding(
            "power",
            "fault",
            "the voltage dropped since the start",
            "use a stronger power supply, and a separate one for the LEDs",
        )
    else:
        yield Finding("power", "ok", "the voltage is steady")
