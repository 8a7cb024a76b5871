"""What players settle between themselves: a draw that is offered, a game that is given up.

Where the rules of a game know such an announcement it is made; else the game ends by the players'
will.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.journal import Events
from companion.line import POSITION_KINDS
from companion.rules import Action, BadInput, Outcome, say
from companion.table import Table


@dataclass(frozen=True, slots=True)
class Offer:
    """A draw that ``seat`` offers, and the seats that agreed so far."""

    seat: str
    accepted: tuple[str, ...] = ()


def open_offer(events: Events) -> Offer | None:
    """Return the draw that is on offer after ``events``. An action of another seat answers it as
    well as a word does, and whatever else changes the game makes it void. Who offers a draw may
    move and leave it standing."""
    last = next(events.newest("offered"), None)
    if last is None:
        return None
    offer = Offer(str(last.data.get("seat")))
    for event in events.after(last.seq).of("accepted", "declined", *POSITION_KINDS):
        seat = event.data.get("seat")
        if event.kind == "accepted":
            offer = Offer(offer.seat, (*offer.accepted, str(seat)))
        elif event.kind != "action" or seat != offer.seat:
            return None
    return offer


def resigned(events: Events) -> tuple[str, ...]:
    """Return the seats that gave the game up while others play on."""
    gone: dict[str, None] = {}
    for event in events.of("resigned", "rejoined"):
        if event.kind == "resigned":
            gone[str(event.data["seat"])] = None
        else:
            gone.pop(str(event.data["seat"]), None)
    return tuple(gone)


def take_back(table: Table[Any], count: int, actor: str, expected: int | None = None) -> None:
    """Take back what was done last: a seat's giving up, an end by the players' will, else the
    last ``count`` actions.

    Raises:
        BadInput: fewer than ``count`` actions have been played.
        StaleState: the position has changed since ``expected``.
    """
    last = next(table.events().newest(*POSITION_KINDS, "resigned", "rejoined"))
    if last.kind != "resigned":
        table.undo(count, actor, expected)
        return
    table.fresh(expected)
    table.note("rejoined", {"seat": last.data["seat"]}, actor)


def asked(table: Table[Any], offer: Offer) -> tuple[str, ...]:
    """Return the seats that have still to answer ``offer``."""
    out = {offer.seat, *offer.accepted, *resigned(table.events())}
    return tuple(seat for seat in table.setup.seats if seat not in out)


def offer_draw(table: Table[Any], seat: str) -> None:
    """Offer a draw to all others.

    Raises:
        BadInput: one is on offer already.
    """
    if open_offer(table.events()) is not None:
        raise BadInput(say("a draw is on offer already; it waits for an answer"))
    table.note("offered", {"seat": seat}, seat)


def accept_draw(table: Table[Any], seat: str, expected: int | None = None) -> None:
    """Agree to the draw on offer; when all have agreed the game is drawn.

    Raises:
        BadInput: no draw waits for an answer of this seat.
        StaleState: the position has changed since ``expected``.
    """
    offer = _to_answer(table, seat)
    if asked(table, offer) != (seat,):
        table.note("accepted", {"seat": seat}, seat)
        return
    word = _announcement(table, "agree", ())
    if word is not None:
        table.play(word, seat, expected=expected)
    else:
        drawn = Outcome((), "", say("the players agreed on a draw"))
        table.end(drawn, "agreement", seat, expected)


def decline_draw(table: Table[Any], seat: str) -> None:
    """Refuse the draw on offer; who offered it may withdraw it so.

    Raises:
        BadInput: no draw waits for an answer of this seat.
    """
    offer = open_offer(table.events())
    if offer is None or offer.seat != seat:
        _to_answer(table, seat)
    table.note("declined", {"seat": seat}, seat)


def resign(table: Table[Any], seat: str, expected: int | None = None) -> None:
    """Give the game up for ``seat``. It ends when one seat is left that has not.

    Raises:
        BadInput: the game is over, or the seat has given up already.
        StaleState: the position has changed since ``expected``.
    """
    gone = resigned(table.events())
    if table.outcome is not None or seat in gone:
        over = table.outcome is not None
        raise BadInput(
            say("the game is over already") if over else say("{seat} has given up", seat=say(seat))
        )
    left = tuple(other for other in table.setup.seats if other != seat and other not in gone)
    word = next(
        (w for w in table.game.claims(table.state) if w.verb == "resign" and w.detail == seat), None
    )
    if word is not None:
        table.play(word, seat, expected=expected)
    elif len(left) == 1:
        outcome = Outcome(left, "", say("{seat} gave up", seat=say(seat)))
        table.end(outcome, "resignation", seat, expected)
    else:
        table.note("resigned", {"seat": seat}, seat)


def abort(table: Table[Any], actor: str, expected: int | None = None) -> None:
    """Break the game off: nobody wins, and it counts for nobody.

    Raises:
        BadInput: the game is over already.
        StaleState: the position has changed since ``expected``.
    """
    table.end(Outcome((), "", say("the game was broken off")), "abort", actor, expected)


def _to_answer(table: Table[Any], seat: str) -> Offer:
    offer = open_offer(table.events())
    if offer is None or seat not in asked(table, offer):
        raise BadInput(say("no draw waits for an answer of this seat"))
    return offer


def _announcement(table: Table[Any], verb: str, winners: tuple[str, ...]) -> Action | None:
    """Return the announcement of the game's own rules that ends it with these ``winners``."""
    game, state = table.game, table.state
    for word in game.claims(state):
        if word.verb == verb:
            end = game.outcome(game.advance(state, word))
            if end is not None and end.winners == winners:
                return word
    return None
