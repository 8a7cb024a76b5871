"""Rows of a journal as they are stored, to be taken elsewhere and written down again."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, NamedTuple

from companion.journal.connection import open_readable, open_sqlite
from companion.journal.entries import json_text
from companion.journal.faults import fault_of
from companion.journal.schema import check, prepare
from companion.journal.soundness import decoded
from companion.rules import BadInput

KEYS = ("key", "was")
"""Fields of an event that tell the digest of a phone's key: they stay at the table."""


class GameRow(NamedTuple):
    """A game as the journal stores it, lists and mappings as JSON text, and which version of the
    companion began it."""

    name: str
    seats: str
    options: str
    position: str | None
    to_move: str | None
    version: str


class EventRow(NamedTuple):
    """An event as the journal stores it: ``ruling`` and ``data`` are JSON text. ``begun`` is its
    game, where it is the game's first event."""

    seq: int
    game: int
    at: float
    actor: str
    kind: str
    action: str | None
    ruling: str | None
    data: str
    begun: GameRow | None = None


class JournalRows:
    """The rows of the journal at ``path``, read beside the table that writes it.

    Raises:
        BadInput: it is no journal that we can read.
        HardwareFault: its disk fails.
    """

    def __init__(self, path: str | Path) -> None:
        self._path, self._leaving = str(path), ExitStack()
        try:
            self._db = open_readable(self._path, self._leaving)
            check(self._db, self._path)
        except (sqlite3.Error, OSError) as error:
            self.close()
            raise fault_of(self._path, error) from error
        except BaseException:
            self.close()
            raise

    def after(self, seq: int, most: int) -> list[EventRow]:
        """Return at most ``most`` events that follow event ``seq``, in order. Digests of keys are
        replaced by digests of these, with which no phone comes in."""
        try:
            rows = list(
                self._db.execute(
                    "SELECT event.seq, event.game, at, actor, kind, action, ruling, data, "
                    "NOT EXISTS (SELECT 1 FROM event AS other "
                    "WHERE other.game = event.game AND other.seq < event.seq) "
                    "FROM event WHERE seq > ? ORDER BY seq LIMIT ?",
                    (seq, most),
                )
            )
            return [self._row(*row) for row in rows]
        except (sqlite3.Error, OSError) as error:
            raise fault_of(self._path, error) from error

    def photograph(self, after: tuple[int, str], last: int) -> tuple[int, str, bytes] | None:
        """Return the photograph that follows the one of this event and moment, of an event up to
        ``last``: event, moment, JPEG bytes; None where there is none."""
        try:
            found = self._db.execute(
                "SELECT seq, moment, jpeg FROM evidence WHERE (seq, moment) > (?, ?) AND seq <= ? "
                "ORDER BY seq, moment LIMIT 1",
                (*after, last),
            )
            return next(((int(seq), str(moment), bytes(jpeg)) for seq, moment, jpeg in found), None)
        except (sqlite3.Error, OSError) as error:
            raise fault_of(self._path, error) from error

    def game_of(self, seq: int, last: Sequence[str]) -> tuple[str, str, bool]:
        """Return the name of the game to which event ``seq`` belongs, the kind of its last event of
        the kinds ``last`` (empty if it has none), and whether another game was begun since."""
        sql = (
            "SELECT name, coalesce((SELECT kind FROM event AS e WHERE e.game = id "
            f"AND e.kind IN ({', '.join('?' * len(last))}) ORDER BY e.seq DESC LIMIT 1), ''), "
            "EXISTS (SELECT 1 FROM event AS e WHERE e.game > id) "
            "FROM game WHERE id = (SELECT game FROM event WHERE seq = ?)"
        )
        try:
            [(name, kind, past)] = self._db.execute(sql, (*last, seq))
            return str(name), str(kind), bool(past)
        except (sqlite3.Error, OSError) as error:
            raise fault_of(self._path, error) from error

    def _row(self, *told: Any) -> EventRow:
        seq, game, at, actor, kind, action, ruling, data, first = told
        begun = None
        if first:
            sql = (
                "SELECT name, seats, options, position, to_move, coalesce(version, '') "
                "FROM game LEFT JOIN begun ON begun.game = game.id WHERE id = ?"
            )
            begun = next((GameRow(*row) for row in self._db.execute(sql, (game,))), None)
        return EventRow(seq, game, at, actor, kind, action, ruling, without_keys(data), begun)

    def close(self) -> None:
        """Let go of the file."""
        self._leaving.close()


def without_keys(data: str) -> str:
    """Return the data of an event with digests of keys replaced."""
    if '"key"' not in data and '"was"' not in data:
        return data
    try:
        fields = dict(decoded(data))
    except (TypeError, ValueError):
        return "{}"  # No companion wrote that: nobody knows where the key begins.
    for name in KEYS:
        if isinstance(fields.get(name), str):
            fields[name] = hashlib.sha256(fields[name].encode()).hexdigest()[: len(fields[name])]
    return json_text(fields)


def write_rows(path: str | Path, rows: Iterable[EventRow]) -> int:
    """Write a new journal at ``path`` that holds ``rows``; return how many.

    Raises:
        BadInput: something is there already.
        HardwareFault: it cannot be written.
    """
    if Path(path).exists():
        raise BadInput(f"{path} is there already; name a new file for the journal")
    return append_rows(path, rows)


def append_rows(path: str | Path, rows: Iterable[EventRow], *, lasting: bool = True) -> int:
    """Write ``rows`` to the journal at ``path``, which is made where there is none; return how
    many. Where it need not be ``lasting``, because it is thrown away with the process that writes
    it, nobody waits for the disk.

    Raises:
        BadInput: the file is no journal, or the rows are none of one.
        HardwareFault: it cannot be written.
    """
    count = 0
    try:
        with closing(open_sqlite(str(path))) as db:
            prepare(db, str(path))
            if not lasting:
                db.execute("PRAGMA synchronous = OFF")
            db.execute("BEGIN IMMEDIATE")
            for row in rows:
                if row.begun is not None:
                    *header, version = row.begun
                    db.execute("INSERT INTO game VALUES (?, ?, ?, ?, ?, ?)", (row.game, *header))
                    if version:
                        db.execute("INSERT INTO begun VALUES (?, ?)", (row.game, version))
                db.execute("INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?, ?)", _stored(row))
                count += 1
            db.execute("COMMIT")
    except sqlite3.IntegrityError as error:
        raise BadInput(f"{path} cannot hold what is no journal: {error}") from error
    except (sqlite3.Error, OSError) as error:
        raise fault_of(str(path), error) from error
    return count


def _stored(row: EventRow) -> Sequence[Any]:
    return row[:8]
