"""What a club has stored of its tables, in PostgreSQL. Readers page by table, epoch and number of
the event: events of one epoch are committed in that order, so none slips in behind a reader."""

from __future__ import annotations

import json
import threading
from collections.abc import Collection, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import resources
from types import MappingProxyType
from typing import Any, NamedTuple

import psycopg

from companion.club.messages import JOURNAL, Batch, Photograph, Place, Stored, TableState
from companion.journal.copying import EventRow, GameRow
from companion.journal.soundness import decoded
from companion.rules import BadInput, HardwareFault, quoted
from companion.table.people import KINDS

LOCK = 0x7AB1E
"""The advisory lock under which the tables are made and changed."""
CHANNEL = "stored"
"""Where the database tells of which tables something was stored, once it is."""
EVERY = "*"
"""In place of tables: whatever there is may be new."""
MOST_TOLD = 200
"""Tables that are named at once at most: what is told may have 8000 bytes."""
PRESENCE = (
    "INSERT INTO presence AS p VALUES (%s, %s, %s, %s, %s) ON CONFLICT (table_id) DO UPDATE "
    "SET (state, since, name, game) = "
    "(EXCLUDED.state, EXCLUDED.since, EXCLUDED.name, EXCLUDED.game) "
    "WHERE (p.state, p.since, p.name, p.game) IS DISTINCT FROM "
    "(EXCLUDED.state, EXCLUDED.since, EXCLUDED.name, EXCLUDED.game)"
)
EVENTS = (
    "SELECT e.seq, e.game, e.at, e.actor, e.kind, e.action, e.ruling, e.data, g.name, g.seats, "
    "g.options, g.position, g.to_move, g.version FROM event e LEFT JOIN game g ON "
    "(g.table_id, g.epoch, g.game, g.first) = (e.table_id, e.epoch, e.game, e.seq) "
    "WHERE e.table_id = %s AND e.epoch = %s AND e.seq > %s ORDER BY e.seq LIMIT %s"
)


class ClubTable(NamedTuple):
    """A table as the club knows it: its present ``epoch``, the number of the last event stored, how
    it is, and how often something was taken out of what is stored."""

    table: str
    epoch: str
    seq: int
    state: TableState | None
    rewritten: int = 0

    @property
    def journal(self) -> str:
        """What tells this journal of the table from its others."""
        return self.epoch[:JOURNAL]

    @property
    def name(self) -> str:
        """What the table is called."""
        return (self.state.name if self.state else "") or self.table


