"""The journal: everything that happened at a table, in an append-only SQLite file.

One file holds a game, or consecutive games. No event is ever changed; photographs go when their
time is over, and past games when somebody asks for it. A commit returns
only when the disk has the data (write-ahead log, ``synchronous=FULL``), so what a caller was
told has happened survives a killed process and a pulled plug.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Any, Protocol

from companion.rules import BadInput, HardwareFault, Ruling
from companion.wording import pack, packed, unpack, unpacked

MEMORY = ":memory:"
_APPLICATION = 0x54544331  # "TTC1" in the file's header: tells a journal from other databases

# Each entry brings a journal from the version of its index to the next one.
_MIGRATIONS: tuple[tuple[str, ...], ...] = (
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
)


def _nothing() -> Mapping[str, Any]:
    return MappingProxyType({})


class Connection(Protocol):
    """The little that the journal needs of a database connection in autocommit mode."""

    def execute(self, sql: str, parameters: Sequence[Any] = ..., /) -> Iterable[Any]:
        """Run one statement; rows come as tuples."""

    def close(self) -> None:
        """Close the connection."""


@dataclass(frozen=True, slots=True)
class Header:
    """What a game was begun with. ``position`` and ``to_move`` are None for the usual start."""

    name: str
    seats: tuple[str, ...]
    options: Mapping[str, str]
    position: Mapping[str, str] | None = None
    to_move: str | None = None


@dataclass(frozen=True, slots=True)
class Draft:
    """An event before its commit. ``photographs``: ``before``, ``after`` -> JPEG bytes."""

    actor: str
    kind: str
    action: str | None = None
    ruling: Ruling | None = None
    data: Mapping[str, Any] = field(default_factory=_nothing)
    photographs: Mapping[str, bytes] = field(default_factory=_nothing)


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened. ``seq`` grows through the whole journal, ``at`` is in seconds since
    1970; ``photographs`` names the moments of which the journal keeps a picture."""

    seq: int
    at: float
    actor: str
    kind: str
    action: str | None = None
    ruling: Ruling | None = None
    data: Mapping[str, Any] = field(default_factory=_nothing)
    photographs: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"event {self.seq}"


def open_sqlite(path: str) -> Connection:
    """Open an SQLite connection in autocommit mode for use from any one thread at a time."""
    return sqlite3.connect(path, isolation_level=None, check_same_thread=False)


def _open_readable(path: str) -> Connection:
    uri = f"{Path(path).absolute().as_uri()}?mode=ro"
    return sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)


