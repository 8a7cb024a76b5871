"""What a table publishes of its journal: in order, from the journal itself, until the club says
that it is stored. The table feels nothing of it."""

from __future__ import annotations

import json
import logging
import secrets
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from itertools import takewhile
from pathlib import Path
from typing import Any, Protocol

from companion.club.backoff import Backoff
from companion.club.link import Link
from companion.club.messages import (
    JOURNAL,
    MOST_BYTES,
    MOST_EVENTS,
    Batch,
    PhotographPlace,
    Place,
    Stored,
    TableState,
    invited_as,
    matches,
    read_stored,
    table_of,
    topic,
    write_batch,
    write_state,
)
from companion.journal.copying import EventRow, JournalRows
from companion.rules import BadInput, CompanionError, HardwareFault
from companion.runtime.files import read_json, write_private

_log = logging.getLogger(__name__)

TURN = 0.1
"""Seconds for which a turn waits for the broker."""
AHEAD = 1000
"""Events that are under way at most before the club has stored any of them."""
PACE = 0.1
"""Seconds between two messages: a week is caught up with at a thousand events a second at most."""
PATIENCE = 10.0
"""Seconds without a word from the club after which what it has not stored is sent again."""
REWIND = 1.0
"""Seconds in which what the club lacks is sent again at most once: it asks at every message."""
KEEPING = 300.0
"""Seconds after which a table writes down how far the club is, if not :data:`AHEAD` events came
before: each writing waits for the disk, and what was not written is only told once more."""
STATE_AGAIN = 60.0
"""Seconds after which a table says again how it is: nothing that a broker retains is relied on."""


class Cursor:
    """How far the club has stored the journal at ``journal``, kept beside it: the table's own name
    in the club, the epoch, the place and the digest of its last event alone. A journal that does
    not hold that event, such as a restored backup, begins a new epoch, and so does one whose table
    was ``invited`` by another id. Name and epoch are written down at once, ``place`` and the last
    photograph ``shown`` by :meth:`keep`."""

    def __init__(self, journal: Path, invited: str = "") -> None:
        self._path = cursor_file_of(journal)
        kept = _read(self._path)
        self.table = invited or kept.get("table") or secrets.token_hex(8)
        self.epoch = kept.get("epoch") or secrets.token_hex(8)
        self.place = Place(kept.get("seq", 0), kept.get("digest", ""))
        last, self.shown = kept.get("last", ""), PhotographPlace(*kept.get("shown", ()))
        self._kept = self.place, self.shown
        with closing(JournalRows(journal)) as rows:
            same = self.table == kept.get("table", self.table)
            if not same or (self.place.seq and last != _alone(rows, self.place.seq)):
                self.begin_anew()
            else:
                self._keep(last)

    def begin_anew(self) -> None:
        """Begin a new epoch: all of the journal is told once more."""
        of_journal = self.epoch[:JOURNAL]
        self.epoch, self.place = f"{of_journal}{secrets.token_hex(8)[JOURNAL:]}", Place()
        self.shown = PhotographPlace()
        self._keep("")

    def keep(self, rows: JournalRows) -> None:
        """Write down how far the club is, if that is not written yet."""
        if (self.place, self.shown) != self._kept:
            self._keep(_alone(rows, self.place.seq))

    @property
    def unkept(self) -> int:
        """Return of how many events it is not written down that the club has them."""
        return self.place.seq - self._kept[0].seq

    def _keep(self, last: str) -> None:
        self._kept = self.place, self.shown
        told = {
            "table": self.table,
            "epoch": self.epoch,
            "seq": self.place.seq,
            "digest": self.place.digest,
            "last": last,
            "shown": self.shown,
        }
        try:
            write_private(self._path, json.dumps(told))
        except OSError as error:
            # What is stored is sent once more after the next start: the club knows it.
            _log.warning("%s cannot be written: %s", self._path, error.strerror)


