"""Who may do what: join codes, the phones that joined with one, the host, and the seats they hold.

A join code proves that somebody stood at the table. It is short and soon invalid; the phone keeps a
128-bit key in a cookie instead. The journal holds only digests of keys: a restart seats everybody
again, and a stolen journal lets nobody in.
"""

from __future__ import annotations

import hashlib
import secrets
import threading
from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple

from companion.rules import say
from companion.runtime.rate import Rate
from companion.table.evening import Evening
from companion.table.people import Lost, Member, People, tidy_colour, tidy_name
from web.access.refusal import Refusal

CODE_LIFE = 600.0
"""Seconds for which a join code is valid."""
CODE_FRESH = 60.0
"""Seconds for which a page that is looked at again shows the same join code."""
KEY_LIFE = 7 * 24 * 3600.0
"""Seconds for which a phone's key is valid after it joined or took a seat last. Only time that is
known to have passed counts, so that no clock that is set locks anybody out."""
HOST_AWAY = 12 * 3600.0
"""Seconds after which a host whose phone was not heard of makes room for another."""
_LETTERS = "ABCDEFGHJKMNPQRSTVWXYZ23456789"  # nothing that is misread on paper
_TRIES = 5
_TRY_WINDOW = 60.0


class Person(NamedTuple):
    """Whoever sends a request. For guests ``digest`` (of the phone's key) and ``person`` (its id)
    are empty. ``seats`` are those that the phone holds, ``acts`` those that it may act for: its own
    and those that nobody holds. ``here`` means that the request comes from this machine itself;
    ``lost`` are seats that it held and does no more."""

    digest: str = ""
    joined: bool = False
    seats: tuple[str, ...] = ()
    person: str = ""
    name: str = ""
    colour: str = ""
    host: bool = False
    acts: tuple[str, ...] = ()
    here: bool = False
    lost: Lost | None = None

    @property
    def role(self) -> str:
        """Return ``host``, ``player``, ``observer`` or ``guest``."""
        if self.host:
            return "host"
        if self.seats:
            return "player"
        return "observer" if self.joined else "guest"

    @property
    def actor(self) -> str:
        """Return the name under which the journal notes what this person does."""
        return self.seats[0] if self.seats else "host" if self.host else "phone"


class _Code(NamedTuple):
    until: float
    uses: int
    host: bool = False
    known: bool = True
    shown_to: str | None = None
    moves: str = ""


def digest(key: str) -> str:
    """Return the digest of a phone's key, which the journal keeps instead of the key."""
    return hashlib.sha256(key.encode()).hexdigest()