class Journal:
    """An open journal. One process writes; a lock beside the file lasts as long as the process.

    ``connect`` opens the database; tests put a disk there that can lose its power.
    """

    def __init__(
        self, path: str | Path = MEMORY, connect: Callable[[str], Connection] = open_sqlite
    ) -> None:
        """Open the journal at ``path``, or begin one.

        Raises:
            BadInput: another process keeps it, or the file is no journal that we can read.
            HardwareFault: the disk does not let us.
        """
        self.path = str(path)
        self._guard = threading.RLock()
        self._lock = None if self.path == MEMORY else _lock(self.path)
        try:
            with self._sentences():
                self._db = connect(self.path)
                _prepare(self._db, self.path)
                self._seq = _last_seq(self._db)
        except BaseException:
            self.close()
            raise

    @classmethod
    def read(cls, path: str | Path) -> Journal:
        """Open a journal for reading alone, also while a table writes it.

        Raises:
            BadInput: there is no such file, or it is no journal that we can read.
        """
        if not Path(path).is_file():
            raise BadInput(f"there is no journal {path}; name the file that a table has written")
        journal = cls.__new__(cls)
        journal.path, journal._guard, journal._lock = str(path), threading.RLock(), None
        try:
            with journal._sentences():
                journal._db = _open_readable(str(path))
                _check(journal._db, journal.path)
                if _version(journal._db) == 0:
                    raise BadInput(f"the journal {path} holds no game")
                journal._seq = _last_seq(journal._db)
        except BaseException:
            journal.close()
            raise
        return journal

    def close(self) -> None:
        """Close the files and let others have the journal."""
        with self._guard:
            for connection in (getattr(self, "_db", None), self._lock):
                if connection is not None:
                    connection.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # -- writing ---------------------------------------------------------------------

    def begin(self, header: Header, at: float, draft: Draft) -> tuple[int, Event]:
        """Write a new game and its first event in one transaction; return its id and the event.

        Raises:
            HardwareFault: the disk is full or broken; nothing was written.
        """
        position = None if header.position is None else _json(dict(header.position))
        row = (header.name, _json(header.seats), _json(dict(header.options)), position,
               header.to_move)  # fmt: skip
        with self._guard:
            with self._transaction():
                game = 1 + int(_one(self._db, "SELECT coalesce(max(id), 0) FROM game"))
                self._db.execute("INSERT INTO game VALUES (?, ?, ?, ?, ?, ?)", (game, *row))
                (event,) = self._insert(game, at, (draft,))
            self._seq = event.seq
        return game, event

    def append(self, game: int, at: float, drafts: Sequence[Draft]) -> tuple[Event, ...]:
        """Commit ``drafts`` to ``game`` in one transaction and return them as events.

        Raises:
            HardwareFault: the disk is full or broken; nothing was written, and the same call
                works once that is mended.
        """
        with self._guard:
            with self._transaction():
                events = self._insert(game, at, drafts)
            self._seq += len(events)
        return events

    def _insert(self, game: int, at: float, drafts: Sequence[Draft]) -> tuple[Event, ...]:
        events = []
        for seq, draft in enumerate(drafts, start=self._seq + 1):
            data = _json(packed(draft.data))
            ruling = None if draft.ruling is None else _ruling_text(draft.ruling)
            self._db.execute(
                "INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (seq, game, at, draft.actor, draft.kind, draft.action, ruling, data),
            )
            # The event as a later reader will find it: lists for tuples, nothing shared.
            row = (seq, at, draft.actor, draft.kind, draft.action, ruling, data)
            event = _event(row, tuple(draft.photographs))
            for moment, jpeg in draft.photographs.items():
                self._db.execute("INSERT INTO evidence VALUES (?, ?, ?)", (seq, moment, jpeg))
            events.append(event)
        return tuple(events)

    def keep_record(self, title: str, text: str, at: float) -> int:
        """Keep the record of a game that was played elsewhere; return its number.

        Raises:
            HardwareFault: the disk is full or broken.
        """
        with self._guard, self._transaction():
            number = 1 + int(_one(self._db, "SELECT coalesce(max(id), 0) FROM record"))
            self._db.execute("INSERT INTO record VALUES (?, ?, ?, ?)", (number, at, title, text))
        return number

    def forget_photographs(self, before: float) -> int:
        """Delete the photographs of events before ``before`` (seconds since 1970); return how
        many. What was deleted is overwritten in the file."""
        where = "seq IN (SELECT seq FROM event WHERE at < ?)"
        return self._delete((f"evidence WHERE {where}", (before,)))

    def trim_photographs(self, most: int) -> int:
        """Delete the oldest photographs until no more than ``most`` bytes of them are left;
        return how many."""
        sql = """seq IN (SELECT seq FROM (
            SELECT seq, sum(length(jpeg)) OVER (ORDER BY seq DESC) AS total FROM evidence)
            WHERE total > ?)"""
        return self._delete((f"evidence WHERE {sql}", (most,)))

    def forget_games(self, keep: int) -> int:
        """Delete all games but ``keep``, with everything about them, and all records kept;
        return how many games."""
        others = "SELECT seq FROM event WHERE game <> ?"
        gone = len(self.games()) - 1
        self._delete(
            (f"evidence WHERE seq IN ({others})", (keep,)),
            ("event WHERE game <> ?", (keep,)),
            ("game WHERE id <> ?", (keep,)),
            ("record", ()),
        )
        return gone

    def _delete(self, *what: tuple[str, tuple[Any, ...]]) -> int:
        with self._guard:
            gone = 0
            with self._transaction():
                for where, values in what:
                    self._db.execute(f"DELETE FROM {where}", values)
                    gone += int(_one(self._db, "SELECT changes()"))
            if gone:
                with self._sentences():
                    # The log beside the file would otherwise keep what the file has lost.
                    list(self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)"))
        return gone

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._sentences():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                # SQLite may have rolled back by itself, as it does on a full disk.
                with suppress(sqlite3.Error):
                    self._db.execute("ROLLBACK")
                raise

    # -- reading ---------------------------------------------------------------------

    def games(self) -> Mapping[int, Header]:
        """Return every game of the journal by its id, the oldest first."""
        sql = "SELECT id, name, seats, options, position, to_move FROM game ORDER BY id"
        rows = self._rows(sql)
        with self._sound():
            return {int(row[0]): _header(row[1:]) for row in rows}

    def events(self, game: int, after: int = 0) -> tuple[Event, ...]:
        """Return the events of ``game`` whose ``seq`` is greater than ``after``, in order."""
        photographs: dict[int, tuple[str, ...]] = {}
        for seq, moment in self._rows(
            "SELECT seq, moment FROM evidence JOIN event USING (seq) "
            "WHERE game = ? AND seq > ? ORDER BY evidence.rowid",
            (game, after),
        ):
            photographs[seq] = (*photographs.get(seq, ()), moment)
        rows = self._rows(
            "SELECT seq, at, actor, kind, action, ruling, data FROM event "
            "WHERE game = ? AND seq > ? ORDER BY seq",
            (game, after),
        )
        with self._sound():
            return tuple(_event(row, photographs.get(row[0], ())) for row in rows)

    def of_kinds(self, *kinds: str) -> tuple[tuple[int, Event], ...]:
        """Return the events of these kinds of all games, each with its game's id, in order."""
        marks = ", ".join("?" * len(kinds))
        rows = self._rows(
            "SELECT game, seq, at, actor, kind, action, ruling, data FROM event "
            f"WHERE kind IN ({marks}) ORDER BY seq",
            kinds,
        )
        with self._sound():
            return tuple((int(row[0]), _event(row[1:], ())) for row in rows)

    def latest(self) -> int | None:
        """Return the game in which something happened last; None in an empty journal."""
        rows = self._rows("SELECT game FROM event ORDER BY seq DESC LIMIT 1")
        return int(rows[0][0]) if rows else None

    def lengths(self) -> Mapping[int, int]:
        """Return how many actions were accepted in each game, those taken back too."""
        sql = "SELECT game, count(*) FROM event WHERE kind = 'action' GROUP BY game"
        return {int(game): int(count) for game, count in self._rows(sql)}

    def records(self) -> Mapping[int, tuple[float, str, str]]:
        """Return the records kept, by number: when, the title, the text."""
        rows = self._rows("SELECT id, at, title, text FROM record ORDER BY id")
        return {int(number): (at, title, text) for number, at, title, text in rows}

    def photograph_bytes(self) -> int:
        """Return how much room all photographs take, in bytes."""
        (row,) = self._rows("SELECT coalesce(sum(length(jpeg)), 0) FROM evidence")
        return int(row[0])

    def evidence(self, seq: int) -> Mapping[str, bytes]:
        """Return the photographs of event ``seq``: moment -> JPEG bytes; empty if none is kept."""
        sql = "SELECT moment, jpeg FROM evidence WHERE seq = ? ORDER BY rowid"
        return {moment: bytes(jpeg) for moment, jpeg in self._rows(sql, (seq,))}

    def _rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        with self._guard, self._sentences():
            return [tuple(row) for row in self._db.execute(sql, parameters)]

    @contextmanager
    def _sound(self) -> Iterator[None]:
        """Say so when what was read is not what anybody wrote."""
        try:
            yield
        except (TypeError, ValueError) as error:
            raise HardwareFault(
                f"the journal {self.path} is damaged; its disk did not keep what was written"
            ) from error

    @contextmanager
    def _sentences(self) -> Iterator[None]:
        """Turn what SQLite says into one sentence for the people at the table."""
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise _fault(self.path, error) from error


