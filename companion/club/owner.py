"""The table that owns a game which other tables play along: it alone decides what happened, and
tells them of it."""

from __future__ import annotations

import hashlib
import json
import logging
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from companion.club.distant import (
    MOST_REQUESTS,
    Answer,
    Ask,
    Proposal,
    Telling,
    read_ask,
    told_topic,
    write_link,
    write_told,
)
from companion.club.messages import MOST_EVENTS, Batch, Place
from companion.club.owner_requests import carry_out
from companion.journal.copying import EventRow, GameRow
from companion.journal.entries import json_text, ruling_text
from companion.rules import BadInput, CompanionError, HardwareFault, Text, say
from companion.rules.unknown import unknown_seat
from companion.runtime.files import read_json, write_private
from companion.table import Table
from companion.table.evening import Evening
from companion.table.history import StaleState
from companion.table.mirror import TOLD

_log = logging.getLogger(__name__)

BEAT = 2.0
"""Seconds between two messages at most while both are there."""
AGAIN = 1.0
"""Seconds after which what was told and not confirmed is told again."""
SILENCE = 8.0
"""Seconds without a word after which the line counts as broken."""
VALID = 10.0
"""Seconds after which what a guest wanted counts no more: by then it has said that nothing came of
it."""
REMEMBERED = 64
"""Proposals of a guest whose answers are kept."""
INVITATIONS = 16
"""Invitations that are open at once."""
GOOD_FOR = 7 * 24 * 3600.0
"""Seconds for which an invitation is good."""
STRANGERS = 16
"""Tables that do not play along and are told so, at once."""


class _Open(NamedTuple):
    """An invitation that no table has taken up: to which seats, and until when it is good."""

    seats: list[str]
    until: float


class Guest:
    """Another table that plays along: its ``seats``, the ``epoch`` of the line of events that it is
    told and for which ``game`` that is, and where it stands."""

    def __init__(self, code: str, seats: Sequence[str], epoch: int = 0, game: int = 0) -> None:
        self.code, self.seats, self.epoch, self.game = code, tuple(seats), epoch, game
        self.name, self.place, self.fits = "", Place(), True
        self.heard_at: float | None = None
        self.told_at = self.rows_at = -VALID
        self.told = Place()
        self.answers: OrderedDict[str, Answer] = OrderedDict()
        self.waiting: dict[str, None] = {}


