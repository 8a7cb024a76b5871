"""How much of the disk recordings may take."""

from __future__ import annotations

import errno
import shutil
from collections.abc import Callable
from pathlib import Path

MEGABYTES, SPARED, MEGABYTE = 2000, 500, 1_000_000
"""What recordings take at the most: 45 minutes of two pictures a second; and what they leave."""


def free_bytes(folder: Path) -> int:
    """Return how many bytes are free on the disk of ``folder``, which need not be there yet."""
    there = next(path for path in (folder.absolute(), *folder.absolute().parents) if path.exists())
    return shutil.disk_usage(there).free


class RecordingSpace:
    """What recordings may take: ``megabytes`` in all their folders together, and of the disk
    whatever leaves ``SPARED`` megabytes free: games are kept there too."""

    def __init__(
        self, megabytes: int = MEGABYTES, free: Callable[[Path], int] = free_bytes
    ) -> None:
        self.megabytes, self._free, self._taken = megabytes, free, 0

    @property
    def words(self) -> str:
        """Say what the limits are."""
        return (
            f"at most {self.megabytes} MB (--record-megabytes), and {SPARED} MB of the disk "
            "stay free"
        )

    def lets(self, size: int, folder: Path) -> bool:
        """Tell whether ``size`` bytes more may be written.

        Raises:
            OSError: the disk would be too full.
        """
        if self._taken + size > self.megabytes * MEGABYTE:
            return False
        if self._free(folder) < size + SPARED * MEGABYTE:
            raise OSError(errno.ENOSPC, f"less than {SPARED} MB are free on the disk")
        self._taken += size
        return True
