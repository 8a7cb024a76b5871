"""The tables of a journal's file, and how a file of an older companion is brought up to date."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from companion.journal.connection import MEMORY, Connection, one, open_sqlite
from companion.journal.photographs import digest_all
from companion.rules import BadInput, HardwareFault

_APPLICATION = 0x54544331  # "TTC1" in the file's header: tells a journal from other databases

BEFORE = "0.1.0"
"""The version of the companion that began the games of journals which do not tell it."""
TELLS_VERSIONS = 5
"""The version of the tables from which on a journal tells which companion began a game."""

NUMBERED = "typeof(game) = 'integer'"
"""SQL condition: on a damaged page an event may belong to a game without a number, whatever the
table's definition says."""

GAMES = (
    "SELECT id, name, seats, options, position, to_move, (SELECT data FROM event WHERE game = id "
    "AND kind = 'started' ORDER BY seq LIMIT 1) FROM game ORDER BY id"
)
"""SQL: the header of each game, and the data of its first event."""

# Each entry brings a journal from the version of its index to the next one.
MIGRATIONS: tuple[tuple[str | Callable[[Connection], None], ...], ...] = (
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
    (
        """CREATE TABLE IF NOT EXISTS digest (
            seq INTEGER NOT NULL, moment TEXT NOT NULL, sha256 TEXT NOT NULL,
            PRIMARY KEY (seq, moment)) STRICT""",
        digest_all,
    ),
    (
        """CREATE TABLE IF NOT EXISTS begun (
            game INTEGER PRIMARY KEY, version TEXT NOT NULL) STRICT""",
        f"INSERT OR IGNORE INTO begun SELECT id, '{BEFORE}' FROM game",
    ),
)


def prepare(db: Connection, path: str) -> None:
    """Set the connection up, check whose file it is and bring it to our version."""
    # Nothing that a file brings along is run, not even while it is looked at.
    list(db.execute("PRAGMA trusted_schema = OFF"))
    check(db, path)
    mode = one(db, "PRAGMA journal_mode = WAL")
    if mode not in ("wal", "memory"):
        raise HardwareFault(f"the journal {path} needs a local disk; this one allows no log")
    db.execute("PRAGMA synchronous = FULL")
    # What is deleted shall be gone, not only unlinked.
    list(db.execute("PRAGMA secure_delete = ON"))
    # A log of a megabyte at most: on a full disk there is no room for it to be emptied.
    list(db.execute("PRAGMA wal_autocheckpoint = 256"))
    for number in range(version(db), len(MIGRATIONS)):
        db.execute("BEGIN IMMEDIATE")
        migrate(db, number)
        db.execute("COMMIT")


def migrate(db: Connection, number: int) -> None:
    """Bring a file of version ``number`` to the next one."""
    for step in MIGRATIONS[number]:
        if isinstance(step, str):
            db.execute(step)
        else:
            step(db)
    db.execute(f"PRAGMA application_id = {_APPLICATION}")
    db.execute(f"PRAGMA user_version = {number + 1}")


def check(db: Connection, path: str) -> None:
    """Refuse a file that is no journal, is a newer companion's, or holds what no companion wrote,
    such as a trigger.

    Raises:
        BadInput: it is refused; the sentence says why.
    """
    there = _made(db)
    if one(db, "PRAGMA application_id") != _APPLICATION and there:
        raise BadInput(f"{path} is no journal; name another file or move this one away")
    number = version(db)
    if number > len(MIGRATIONS):
        raise BadInput(
            f"the journal {path} was written by a newer companion; update this one to read it"
        )
    every, wanted = _known(number)
    strange = sorted(there - every) + sorted(wanted - there)
    if number < 0 or strange:
        kind, name, *_ = strange[0] if strange else ("version", str(number))
        raise BadInput(
            f"the journal {path} is not as a companion makes it (its {kind} {name}); somebody "
            "changed it, so restore a backup or name another journal"
        )


_Made = tuple[str, str, str, str]
"""An object in a database: its type, its name, its table and the SQL that made it."""


def _made(db: Connection) -> set[_Made]:
    rows = db.execute("SELECT type, name, tbl_name, sql FROM sqlite_master")
    return {
        (str(kind), str(name), str(table), " ".join(str(sql).split()))
        for kind, name, table, sql in rows
        # SQLite's own: the indexes of primary keys, and what it counted.
        if not (kind == "index" and sql is None)
        and (kind, name) not in (("table", "sqlite_stat1"), ("table", "sqlite_stat4"))
    }


@cache
def _known(number: int) -> tuple[set[_Made], set[_Made]]:
    """Return all that journals may hold, and what those of version ``number`` do."""
    db = open_sqlite(MEMORY)
    every: set[_Made] = set()
    wanted: set[_Made] = set()
    for step in range(len(MIGRATIONS)):
        migrate(db, step)
        made = _made(db)
        every |= made
        if step + 1 == number:
            wanted = made
    db.close()
    return every, wanted


def version(db: Connection) -> int:
    """Return the version of the file's tables; 0 for a new file."""
    return int(one(db, "PRAGMA user_version"))
