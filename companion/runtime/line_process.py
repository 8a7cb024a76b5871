"""A program of its own with which lines of text are exchanged, and of which nothing stays."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

KEPT = 10_000
"""Lines that are kept of a program that talks without being heard."""


class Ended(Exception):
    """The program has ended, and has said nothing more."""


class LineProcess:
    """A program that runs in a process group of its own. A thread reads what it says, so that
    nobody ever waits for it longer than he wants to. ``quiet`` drops what it complains of.
    ``within`` keeps it in our session, so that it ends with us where we are such a program
    ourselves."""

    def __init__(
        self, command: Sequence[str], *, quiet: bool = False, within: bool = False
    ) -> None:
        """Start the program.

        Raises:
            OSError: it cannot be started.
        """
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL if quiet else None,
            text=True,
            encoding="utf-8",
            errors="replace",
            start_new_session=not within,
            process_group=0 if within else None,
        )
        self._lines: queue.Queue[str] = queue.Queue(KEPT)
        self._ears = threading.Thread(target=self._listen, name=f"hears {command[0]}", daemon=True)
        self._ears.start()

    @property
    def pid(self) -> int:
        """Return the number of the process, which is that of its group as well."""
        return self._process.pid

    @property
    def runs(self) -> bool:
        """Tell whether the program has not ended."""
        return self._process.poll() is None

    def tell(self, line: str) -> None:
        """Tell the program one line. That it has ended is noticed by :meth:`hear`."""
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()

    def hear(self, seconds: float) -> str | None:
        """Return the next line that the program says, None if there is none within ``seconds``.

        Raises:
            Ended: there never will be one.
        """
        ended = not self.runs
        try:
            return self._lines.get(timeout=seconds)
        except queue.Empty:
            # What it started may live on and hold its output open.
            if ended:
                raise Ended from None
            return None

    def stop(self, leaving: float = 0.0) -> None:
        """End the program with all that it started; it has ``leaving`` seconds to go by itself."""
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(subprocess.TimeoutExpired):
            process.wait(leaving)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for started in _of_session(process.pid):
            with suppress(ProcessLookupError, PermissionError):
                os.kill(started, signal.SIGKILL)
        self._ears.join()
        process.stdout.close()
        with suppress(OSError):
            process.stdin.close()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            with suppress(queue.Full):
                self._lines.put_nowait(line.strip())


def _of_session(session: int) -> Iterator[int]:
    """Yield the processes of ``session`` that its own process group does not hold, where the system
    tells of processes."""
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            fields = (process / "stat").read_text().rpartition(")")[2].split()
            if int(fields[3]) == session:
                yield int(process.name)