class Owner:
    """What the table called ``me`` in its club tells its guests of the game of ``evening``. Who is
    invited is kept in ``file``. :meth:`take`, :meth:`due` and :meth:`tick` belong to one thread,
    the rest to any; ``clock`` gives seconds that pass, ``now`` those since 1970."""

    def __init__(
        self,
        evening: Evening,
        me: str,
        name: str,
        file: Path,
        clock: Callable[[], float],
        changed: Callable[[], None] = lambda: None,
        *,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._now = now
        self._evening, self._me, self._name, self._file = evening, me, name, file
        self._clock, self._changed, self._guard = clock, changed, threading.RLock()
        self._session, self._count = secrets.token_hex(4), 0
        self._beats: OrderedDict[str, float] = OrderedDict()
        self._begun = clock()
        self._table: Table[Any] | None = None
        self._rows: list[EventRow] = []
        self._places: dict[Place, int] = {}
        self._quiet: frozenset[str] = frozenset()
        kept = _read(file)
        self._open: dict[str, _Open] = {
            code: _Open(*one) for code, one in kept.get("open", {}).items()
        }
        self._strangers: dict[str, None] = {}
        self._epoch = int(kept.get("epoch", 0))
        self._guests = {name: Guest(**one) for name, one in kept.get("guests", {}).items()}

    # -- who plays along ---------------------------------------------------------------

    def invite(self, seats: Sequence[str]) -> str:
        """Return a link by which one table plays along with ``seats``, once and for a week; an
        earlier one for any of them is good no more.

        Raises:
            BadInput: there is no such seat, or another table has it.
            HardwareFault: it cannot be kept.
        """
        table = self._evening.table
        if not table.owned:
            raise BadInput(say("This game belongs to another table, which alone invites."))
        with self._guard:
            for seat in seats:
                if seat not in table.setup.seats:
                    raise unknown_seat(seat, table.game.title, table.setup.seats)
                if any(seat in guest.seats for guest in self._guests.values()):
                    raise BadInput(say("{seat} is played at another table", seat=say(seat)))
            code = secrets.token_urlsafe(16)
            still = {
                other: one for other, one in self._open.items()
                if one.until > self._now() and set(seats).isdisjoint(one.seats)
            }  # fmt: skip
            while len(still) >= INVITATIONS:
                still.pop(next(iter(still)))
            self._open = still | {_digest(code): _Open(list(seats), self._now() + GOOD_FOR)}
            self._keep()
        return write_link(self._me, code)

    def dismiss(self, guest: str) -> None:
        """Let ``guest`` play along no more.

        Raises:
            BadInput: no such table plays along.
            HardwareFault: it cannot be kept.
        """
        with self._guard:
            if self._guests.pop(guest, None) is None:
                raise BadInput(say("no such table plays along"))
            self._keep()
        self._changed()

    def told(self) -> Sequence[Mapping[str, Any]]:
        """Return the guests: ``id``, ``name``, ``seats``, whether it is ``there``, and whether its
        board is ``set``."""
        with self._guard:
            return [
                {
                    "id": one, "name": guest.name or one, "seats": list(guest.seats),
                    "there": one not in self._quiet and guest.heard_at is not None,
                    "set": guest.fits,
                }
                for one, guest in self._guests.items()
            ]  # fmt: skip

    @property
    def words(self) -> Text | str:
        """Return what people have to know of the guests, as one sentence; empty for nothing."""
        with self._guard:
            for one in self._quiet:
                if one in self._guests:
                    who = self._guests[one].name or one
                    return say(
                        "The line to {table} is broken. The game waits for it; go on to play "
                        "without it, and it follows later.",
                        table=who,
                    )
            slow = [g.name or one for one, g in self._guests.items() if not g.fits]
        return say("The board of {table} is not set yet.", table=slow[0]) if slow else ""

    # -- the line ----------------------------------------------------------------------

    def take(self, guest: str, payload: bytes) -> None:
        """Take in what ``guest`` asks; what is none of ours is logged and passed over."""
        try:
            ask = read_ask(payload)
        except BadInput as error:
            _log.warning("%s: %s", guest[:40], error)
            return
        with self._guard:
            known = self._known(guest, ask)
            if known is None:
                if len(self._strangers) < STRANGERS:
                    self._strangers[guest] = None
                return
            self._follow()
            before = known.fits, known.name
            known.heard_at, known.fits, known.name = self._clock(), ask.set, ask.name
            self._place(known, ask)
        for proposal in ask.wishes:
            self._decide(known, ask, proposal)
        known.told_at = -VALID  # it is answered at once
        if before != (known.fits, known.name):
            self._changed()

    def due(self) -> list[tuple[str, bytes]]:
        """Return the messages that are to be sent now: topic and payload."""
        now = self._clock()
        with self._guard:
            # Who plays no seat is told so, as often as it asks.
            nothing = write_told(Telling(0, f"{self._session}.0", (), (), self._name))
            messages = [(told_topic(self._me, name), nothing) for name in self._strangers]
            self._strangers.clear()
            self._follow()
            for name, guest in self._guests.items():
                if guest.heard_at is None or now - guest.heard_at > SILENCE:
                    continue
                end = self._end
                news = guest.told != end or (guest.place != end and now - guest.rows_at > AGAIN)
                if news or now - guest.told_at > BEAT:
                    messages.append((told_topic(self._me, name), self._tell(guest, now)))
        return messages

    def tick(self) -> None:
        """Pause the game where a line breaks, and go on once all are back; to be called again and
        again.

        Raises:
            HardwareFault: the journal cannot be written.
        """
        now, table = self._clock(), self._evening.table
        with self._guard:
            self._follow()
            quiet = frozenset(
                name for name, guest in self._guests.items()
                if table.owned and not set(guest.seats).isdisjoint(table.setup.seats)
                and now - (self._begun if guest.heard_at is None else guest.heard_at) > SILENCE
            )  # fmt: skip
            fresh, self._quiet, before = quiet - self._quiet, quiet, self._quiet
        if table.owned and table.outcome is None:
            last = next(table.events().newest("paused", "continued"), None)
            mine = last is not None and last.actor == "line"
            if fresh and not table.paused:
                table.note("paused", {}, "line")
            elif before and not quiet and table.paused and mine:
                table.note("continued", {}, "line")
        if quiet != before:
            self._changed()

    # -- inside ------------------------------------------------------------------------

    @property
    def _end(self) -> Place:
        return next(reversed(self._places))

    def _known(self, name: str, ask: Ask) -> Guest | None:
        """Return the guest who asks: one that came before by the same code, or that comes in by an
        invitation, which is good for one table."""
        code = _digest(ask.code)
        guest = self._guests.get(name)
        if guest is not None and secrets.compare_digest(guest.code, code):
            return guest
        invited = self._open.get(code)
        if invited is None or invited.until <= self._now():
            return None
        guest = Guest(code, invited.seats)
        del self._open[code]
        self._guests[name] = guest
        self._keep()
        return guest

    def _follow(self) -> None:
        """Take what has happened into the line of events that guests are told."""
        table = self._evening.table
        if table is not self._table:
            self._table, self._rows, self._places = table, [], {Place(): 0}
            for guest in self._guests.values():
                if guest.epoch and guest.game != table.game_id:
                    self._begin_anew(guest)
        if not table.owned:
            return
        place = self._end
        after = self._rows[-1].seq if self._rows else 0
        for seq, at, actor, kind, action, ruling, data, _ in table.events(after).rows():
            if kind in TOLD:
                begun = None if self._rows else _game_row(table)
                row = EventRow(seq, table.game_id, at, actor, kind, action, ruling, data, begun)
                self._rows.append(row)
                place = place.then(row)
                self._places[place] = len(self._rows)

    def _place(self, guest: Guest, ask: Ask) -> None:
        """Find out where ``guest`` stands. What is none of this line, such as that of another game
        or of a journal before it was restored, is told anew from its beginning."""
        if ask.epoch < guest.epoch:
            guest.place = Place()  # it has not heard of this line yet
        elif (ask.epoch == guest.epoch and guest.game == self._evening.table.game_id
              and ask.place in self._places):  # fmt: skip
            guest.place = ask.place
        else:
            self._epoch = max(self._epoch, ask.epoch)
            self._begin_anew(guest)

    def _begin_anew(self, guest: Guest) -> None:
        """Tell ``guest`` the present game from its beginning, as a line of its own."""
        self._epoch += 1
        guest.epoch, guest.place, guest.game = self._epoch, Place(), self._evening.table.game_id
        self._keep()

    def _decide(self, guest: Guest, ask: Ask, proposal: Proposal) -> None:
        """Carry a proposal out once, or find out why not."""
        sent = self._beats.get(proposal.heard)
        if sent is None or self._clock() - sent > VALID:
            return  # whoever wanted it has given it up, and says so
        if proposal.number not in guest.answers:
            guest.answers[proposal.number] = self._answer(guest, ask, proposal)
            while len(guest.answers) > REMEMBERED:
                guest.answers.popitem(last=False)
        guest.waiting[proposal.number] = None

    def _answer(self, guest: Guest, ask: Ask, proposal: Proposal) -> Answer:
        table, ruling, stale = self._evening.table, "", False
        try:
            same = table is self._table and guest.place == ask.place
            if ask.epoch != guest.epoch or not same:
                raise StaleState(proposal.request.seen, table.state_id)
            made = carry_out(
                table, proposal.request, [s for s in guest.seats if s in table.setup.seats]
            )
            ruling = "" if made is None else ruling_text(made)
            reason = ""
        except StaleState:
            stale, reason = True, say("Something else was played first; it stands.")
        except HardwareFault as fault:
            reason = fault.sentence
        except CompanionError as error:
            reason = error.sentence if isinstance(error, BadInput) else str(error)
        with self._guard:
            self._follow()
            told = self._end.seq
        return Answer(proposal.number, not reason, told, ruling, reason, stale)

    def _tell(self, guest: Guest, now: float) -> bytes:
        """Return what ``guest`` is told now."""
        self._count += 1
        beat = f"{self._session}.{self._count}"
        self._beats[beat] = now
        while now - next(iter(self._beats.values())) > VALID:
            self._beats.popitem(last=False)
        rows = self._rows[self._places[guest.place] :][:MOST_EVENTS] if guest.epoch else []
        batch = Batch(f"{guest.epoch:08d}", guest.place, tuple(rows)) if rows else None
        answers = [guest.answers[one] for one in guest.waiting if one in guest.answers]
        guest.waiting.clear()
        guest.told_at = guest.rows_at = now
        guest.told = self._end
        return write_told(
            Telling(
                guest.epoch, beat, guest.seats, tuple(answers[-MOST_REQUESTS:]), self._name, batch
            )
        )

    def _keep(self) -> None:
        guests = {
            name: {"code": g.code, "seats": g.seats, "epoch": g.epoch, "game": g.game}
            for name, g in self._guests.items()
        }
        try:
            kept = {"epoch": self._epoch, "open": self._open, "guests": guests}
            write_private(self._file, json.dumps(kept))
        except OSError as error:
            raise HardwareFault(f"{self._file} cannot be written: {error.strerror}") from error


def _digest(code: str) -> str:
    return hashlib.sha256(code.encode()).hexdigest()


def _game_row(table: Table[Any]) -> GameRow:
    header = table.header
    position = None if header.position is None else json_text(dict(header.position))
    return GameRow(
        header.name, json_text(header.seats), json_text(dict(header.options)), position,
        header.to_move, "",
    )  # fmt: skip


def _read(file: Path) -> Mapping[str, Any]:
    """Return what is kept in ``file``; nothing where it cannot be read, which is logged."""
    try:
        return read_json(file) if file.exists() else {}
    except CompanionError as error:
        _log.warning("%s", error)
        return {}
