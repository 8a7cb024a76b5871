"""``log``: what the companion itself told of its running."""

from __future__ import annotations

import argparse
import re
import subprocess
import time
from datetime import datetime

from companion.commands.common import print_json
from companion.machine.systemd import NAME
from companion.rules import BadInput, HardwareFault, quoted
from companion.runtime.locations import data_folder
from companion.runtime.own_log import last_entries, without_codes
from hardware.machine import Machine

UNITS = ("etc/systemd/system", "lib/systemd/system", "usr/lib/systemd/system")
"""Where systemd is told of the service."""
SECONDS = {"m": 60, "h": 3600, "d": 86_400}
ASKING = 60.0
"""Seconds that journalctl has to answer."""


def run_log(arguments: argparse.Namespace) -> int:
    """Print the last entries, the newest last: of the service where there is one, else of the file
    beside the games."""
    since = read_since(arguments.since, time.time()) if arguments.since else 0.0
    machine = Machine(arguments.root) if arguments.root else Machine()
    served = any(machine.exists(f"{folder}/{NAME}.service") for folder in UNITS)
    if served and arguments.data is None:
        entries = without_codes(of_service(arguments.lines, since))
    else:
        entries = last_entries(arguments.data or data_folder(), arguments.lines, since)
    if arguments.json:
        print_json(list(entries))
        return 0
    for entry in entries or ["Nothing has been logged."]:
        print(entry)
    return 0


def of_service(lines: int, since: float) -> list[str]:
    """Return the last lines that systemd's journal has of the service.

    Raises:
        HardwareFault: it cannot be asked.
    """
    words = ["journalctl", "-u", NAME, "--no-pager", "-q", "-o", "short-iso", "-n", str(lines)]
    try:
        answer = subprocess.run(
            [*words, *([f"--since=@{int(since)}"] if since else [])],
            capture_output=True, timeout=ASKING, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        raise HardwareFault(f"journalctl cannot be asked: {error}") from error
    if answer.returncode:
        why = answer.stderr.decode("utf-8", "replace").strip().partition("\n")[0]
        raise HardwareFault(f"journalctl does not tell the log of the service: {why}")
    return answer.stdout.decode("utf-8", "replace").splitlines()


def read_since(text: str, now: float) -> float:
    """Return the seconds since 1970 that ``text`` names: so long before ``now``, or a day with or
    without a time.

    Raises:
        BadInput: it names none.
    """
    if ago := re.fullmatch(r"(\d{1,6})([mhd])", text, re.ASCII):
        return max(0.0, now - int(ago[1]) * SECONDS[ago[2]])
    try:
        return datetime.fromisoformat(text).timestamp()
    except (ValueError, OverflowError, OSError):
        raise BadInput(
            f"--since {quoted(text)} names no time; write 30m, 2h, 3d or 2026-11-24T20:15"
        ) from None
