"""Room that is kept free on a journal's disk, for when the disk is full.

To start, and to delete, SQLite has to write first. A file beside the journal holds some room that
is given up then, and taken again once there is plenty.
"""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path

MOST = 4_000_000
"""Bytes that are kept; on a small disk it is a part of what is free."""
_PART, _LEAST, _BLOCK = 4, 65_536, 4096


class Reserve:
    """The room kept for the journal at ``path``. A disk that gives none is no trouble yet."""

    def __init__(self, path: str) -> None:
        self._path = Path(path + ".room")

    def take(self) -> None:
        """Keep room, if there is enough to leave more than is taken."""
        with suppress(OSError):
            have = self._path.stat().st_size if self._path.exists() else 0
            free = shutil.disk_usage(self._path.parent).free
            size = min(MOST, (free + have) // _PART) // _BLOCK * _BLOCK
            if have < size >= _LEAST:
                self._fill(size)

    def give(self) -> bool:
        """Give the room up; return whether there was any."""
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
