"""Room kept free on a journal's disk for when the disk is full.

SQLite has to write before it can start, and before it can delete. A file beside the journal
occupies some room; it is deleted when the disk is full, and made again once there is plenty.
"""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path

MOST = 4_000_000
"""Bytes that are kept free; on a small disk a quarter of what is free."""
_PART, _LEAST, _BLOCK = 4, 65_536, 4096


class Reserve:
    """The room kept for the journal at ``path``. It is no fault if there is none to keep."""

    def __init__(self, path: str) -> None:
        self._path = Path(path + ".room")

    def take(self) -> None:
        """Keep room, if more than that is left for others."""
        with suppress(OSError):
            have = self._path.stat().st_size if self._path.exists() else 0
            free = shutil.disk_usage(self._path.parent).free
            size = min(MOST, (free + have) // _PART) // _BLOCK * _BLOCK
            if have < size >= _LEAST:
                self._fill(size)

    def give(self) -> bool:
        """Free the room; return whether any was kept."""
        try:
            had = self._path.stat().st_size > 0
            self._path.unlink()
        except OSError:
            return False
        return had

    def _fill(self, size: int) -> None:
        """Let the file be ``size`` bytes long, all of them really on the disk."""
        file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            os.posix_fallocate(file, 0, size)
        except AttributeError:  # not on this system
            os.write(file, bytes(size))
        except OSError:
            self._path.unlink()
            raise
        finally:
            os.close(file)


def no_room(path: str) -> bool:
    """Tell whether the disk of the journal at ``path`` is full."""
    try:
        return shutil.disk_usage(Path(path).parent).free < _LEAST
    except OSError:
        return False