class Store:
    """The club's database. May be used from any thread."""

    def __init__(self, address: str) -> None:
        """``address`` is a PostgreSQL connection string; the database is opened when it is first
        used, and its tables are brought up to date then."""
        self._address = address
        self._db: psycopg.Connection[Any] | None = None
        self._guard = threading.RLock()
        self.stored = 0
        """Events that were stored by this instance."""

    def close(self) -> None:
        """Close the connection; whatever asks next opens it again."""
        db, self._db = self._db, None
        if db is not None:
            db.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    @contextmanager
    def connection(self) -> Iterator[psycopg.Connection[Any]]:
        """Give the connection to one at a time; one that fails is closed, and opened anew by
        whoever comes next.

        Raises:
            BadInput: it does not take what it is given.
            HardwareFault: the database cannot be used.
        """
        try:
            with self._guard:
                if self._db is None:
                    self._db = psycopg.connect(self._address, autocommit=True, connect_timeout=5)
                    with self._db.transaction():
                        migrate(self._db)
                yield self._db
        except (psycopg.DataError, psycopg.IntegrityError) as error:
            raise BadInput(f"the club's database does not take that: {_why(error)}") from error
        except psycopg.Error as error:
            self.close()
            raise _fault(error) from error

    # -- writing -----------------------------------------------------------------------

    def take(self, table: str, batch: Batch) -> Stored:
        """Store what of ``batch`` is new; as :meth:`take_all` of it alone."""
        return self.take_all([(table, batch)])[table]

    def take_all(
        self,
        batches: Sequence[tuple[str, Batch]],
        states: Mapping[str, TableState] = MappingProxyType({}),
    ) -> dict[str, Stored]:
        """Store what of the tables' ``batches`` is new, and how tables say that they are, in one
        transaction. Return up to where each table is stored now, in the epoch that came last. What
        is stored already changes nothing; where something before a batch is missing, nothing of it
        is stored, and the answer asks for it.

        Raises:
            BadInput: it does not take something of that; nothing was stored.
            HardwareFault: the database cannot be used; nothing was stored.
        """
        told: dict[str, Stored] = {}
        new: list[tuple[tuple[str, str], EventRow]] = []
        with self.connection() as db, db.transaction():
            here = _places(db, sorted({(table, batch.epoch) for table, batch in batches}))
            moved: dict[tuple[str, str], Place] = {}
            for table, batch in batches:
                key, place = (table, batch.epoch), batch.after
                for index, row in enumerate(batch.rows):
                    if place == here[key]:
                        new += ((key, row) for row in batch.rows[index:])
                        place = here[key] = moved[key] = batch.end()
                        break
                    place = place.then(row)
                lacks = batch.after.seq >= here[key].seq and place != here[key]
                told[table] = Stored(batch.epoch, here[key], lacks)
            self._add(db, new, moved)
            with db.cursor() as cursor:
                cursor.executemany(PRESENCE, [(table, *one) for table, one in states.items()])
        self.stored += len(new)
        self._tell({*states, *(table for table, _ in moved)})
        return told

    def _tell(self, tables: Collection[str]) -> None:
        """Tell who listens of which ``tables`` something was stored. Told within the transaction,
        services would wait for one another's disk."""
        named = tables if len(tables) <= MOST_TOLD else [EVERY]
        if named:
            with self.connection() as db:
                db.execute("SELECT pg_notify(%s, %s)", (CHANNEL, " ".join(named)))

    def _add(
        self,
        db: psycopg.Connection[Any],
        new: Sequence[tuple[tuple[str, str], EventRow]],
        moved: Mapping[tuple[str, str], Place],
    ) -> None:
        """Add ``new`` events, each with its table and epoch, which ``moved`` the ends of these to a
        place."""
        with db.cursor() as cursor:
            cursor.executemany(
                "INSERT INTO event VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s)",
                [(*key, *row[:8]) for key, row in new],
            )
            cursor.executemany(
                "INSERT INTO game VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s) "
                "ON CONFLICT DO NOTHING",
                [(*key, row.game, row.seq, *row.begun) for key, row in new if row.begun],
            )
            for key, row in new:
                if row.kind == "deleted":
                    self._forget(db, key, row)
            cursor.executemany(
                "UPDATE stream SET seq = %s, digest = %s, told = clock_timestamp() "
                "WHERE table_id = %s AND epoch = %s",
                [(*place, *key) for key, place in moved.items()],
            )

    @staticmethod
    def _forget(db: psycopg.Connection[Any], key: tuple[str, str], row: EventRow) -> None:
        """Forget what the table's host has deleted: all games of his journal but the one in which
        he did it."""
        try:
            what = decoded(row.data).get("what")
        except (ValueError, AttributeError):
            return
        if what in ("photographs", "all"):
            db.execute(
                "DELETE FROM photograph WHERE table_id = %s AND left(epoch, %s) = left(%s, %s) "
                "AND (epoch <> %s OR seq < %s)",
                (key[0], JOURNAL, key[1], JOURNAL, key[1], row.seq),
            )
        if what in ("games", "all"):
            for name in ("event", "game"):
                db.execute(
                    f"DELETE FROM {name} WHERE table_id = %s AND game <> %s "
                    "AND left(epoch, %s) = left(%s, %s) AND (epoch <> %s OR game < %s)",
                    (key[0], row.game, JOURNAL, key[1], JOURNAL, key[1], row.game),
                )

    def keep(self, table: str, photograph: Photograph) -> bool:
        """Keep a photograph; return False where its event is not stored.

        Raises:
            HardwareFault: the database cannot be used.
        """
        epoch, seq, moment, jpeg = photograph
        with self.connection() as db:
            found = db.execute(
                "INSERT INTO photograph (table_id, epoch, seq, moment, jpeg) "
                "SELECT table_id, epoch, seq, %s, %s FROM event "
                "WHERE (table_id, epoch, seq) = (%s, %s, %s) "
                "ON CONFLICT (table_id, epoch, seq, moment) DO UPDATE SET jpeg = EXCLUDED.jpeg",
                (moment, jpeg, table, epoch, seq),
            )
            return found.rowcount == 1

    def photographs(self, table: ClubTable, game: int) -> dict[int, list[str]]:
        """Return the moments of which photographs of a game are kept, by the event's number.

        Raises:
            HardwareFault: the database cannot be used.
        """
        kept: dict[int, list[str]] = {}
        with self.connection() as db:
            for seq, moment in db.execute(
                "SELECT seq, moment FROM photograph JOIN event USING (table_id, epoch, seq) "
                "WHERE table_id = %s AND epoch = %s AND game = %s ORDER BY seq, moment DESC",
                (table.table, table.epoch, game),
            ):
                kept.setdefault(seq, []).append(moment)
        return kept

    def photograph(self, table: ClubTable, seq: int, moment: str) -> bytes | None:
        """Return a photograph as a JPEG; None where there is none.

        Raises:
            HardwareFault: the database cannot be used.
        """
        with self.connection() as db:
            row = db.execute(
                "SELECT jpeg FROM photograph "
                "WHERE (table_id, epoch, seq, moment) = (%s, %s, %s, %s)",
                (table.table, table.epoch, seq, moment),
            ).fetchone()
        return bytes(row[0]) if row else None

    def forget_photographs(self, days: int) -> int:
        """Delete photographs that came more than ``days`` ago; return how many.

        Raises:
            HardwareFault: the database cannot be used.
        """
        with self.connection() as db:
            sql = "DELETE FROM photograph WHERE came < now() - make_interval(days => %s)"
            return db.execute(sql, (days,)).rowcount

    def note(self, table: str, state: TableState) -> None:
        """Keep how a table says that it is.

        Raises:
            HardwareFault: the database cannot be used.
        """
        self.take_all([], {table: state})

    def forget(self, name: str) -> int:
        """Take the name of a player out of all that is stored, whatever its capitals; return in how
        many of the tables' events it stood. What tables tell later is stored as they tell it.

        Raises:
            HardwareFault: the database cannot be used; nothing was changed.
        """
        count = 0
        with self.connection() as db, db.transaction():
            for *key, entrant in db.execute("SELECT tournament, number, name FROM entrant"):
                if entrant.casefold() == name.casefold():
                    where = "WHERE tournament = %s AND number = %s"
                    db.execute(f"UPDATE entrant SET name = '' {where}", key)
            rows = db.execute(
                "SELECT table_id, epoch, seq, data FROM event WHERE kind = ANY(%s)", (list(KINDS),)
            ).fetchall()
            for *key, data in rows:
                text = _text_without(data, name.casefold())
                if text == data:
                    continue
                where = "WHERE table_id = %s AND epoch = %s"
                db.execute(f"UPDATE event SET data = %s {where} AND seq = %s", (text, *key))
                db.execute(f"UPDATE stream SET rewritten = rewritten + 1 {where}", key[:2])
                # Nobody knows on which of them he is.
                db.execute(f"DELETE FROM photograph {where}", key[:2])
                count += 1
        self._tell([EVERY])
        return count

    # -- reading -----------------------------------------------------------------------

    def tidings(self, seconds: float) -> Generator[list[str]]:
        """Yield of which tables something was stored, when it is: at first of :data:`EVERY`, of
        none where that is so for so many seconds.

        Raises:
            HardwareFault: the database cannot be used.
        """
        try:
            with psycopg.connect(self._address, autocommit=True, connect_timeout=5) as db:
                db.execute(f"LISTEN {CHANNEL}")
                yield [EVERY]
                while True:
                    for one in db.notifies(timeout=seconds):
                        yield one.payload.split()
                    yield []
        except psycopg.Error as error:
            raise _fault(error) from error

    def tables(self, wanted: Sequence[str] | None = None) -> list[ClubTable]:
        """Return every table, or those ``wanted``, with the epoch that it told of last, by its id.

        Raises:
            HardwareFault: the database cannot be used.
        """
        return self._latest("s.table_id", wanted)

    def journals(self) -> list[ClubTable]:
        """Return every journal of every table, each as :meth:`tables` does: a table may have
        several, one after another.

        Raises:
            HardwareFault: the database cannot be used.
        """
        return self._latest(f"s.table_id, left(s.epoch, {JOURNAL})")

    def _latest(self, by: str, wanted: Sequence[str] | None = None) -> list[ClubTable]:
        sql = (
            f"SELECT DISTINCT ON ({by}) s.table_id, s.epoch, s.seq, s.rewritten, "
            "p.state, p.since, p.name, p.game FROM stream s LEFT JOIN presence p USING (table_id) "
            f"{'' if wanted is None else 'WHERE s.table_id = ANY(%s) '}ORDER BY {by}, s.told DESC"
        )
        given = None if wanted is None else (list(wanted),)
        with self.connection() as db:
            return [
                ClubTable(table, epoch, seq, TableState(*told) if told[0] else None, rewritten)
                for table, epoch, seq, rewritten, *told in db.execute(sql, given).fetchall()
            ]

    def events(self, table: str, epoch: str, after: int = 0, most: int = 1000) -> list[EventRow]:
        """Return at most ``most`` events that follow number ``after``, in order.

        Raises:
            HardwareFault: the database cannot be used.
        """
        with self.connection() as db:
            rows = db.execute(EVENTS, (table, epoch, after, most)).fetchall()
        return [_event(row) for row in rows]

    def every_event(self, table: str, epoch: str, after: int = 0) -> Iterator[EventRow]:
        """Yield all events of an epoch that follow number ``after``, in order.

        Raises:
            HardwareFault: the database cannot be used.
        """
        while rows := self.events(table, epoch, after):
            yield from rows
            after = rows[-1].seq

    def table_called(self, name: str) -> ClubTable:
        """Return the table with this id, or that calls itself so.

        Raises:
            BadInput: there is none, or several call themselves so.
            HardwareFault: the database cannot be used.
        """
        every = self.tables()
        named = [one for one in every if one.state and one.state.name == name]
        found = [one for one in every if one.table == name] or named
        if len(found) != 1:
            known = ", ".join(one.table for one in (named or every)) or "none"
            what = "several tables are" if found else "no table is"
            raise BadInput(f"{what} called {quoted(name)}; there are {known}")
        return found[0]


