"""What people come for, played with a finger in Chromium: taps and seconds of each, as a table.

    python -m tests.system.journeys [TIMES]

Run by hand. The journeys are the tests of ``test_journeys``; the seconds are the median of TIMES,
and those of a machine's finger: a hand needs one more for each tap.
"""

from __future__ import annotations

import statistics
import sys
from collections import defaultdict
from pathlib import Path

import pytest


class Taken:
    """Notes what the tests tell of their journeys: taps of each finger, and the seconds."""

    def __init__(self):
        self.taps, self.seconds = {}, defaultdict(list)

    def pytest_runtest_logreport(self, report):
        for what, told in report.user_properties:
            if what == "journey" and report.when == "call" and report.passed:
                name, self.taps[name], seconds = told
                self.seconds[name].append(seconds)


def main(times="3"):
    """Play all journeys some times and print the table."""
    taken = Taken()
    tests = str(Path(__file__).with_name("test_journeys.py"))
    arguments = [tests, "-q", "--assert=plain", "-m", "thorough or not thorough"]
    for _ in range(int(times)):
        if ended := pytest.main(arguments, [taken]):
            return ended
    for name, seconds in taken.seconds.items():
        taps = " and ".join(map(str, taken.taps[name]))
        sys.stdout.write(f"| {name} | {taps} | {statistics.median(seconds):.1f} |\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
