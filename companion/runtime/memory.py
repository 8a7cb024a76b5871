"""Memory that was needed once: the first picture takes far more of it than all later ones."""

from __future__ import annotations

import ctypes
import sys


def give_back() -> None:
    """Give freed memory back to the system, where the C library can (glibc's ``malloc_trim``)."""
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)