def _fault(error: psycopg.Error) -> HardwareFault:
    return HardwareFault(f"the club's database cannot be used: {_why(error)}")


def _why(error: psycopg.Error) -> str:
    why = str(error).strip().splitlines()
    return why[0] if why else type(error).__name__


def _places(
    db: psycopg.Connection[Any], keys: Sequence[tuple[str, str]]
) -> dict[tuple[str, str], Place]:
    """Return where these epochs of tables are stored, and keep all others from moving them. The
    ``keys`` are sorted, so that nobody waits for somebody who waits."""
    if not keys:
        return {}
    given = [list(some) for some in zip(*keys, strict=True)]
    db.execute(
        "INSERT INTO stream (table_id, epoch) SELECT * FROM unnest(%s::text[], %s::text[]) "
        "ON CONFLICT DO NOTHING",
        given,
    )
    rows = db.execute(
        "SELECT table_id, epoch, seq, digest FROM stream WHERE (table_id, epoch) IN "
        "(SELECT * FROM unnest(%s::text[], %s::text[])) ORDER BY table_id, epoch FOR UPDATE",
        given,
    )
    return {(table, epoch): Place(seq, digest) for table, epoch, seq, digest in rows}


def _text_without(data: str, name: str) -> str:
    """Return the data of an event without this name of a person (in small letters); nothing of what
    no companion wrote, if it has the name in it."""
    try:
        told = decoded(data)
        left = _without(told, name)
    except (ValueError, RecursionError):
        return "{}" if name in data.casefold() else data
    return data if left == told else json.dumps(left, ensure_ascii=False)


