"""Connections to the database in a journal's file."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol

MEMORY = ":memory:"


class Connection(Protocol):
    """The little that the journal needs of a database connection in autocommit mode."""

    def execute(self, sql: str, parameters: Sequence[Any] = ..., /) -> Iterable[Any]:
        """Run one statement; rows come as tuples."""

    def close(self) -> None:
        """Close the connection."""


def open_sqlite(path: str) -> Connection:
    """Open an SQLite connection in autocommit mode for use from any one thread at a time."""
    return _connected(path)


def open_readable(path: str, leaving: ExitStack) -> Connection:
    """Open an SQLite connection that writes nothing, also beside a table that writes and on a disk
    that cannot be written; ``leaving`` closes it."""
    file = Path(path).resolve()
    try:
        db = _connected(f"{file.as_uri()}?mode=ro")
        leaving.callback(db.close)
        one(db, "SELECT count(*) FROM sqlite_master")
    except sqlite3.OperationalError:
        # SQLite wants to lay files beside the journal and cannot. What is in its log counts.
        log = Path(f"{file}-wal")
        if log.exists() and log.stat().st_size:
            place = Path(leaving.enter_context(TemporaryDirectory()))
            for source in (file, log):
                shutil.copyfile(source, place / source.name)
            db = _connected(os.fspath(place / file.name))
        else:
            db = _connected(f"{file.as_uri()}?immutable=1")
        leaving.callback(db.close)
    return db


def _connected(path: str) -> sqlite3.Connection:
    db = sqlite3.connect(
        path, uri=path.startswith("file:"), isolation_level=None, check_same_thread=False
    )
    # Bytes that are no text are told from text where a row is looked at, not where it is read.
    db.text_factory = lambda found: found.decode(errors="surrogateescape")
    return db


def one(db: Connection, sql: str) -> Any:
    """Return the only value of the only row; reads to the end so that no statement stays open."""
    return next(iter([row[0] for row in db.execute(sql)]))