class Door:
    """Lets phones in and gives them seats. All it knows is in the journal. ``clock`` returns
    seconds that pass evenly."""

    def __init__(
        self, evening: Evening, clock: Callable[[], float], open_house: bool = False
    ) -> None:
        self._evening, self._clock, self._open_house = evening, clock, open_house
        self._guard = threading.RLock()
        self._codes: dict[str, _Code] = {}
        self._failures = Rate(_TRIES, _TRY_WINDOW, clock)
        self._heard: dict[str, float] = {}

    @property
    def people(self) -> People:
        """Return the people round the table."""
        return self._evening.people

    # -- codes -----------------------------------------------------------------------

    def mint(
        self,
        uses: int = 1,
        *,
        host: bool = False,
        known: bool = True,
        shown_to: str | None = None,
        moves: str = "",
    ) -> str:
        """Return a join code for ``uses`` phones, valid for ten minutes; a longer one with
        ``host``. A code with ``known`` False is shown to whoever asks and makes nobody the host.
        Who uses a code that ``moves`` a person takes that person's place, seats and all.
        The person ``shown_to`` is given the same code for a minute, unless it was used: codes do
        not pile up where a page is loaded again and again."""
        with self._guard:
            now = self._clock()
            self._codes = {c: v for c, v in self._codes.items() if v.until > now and v.uses > 0}
            wanted = _Code(now + CODE_LIFE, uses, host, known, shown_to, moves)
            for code, kept in self._codes.items():
                young = kept.until > wanted.until - CODE_FRESH
                if shown_to is not None and young and kept._replace(until=wanted.until) == wanted:
                    return code
            code = "".join(secrets.choice(_LETTERS) for _ in range(12 if host else 8))
            self._codes[code] = wanted
            return code

    def good(self, code: str) -> bool:
        """Tell whether ``code`` is still valid."""
        kept = self._codes.get(code)
        return kept is not None and kept.uses > 0 and kept.until > self._clock()

    def join(self, person: Person, code: str, address: str, name: str, colour: str) -> str:
        """Use up ``code`` and return the phone's new key. The first phone that ever joins is the
        host's; in an open house the first that somebody at the table let in.

        Raises:
            Refusal: the code is wrong, used or no longer valid, or too many were tried from the
                address.
            BadInput: the name or the colour cannot be kept.
        """
        data = _about(name, colour)
        with self._guard:
            kept = self._use(person, code.strip().upper(), address)
            known = person.here or (kept is not None and kept.known)
            host = (kept is not None and kept.host) or (known and self._hostless())
            key = secrets.token_urlsafe(16)
            if kept is not None and kept.moves:
                self._move(person, kept.moves, key)
                return key
            data |= {"key": digest(key), "person": person.person or secrets.token_hex(6)}
            if self.people.of_key(person.digest):
                data["was"] = person.digest
            self._note("joined", {**data, "host": host}, "phone")
            self._heard[data["person"]] = self._clock()
            return key

    def _move(self, person: Person, who: str, key: str) -> None:
        """Let the device of ``person``, with the new ``key``, play in the place of ``who``: a phone
        that came in by itself takes the seats, any other becomes that person."""
        self._known_person(who)
        member, actor = self.people.members[who], person.actor
        if person.person in ("", who):
            data = {"person": who, "was": member.key, "moved": True}
            self._note("joined", {"key": digest(key), **data}, "phone")
            return
        self._note("joined", {"key": digest(key), "person": person.person, "was": person.digest},
                   actor)  # fmt: skip
        for seat in [seat for seat, holder in self.people.seats.items() if holder == who]:
            self._note("handed", {"seat": seat, "person": person.person, "moved": True}, seat)

    def _use(self, person: Person, code: str, address: str) -> _Code | None:
        """Use ``code`` up and return it; None where none is needed."""
        free = self._open_house or person.here
        if free and not code:
            return None
        if self._failures.full(address):
            raise Refusal(429, "too_many_tries", say("too many wrong codes; wait a minute"))
        if not self.good(code):
            if free:
                return None
            self._failures.count(address)
            raise Refusal(
                403, "bad_code", say("this join code is wrong, used or over; show a new one")
            )
        kept = self._codes[code]
        self._codes[code] = kept._replace(uses=kept.uses - 1)
        return kept

    def _hostless(self) -> bool:
        """Tell whether there was never a host, or the one who was here has been away for long.
        After a restart nobody has been heard of yet: the host's part is still his."""
        people = self.people
        if not people.hosted:
            return True
        heard = self._heard.get(people.host or "")
        return heard is not None and self._clock() - heard > HOST_AWAY

    @property
    def phones(self) -> int:
        """Return the number of phones that have joined."""
        return sum(map(self._lasts, self.people.members.values()))

    # -- people ----------------------------------------------------------------------

    def person(self, key: str | None, order: Sequence[str], here: bool = False) -> Person:
        """Return whose phone has ``key``, a guest if nobody's has, with those of the seats in
        ``order`` that it holds. ``here`` says that the request comes from this machine, which may
        do what the host may."""
        mark = digest(key) if key else ""
        people = self.people
        member = people.of_key(mark)
        if member is None or not self._lasts(member):
            free = self._free(order) if here else ()
            lost = people.lost.get(mark)
            open_ = self._open_house or here
            return Person(mark, open_, host=here, acts=free, here=here, lost=lost)
        self._heard[member.person] = self._clock()
        seats = tuple(seat for seat in order if self.holder(seat) == member.person)
        host = here or people.host == member.person
        free = self._free(order) if seats or host else ()
        acts = tuple(seat for seat in order if seat in seats or seat in free)
        about = (member.person, member.name, member.colour)
        lost = people.lost.get(member.person)
        return Person(mark, True, seats, *about, host, acts, here, lost)

    def _free(self, order: Sequence[str]) -> tuple[str, ...]:
        """Return the seats that nobody holds, as far as others may act for them."""
        if not self._evening.settings.act_for_others:
            return ()
        return tuple(seat for seat in order if self.holder(seat) is None)

    def holder(self, seat: str) -> str | None:
        """Return the person that holds ``seat``, or None."""
        people = self.people
        member = people.members.get(people.seats.get(seat, ""))
        return member.person if member is not None and self._lasts(member) else None

    def _lasts(self, member: Member) -> bool:
        return self._evening.ages.of(member.since) < KEY_LIFE

    def rename(self, person: Person, name: str, colour: str, seat: str | None) -> None:
        """Give the phone's person a name and a colour, or the player of ``seat`` a name.

        Raises:
            Refusal: the phone has not joined, or the seat is another's.
            BadInput: the name or the colour cannot be kept.
        """
        joined(person)
        if seat is None:
            about = _about(name, colour)
            if about and person.person:
                self._note("named", {"person": person.person, **about}, person.actor)
            return
        self._known(seat)
        if seat not in person.seats and not person.host:
            raise Refusal(403, "not_yours", say("another phone holds this seat"))
        self._note("named", {"seat": seat, "name": tidy_name(name)}, person.actor)

    def make_host(self, person: Person, to: str) -> None:
        """Hand the host's part over.

        Raises:
            Refusal: the phone is not the host's, or there is no such person.
        """
        only_host(person)
        self._known_person(to)
        self._note("hosted", {"person": to}, person.actor)

    def dismiss(self, person: Person, who: str) -> None:
        """Send a phone away: its key becomes invalid and its seats are free. All join codes become
        invalid, too, for the phone may have read them.

        Raises:
            Refusal: the phone is not the host's, or there is no such person.
        """
        only_host(person)
        self._known_person(who)
        self._send_away([who], person)

    def dismiss_others(self, person: Person) -> None:
        """Send everybody away but ``person``.

        Raises:
            Refusal: the phone is not the host's.
        """
        only_host(person)
        self._send_away([who for who in self.people.members if who != person.person], person)

    def _send_away(self, whom: list[str], person: Person) -> None:
        with self._guard:
            for who in whom:
                self._note("dismissed", {"person": who}, person.actor)
            self._codes.clear()

    # -- seats -----------------------------------------------------------------------

    def claim(self, person: Person, seat: str, player: str = "") -> str:
        """Seat ``person`` and return the phone's new key: a change of role changes the key.
        ``player`` is who plays there, if it is another than the phone's person.

        Raises:
            Refusal: no such seat, somebody sits there, or the phone has not joined.
            BadInput: the name cannot be kept.
        """
        with self._guard:
            self._known(seat)
            joined(person)
            if self.holder(seat) is not None:
                raise Refusal(
                    409, "seat_taken", say("{seat} is taken by another phone", seat=say(seat))
                )
            key = secrets.token_urlsafe(16)
            data = {
                "seat": seat,
                "key": digest(key),
                "was": person.digest,
                "person": person.person or secrets.token_hex(6),
            }
            if player:
                data["player"] = tidy_name(player)
            self._note("seated", data, seat)
            return key

    def release(self, person: Person, seat: str) -> None:
        """Free ``seat``. Its holder may do that, and the host.

        Raises:
            Refusal: nobody sits there, or it is another phone's.
        """
        with self._guard:
            joined(person)
            if self.holder(seat) is None:
                raise Refusal(404, "no_seat", say("nobody sits there"))
            if seat not in person.seats and not person.host:
                raise Refusal(403, "not_yours", say("another phone holds this seat"))
            freed = {} if seat in person.seats else {"freed": True}
            self._note("left", {"seat": seat, **freed}, person.actor)

    def hand(self, person: Person, seat: str, to: str) -> None:
        """Hand a seat over to another person.

        Raises:
            Refusal: the phone does not hold the seat, or there is no such person.
        """
        with self._guard:
            if seat not in person.seats:
                raise Refusal(403, "not_yours", say("another phone holds this seat"))
            self._known_person(to)
            self._note("handed", {"seat": seat, "person": to}, seat)

    def _known(self, seat: str) -> None:
        if seat not in self._evening.table.setup.seats:
            raise Refusal(404, "no_seat", say("there is no such seat in this game"))

    def _known_person(self, who: str) -> None:
        member = self.people.members.get(who)
        if member is None or not self._lasts(member):
            raise Refusal(404, "no_person", say("nobody of that name came in"))

    def _note(self, kind: str, data: dict[str, Any], actor: str) -> None:
        self._evening.table.note(kind, data, actor)


def only_host(person: Person) -> None:
    """Raise a Refusal for everybody but the host."""
    if not person.host:
        raise Refusal(403, "not_host", say("the host alone may do this"))


def decides(person: Person, seats: Collection[str]) -> bool:
    """Tell whether ``person`` may decide for the whole table: the host, and a phone that may act
    for all ``seats``."""
    return person.host or set(person.acts).issuperset(seats)


def joined(person: Person) -> None:
    """Raise a Refusal for phones that have not joined."""
    if not person.joined:
        raise Refusal(403, "not_joined", say("scan the QR code at the table first"))


def _about(name: str, colour: str) -> dict[str, Any]:
    """Return what was given of a name and a colour, as they are kept."""
    about: dict[str, Any] = {"name": tidy_name(name)} if name.strip() else {}
    return about | ({"colour": tidy_colour(colour)} if colour.strip() else {})
