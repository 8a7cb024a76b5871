"""One table at a time writes a journal."""

from __future__ import annotations

import sqlite3

from companion.journal.faults import fault_of
from companion.journal.schema import Connection
from companion.rules import BadInput


def lock_journal(path: str) -> Connection:
    """Hold an exclusive lock beside the journal; the system frees it when the process dies."""
    lock = None
    try:
        lock = sqlite3.connect(f"{path}.lock", timeout=0, check_same_thread=False)
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as error:
        if lock is not None:
            lock.close()
        if "locked" in str(error):
            raise BadInput(
                f"the journal {path} is in use by another companion; stop that one or name "
                "another journal"
            ) from None
        raise fault_of(path, error) from error
    return lock
