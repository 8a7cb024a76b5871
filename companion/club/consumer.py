"""The club's service: takes what tables publish, stores it, and tells each what is stored."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Mapping, Sequence

from companion.club.backoff import Backoff
from companion.club.link import Link
from companion.club.messages import (
    PARTS,
    ROOT,
    Batch,
    Photograph,
    PhotographPlace,
    Stored,
    TableState,
    read_batch,
    read_photograph,
    read_state,
    table_of,
    topic,
    write_kept,
    write_stored,
)
from companion.club.metrics import Metric
from companion.club.store import Store
from companion.rules import BadInput, HardwareFault
from companion.runtime.rate import Rate

_log = logging.getLogger(__name__)

HEARD = ("events", "state", "photograph")
TURN = 0.1
TIDY = 3600.0
"""Seconds between two looks for photographs whose time is over."""
MOST, WITHIN = 300, 10.0
"""Messages of one table that are looked at within so many seconds: a table that catches up sends
ten a second. What is beyond them a table sends again, and whoever floods keeps nobody waiting."""
PAUSE = 1.0
"""Seconds after which a broker or a database that fails is tried again at the latest."""


def topics_of(parts: Iterable[int]) -> list[str]:
    """Return what a consumer hears that does the work of these ``parts`` of the tables."""
    return [f"{ROOT}/{part:02d}/+/{what}" for part in parts for what in HEARD]


class Consumer:
    """Stores what the tables of some ``parts`` publish; several consumers share all of them.
    ``connect`` makes the line to the broker from the topics to hear. Nothing is kept in memory:
    what could not be stored the tables send again. Photographs go after ``keep_days``; 0 is for
    ever."""

    def __init__(
        self,
        store: Store,
        connect: Callable[[list[str]], Link],
        parts: Iterable[int] = range(PARTS),
        *,
        keep_days: int = 0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store, self._clock = store, clock
        self._link = connect(topics_of(parts))
        self._open, self._backoff = False, Backoff(self._link.hosts, clock, PAUSE)
        self.trouble = ""
        self.taken = self.refused = 0
        self._rate, self._flooding = Rate(MOST, WITHIN, clock), set[str]()
        self._keep_days, self._tidy_at = keep_days, clock()

    def step(self, seconds: float = TURN) -> bool:
        """Take one turn; return that there is more to do. What fails is told in ``trouble``."""
        if self.resting:
            return True
        try:
            if not self._open:
                self._link.open()
                self._open = True
            self.take(self._link.turn(seconds))
            if self._keep_days and self._clock() >= self._tidy_at:
                self._tidy_at = self._clock() + TIDY
                self._store.forget_photographs(self._keep_days)
            if self._link.up:
                self.trouble = ""
                self._backoff.worked()
        except HardwareFault as fault:
            if self.trouble != fault.sentence:
                _log.warning("%s", fault)
            self.trouble, self._open = fault.sentence, False
            self._backoff.failed()
        return True

    @property
    def resting(self) -> float:
        """Return for how many seconds there is nothing to do."""
        return self._backoff.resting

    def take(self, came: Sequence[tuple[str, bytes]]) -> None:
        """Store messages in the order in which they came, and tell each table once what is stored.
        All that came between two photographs is one transaction: waiting for the disk is what takes
        longest.

        Raises:
            HardwareFault: the broker or the database fails.
        """
        batches: list[tuple[str, Batch]] = []
        states: dict[str, TableState] = {}
        told: dict[str, Stored] = {}

        def store() -> None:
            if batches or states:
                told.update(self._stored(batches, states))
                batches.clear()
                states.clear()

        self.taken += len(came)
        for name, payload in came:
            try:
                table, what = table_of(name)
                if self._floods(table):
                    self.refused += 1
                elif what == "state":
                    states[table] = read_state(payload)
                elif what == "photograph":
                    photograph = read_photograph(payload)
                    # What is deleted after it was shown stays deleted.
                    store()
                    self._keep(table, photograph)
                elif what == "events":
                    batches.append((table, read_batch(payload)))
            except BadInput as error:
                self.refused += 1
                _log.warning("a message at %s was refused: %s", name[:100], error)
        store()
        for table, stored in told.items():
            self._link.publish(topic(table, "stored"), write_stored(stored), retain=True)

    def _stored(
        self, batches: Sequence[tuple[str, Batch]], states: Mapping[str, TableState]
    ) -> Mapping[str, Stored]:
        """Store what came; where something of it cannot be stored, that of each table by itself, so
        that nobody else has to wait for it."""
        try:
            return self._store.take_all(batches, states)
        except BadInput as error:
            tables = {*states, *(table for table, _ in batches)}
            if len(tables) == 1:
                self.refused += len(batches) + len(states)
                _log.warning("what table %s tells is refused: %s", *tables, error)
                return {}
        told: dict[str, Stored] = {}
        for one in tables:
            own = [(table, batch) for table, batch in batches if table == one]
            told |= self._stored(own, {one: states[one]} if one in states else {})
        return told

    def _floods(self, table: str) -> bool:
        """Count a message of ``table``; tell whether it is one too many, which is logged once."""
        if not self._rate.full(table):
            self._rate.count(table)
            self._flooding.discard(table)
            return False
        if table not in self._flooding:
            self._flooding.add(table)
            _log.warning("%s sends too much; what is beyond it is not looked at", table)
        return True

    def _keep(self, table: str, photograph: Photograph) -> None:
        """Keep a photograph; one whose event is not stored the table sends again."""
        if self._store.keep(table, photograph):
            taken = PhotographPlace(photograph.seq, photograph.moment)
            self._link.publish(topic(table, "kept"), write_kept(photograph.epoch, taken))

    def figures(self) -> Iterable[Metric]:
        """Return what Prometheus may know."""
        yield Metric("messages", "Messages of tables that were taken in", self.taken, True)
        yield Metric("refused", "Messages of tables that were refused", self.refused, True)
        yield Metric("stored", "Events that were stored", self._store.stored, True)
        yield Metric("working", "1 while broker and database can be used", float(not self.trouble))

    def close(self) -> None:
        """Take leave of the broker and the database."""
        if self._open:
            self._link.close()
        self._store.close()
