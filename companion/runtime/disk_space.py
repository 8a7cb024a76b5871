"""How much of the disk recordings may take."""

from __future__ import annotations

import errno
import shutil
from collections.abc import Callable
from pathlib import Path

MEGABYTES, SPARED, MEGABYTE = 2000, 500, 1_000_000
"""Megabytes that recordings take at most by default (45 minutes of two pictures a second),
megabytes that they leave free on the disk, and bytes in a megabyte."""


def free_bytes(folder: Path) -> int:
    """Return how many bytes are free on the disk of ``folder``, which need not be there yet."""
    there = next(path for path in (folder.absolute(), *folder.absolute().parents) if path.exists())
    return shutil.disk_usage(there).free


class RecordingSpace:
    """The limits of recordings: ``megabytes`` in all folders together, and at least ``SPARED``
    megabytes left free on the disk, because games are kept there, too."""

    def __init__(
        self, megabytes: int = MEGABYTES, free: Callable[[Path], int] = free_bytes
    ) -> None:
        self.megabytes, self._free, self._taken = megabytes, free, 0

    @property
    def words(self) -> str:
        """Return the limits in words."""
        return (
            f"at most {self.megabytes} MB (--record-megabytes), and {SPARED} MB of the disk "
            "stay free"
        )

    def lets(self, size: int, folder: Path) -> bool:
        """Tell whether ``size`` more bytes may be written into ``folder``.

        Raises:
            OSError: too little of the disk would be left free.
        """
        if self._taken + size > self.megabytes * MEGABYTE:
            return False
        if self._free(folder) < size + SPARED * MEGABYTE:
            raise OSError(errno.ENOSPC, f"less than {SPARED} MB are free on the disk")
        self._taken += size
        return True
