"""The tables of a journal's file, and how a file of an older companion is brought up to date."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Protocol

from companion.rules import BadInput, HardwareFault

_APPLICATION = 0x54544331  # "TTC1" in the file's header: tells a journal from other databases

# Each entry brings a journal from the version of its index to the next one.
MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE game (
            id INTEGER PRIMARY KEY, name TEXT NOT NULL, seats TEXT NOT NULL,
            options TEXT NOT NULL, position TEXT, to_move TEXT) STRICT""",
        """CREATE TABLE event (
            seq INTEGER PRIMARY KEY, game INTEGER NOT NULL REFERENCES game (id),
            at REAL NOT NULL, actor TEXT NOT NULL, kind TEXT NOT NULL, action TEXT,
            ruling TEXT, data TEXT NOT NULL) STRICT""",
        "CREATE INDEX event_of_game ON event (game, seq)",
        """CREATE TABLE evidence (
            seq INTEGER NOT NULL REFERENCES event (seq), moment TEXT NOT NULL,
            jpeg BLOB NOT NULL, PRIMARY KEY (seq, moment)) STRICT""",
    ),
    (
        "CREATE INDEX event_of_kind ON event (kind, seq)",
        """CREATE TABLE record (
            id INTEGER PRIMARY KEY, at REAL NOT NULL, title TEXT NOT NULL,
            text TEXT NOT NULL) STRICT""",
    ),
    (
        """CREATE TABLE IF NOT EXISTS span (
            seq INTEGER PRIMARY KEY, seconds REAL NOT NULL) STRICT""",
        """CREATE TABLE IF NOT EXISTS mark (
            id INTEGER PRIMARY KEY, seq INTEGER NOT NULL, at REAL NOT NULL,
            ran REAL NOT NULL) STRICT""",
    ),
)


class Connection(Protocol):
    """The little that the journal needs of a database connection in autocommit mode."""

    def execute(self, sql: str, parameters: Sequence[Any] = ..., /) -> Iterable[Any]:
        """Run one statement; rows come as tuples."""

    def close(self) -> None:
        """Close the connection."""


def open_sqlite(path: str) -> Connection:
    """Open an SQLite connection in autocommit mode for use from any one thread at a time."""
    return sqlite3.connect(path, isolation_level=None, check_same_thread=False)


def open_readable(path: str) -> Connection:
    """Open an SQLite connection that writes nothing."""
    uri = f"{Path(path).absolute().as_uri()}?mode=ro"
    return sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)


def prepare(db: Connection, path: str) -> None:
    """Set the connection up, check whose file it is and bring it to our version."""
    check(db, path)
    mode = one(db, "PRAGMA journal_mode = WAL")
    if mode not in ("wal", "memory"):
        raise HardwareFault(f"the journal {path} needs a local disk; this one allows no log")
    db.execute("PRAGMA synchronous = FULL")
    # What is deleted shall be gone, not only unlinked.
    list(db.execute("PRAGMA secure_delete = ON"))
    for number in range(version(db), len(MIGRATIONS)):
        db.execute("BEGIN IMMEDIATE")
        for statement in MIGRATIONS[number]:
            db.execute(statement)
        db.execute(f"PRAGMA application_id = {_APPLICATION}")
        db.execute(f"PRAGMA user_version = {number + 1}")
        db.execute("COMMIT")


def check(db: Connection, path: str) -> None:
    """Refuse a file that is no journal, or a newer companion's.

    Raises:
        BadInput: so it is.
    """
    owner = one(db, "PRAGMA application_id")
    if owner != _APPLICATION and one(db, "SELECT count(*) FROM sqlite_master"):
        raise BadInput(f"{path} is no journal; name another file or move this one away")
    if version(db) > len(MIGRATIONS):
        raise BadInput(
            f"the journal {path} was written by a newer companion; update this one to read it"
        )


def version(db: Connection) -> int:
    """Return the version of the file's tables; 0 for a new file."""
    return int(one(db, "PRAGMA user_version"))


def one(db: Connection, sql: str) -> Any:
    """Return the only value of the only row; reads to the end so that no statement stays open."""
    return next(iter([row[0] for row in db.execute(sql)]))
