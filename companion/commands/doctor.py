"""``doctor``: the machine that the companion runs on. It runs where packages are missing, too."""

from __future__ import annotations

import argparse

from companion.commands.common import print_json
from companion.machine.doctor import examine
from companion.runtime.locations import data_folder
from hardware.machine import Machine


def run_doctor(arguments: argparse.Namespace) -> int:
    """Check this machine; the status is 1 where something has to be mended."""
    findings = examine(data_folder(), Machine(arguments.root) if arguments.root else None)
    if arguments.json:
        print_json([finding._asdict() for finding in findings])
    for finding in () if arguments.json else findings:
        advice = f" -> {finding.advice}" if finding.advice else ""
        print(f"{finding.level:5} {finding.check:8} {finding.message}{advice}")
    return int(any(finding.level == "fault" for finding in findings))
