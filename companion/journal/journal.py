"""The journal: everything that happened at a table, in an append-only SQLite file.

One file holds a game, or consecutive games. No event is ever changed; photographs go when their
time is over, and past games when somebody asks for it. A commit returns
only when the disk has the data (write-ahead log, ``synchronous=FULL``), so what a caller was
told has happened survives a killed process and a pulled plug.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from importlib.metadata import version as installed
from pathlib import Path
from typing import Any

from companion.journal import photographs
from companion.journal.connection import MEMORY, Connection, one, open_readable, open_sqlite
from companion.journal.entries import (
    Draft,
    Event,
    Header,
    Row,
    header_of,
    json_text,
    ruling_text,
    sound_event,
)
from companion.journal.events import Events, Unsound
from companion.journal.faults import Damaged, DiskFull, fault_of
from companion.journal.lock import Lock
from companion.journal.reserve import Reserve
from companion.journal.schema import (
    BEFORE,
    GAMES,
    NUMBERED,
    TELLS_VERSIONS,
    check,
    prepare,
    version,
)
from companion.journal.sentences import packed
from companion.journal.soundness import GREATEST
from companion.rules import BadInput, HardwareFault, say

_log = logging.getLogger(__name__)

PACKAGE = "tabletop-companion"
"""What the companion is called where packages are installed."""


class Journal:
    """An open journal. One process writes; its lock on the file lasts as long as the process.

    ``connect`` opens the database; tests replace it by a disk that can lose its power. ``pending``
    says whether something that was deleted is still in the log, because somebody reads it:
    :meth:`wipe` has to be called again.
    """

    def __init__(
        self, path: str | Path = MEMORY, connect: Callable[[str], Connection] = open_sqlite
    ) -> None:
        """Open the journal at ``path``, or begin one.

        Raises:
            BadInput: another process keeps it, or the file is no journal that we can read.
            HardwareFault: the disk does not let us.
        """
        self._begin(path)
        try:
            if self.path != MEMORY:
                self._leaving.callback(Lock(self.path).close)
            self._with_reserve(lambda: self._open(connect))
            if self.path != MEMORY:
                self._reserve.take()
        except BaseException:
            self.close()
            raise

    def _begin(self, path: str | Path, called: str = "") -> None:
        self.path, self.pending = str(path), False
        self._called = called or self.path
        self._guard, self._leaving = threading.RLock(), ExitStack()
        self._reserve = Reserve(self.path)
        self._passed_over: set[str] = set()

    def _open(self, connect: Callable[[str], Connection]) -> None:
        with self._sentences(), ExitStack() as failed:
            self._db = connect(self.path)
            failed.callback(self._db.close)
            prepare(self._db, self.path)
            self._seq = _last_seq(self._db)
            self._leaving.push(failed.pop_all())
        # A table that was killed may have left what it deleted.
        self.wipe()

    @classmethod
    def read(cls, path: str | Path, called: str = "") -> Journal:
        """Open a journal for reading alone, also while a table writes it. What is wrong with it is
        told of what it is ``called``, else of its path.

        Raises:
            BadInput: there is no such file, or it is no journal that we can read.
        """
        if not Path(path).is_file():
            raise BadInput(f"there is no journal {path}; name the file that a table has written")
        journal = cls.__new__(cls)
        journal._begin(path, called)
        try:
            with journal._sentences():
                journal._db = open_readable(str(path), journal._leaving)
                check(journal._db, journal._called)
                if version(journal._db) == 0:
                    raise BadInput(f"the journal {journal._called} holds no game")
                journal._seq = _last_seq(journal._db)
        except BaseException:
            journal.close()
            raise
        return journal

    def close(self) -> None:
        """Close the files and let others have the journal."""
        with self._guard:
            self._leaving.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    # -- writing ---------------------------------------------------------------------

    def begin(self, header: Header, at: float, draft: Draft) -> tuple[int, Event]:
        """Write a new game and its first event in one transaction; return its id and the event.

        Raises:
            HardwareFault: the disk is full or broken; nothing was written.
        """
        position = None if header.position is None else json_text(dict(header.position))
        options = json_text(dict(header.options))
        row = (header.name, json_text(header.seats), options, position, header.to_move)
        draft = draft._replace(data={**draft.data, "rules": header.rules})
        with self._guard:
            with self._transaction():
                game = 1 + int(
                    one(self._db, f"SELECT coalesce(max(id), 0) FROM game WHERE id < {GREATEST}")
                )
                self._db.execute("INSERT INTO game VALUES (?, ?, ?, ?, ?, ?)", (game, *row))
                begun = "INSERT OR REPLACE INTO begun VALUES (?, ?)"
                self._db.execute(begun, (game, installed(PACKAGE)))
                event = self._insert(game, at, (draft,))[0]
            self._seq = event.seq
        return game, event

    def append(self, game: int, at: float, drafts: Sequence[Draft]) -> Events:
        """Commit ``drafts`` to ``game`` in one transaction and return them as events.

        Raises:
            HardwareFault: the disk is full or broken; nothing was written, and the same call
                works once that is mended.
        """
        with self._guard:
            with self._transaction():
                events = self._insert(game, at, drafts)
            self._seq += len(events)
            if self.pending:
                self.wipe()
        return events

    def _insert(self, game: int, at: float, drafts: Sequence[Draft]) -> Events:
        rows: list[Row] = []
        for seq, draft in enumerate(drafts, start=self._seq + 1):
            data = json_text(packed(draft.data))
            ruling = None if draft.ruling is None else ruling_text(draft.ruling)
            self._db.execute(
                "INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (seq, game, at, draft.actor, draft.kind, draft.action, ruling, data),
            )
            photographs.keep(self._db, seq, draft.photographs)
            told = (draft.actor, draft.kind, draft.action, ruling, data)
            rows.append((seq, at, *told, tuple(draft.photographs)))
        # The events as a later reader will find them: lists for tuples, nothing shared.
        return Events(rows)

    def keep_record(self, title: str, text: str, at: float) -> int:
        """Keep the record of a game that was played elsewhere; return its number.

        Raises:
            HardwareFault: the disk is full or broken.
        """
        with self._guard, self._transaction():
            number = 1 + int(one(self._db, "SELECT coalesce(max(id), 0) FROM record"))
            self._db.execute("INSERT INTO record VALUES (?, ?, ?, ?)", (number, at, title, text))
        return number

    def keep_spans(self, spans: Mapping[int, float], mark: tuple[int, float, float] | None) -> None:
        """Write down ``spans``, how many seconds passed after the event of each number, and
        ``mark``, when a time server confirmed the clock last (:mod:`companion.table.ages`).

        Raises:
            HardwareFault: the disk is full or broken; nothing was written.
        """
        with self._guard, self._transaction():
            for seq, seconds in spans.items():
                self._db.execute("INSERT OR REPLACE INTO span VALUES (?, ?)", (seq, seconds))
            self._db.execute("DELETE FROM mark")
            if mark is not None:
                self._db.execute("INSERT INTO mark VALUES (1, ?, ?, ?)", mark)

    def forget_photographs(self, last: int) -> int:
        """Delete the photographs of all events up to ``last``; return how many. What was deleted
        is overwritten in the file.

        Raises:
            HardwareFault: the disk is broken, or full beyond help.
        """
        return self._forget("seq <= ?", last)

    def trim_photographs(self, most: int) -> int:
        """Delete the oldest photographs until no more than ``most`` bytes of them are left;
        return how many."""
        with self._guard, self._sentences():
            last = photographs.too_much(self._db, most)
        return self._forget("seq <= ?", last)

    def forget_games(self, keep: int) -> int:
        """Delete all games but ``keep``, with everything about them, and all records kept;
        return how many games."""
        self._forget("seq IN (SELECT seq FROM event WHERE game <> ?)", keep)
        sql = "SELECT id FROM game WHERE id <> ? UNION SELECT game FROM event WHERE game <> ?"
        others = [(int(game),) for (game,) in self._rows(sql, (keep, keep))]
        for other in others:
            self._delete(
                ("event WHERE game = ?", other),
                ("begun WHERE game = ?", other),
                ("game WHERE id = ?", other),
            )
        self._delete(("record", ()))
        self.wipe()
        return len(others)

    def _forget(self, where: str, value: int) -> int:
        """Delete photographs, a few at a time: a full disk has no room for a long log."""
        gone = 0
        with self._guard:
            while True:
                with self._sentences():
                    rows = photographs.batch(self._db, where, (value,), photographs.BATCH)
                if not rows:
                    break
                try:
                    self._drop(rows)
                except DiskFull:
                    # One after another in what room there is.
                    self._reserve.give()
                    rows = rows[:1]
                    self.wipe()
                    self._drop(rows)
                gone += len(rows)
            if gone:
                self.wipe()
        return gone

    def _drop(self, rows: Sequence[int]) -> None:
        with self._transaction():
            photographs.delete(self._db, rows)

    def _delete(self, *what: tuple[str, tuple[Any, ...]]) -> None:
        with self._guard:
            self._with_reserve(lambda: self._delete_once(what))

    def _delete_once(self, what: Sequence[tuple[str, tuple[Any, ...]]]) -> None:
        with self._transaction():
            for where, values in what:
                self._db.execute(f"DELETE FROM {where}", values)

    def _with_reserve(self, write: Callable[[], None]) -> None:
        """Do what has to write; where the disk is full, once more in the room kept for that."""
        try:
            write()
        except DiskFull:
            if not self._reserve.give():
                raise
            write()

    def wipe(self) -> bool:
        """Empty SQLite's log, which still holds what was deleted; return whether that was possible.
        It is not while somebody reads the log.

        Raises:
            HardwareFault: the disk is broken.
        """
        with self._guard, self._sentences():
            list(self._db.execute("PRAGMA busy_timeout = 0"))
            try:
                ((busy, *_),) = self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            finally:
                list(self._db.execute("PRAGMA busy_timeout = 5000"))
            self.pending = bool(busy)
        if not self.pending and self.path != MEMORY:
            self._reserve.take()
        return not self.pending

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
        """Return the header of every game of the journal by the game's id, the oldest first. Games
        whose header is damaged are left out, and stay in the file."""
        found = {}
        for number, *row in self._rows(GAMES):
            with self._passing_over(f"game {number}"):
                found[int(number)] = header_of(tuple(row))
        return found

    def begun_by(self, game: int) -> str:
        """Return the version of the companion that began ``game``, such as ``0.2.0``."""
        with self._guard, self._sentences():
            told = version(self._db) >= TELLS_VERSIONS
        rows = self._rows("SELECT version FROM begun WHERE game = ?", (game,)) if told else ()
        return next((str(one) for (one,) in rows), BEFORE)

    def events(self, game: int, after: int = 0) -> Events:
        """Return the events of ``game`` whose ``seq`` is greater than ``after``, in order.

        Raises:
            Damaged: one of them is not as anybody wrote it.
        """
        photographs: dict[int, tuple[str, ...]] = {}
        for seq, moment in self._rows(
            "SELECT seq, moment FROM evidence JOIN event USING (seq) "
            "WHERE game = ? AND seq > ? ORDER BY evidence.rowid",
            (game, after),
        ):
            photographs[seq] = (*photographs.get(seq, ()), moment)
        with self._guard, self._sound(game), self._sentences():
            # One after another: all of them as SQLite gives them would take a lot of room.
            rows = self._db.execute(
                "SELECT seq, at, actor, kind, action, ruling, data FROM event "
                "WHERE game = ? AND seq > ? ORDER BY seq",
                (game, after),
            )
            return Events.sound((*row, photographs.get(row[0], ())) for row in rows)

    def of_kinds(self, *kinds: str) -> tuple[tuple[int, Event], ...]:
        """Return the events of these kinds of all games, each with its game's id, in order."""
        marks = ", ".join("?" * len(kinds))
        return self._told(f"kind IN ({marks}) ORDER BY seq", kinds)

    def last_of_kinds(self, *kinds: str) -> tuple[tuple[int, Event], ...]:
        """Return the last event of these kinds of each game that has one, with its game's id."""
        marks = ", ".join("?" * len(kinds))
        last = f"SELECT max(seq) FROM event WHERE kind IN ({marks}) GROUP BY game"
        return self._told(f"seq IN ({last})", kinds)

    def _told(self, where: str, values: Sequence[str]) -> tuple[tuple[int, Event], ...]:
        rows = self._rows(
            f"SELECT game, seq, at, actor, kind, action, ruling, data FROM event WHERE {where}",
            values,
        )
        found, games = [], self.games()
        for game, *row in rows:
            if game in games:
                with self._passing_over(f"event {row[0]} of game {game}"):
                    found.append((int(game), sound_event((*row, ()))))
        return tuple(found)

    @property
    def last_seq(self) -> int:
        """The number of the last event; 0 in an empty journal."""
        return self._seq

    def last_at(self) -> float:
        """Return when the last event happened, in seconds since 1970; 0 in an empty journal."""
        rows = self._rows("SELECT at FROM event WHERE seq = ?", (self._seq,))
        return float(rows[0][0]) if rows else 0.0

    def spans(self) -> Mapping[int, float]:
        """Return the seconds that passed after events, as :meth:`keep_spans` wrote them."""
        rows = self._rows("SELECT seq, seconds FROM span WHERE seconds BETWEEN 0 AND 1e11")
        return {int(seq): float(seconds) for seq, seconds in rows}

    def mark(self) -> tuple[int, float, float] | None:
        """Return when a time server confirmed the clock last, as :meth:`keep_spans` wrote it; None
        if none did."""
        rows = self._rows("SELECT seq, at, ran FROM mark")
        return (int(rows[0][0]), float(rows[0][1]), float(rows[0][2])) if rows else None

    def latest(self) -> int | None:
        """Return the game in which something happened last; None in an empty journal."""
        sql = f"SELECT game FROM event WHERE seq <= ? AND {NUMBERED} ORDER BY seq DESC LIMIT 1"
        rows = self._rows(sql, (self._seq,))
        return int(rows[0][0]) if rows else None

    def lengths(self) -> Mapping[int, int]:
        """Return the number of actions accepted in each game, those taken back included."""
        sql = f"SELECT game, count(*) FROM event WHERE kind = 'action' AND {NUMBERED} GROUP BY game"
        return {int(game): int(count) for game, count in self._rows(sql)}

    def records(self) -> Mapping[int, tuple[float, str, str]]:
        """Return the records kept, by number: when, the title, the text."""
        rows = self._rows("SELECT id, at, title, text FROM record ORDER BY id")
        return {int(number): (at, title, text) for number, at, title, text in rows}

    def whole(self) -> bool:
        """Tell whether SQLite finds the file undamaged; all of it is read for that."""
        return self._rows("PRAGMA quick_check(1)") == [("ok",)]

    def evidence(self, seq: int) -> Mapping[str, bytes]:
        """Return the photographs of event ``seq``: moment -> JPEG bytes; empty if none is kept."""
        sql = "SELECT moment, jpeg FROM evidence WHERE seq = ? ORDER BY rowid"
        return {moment: bytes(jpeg) for moment, jpeg in self._rows(sql, (seq,))}

    def shown(self, game: int, seq: int) -> Mapping[str, bytes]:
        """Return the photographs of event ``seq`` of ``game``, to be shown as what was seen.

        Raises:
            HardwareFault: one of them is not the one that was taken.
        """
        if not 0 < seq <= self._seq:
            return {}
        if self.spoilt(game, seq):
            raise HardwareFault(
                say(
                    "the photographs of event {seq} are not those that were taken: somebody "
                    "changed the journal, or its disk fails",
                    seq=seq,
                )
            )
        return self.evidence(seq)

    def spoilt(self, game: int, seq: int | None = None) -> Sequence[tuple[int, str]]:
        """Return the event's number and the moment of each photograph of ``game``, or of its event
        ``seq``, that is not the one that was taken, or is missing though nobody deleted it.
        Journals before version 4 cannot tell."""
        with self._guard, self._sentences():
            if version(self._db) < photographs.SINCE:
                return ()
            return tuple(photographs.spoilt(self._db, game, seq))

    def _rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        with self._guard, self._sentences():
            return [tuple(row) for row in self._db.execute(sql, parameters)]

    @contextmanager
    def _sound(self, game: int) -> Iterator[None]:
        """Say so when an event of ``game`` is not what anybody wrote."""
        try:
            yield
        except Unsound as error:
            raise Damaged(
                say(
                    "event {event} of game {game} in the journal {path} is damaged or was changed; "
                    "the game stays as it is, and others can be played",
                    event=error.seq,
                    game=game,
                    path=self._called,
                )
            ) from error

    @contextmanager
    def _passing_over(self, what: str) -> Iterator[None]:
        """Log what is not as anybody wrote it, and go on without it."""
        try:
            yield
        except (TypeError, ValueError) as error:
            if what not in self._passed_over:
                self._passed_over.add(what)
                _log.warning(
                    "%s in the journal %s is damaged or was changed: %s", what, self.path, error
                )

    @contextmanager
    def _sentences(self) -> Iterator[None]:
        """Turn what SQLite says into one sentence for the people at the table."""
        try:
            yield
        except (sqlite3.Error, OSError, UnicodeDecodeError) as error:
            raise fault_of(self.path, error, self._called) from error


def _last_seq(db: Connection) -> int:
    return int(one(db, f"SELECT coalesce(max(seq), 0) FROM event WHERE seq <= {GREATEST}"))
