"""The one clock of a table: what time it is, how much time passes, and whether that is known.

Machines tell the wrong time. A Raspberry Pi has no clock of its own that runs while it is off: it
starts where it stopped, or in 1970, and a network tells it the date minutes later; people set
clocks by hand. So two questions are kept apart. What time it is (a timekeeper is called for it)
is for people to read, and may be wrong; it never goes back. How much time has passed
(:meth:`Timekeeper.steady`) decides everything else, and no setting of a clock changes it.
"""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Callable
from functools import cache
from typing import Any

JUMP = 2.0
"""Seconds by which the time of day may differ from the time that passed; beyond, somebody set the
clock."""
LATEST = 253_402_300_799.0
"""Seconds since 1970 of the end of the year 9999: later times cannot be written as dates."""
_UNSYNCHRONISED = 0x40  # STA_UNSYNC of adjtimex(2)


class _Timex(ctypes.Structure):
    """``struct timex`` of Linux, as far as the time; ``rest`` is room for what follows."""

    _fields_ = (
        ("modes", ctypes.c_uint),
        *((name, ctypes.c_long) for name in ("offset", "freq", "maxerror", "esterror")),
        ("status", ctypes.c_int),
        *((name, ctypes.c_long) for name in ("constant", "precision", "tolerance", "seconds")),
        ("rest", ctypes.c_char * 256),
    )


@cache
def _adjtimex() -> Any:
    """Return the system's call, None where there is none."""
    try:
        return ctypes.CDLL(None).adjtimex
    except (AttributeError, OSError, TypeError):
        return None


def network_time() -> float | None:
    """Return the seconds since 1970 (whole ones) while a time server keeps the machine's clock;
    None where none does, where somebody set the clock since, or where nobody can tell."""
    ask, told = _adjtimex(), _Timex()
    if ask is None or ask(ctypes.byref(told)) < 0 or told.status & _UNSYNCHRONISED:
        return None
    return float(told.seconds)


class Timekeeper:
    """Tells the time. All methods may be called from any thread.

    ``wall`` is the machine's time of day in seconds since 1970, which anybody may set; ``steady``
    gives seconds that only pass; ``network`` what a time server says, None where none is heard.
    """

    def __init__(
        self,
        wall: Callable[[], float] = time.time,
        steady: Callable[[], float] = time.monotonic,
        network: Callable[[], float | None] = network_time,
    ) -> None:
        self._wall, self._source, self._network = wall, steady, network
        self._guard = threading.Lock()
        self._high = self._read = steady()
        self._now = self._shown(0.0)
        self._jumped = 0.0

    def __call__(self) -> float:
        """Return the time in seconds since 1970. It never goes back: where the machine's clock is
        set back, time goes on from where it was."""
        with self._guard:
            before, self._read = self._read, self._pass()
            expected = min(self._now + self._read - before, LATEST)
            wall = self._shown(expected)
            if wall > expected + JUMP:
                self._jumped += wall - expected
                self._now = wall
            else:
                # What little the two differ by is the network's putting right.
                self._now = expected if wall < expected - JUMP else max(self._now, wall)
            return self._now

    def steady(self) -> float:
        """Return seconds that pass evenly, however the clock is set; they begin anywhere."""
        with self._guard:
            return self._pass()

    @property
    def jumped(self) -> float:
        """Return by how many seconds the clock was set forward in all."""
        return self._jumped

    def not_before(self, at: float) -> None:
        """Never tell a time before ``at``, such as that of the last event written down."""
        with self._guard:
            if at <= LATEST:
                self._now = max(self._now, at)

    def _shown(self, otherwise: float) -> float:
        """Return what the machine's clock shows, ``otherwise`` where that is no time of day: one
        after :data:`LATEST` could be written down, but not read again."""
        wall = self._wall()
        return wall if 0 <= wall <= LATEST else otherwise

    def _pass(self) -> float:
        self._high = max(self._high, self._source())
        return self._high

    def confirmed(self) -> float | None:
        """Return the time of day if a time server vouches for it, else None."""
        told, wall = self._network(), self._wall()
        return wall if told is not None and abs(wall - told) < JUMP else None


def timekeeper(now: Callable[[], float] | None = None, not_before: float = 0.0) -> Timekeeper:
    """Return ``now`` as a timekeeper that tells no time before ``not_before``: the machine's for
    None. A plain function is taken both for the time of day and for the seconds that pass."""
    found = Timekeeper() if now is None else now
    if not isinstance(found, Timekeeper):
        found = Timekeeper(found, found, lambda: None)
    found.not_before(not_before)
    return found
