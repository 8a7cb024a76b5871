"""The people round a table: who came in, what they are called, who sits where, who is the host.

All of it is what the journal's events of :data:`KINDS` say, through all its games.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from companion.journal import Event, Header, Journal
from companion.rules import BadInput, say

KINDS = (
    "started", "joined", "seated", "left", "named", "handed", "reseated", "hosted", "dismissed",
)  # fmt: skip
"""The kinds of events from which the people are known."""
LONGEST_NAME = 40
_COLOUR = re.compile(r"#[0-9a-f]{6}")


@dataclass
class Member:
    """Somebody who joined with a phone. ``person`` is the id as long as the phone belongs to the
    table; ``key`` is the digest of the phone's key, which changes, and ``since`` the event that
    changed it last."""

    person: str
    key: str
    since: int
    name: str = ""
    colour: str = ""


class Lost(NamedTuple):
    """Seats that somebody lost without having given them away, and ``why``: the next ``game`` has
    them not, the host ``freed`` them, they ``moved`` to another device, or the host ``dismissed``
    the phone."""

    seats: tuple[str, ...]
    why: str


@dataclass
class People:
    """The people as the events so far describe them.

    ``members`` maps a person's id to the member; it is replaced, never changed, when somebody comes
    or goes, so that other threads may read it. ``seats`` maps seats to persons' ids. ``names`` maps
    a seat to the name of who plays there, if that is not the person whose phone holds it. ``host``
    is the host's id, ``hosted`` whether there ever was one. ``lost`` tells who lost a seat, by the
    person's id or by the digest of a key that opens nothing any more.
    """

    members: dict[str, Member] = field(default_factory=dict)
    seats: dict[str, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    host: str | None = None
    hosted: bool = False
    lost: dict[str, Lost] = field(default_factory=dict)

    def of_key(self, key: str) -> Member | None:
        """Return the member whose key has this digest, None if nobody's has."""
        return next((m for m in self.members.values() if key and m.key == key), None)

    def name_of(self, seat: str) -> str:
        """Return what the player of ``seat`` is called, empty where nobody said."""
        member = self.members.get(self.seats.get(seat, ""))
        return self.names.get(seat) or (member.name if member else "")

    def colour_of(self, seat: str) -> str:
        """Return the colour of the person on ``seat``, empty where nobody chose one."""
        member = self.members.get(self.seats.get(seat, ""))
        return member.colour if member else ""

    def begin(self, seats: Iterable[str]) -> None:
        """Take note that a game with these ``seats`` begins: people on seats that it has stay
        there."""
        kept = set(seats)
        for person in set(self.seats.values()):
            self._lose(person, [seat for seat in self._of(person) if seat not in kept], "game")
        self.seats = {seat: who for seat, who in self.seats.items() if seat in kept}
        self.names = {seat: name for seat, name in self.names.items() if seat in kept}

    def take(self, event: Event) -> None:
        """Take note of ``event``; kinds that are not in KINDS change nothing."""
        data = event.data
        if event.kind in ("joined", "seated"):
            self._enter(event)
        elif event.kind == "left":
            person = self.seats.pop(data["seat"], None)
            self.names.pop(data["seat"], None)
            if person and data.get("freed"):
                self._lose(person, [data["seat"]], "freed")
        elif event.kind == "handed":
            self._hand(data)
        elif event.kind == "reseated":
            self.seats, self.names = dict(data["people"]), dict(data["names"])
            self.lost = {who: lost for who, lost in self.lost.items() if not self._of(who)}
        elif event.kind == "hosted":
            self._make_host(data["person"])
        elif event.kind == "named":
            self._name(data)
        elif event.kind == "dismissed":
            member = self.members.get(data["person"])
            if member is not None:
                self._lose(member.key, self._of(member.person), "dismissed")
            self.members = {p: m for p, m in self.members.items() if p != data["person"]}
            self.seats = {s: who for s, who in self.seats.items() if who != data["person"]}
            self.names = {s: name for s, name in self.names.items() if s in self.seats}
            self.host = None if self.host == data["person"] else self.host

    def _enter(self, event: Event) -> None:
        data = event.data
        member = self.of_key(data.get("was", ""))
        if member is None:
            # Journals of the first version do not name persons: a key stands for one.
            person = str(data.get("person") or data["key"][:12])
            member = self.members.get(person) or Member(person, data["key"], event.seq)
            self.members = {**self.members, person: member}
        if data.get("moved"):
            self._lose(member.key, self._of(member.person), "moved")
        member.key, member.since = data["key"], event.seq
        member.name, member.colour = (
            data.get("name", member.name),
            data.get("colour", member.colour),
        )
        if data.get("host"):
            self._make_host(member.person)
        if event.kind == "seated":
            self.lost.pop(member.person, None)
            self.seats[data["seat"]] = member.person
            self.names.pop(data["seat"], None)
            if data.get("player"):
                self.names[data["seat"]] = data["player"]

    def _hand(self, data: Mapping[str, Any]) -> None:
        before = self.seats.get(data["seat"])
        if before and data.get("moved"):
            self._lose(before, [data["seat"]], "moved")
        self.seats[data["seat"]] = data["person"]
        self.names.pop(data["seat"], None)
        self.lost.pop(data["person"], None)

    def _of(self, person: str) -> list[str]:
        return [seat for seat, who in self.seats.items() if who == person]

    def _lose(self, whose: str, seats: Iterable[str], why: str) -> None:
        lost = self.lost.get(whose)
        before = lost.seats if lost is not None and lost.why == why else ()
        if seats := tuple(dict.fromkeys((*before, *seats))):
            self.lost[whose] = Lost(seats, why)

    def _make_host(self, person: str) -> None:
        self.host, self.hosted = person, True

    def _name(self, data: Mapping[str, str]) -> None:
        if "seat" in data:
            self.names[data["seat"]] = data["name"]
        elif data["person"] in self.members:
            member = self.members[data["person"]]
            member.name = data.get("name", member.name)
            member.colour = data.get("colour", member.colour)


def people_of(journal: Journal) -> People:
    """Return the people as they are after all games of ``journal``."""
    people, games = People(), journal.games()
    for game, event in journal.of_kinds(*KINDS):
        follow(people, event, games[game])
    return people


def held_in(journal: Journal, number: int) -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Return who held which seat when the game ``number`` was played last, and the names of those
    who played there on others' phones."""
    people, games = People(), journal.games()
    held: tuple[Mapping[str, str], Mapping[str, str]] = {}, {}
    for game, event in journal.of_kinds(*KINDS):
        follow(people, event, games[game])
        if game == number:
            held = dict(people.seats), dict(people.names)
    return held


def follow(people: People, event: Event, header: Header) -> None:
    """Take note of one event of the game that has this ``header``."""
    if event.kind == "started":
        people.begin(header.seats)
    else:
        people.take(event)


def tidy_name(text: str) -> str:
    """Return ``text`` as a name: without line breaks and control characters.

    Raises:
        BadInput: nothing is left of it, or it is too long.
    """
    name = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    if not name or len(name) > LONGEST_NAME:
        raise BadInput(say("a name has 1 to {most} letters", most=LONGEST_NAME))
    return name


def tidy_colour(text: str) -> str:
    """Return ``text`` as a CSS colour, such as ``#c0392b``.

    Raises:
        BadInput: ``text`` is no colour.
    """
    colour = text.strip().lower()
    if not _COLOUR.fullmatch(colour):
        raise BadInput(say("a colour is written like #c0392b"))
    return colour
