"""Known problems of Raspberry Pis, each with what solves it.

Every check looks at a :class:`hardware.machine.Machine`, so that a folder can stand in for one.
"""

from __future__ import annotations

import getpass
import importlib.metadata
import importlib.util
import os
import re
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from companion.games import table_game
from companion.machine.findings import Finding
from companion.rules import CompanionError
from companion.runtime.files import read_json
from hardware.drivers import SPI_BUFFER, spi_bytes
from hardware.machine import Machine

GROUPS = {"video": "the camera", "gpio": "buttons", "spi": "LEDs on SPI"}
"""What each group of the system lets a user do."""
SLOW_MS = 60.0
"""Milliseconds of one synced write, from which on players notice that a move waits for the disk."""
WRITES = 7
NO_PI = "nothing: only LEDs on the pins of a Raspberry Pi need it"

Installed = Callable[[str], str | None]
"""Returns the version of a package, None if it is not installed."""


def installed(package: str) -> str | None:
    """Return the version of a package on this machine, ``?`` if it does not tell."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "?" if importlib.util.find_spec(package.replace("-", "_")) else None


@dataclass(frozen=True, slots=True)
class User:
    """Who runs the companion: ``name``, the numbers of its groups, whether it is root."""

    name: str
    groups: frozenset[int]
    root: bool

    @classmethod
    def current(cls) -> User:
        """Return who runs this process."""
        if not hasattr(os, "getgroups"):
            return cls(getpass.getuser(), frozenset(), root=False)
        return cls(getpass.getuser(), frozenset(os.getgroups()), os.geteuid() == 0)


def check_cameras(machine: Machine, installed: Installed) -> Iterator[Finding]:
    """Tell which cameras the system shows, and why a Pi's own may be missing."""
    folder = machine.path("dev/v4l/by-id")
    usb = sorted(path.name for path in folder.glob("*")) if folder.exists() else []
    if usb:
        yield Finding("camera", "ok", f"USB cameras: {', '.join(usb)}")
    if installed("picamera2"):
        yield Finding("camera", "ok", "picamera2 is installed: Pi cameras can be used")
        if machine.pi and "camera_auto_detect=0" in machine.config and "imx" not in machine.config:
            yield Finding(
                "camera",
                "fault",
                "the Pi is told not to look for its camera (camera_auto_detect=0)",
                "write camera_auto_detect=1 into /boot/firmware/config.txt and start anew",
            )
    elif machine.pi:
        yield Finding(
            "camera",
            "note",
            "picamera2 is not installed: a camera on the ribbon cable cannot be used",
            "apt install python3-picamera2, and create the environment with --system-site-packages",
        )
    if not usb and not installed("picamera2"):
        yield Finding(
            "camera",
            "note",
            "no camera found: the simulated table works without",
            "plug a webcam in, or on a Pi: apt install python3-picamera2, and create the "
            "environment with --system-site-packages",
        )


def check_sensors(address: str, machine: Machine, installed: Installed) -> Iterator[Finding]:
    """Tell whether a board of sensors can be asked: the package it needs, its serial line and the
    right to use that."""
    kind, _, rest = address.partition(":")
    package = {"mqtt": "paho-mqtt", "serial": "pyserial", "dgt": "pyserial"}.get(kind)
    if package is not None and installed(package) is None:
        advice = "pip install 'tabletop-companion[sensors]'"
        yield Finding("sensors", "fault", f"{kind} boards need the package {package}", advice)
    if kind not in ("serial", "dgt"):
        return
    place = rest.partition("?")[0]
    line = machine.path(place.lstrip("/"))
    if not line.exists():
        there = sorted(path.name for path in machine.path("dev").glob("tty[AU][CS][MB]*"))
        yield Finding(
            "sensors",
            "fault",
            f"there is no {place}: is the board of sensors plugged in?",
            f"serial lines here: {', '.join(there) or 'none'}; what the table uses is play.camera "
            "or play.sensors in the settings",
        )
    elif not os.access(line, os.R_OK | os.W_OK):
        yield Finding(
            "sensors",
            "fault",
            f"{place} may not be used by {getpass.getuser()}",
            f"sudo usermod -aG dialout {getpass.getuser()}, then log in anew",
        )
    else:
        yield Finding("sensors", "ok", f"the board's serial line is there: {place}")


