"""A table that plays a game along which another table owns: it follows what it is told, and asks
for what its people and its camera want."""

from __future__ import annotations

import json
import logging
import secrets
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from companion.club.distant import (
    MOST_REQUESTS,
    Answer,
    Ask,
    Proposal,
    asks_topic,
    read_link,
    read_told,
    write_ask,
)
from companion.club.messages import Batch, Place
from companion.club.owner import BEAT, SILENCE, VALID
from companion.journal.copying import EventRow
from companion.journal.entries import Event, sound_event
from companion.rules import BadInput, CompanionError, GameFault, HardwareFault, Ruling, Text, say
from companion.runtime.files import read_json, write_private
from companion.table.evening import Evening
from companion.table.history import StaleState
from companion.table.mirror import Elsewhere, MirrorTable, OwnerRequest

_log = logging.getLogger(__name__)

AGAIN = 0.5
"""Seconds after which what is wanted is asked for again."""
WORDS = 20.0
"""Seconds for which people are told why something was not taken."""


class _Wanted(NamedTuple):
    proposal: Proposal
    until: float


class Visitor:
    """What the table called ``me`` in its club says to the owner of the game it plays along, and
    hears of it. To whom it belongs is kept in ``file``. ``fits`` tells whether the board is set as
    the game stands. :meth:`take`, :meth:`due` and :meth:`tick` belong to one thread, :meth:`ask`
    to all others: it waits for the answer. ``clock`` gives seconds that pass."""

    def __init__(
        self,
        evening: Evening,
        me: str,
        name: str,
        file: Path,
        clock: Callable[[], float],
        changed: Callable[[], None] = lambda: None,
        fits: Callable[[], bool] = lambda: True,
    ) -> None:
        self._evening, self._me, self._name, self._file = evening, me, name, file
        self._clock, self._changed, self._fits = clock, changed, fits
        self._state = threading.Condition(threading.RLock())
        kept = _read(file)
        self.owner, self._code = str(kept.get("owner", "")), str(kept.get("code", ""))
        self._called = str(kept.get("name", ""))
        self.seats: tuple[str, ...] = ()
        self._beat, self._heard_at = "", clock() - SILENCE
        self._asked_at = -VALID
        self._wanted: dict[str, _Wanted] = {}
        self._answers: dict[str, Answer] = {}
        self._refused: tuple[str, float] = "", 0.0
        self._there = self._was_set = False
        self._fault = ""
        self._adopt()

    # -- to whom it belongs ------------------------------------------------------------

    def join(self, link: str) -> None:
        """Play along with the table that invites by ``link``.

        Raises:
            BadInput: it is no invitation, or one of this table.
            HardwareFault: it cannot be kept.
        """
        owner, code = read_link(link)
        if owner == self._me:
            raise BadInput(say("that is this table's own invitation; another table takes it"))
        with self._state:
            self.owner, self._code, self._called, self._beat = owner, code, "", ""
            self._heard_at = self._clock() - SILENCE
            self._keep()
        self._changed()

    def leave(self) -> None:
        """Play along no more; raises HardwareFault where that cannot be kept."""
        with self._state:
            self.owner = self._code = self._called = ""
            self._keep()
        self._changed()

    @property
    def there(self) -> bool:
        """Tell whether the owner was heard of just now."""
        return bool(self.owner) and self._clock() - self._heard_at <= SILENCE

    @property
    def called(self) -> str:
        """Return what the owner's table is called."""
        return self._called or self.owner

    @property
    def _not_invited(self) -> Text:
        return say(
            "{table} does not let this table play along: its invitation was used, is too old or "
            "was ended. Ask there for another one.",
            table=self.called,
        )

    @property
    def words(self) -> Text | str:
        """Return what people have to know, as one sentence; empty for nothing."""
        with self._state:
            if not self.owner:
                return ""
            if self._busy:
                return say(
                    "{table} waits: end this game, and the one that is played there begins here.",
                    table=self.called,
                )
            if self._fault:
                return self._fault
            if not self.there:
                return say(
                    "The line to {table} is broken. The game stands still: nothing is taken here "
                    "until it is back.",
                    table=self.called,
                )
            if not self.seats:
                return self._not_invited
            reason, at = self._refused
            if reason and self._clock() - at < WORDS:
                return say("{table}: {reason}", table=self.called, reason=reason)
        return ""

    # -- the line ----------------------------------------------------------------------

    def take(self, payload: bytes) -> None:
        """Take in what the owner tells; what is none of ours is logged and passed over."""
        try:
            told = read_told(payload)
            with self._state:
                self._heard_at, self._beat, self.seats = self._clock(), told.beat, told.seats
                if told.name != self._called:
                    self._called = told.name
                    self._keep()
                if told.batch is not None and not self._busy:
                    self._take(told.epoch, told.batch)
                elif told.batch is None and self._mirror is not None:
                    self._fault = ""
                for answer in told.answers:
                    if answer.number in self._wanted:
                        self._answers[answer.number] = answer
                self._state.notify_all()
        except GameFault as error:
            self._stopped(str(error))
        except (BadInput, HardwareFault) as error:
            self._stopped(error.sentence)

    def due(self) -> tuple[str, bytes] | None:
        """Return the message that is to be sent now, if any: topic and payload."""
        now = self._clock()
        with self._state:
            if not self.owner or self._busy:
                return None
            wanted = [one.proposal for one in self._wanted.values() if one.until > now]
            pause = AGAIN if wanted else BEAT
            fits = self._fits()
            if now - self._asked_at < pause and fits == self._was_set:
                return None
            self._asked_at, self._was_set = now, fits
            mirror = self._mirror
            epoch = int(mirror.owner["epoch"]) if mirror else 0
            place = Place(*mirror.place) if mirror else Place()
            ask = Ask(self._code, epoch, place, fits, tuple(wanted[:MOST_REQUESTS]), self._name)
            return asks_topic(self.owner, self._me), write_ask(ask)

    def tick(self) -> None:
        """Notice that the line breaks or comes back; to be called again and again."""
        if (there := self.there) != self._there:
            self._there = there
            self._changed()

    def ask(self, request: OwnerRequest) -> Ruling | None:
        """Bring ``request`` before the owner, and wait until it has answered and what came of it is
        known here; return its ruling where there is one.

        Raises:
            Elsewhere: the owner did not take it.
            StaleState: something else came first.
            HardwareFault: there is no line, or no answer comes.
        """
        broken = say(
            "The line to {table} is broken; nothing is taken here until it is back.",
            table=self.called,
        )
        with self._state:
            mirror = self._mirror
            if mirror is None or not self.there or not self._beat:
                raise HardwareFault(broken)
            if not self.seats:
                raise HardwareFault(self._not_invited)
            number, end = secrets.token_hex(8), self._clock() + VALID
            self._wanted[number] = _Wanted(Proposal(number, self._beat, request), end)
            self._asked_at = -VALID
            try:
                answer = self._answer(number, end)
            finally:
                del self._wanted[number]
                self._answers.pop(number, None)
            if answer is None:
                raise HardwareFault(broken)
            if not answer.stands:
                self._refused = answer.reason, self._clock()
        if answer.stands:
            return _ruling(answer)
        self._changed()
        if answer.stale:
            raise StaleState(request.seen, mirror.state_id)
        raise Elsewhere(answer.reason)

    # -- inside ------------------------------------------------------------------------

    def _answer(self, number: str, end: float) -> Answer | None:
        """Wait for the answer to a proposal, and until what it did is known here."""
        while (left := end - self._clock()) > 0:
            answer, mirror = self._answers.get(number), self._mirror
            if answer is not None and (not answer.stands or mirror is None or self._seen(answer)):
                return answer
            self._state.wait(min(left, AGAIN))
        return None

    def _seen(self, answer: Answer) -> bool:
        mirror = self._mirror
        return mirror is not None and mirror.place[0] >= answer.told

    @property
    def _mirror(self) -> MirrorTable[Any] | None:
        """Return the present table, where it is the owner's game."""
        table = self._evening.table
        if not isinstance(table, MirrorTable):
            return None
        told_by = table.owner.get("id")
        return table if told_by == self.owner else None

    @property
    def _busy(self) -> bool:
        """Tell whether another game is played here, which nobody takes away."""
        table = self._evening.table
        return table.owned and bool(table.actions) and table.outcome is None

    def _adopt(self) -> None:
        if (mirror := self._mirror) is not None:
            mirror.ask = self.ask

    def _take(self, epoch: int, batch: Batch) -> None:
        """Follow what is new in ``batch``."""
        mirror = self._mirror
        mine = int(mirror.owner["epoch"]) if mirror else 0
        if epoch < mine:
            return
        place, after = (Place(*mirror.place) if mirror and epoch == mine else Place()), batch.after
        news: list[tuple[EventRow, Place]] = []
        for row in batch.rows:
            after = after.then(row)
            if row.seq > place.seq:
                news.append((row, after))
        if batch.after.seq > place.seq or not news:
            return  # something lies between, or it is known
        before = next((b for b in _places(batch) if b.seq == place.seq), None)
        if before != place:
            return  # told of another line; the next word to the owner says where this one stands
        if mirror is None or epoch > mine:
            mirror = self._begin(epoch, *news.pop(0))
        if news:
            mirror.follow(news)
        self._fault, self._refused = "", ("", 0.0)
        self._asked_at = -VALID  # the owner hears at once how far it was followed

    def _begin(self, epoch: int, first: EventRow, at: Place) -> MirrorTable[Any]:
        evening = self._evening
        mirror = MirrorTable.begin(
            evening.journal, first, at, {"id": self.owner, "epoch": epoch},
            evening.clock, evening.game,
        )  # fmt: skip
        mirror.ask = self.ask
        evening.take(mirror)
        return mirror

    def _stopped(self, why: str) -> None:
        if why != self._fault:
            _log.warning("%s: %s", self.called, why)
            self._fault = why
            self._changed()

    def _keep(self) -> None:
        kept = {"owner": self.owner, "code": self._code, "name": self._called}
        try:
            write_private(self._file, json.dumps(kept))
        except OSError as error:
            raise HardwareFault(f"{self._file} cannot be written: {error.strerror}") from error


def _places(batch: Batch) -> list[Place]:
    places = [batch.after]
    for row in batch.rows:
        places.append(places[-1].then(row))
    return places


def _ruling(answer: Answer) -> Ruling | None:
    """Return the ruling of an answer.

    Raises:
        Elsewhere: no companion wrote it.
    """
    if not answer.ruling:
        return None
    row = (1, 0.0, "", "action", "", answer.ruling, "{}", ())
    try:
        event: Event = sound_event(row)
    except (TypeError, ValueError):
        raise Elsewhere("the other table's answer is not understood") from None
    return event.ruling


def _read(file: Path) -> Mapping[str, Any]:
    try:
        return read_json(file) if file.exists() else {}
    except CompanionError as error:
        _log.warning("%s", error)
        return {}
