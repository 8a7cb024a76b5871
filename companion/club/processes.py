"""The processes of a club that runs on one machine."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from companion.club.servers import Served
from companion.rules import HardwareFault
from companion.runtime.files import private_folder
from companion.runtime.programs import mortal

FIRST, LONGEST = 1.0, 20.0
"""Seconds until a process that ended is started again: they double from time to time."""
CALM = 30.0
"""Seconds for which it has to go on to count as well again."""
PATIENCE = 30.0
"""Seconds in which it has to end."""


class Processes:
    """Processes that are started again when they end, and end with us, also where we are killed.
    What they say lies in a file each, in ``folder``. ``renewed`` hears of each that was started
    again, and its number."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "said"
        private_folder(self._folder)
        self._running: dict[str, _Running] = {}
        self.renewed: Callable[[str, int], None] = lambda name, process: None

    def __enter__(self) -> Processes:
        return self

    def __exit__(self, *_: object) -> None:
        for one in reversed(self._running.values()):
            one.process.send_signal(one.served.told)
            with suppress(subprocess.TimeoutExpired):
                one.process.wait(PATIENCE)
            if one.process.poll() is None:
                one.process.kill()
                one.process.wait()

    def add(self, served: Served, pause: float = FIRST) -> int:
        """Start a process, which is started again ``pause`` seconds later at the earliest; return
        its number."""
        with self.said(served.name).open("ab") as said:
            process = subprocess.Popen(
                mortal(served.command, served.told), user=served.user, stdin=subprocess.DEVNULL,
                stdout=said, stderr=said, cwd="/", start_new_session=True,
            )  # fmt: skip
        self._running[served.name] = _Running(served, process, time.monotonic(), pause)
        return process.pid

    def look(self) -> None:
        """Start again what has ended."""
        for served, process, begun, pause in list(self._running.values()):
            lasted = time.monotonic() - begun
            if process.poll() is None or lasted < pause:
                continue
            print(
                f"companion: the club's {served.name} ended and is started again. What it said: "
                f"{self.said(served.name)}",
                flush=True,
            )
            again = self.add(served, FIRST if lasted > CALM else min(LONGEST, 2 * pause))
            self.renewed(served.name, again)

    def said(self, name: str) -> Path:
        """Return the file with what a process says."""
        return self._folder / f"{name.replace('/', ' of ')}.log"

    def check(self) -> None:
        """Check that all run.

        Raises:
            HardwareFault: one has ended.
        """
        for name, one in self._running.items():
            if one.process.poll() is not None:
                lines = self.said(name).read_text("utf-8", "replace").strip().splitlines()
                why = lines[-1] if lines else "it said nothing"
                raise HardwareFault(f"the club's {name} ended at once: {why}")


class _Running(NamedTuple):
    served: Served
    process: subprocess.Popen[bytes]
    begun: float
    pause: float