def check_light_drivers(machine: Machine, installed: Installed) -> Iterator[Finding]:
    """Tell which light drivers could be used here."""
    for package, use in (("rpi-ws281x", "Pi 1 to 4"), ("spidev", "any Pi, over SPI")):
        found = installed(package) is not None
        cure = f"only for LEDs on its pins: {addition(package)}" if machine.pi else NO_PI
        yield Finding(
            "lights",
            "ok" if found else "note",
            f"{package} ({use}) {'is' if found else 'is not'} installed",
            "" if found else cure,
        )
    if machine.pi >= 5 and installed("rpi-ws281x") and not installed("spidev"):
        yield Finding(
            "lights",
            "fault",
            "rpi-ws281x does not know a Pi 5, and nothing else can light LEDs here",
            f"{addition('spidev')}, switch SPI on with raspi-config, and use --lights spi:0.0",
        )


def addition(package: str) -> str:
    """Return the command that adds a driver's package to the environment this runs in: apt's
    where apt has it and its packages are seen here, else pip's."""
    if package == "spidev" and sees_the_systems_packages():
        return "sudo apt install python3-spidev"
    return f"sudo apt install gcc python3-dev, then {sys.executable} -m pip install {package}"


def sees_the_systems_packages() -> bool:
    """Tell whether this Python finds what apt installs."""
    if sys.prefix == sys.base_prefix:
        return True
    try:
        text = (Path(sys.prefix) / "pyvenv.cfg").read_text(encoding="utf-8")
    except OSError:
        return False
    return re.search(r"(?mi)^include-system-site-packages\s*=\s*true", text) is not None


def check_audio(machine: Machine) -> Iterator[Finding]:
    """Tell whether the analogue sound holds the PWM that feeds LEDs on GPIO 18."""
    if not 1 <= machine.pi <= 4:
        return
    if "snd_bcm2835" in machine.read("proc/modules"):
        yield Finding(
            "audio",
            "note",
            "the analogue sound uses the PWM: LEDs on GPIO 12, 13, 18 or 19 would flicker",
            "write dtparam=audio=off into /boot/firmware/config.txt and start anew, or use SPI",
        )


CORE_CLOCK = {3: ("core_freq=250",), 4: ("core_freq=500", "core_freq_min=500")}
"""What keeps the clock of the core, and with it that of SPI, where it is; by a Pi's generation."""


def check_spi(machine: Machine) -> Iterator[Finding]:
    """Tell whether SPI is on, and how many LEDs it feeds in one go."""
    if not machine.pi:
        return
    if not machine.exists("dev/spidev0.0"):
        yield Finding(
            "spi",
            "note",
            "SPI is off: LEDs on GPIO 10 stay dark",
            "raspi-config, Interface Options, SPI; then start anew",
        )
        return
    text = machine.read("sys/module/spidev/parameters/bufsiz")
    size = int(text) if text.isdecimal() else SPI_BUFFER
    silence = len(spi_bytes(()))
    most = (size - silence) // (len(spi_bytes(((0, 0, 0),))) - silence)
    if size <= SPI_BUFFER:
        yield Finding(
            "spi",
            "note",
            f"SPI sends {size} bytes in one go: frames of more than {most} LEDs are cut",
            "for longer strips put spidev.bufsiz=32768 at the end of the line in "
            "/boot/firmware/cmdline.txt",
        )
    else:
        yield Finding("spi", "ok", f"SPI sends {size} bytes in one go: {most} LEDs")
    lacks = [line for line in CORE_CLOCK.get(machine.pi, ()) if line not in machine.config.split()]
    if lacks:
        yield Finding(
            "spi",
            "note",
            "SPI follows the core's clock, which is not fixed: LEDs may show wrong colours",
            f"write {' and '.join(lacks)} into /boot/firmware/config.txt and start anew",
        )


def check_wiring(machine: Machine) -> Iterator[Finding]:
    """Remind of what no program can check: the parts between the Pi and the LEDs."""
    if machine.pi and (machine.exists("dev/spidev0.0") or machine.pi <= 4):
        yield Finding(
            "wiring",
            "note",
            "a Pi's data pins give 3.3 V and LEDs want 5 V: without a level shifter they flicker",
            "74AHCT125 in the data line, one ground for all, a 5 V supply for the LEDs alone; "
            "see docs/wiring.md",
        )


