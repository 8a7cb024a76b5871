"""Once more with the same people: a rematch that somebody offers when a game is over.

All of it is what the journal's events of kind :data:`REMATCH` say, so that a phone that slept sees
on waking what is so by then.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random, SystemRandom
from typing import NamedTuple

from companion.journal import Event
from companion.rules import BadInput, say
from companion.table.evening import Evening
from companion.table.machines import give, machines_of

REMATCH = "rematch"
"""The kind of events: ``word`` is ``offer``, ``yes``, ``no`` or ``over``."""
LIFE = 600.0
"""Seconds for which an offer stands."""


class Rematch(NamedTuple):
    """The last offer since the game ended: the ``seat`` and the ``person`` that made it, whether
    seats are to be swapped, the seats that have not answered (one for each person), and whether it
    is ``open``, ``declined`` (``by`` a seat, perhaps the one that made it) or ``over``, because it
    is ten minutes old."""

    seat: str
    person: str
    swap: bool
    waiting: tuple[str, ...]
    state: str = "open"
    by: str = ""


def offered(evening: Evening) -> Rematch | None:
    """Return the last offer of the present game, None if there is none since its end."""
    table = evening.table
    if table.outcome is None:
        return None
    said: list[Event] = []
    for event in table.events().newest(REMATCH, "ended", "action", "reopened"):
        if event.kind != REMATCH:
            break
        said.append(event)
        if event.data["word"] == "offer":
            return _read(evening, said[::-1])
    return None


def _read(evening: Evening, said: list[Event]) -> Rematch:
    first, *answers = said
    agreed = {first.data.get("person", "")}
    people, seats = evening.people, evening.table.setup.seats
    state, by = "open", ""
    for event in answers:
        if event.data["word"] == "yes":
            agreed.add(event.data.get("person", ""))
        else:
            state = "declined" if event.data["word"] == "no" else "over"
            by = str(event.data.get("seat", ""))
    if state == "open" and evening.ages.of(first.seq) >= LIFE:
        state = "over"
    held = [(seat, people.seats[seat]) for seat in seats if seat in people.seats]
    waiting: dict[str, str] = {}
    for seat, person in held:
        if person not in agreed and person in people.members:
            waiting.setdefault(person, seat)
    return Rematch(
        str(first.data.get("seat", "")),
        str(first.data.get("person", "")),
        bool(first.data.get("swap", False)),
        tuple(waiting.values()),
        state,
        by,
    )


def offer(evening: Evening, seat: str, person: str, swap: bool) -> None:
    """Offer the people round the table another game with the same seats and options, everybody one
    seat further with ``swap``; it begins at once where nobody else holds a seat.

    Raises:
        BadInput: the game is not over, or something is on offer already.
    """
    if evening.table.outcome is None:
        raise BadInput(say("a rematch is offered when the game is over"))
    standing = offered(evening)
    if standing and standing.state == "open":
        raise BadInput(say("a rematch is on offer already; it waits for an answer"))
    _say(evening, "offer", seat, person, swap=swap)
    _begin_if_agreed(evening)


def answer(evening: Evening, seat: str, person: str, yes: bool) -> None:
    """Answer the offer that stands; who made it takes it back by saying no. When all have agreed
    the game begins.

    Raises:
        BadInput: nothing is on offer, or no longer.
    """
    standing = offered(evening)
    if standing is None or standing.state != "open":
        raise BadInput(say("this offer of a rematch is over; offer it anew"))
    _say(evening, "yes" if yes else "no", seat, person)
    if yes:
        _begin_if_agreed(evening)


def expire(evening: Evening) -> None:
    """Tell everybody once that an offer is over; to be called again and again."""
    standing = offered(evening)
    if standing is None or standing.state != "over":
        return
    last = next(evening.table.events().newest(REMATCH))
    if last.data["word"] != "over":
        evening.table.note(REMATCH, {"word": "over"}, "clock")


def begin_again(evening: Evening, swap: bool, chance: Random | None = None) -> None:
    """Begin the present game anew: the same seats, options, people and machines, everybody one seat
    further with ``swap``. What the page for a new game draws is drawn by ``chance``.

    Raises:
        HardwareFault: the journal cannot be written.
    """
    table, people, chance = evening.table, evening.people, chance or SystemRandom()
    setup, machines = table.setup, machines_of(table)
    drawn = {o.name: o.draw(chance) for o in table.game.options if o.drawn}
    held, names = dict(people.seats), dict(people.names)
    fresh = evening.begin(table.game.name, setup.seats, {**setup.options, **drawn})
    if swap:
        turn = dict(zip(setup.seats, (*setup.seats[1:], *setup.seats[:1]), strict=True))
        data = {"people": _moved(held, turn), "names": _moved(names, turn)}
        fresh.note("reseated", data, "host")
        machines = _moved(machines, turn)
    give(fresh, machines, "host")


def _moved(held: Mapping[str, str], turn: Mapping[str, str]) -> dict[str, str]:
    return {turn[seat]: what for seat, what in held.items() if seat in turn}


def _begin_if_agreed(evening: Evening) -> None:
    standing = offered(evening)
    if standing is not None and standing.state == "open" and not standing.waiting:
        begin_again(evening, standing.swap)


def _say(evening: Evening, word: str, seat: str, person: str, **more: bool) -> None:
    evening.table.note(REMATCH, {"word": word, "seat": seat, "person": person, **more}, seat)