class Beside(Protocol):
    """What else is told over a table's line to its broker."""

    @property
    def topics(self) -> Sequence[str]:
        """Return what is to be heard for it."""

    def opened(self) -> None:
        """Begin anew: the line is open, and nobody has been told anything yet."""

    def hear(self, topic: str, payload: bytes) -> None:
        """Take in a message of one of its topics."""

    def due(self) -> Iterable[tuple[str, bytes, bool]]:
        """Return what is to be told now: topic, payload, and whether the broker retains it."""

    def close(self) -> None:
        """Let go of what it holds."""


class Outbox:
    """Publishes the journal at ``journal`` of a table that calls itself ``name``. ``connect`` makes
    the line from the topics to hear and the last will; ``playing`` tells which game is played now,
    if one is. Nothing leaves before it is ``delay`` seconds old; nothing of the journal at all
    where it ``shares`` none. ``invited`` is as whom it comes in at the broker; ``beside`` makes
    what else is told, from the cursor. :meth:`step` belongs to one thread."""

    def __init__(
        self,
        journal: Path,
        connect: Callable[[str, list[str], tuple[str, bytes]], Link],
        name: str = "",
        playing: Callable[[], str] = str,
        *,
        delay: float = 0.0,
        invited: str = "",
        shares: bool = True,
        beside: Callable[[Cursor], Sequence[Beside]] = lambda cursor: (),
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._rows = JournalRows(journal)
        self.cursor = Cursor(journal, invited_as(invited))
        self._clock, self._now = clock, now
        self._name, self._playing, self._delay = name, playing, delay
        table = self.cursor.table
        self._since = now()
        will = (topic(table, "state"), self._presence("offline"))
        self._shares, self._beside = shares, beside(self.cursor)
        topics = [topic(table, "stored"), *(one for some in self._beside for one in some.topics)]
        self._link = connect(f"table-{table}", topics, will)
        self._open, self.backoff = False, Backoff(self._link.hosts, clock)
        self._told, self._tell_at = "", clock()
        self._sent = self.cursor.place
        self._heard_at = self._next_at = clock()
        self._keep_at = clock() + KEEPING
        self._rewound_at = clock() - REWIND
        self.trouble = ""

    def step(self, seconds: float = TURN) -> bool:
        """Take one turn, which waits so long for the broker; return that there is more to do. A
        broker that is away is told in ``trouble`` and tried again."""
        try:
            self._turn(seconds)
        except HardwareFault as fault:
            if self.trouble != fault.sentence:
                _log.warning("%s", fault)
            self.trouble, self._open = fault.sentence, False
            self.backoff.failed()
        return True

    def wake(self) -> None:
        """Take the next turn at once: something has happened. May be called from any thread."""
        self._link.wake()

    def close(self) -> None:
        """Say that the table is offline, and let go."""
        try:
            if self._open:
                self._since = self._now()
                self._say_state("offline")
                self._link.turn(TURN)
                self._link.close()
        except HardwareFault as fault:
            _log.info("%s", fault)
        for beside in self._beside:
            beside.close()
        self.cursor.keep(self._rows)
        self._rows.close()

    @property
    def up(self) -> bool:
        """Whether the broker has let the table in."""
        return self._open and self._link.up

    @property
    def resting(self) -> float:
        """Return for how many seconds there is nothing to do."""
        return 0.0 if self._open else self.backoff.resting

    def _turn(self, seconds: float) -> None:
        if not self._open:
            if self.backoff.resting:
                return
            self._link.open()
            self._open, self._told = True, ""
            for beside in self._beside:
                beside.opened()
            self._sent, self._heard_at = self.cursor.place, self._clock()
        # What has happened since the last message waits for its time alone.
        pause = self._next_at - self._clock()
        for name, payload in self._link.turn(min(seconds, pause) if pause > 0 else seconds):
            self._take(name, payload)
        if not self._link.up:
            return
        self.trouble = ""
        self.backoff.worked()
        playing = self._playing()
        state = f"playing {playing}" if playing else "online"
        now = self._clock()
        if state != self._told or now >= self._tell_at:
            self._since = self._since if state == self._told else self._now()
            self._say_state("playing" if playing else "online")
            self._told, self._tell_at = state, now + STATE_AGAIN
        for beside in self._beside:
            for name, payload, retain in beside.due():
                self._link.publish(name, payload, retain=retain)
        if self._shares:
            self._send()
        if now >= self._keep_at or self.cursor.unkept >= AHEAD:
            self.cursor.keep(self._rows)
            self._keep_at = now + KEEPING

    def _send(self) -> None:
        """Send what follows, as far as that may be under way."""
        now = self._clock()
        if self._sent.seq > self.cursor.place.seq and now - self._heard_at > PATIENCE:
            self._sent, self._heard_at = self.cursor.place, now
        if now < self._next_at or self._sent.seq - self.cursor.place.seq > AHEAD:
            return
        ripe = self._now() - self._delay
        rows = self._rows.after(self._sent.seq, MOST_EVENTS)
        rows = list(takewhile(lambda row: row.at <= ripe, rows)) if self._delay else rows
        if not rows:
            return
        if self._sent == self.cursor.place:
            self._heard_at = now
        batch = Batch(self.cursor.epoch, self._sent, tuple(rows))
        payload = write_batch(batch)
        while len(payload) > MOST_BYTES and len(batch.rows) > 1:
            batch = batch._replace(rows=batch.rows[: len(batch.rows) // 2])
            payload = write_batch(batch)
        self._link.publish(topic(self.cursor.table, "events"), payload)
        self._sent, self._next_at = batch.end(), now + PACE

    def _take(self, name: str, payload: bytes) -> None:
        """Take in what the club says it has stored, or what is heard for what stands beside."""
        for beside in self._beside:
            if any(matches(one, name) for one in beside.topics):
                beside.hear(name, payload)
                return
        try:
            if table_of(name) != (self.cursor.table, "stored"):
                return
            stored = read_stored(payload)
        except BadInput as error:
            _log.warning("the club says what is not understood: %s", error)
            return
        if stored.epoch == self.cursor.epoch:
            self._follow(stored)

    def _follow(self, stored: Stored) -> None:
        """Move the cursor to where the club is: it alone knows what it has."""
        self._heard_at, mine = self._clock(), self.cursor.place
        place = stored.place
        if place != mine and place != self._place_at(place.seq):
            _log.warning("the club stored another journal under this epoch; a new one begins")
            self.cursor.begin_anew()
            self._sent = self.cursor.place
            return
        self.cursor.place = place
        now = self._clock()
        if place.seq > self._sent.seq or (stored.lacks and now >= self._rewound_at + REWIND):
            self._sent, self._rewound_at = place, now

    def _place_at(self, seq: int) -> Place:
        """Return the place of event ``seq`` in this epoch: reckoned on from the cursor, or from the
        start where it lies before."""
        place = self.cursor.place if seq >= self.cursor.place.seq else Place()
        while place.seq < seq:
            rows = [row for row in self._rows.after(place.seq, MOST_EVENTS) if row.seq <= seq]
            if not rows:
                break
            for row in rows:
                place = place.then(row)
        return place

    def _say_state(self, state: str) -> None:
        name = topic(self.cursor.table, "state")
        self._link.publish(name, self._presence(state), retain=True)

    def _presence(self, state: str) -> bytes:
        game = self._playing() if state == "playing" else ""
        return write_state(TableState(state, round(self._since, 3), self._name[:100], game))


def cursor_file_of(journal: Path) -> Path:
    """Return where a table keeps how far its club has stored the journal."""
    return journal.with_suffix(".club.json")


def _read(path: Path) -> Mapping[str, Any]:
    try:
        kept = read_json(path) if path.exists() else {}
        if isinstance(kept.get("seq", 0), int):
            return kept
    except CompanionError as error:
        _log.warning("%s", error)
    return {}


def _alone(rows: JournalRows, seq: int) -> str:
    """Return the digest of event ``seq`` alone; empty where the journal has none."""
    found: list[EventRow] = rows.after(seq - 1, 1)
    return Place().then(found[0]).digest if found and found[0].seq == seq else ""
