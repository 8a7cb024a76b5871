"""The lock that lets one process at a time write a journal, whatever name it opens it by."""

from __future__ import annotations

import os
import sqlite3
import sys
import threading

from companion.journal.faults import fault_of
from companion.rules import BadInput
from companion.runtime.files import private

_guard = threading.Lock()
_held: set[tuple[int, int]] = set()
"""The files (device, inode) that this process holds. They are not even opened again, because
closing any handle of a file would drop SQLite's own locks on it."""


class Lock:
    """An exclusive lock on a journal's file; the system frees it when the process dies.

    The file itself is locked, so that links to it, hard or symbolic, are the same journal. A file
    that is not there is made, for its owner alone to read.
    """

    def __init__(self, path: str) -> None:
        """Take the lock.

        Raises:
            BadInput: another process holds it, or this is no file.
            HardwareFault: the disk does not let us.
        """
        self._file = -1
        self._beside: sqlite3.Connection | None = None
        with _guard:
            try:
                self._known = self._take(path)
            except OSError as error:
                self._let_go()
                raise fault_of(path, error) from error
            except BadInput:
                self._let_go()
                raise
            _held.add(self._known)

    def _take(self, path: str) -> tuple[int, int]:
        if os.path.exists(path) and not os.path.isfile(path):
            raise BadInput(f"{path} is no journal; name another file or move this one away")
        if os.path.exists(path) and _identity(os.stat(path)) in _held:
            raise _taken(path)
        # Journals of older companions could be read by everybody.
        self._file = private(path, os.O_RDWR | os.O_CREAT)
        self._exclude(path)
        return _identity(os.fstat(self._file))

    def _exclude(self, path: str) -> None:
        if sys.platform == "linux":
            import fcntl

            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise _taken(path) from None
        else:
            # Elsewhere such a lock is one with those that SQLite takes on the same file.
            try:
                self._beside = sqlite3.connect(f"{os.path.realpath(path)}.lock", timeout=0)
                self._beside.execute("BEGIN EXCLUSIVE")
            except sqlite3.Error:
                raise _taken(path) from None

    def _let_go(self) -> None:
        if self._beside is not None:
            self._beside.close()
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def close(self) -> None:
        """Release the lock; SQLite has closed the file before."""
        with _guard:
            if self._file >= 0:
                _held.discard(self._known)
                self._let_go()


def _identity(found: os.stat_result) -> tuple[int, int]:
    return (found.st_dev, found.st_ino)


def _taken(path: str) -> BadInput:
    return BadInput(
        f"the journal {path} is in use by another companion; stop that one or name another journal"
    )
