"""Who sits where: join codes, the phones that came in by one, the seats they hold.

A join code proves that somebody stood at the table. It is short, used up and soon over; what the
phone keeps instead is a 128-bit key in a cookie. The journal holds only digests of keys, so a
restart seats everybody again and a copied journal seats nobody.
"""

from __future__ import annotations

import hashlib
import secrets
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from companion.journal import Event
from companion.table import Table
from web.rate import Rate
from web.refusal import Refusal

CODE_LIFE = 600.0
"""Seconds that a join code is good for."""
_LETTERS = "ABCDEFGHJKMNPQRSTVWXYZ23456789"  # nothing that is misread on paper
_TRIES = 5
_TRY_WINDOW = 60.0
KINDS = ("joined", "seated", "left")


@dataclass(frozen=True, slots=True)
class Person:
    """Whoever holds a phone: ``digest`` of its key (empty for watchers), the seats it plays."""

    digest: str = ""
    joined: bool = False
    seats: tuple[str, ...] = ()


def digest(key: str) -> str:
    """Return what the journal keeps of a phone's key."""
    return hashlib.sha256(key.encode()).hexdigest()


class Door:
    """Lets phones in and keeps the seats. The table's journal is its only memory."""

    def __init__(
        self, table: Table[Any], clock: Callable[[], float], open_house: bool = False
    ) -> None:
        self._table, self._clock, self._open_house = table, clock, open_house
        self._guard = threading.RLock()
        self._codes: dict[str, tuple[float, int]] = {}
        self._failures = Rate(_TRIES, _TRY_WINDOW, clock)
        self._phones: set[str] = set()
        self._seats: dict[str, str] = {}
        self._read(table.events())

    # -- codes -----------------------------------------------------------------------

    def mint(self, uses: int = 1) -> str:
        """Return a new join code, good for ``uses`` phones within ten minutes."""
        with self._guard:
            now = self._clock()
            self._codes = {c: v for c, v in self._codes.items() if v[0] > now and v[1] > 0}
            code = "".join(secrets.choice(_LETTERS) for _ in range(8))
            self._codes[code] = (now + CODE_LIFE, uses)
            return code

    def good(self, code: str) -> bool:
        """Tell whether ``code`` still opens the door."""
        until, uses = self._codes.get(code, (0.0, 0))
        return uses > 0 and until > self._clock()

    def join(self, code: str, address: str) -> str:
        """Use ``code`` up and return the key of a new phone.

        Raises:
            Refusal: the code is wrong, used or over, or the address has guessed too often.
        """
        with self._guard:
            if not self._open_house:
                self._use(code.strip().upper(), address)
            key = secrets.token_urlsafe(16)
            self._note("joined", {"key": digest(key)}, "phone")
            return key

    def _use(self, code: str, address: str) -> None:
        if self._failures.full(address):
            raise Refusal(429, "too_many_tries", "too many wrong codes; wait a minute")
        if not self.good(code):
            self._failures.count(address)
            raise Refusal(403, "bad_code", "this join code is wrong, used or over; show a new one")
        until, uses = self._codes[code]
        self._codes[code] = (until, uses - 1)

    @property
    def phones(self) -> int:
        """How many phones came in."""
        return len(self._phones)

    # -- seats -----------------------------------------------------------------------

    def person(self, key: str | None) -> Person:
        """Return who holds the phone with ``key``; a watcher where there is none."""
        mark = digest(key) if key else ""
        joined = self._open_house or mark in self._phones
        seats = (seat for seat, holder in self._seats.items() if mark and holder == mark)
        order = self._table.setup.seats
        return Person(mark, joined, tuple(sorted(seats, key=order.index)))

    def holder(self, seat: str) -> str | None:
        """Return the digest of the phone that holds ``seat``, or None."""
        return self._seats.get(seat)

    def claim(self, person: Person, seat: str) -> str:
        """Seat ``person`` and return the phone's new key: a change of role changes the key.

        Raises:
            Refusal: no such seat, somebody sits there, or the phone has not joined.
        """
        with self._guard:
            if seat not in self._table.setup.seats:
                raise Refusal(404, "no_seat", "there is no such seat in this game")
            if not person.joined:
                raise Refusal(403, "not_joined", "scan the QR code at the table first")
            if seat in self._seats:
                raise Refusal(409, "seat_taken", f"{seat} is taken by another phone")
            key = secrets.token_urlsafe(16)
            data = {"seat": seat, "key": digest(key), "was": person.digest}
            self._note("seated", data, seat)
            return key

    def release(self, person: Person, seat: str) -> None:
        """Free ``seat``. Any phone that joined may: a phone gets lost, its battery dies.

        Raises:
            Refusal: nobody sits there, or the phone has not joined.
        """
        with self._guard:
            if not person.joined:
                raise Refusal(403, "not_joined", "scan the QR code at the table first")
            if seat not in self._seats:
                raise Refusal(404, "no_seat", "nobody sits there")
            self._note("left", {"seat": seat}, person.seats[0] if person.seats else "phone")

    # -- memory ----------------------------------------------------------------------

    def _note(self, kind: str, data: dict[str, str], actor: str) -> None:
        before = self._table.state_id
        self._table.note(kind, data, actor)
        self._read(event for event in self._table.events(before) if event.kind == kind)

    def _read(self, events: Iterable[Event]) -> None:
        for event in events:
            data = event.data
            if event.kind in ("joined", "seated"):
                self._phones.discard(data.get("was", ""))
                self._phones.add(data["key"])
                for seat, holder in self._seats.items():
                    if holder == data.get("was"):
                        self._seats[seat] = data["key"]
            if event.kind == "seated":
                self._seats[data["seat"]] = data["key"]
            elif event.kind == "left":
                self._seats.pop(data["seat"], None)