def _fault(path: str, error: Exception) -> BadInput | HardwareFault:
    text = str(error)
    if "not a database" in text:
        return BadInput(f"{path} is no journal; name another file or move this one away")
    if "full" in text or getattr(error, "errno", None) == 28:
        return HardwareFault(
            f"the disk of the journal {path} is full; nothing was lost, but this last step was "
            "not taken: make room and repeat it"
        )
    if "unable to open" in text:
        return HardwareFault(
            f"the journal {path} cannot be opened; its folder must exist and be writable"
        )
    return HardwareFault(f"the journal {path} cannot be used ({text}); check its disk")


def _lock(path: str) -> Connection:
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
        raise _fault(path, error) from error
    return lock


def _prepare(db: Connection, path: str) -> None:
    """Set the connection up, check whose file it is and bring it to our version."""
    _check(db, path)
    mode = _one(db, "PRAGMA journal_mode = WAL")
    if mode not in ("wal", "memory"):
        raise HardwareFault(f"the journal {path} needs a local disk; this one allows no log")
    db.execute("PRAGMA synchronous = FULL")
    # What is deleted shall be gone, not only unlinked.
    list(db.execute("PRAGMA secure_delete = ON"))
    for version in range(_version(db), len(_MIGRATIONS)):
        db.execute("BEGIN IMMEDIATE")
        for statement in _MIGRATIONS[version]:
            db.execute(statement)
        db.execute(f"PRAGMA application_id = {_APPLICATION}")
        db.execute(f"PRAGMA user_version = {version + 1}")
        db.execute("COMMIT")