def check_groups(machine: Machine, user: User) -> Iterator[Finding]:
    """Tell which groups the user lacks for camera, pins and LEDs."""
    if user.root or not machine.pi:
        return
    for line in machine.read("etc/group").splitlines():
        name, _, rest = line.partition(":")
        number = rest.split(":")[1] if rest.count(":") >= 1 else ""
        if name in GROUPS and number.isdecimal() and int(number) not in user.groups:
            yield Finding(
                "groups",
                "fault",
                f"{user.name} is not in the group {name}: no {GROUPS[name]}",
                f"sudo usermod -aG {name} {user.name}, then log in anew",
            )


def check_pins(machine: Machine, installed: Installed) -> Iterator[Finding]:
    """Tell whether buttons can be used; pip may have taken an empty lgpio."""
    version = installed("lgpio")
    if version is not None and version.startswith("0.0."):
        yield Finding(
            "buttons",
            "fault",
            f"lgpio {version} is an empty stub",
            "pip uninstall lgpio; apt install python3-lgpio, and use --system-site-packages",
        )
    elif machine.pi and (version is None or installed("gpiozero") is None):
        lacking = "lgpio" if version is None else "gpiozero"
        yield Finding(
            "buttons",
            "note",
            f"{lacking} is not installed: buttons cannot be used",
            "apt install python3-gpiozero python3-lgpio, and use --system-site-packages",
        )


def check_pixels(folder: Path) -> Iterator[Finding]:
    """Tell of every calibrated table whether its cells are large enough in the picture."""
    try:
        np, calibrate, meter = (
            importlib.import_module(name)
            for name in ("numpy", "vision.board.calibrate", "vision.board.light_meter")
        )
    except ImportError:
        return  # check_packages says what is missing
    for path in sorted(folder.glob("*.table.json")):
        try:
            table = read_json(path)
            game, setup = table_game(table)
            board, (width, height) = game.board(setup), table["image_size"]
            blank = np.zeros((int(height), int(width), 3), np.uint8)
            lying = {key: value for key, value in table.items() if key != "markers"}
            camera = calibrate.camera_from_table(board, lying, blank)
            pixels = meter.pixels_a_cell(camera, board)
        except (ValueError, KeyError, TypeError, CompanionError):
            continue  # a table without corners or taps tells nothing before its camera looks
        few = pixels < meter.ENOUGH
        yield Finding(
            "pixels",
            ("fault" if pixels < meter.FEW else "note") if few else "ok",
            f"{path.name}: a cell is {pixels:.0f} pixels wide in the picture",
            f"bring the camera nearer or choose a larger picture: {meter.ENOUGH:.0f} and more are "
            "good"
            if few
            else "",
        )


def check_disk_speed(
    folder: Path, clock: Callable[[], float] = time.perf_counter
) -> Iterator[Finding]:
    """Tell how long a move waits for the disk: the journal is synced before anything is shown."""
    probe = folder / ".probe"
    spans = []
    try:
        with probe.open("wb") as file:
            for _ in range(WRITES):
                began = clock()
                file.write(bytes(4096))
                file.flush()
                os.fsync(file.fileno())
                spans.append(1000 * (clock() - began))
        probe.unlink()
    except OSError:
        return  # check_folder says what is wrong with it
    typical = statistics.median(spans)
    slow = typical > SLOW_MS
    yield Finding(
        "card",
        "note" if slow else "ok",
        f"a write is safe on the disk after {typical:.1f} ms",
        "the card is slow or wears out: use one of class A1 or A2, or an SSD" if slow else "",
    )


def check_clock(now: float, folder: Path) -> Iterator[Finding]:
    """Tell whether the clock was set: a Pi without network begins where it was switched off."""
    kept = [path.stat().st_mtime for path in folder.glob("*") if path.is_file()]
    newest = max([Path(__file__).stat().st_mtime, *kept])
    if now < newest - 60:
        yield Finding(
            "clock",
            "fault",
            f"the clock says {time.strftime('%Y-%m-%d', time.gmtime(now))}, which is before files "
            "that are here already",
            "connect to a network once, or `sudo timedatectl set-time`; a Pi 5 takes a battery",
        )
    else:
        yield Finding("clock", "ok", f"it is {time.strftime('%Y-%m-%d', time.gmtime(now))}")
