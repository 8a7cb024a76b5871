"""Memory that was needed for a moment: the first picture takes far more of it than all later ones,
and each of these three megabytes."""

from __future__ import annotations

import ctypes
import sys
from functools import cache
from typing import Any

_ARENA_MAX, _MMAP_THRESHOLD = -8, -3
"""Parameters of glibc's ``mallopt``."""
LARGE = 1 << 20
"""Bytes from which on a block is taken from the system by itself, and given back when it is freed:
less than a picture has, of which a look takes several for a moment. Most of the cost of taking
them anew each time falls on the simulated camera."""


def be_sparing() -> None:
    """Keep what is freed for threads together, where the C library can (glibc): each would keep a
    share of its own, and what it needed once. Call it before threads begin."""
    if (mallopt := _of_the_library("mallopt")) is not None:
        mallopt(_ARENA_MAX, 1)
        mallopt(_MMAP_THRESHOLD, LARGE)


def give_back() -> None:
    """Give freed memory back to the system, where the C library can (glibc's ``malloc_trim``)."""
    if (trim := _of_the_library("malloc_trim")) is not None:
        trim(0)


@cache
def _of_the_library(name: str) -> Any:
    """Return a function of the C library; None where it has none of that name."""
    return getattr(ctypes.CDLL(None), name, None) if sys.platform == "linux" else None