def _check(db: Connection, path: str) -> None:
    owner = _one(db, "PRAGMA application_id")
    if owner != _APPLICATION and _one(db, "SELECT count(*) FROM sqlite_master"):
        raise BadInput(f"{path} is no journal; name another file or move this one away")
    if _version(db) > len(_MIGRATIONS):
        raise BadInput(
            f"the journal {path} was written by a newer companion; update this one to read it"
        )


def _version(db: Connection) -> int:
    return int(_one(db, "PRAGMA user_version"))


def _last_seq(db: Connection) -> int:
    return int(_one(db, "SELECT coalesce(max(seq), 0) FROM event"))


def _one(db: Connection, sql: str) -> Any:
    """Return the only value of the only row; reads to the end so that no statement stays open."""
    return next(iter([row[0] for row in db.execute(sql)]))


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _ruling_text(ruling: Ruling) -> str:
    return _json([ruling.allowed, ruling.rule, ruling.reason, ruling.spots, pack(ruling.reason)])


def _event(row: tuple[Any, ...], photographs: tuple[str, ...]) -> Event:
    seq, at, actor, kind, action, ruling, data = row
    fields = unpacked(json.loads(data))
    return Event(seq, at, actor, kind, action, _ruling(ruling), fields, photographs)


def _ruling(text: str | None) -> Ruling | None:
    if text is None:
        return None
    # Journals of the first version do not tell how the reason was made.
    allowed, rule, reason, spots, *said = json.loads(text)
    return Ruling(allowed, rule, unpack(reason, *said or [None]), tuple(spots))


def _header(row: tuple[Any, ...]) -> Header:
    name, seats, options, position, to_move = row
    where = None if position is None else json.loads(position)
    return Header(name, tuple(json.loads(seats)), json.loads(options), where, to_move)
