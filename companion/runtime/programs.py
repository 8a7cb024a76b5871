"""Programs of others that we run: each has a limit of time, and none has to outlive us."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
from collections.abc import Sequence
from contextlib import ExitStack, suppress

from companion.rules import HardwareFault

PATIENCE = 120.0
"""Seconds for a program that ends by itself: far more than any needs, for nobody waits for ever."""


def run(command: Sequence[str], user: str | None = None, seconds: float = PATIENCE) -> str:
    """Run a program to its end, as ``user`` if not as ourselves; return what it said. After
    ``seconds`` it is ended with all that it started.

    Raises:
        HardwareFault: it cannot be started, failed, or was ended.
    """
    shown = shlex.join(command)
    try:
        process = subprocess.Popen(
            command, user=user, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, errors="replace", cwd="/", start_new_session=True,
        )  # fmt: skip
    except OSError as error:
        raise HardwareFault(f"`{shown}` cannot be started: {error.strerror}") from error
    with process, ExitStack() as ends:
        ends.callback(_end, process.pid)
        try:
            said, complaint = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            raise HardwareFault(
                f"`{shown}` had not ended after {seconds:.0f} seconds and was ended; run it by "
                "hand to see what it waits for"
            ) from None
        ends.pop_all()
    if process.returncode:
        why = (complaint or said).strip().splitlines()
        raise HardwareFault(f"`{shown}` failed: {why[-1] if why else 'it said nothing'}")
    return said


def _end(group: int) -> None:
    """End a program with what it started: that may live on and hold its output open."""
    with suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)


def mortal(command: Sequence[str], told: signal.Signals) -> tuple[str, ...]:
    """Return a command whose program is ``told`` to end when whoever started it is gone, however
    that came; where Linux' ``setpriv`` is missing, the command as it is. To be started by a thread
    that lives as long as its process."""
    setpriv = shutil.which("setpriv")
    if setpriv is None:
        return tuple(command)
    # Whoever went before Linux was asked is not told of: then somebody else is its parent by now.
    still_here = ("sh", "-c", '[ "$PPID" = "$0" ] && exec "$@"', str(os.getpid()))
    return (setpriv, "--pdeathsig", told.name.removeprefix("SIG"), *still_here, *command)