def _without(told: Any, name: str, inside: str = "") -> Any:
    """Return what an event tells, without this name of a person (in small letters)."""
    if isinstance(told, dict):
        of_names = inside == "names"
        return {key: _without(one, name, "name" if of_names else key) for key, one in told.items()}
    of_person = inside in ("name", "player") and isinstance(told, str)
    return "" if of_person and told.casefold() == name else told


def _event(row: tuple[Any, ...]) -> EventRow:
    seq, game, at, actor, kind, action, ruling, data, *begun = row
    header = None if begun[0] is None else GameRow(*begun)
    return EventRow(seq, game, at, actor, kind, action, ruling, data, header)


def migrate(db: psycopg.Connection[Any]) -> None:
    """Bring the tables of ``db`` up to date, one consumer after another.

    Raises:
        BadInput: a newer companion made them.
    """
    db.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
    db.execute("CREATE TABLE IF NOT EXISTS club_version (number integer PRIMARY KEY)")
    row = db.execute("SELECT coalesce(max(number), 0) FROM club_version").fetchone()
    there = int(row[0]) if row else 0
    steps = sorted(
        (step for step in resources.files("companion.club").joinpath("migrations").iterdir()
         if step.name.endswith(".sql")),
        key=lambda step: step.name,
    )  # fmt: skip
    if there > len(steps):
        raise BadInput("the club's database was made by a newer companion; update this one")
    for number, step in enumerate(steps[there:], start=there + 1):
        db.execute(step.read_bytes())
        db.execute("INSERT INTO club_version VALUES (%s)", (number,))
