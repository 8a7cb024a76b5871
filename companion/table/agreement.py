"""What players settle between themselves: draws that are offered, games that are given up.

If the rules of a game have an announcement for it, that is made; else the game ends by the players'
will.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from companion.journal import Events
from companion.rules import (
    Action,
    BadInput,
    Game,
    Outcome,
    Settlements,
    binds_of,
    claims_of,
    say,
    sides_of,
)
from companion.table import Table
from companion.table.history import POSITION_KINDS


class Offer(NamedTuple):
    """What ``seat`` offers, and the seats that agreed so far: a draw, to announce ``claim``,
    written in the game's notation, or to take the last ``undo`` actions back."""

    seat: str
    accepted: tuple[str, ...] = ()
    claim: str = ""
    undo: int = 0


def open_offer(events: Events) -> Offer | None:
    """Return the offer that is open after ``events``, None if there is none. An action of another
    seat than the offering one answers it as a word does, and anything else that changes the game
    makes it void. The seat that offered may move."""
    last = next(events.newest("offered"), None)
    if last is None:
        return None
    data, count = last.data, last.data.get("undo")
    undo = count if type(count) is int and count > 0 else 0
    offer = Offer(str(data.get("seat")), (), str(data.get("claim", "")), undo)
    for event in events.after(last.seq).of("accepted", "declined", *POSITION_KINDS):
        seat = event.data.get("seat")
        if event.kind == "accepted":
            offer = offer._replace(accepted=(*offer.accepted, str(seat)))
        elif event.kind != "action" or seat != offer.seat or offer.undo:
            return None
    return offer


def standing(table: Table[Any]) -> Offer | None:
    """Return the offer that waits for an answer, None if there is none."""
    offer = open_offer(table.events())
    if offer is None or not asked(table, offer):
        return None
    return offer if offer.undo or table.outcome is None else None


def resigned(events: Events) -> tuple[str, ...]:
    """Return the seats that gave up while others play on."""
    gone: dict[str, None] = {}
    for event in events.of("resigned", "rejoined"):
        if event.kind == "resigned":
            gone[str(event.data["seat"])] = None
        else:
            gone.pop(str(event.data["seat"]), None)
    return tuple(gone)


def take_back(table: Table[Any], count: int, actor: str, expected: int | None = None) -> None:
    """Take back what was done last: that a seat gave up, an end by the players' will, else the last
    ``count`` actions.

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


def settled_by(table: Table[Any]) -> tuple[str, ...]:
    """Return the seats by whose will the game ended; none if it goes on or was decided on the
    board."""
    outcome, seats = table.outcome, table.setup.seats
    if outcome is None:
        return ()
    if table.ended_by != "rules":
        return tuple(seat for seat in seats if seat not in outcome.winners)
    if not table.actions:
        return ()
    before, last = table.past[-2], table.actions[-1]
    return binds_of(table.game, before, last) if last in claims_of(table.game, before) else ()


def asked(table: Table[Any], offer: Offer) -> tuple[str, ...]:
    """Return the seats that still have to answer ``offer``."""
    out = {offer.seat, *offer.accepted, *resigned(table.events())}
    return tuple(seat for seat in _bound(table, offer.claim) if seat not in out)


def _bound(table: Table[Any], claim: str) -> tuple[str, ...]:
    """Return the seats that have to agree: for a draw all, for a ``claim`` those that it binds,
    none where it may not be announced any more."""
    if not claim:
        return table.setup.seats
    action = table.game.parse(table.setup, claim)
    if action not in claims_of(table.game, table.state):
        return ()
    return binds_of(table.game, table.state, action)


def offer_draw(table: Table[Any], seat: str, claim: str = "") -> None:
    """Offer a draw to all others, or to announce ``claim`` to those whom it binds.

    Raises:
        BadInput: something is on offer already, or the claim is not for this seat to offer.
    """
    if standing(table) is not None:
        raise BadInput(say("a draw is on offer already; it waits for an answer"))
    if claim and seat not in _bound(table, claim):
        raise BadInput(say("{seat} cannot offer this now", seat=say(seat)))
    table.note("offered", {"seat": seat, **_about(Offer(seat, (), claim))}, seat)


def _about(offer: Offer) -> dict[str, str | int]:
    told: dict[str, str | int] = {"claim": offer.claim} if offer.claim else {}
    return {**told, "undo": offer.undo} if offer.undo else told


def accept_draw(table: Table[Any], seat: str, expected: int | None = None) -> None:
    """Agree to what is on offer; when all have agreed the game is drawn, or the claim announced.

    Raises:
        BadInput: nothing waits for an answer of this seat.
        StaleState: the position has changed since ``expected``.
    """
    offer = _to_answer(table, seat)
    if asked(table, offer) != (seat,):
        table.fresh(expected)
        table.note("accepted", {"seat": seat, **_about(offer)}, seat)
        return
    if offer.undo:
        table.undo(offer.undo, seat, expected)
        return
    game = table.game
    word = game.parse(table.setup, offer.claim) if offer.claim else _agreement(table)
    if word is not None:
        table.play(word, seat, expected=expected)
    else:
        drawn = Outcome((), "", say("the players agreed on a draw"))
        table.end(drawn, "agreement", seat, expected)


def offer_undo(table: Table[Any], seat: str, count: int, also: tuple[str, ...] = ()) -> None:
    """Ask all others to take the last ``count`` actions back; the seats ``also`` agree at once.

    Raises:
        BadInput: something is on offer already, or fewer actions have been played.
    """
    if standing(table) is not None:
        raise BadInput(say("a draw is on offer already; it waits for an answer"))
    if not 0 < count <= len(table.actions):
        raise BadInput(say("only {played} actions have been played", played=len(table.actions)))
    table.note("offered", {"seat": seat, "undo": count}, seat)
    for other in also:
        table.note("accepted", {"seat": other, "undo": count}, seat)


def decline_draw(table: Table[Any], seat: str) -> None:
    """Refuse what is on offer; who offered it may withdraw it so.

    Raises:
        BadInput: nothing waits for an answer of this seat.
    """
    offer = standing(table)
    own = offer is not None and offer.seat == seat
    if offer is None or not own:
        offer = _to_answer(table, seat)
    table.note("declined", {"seat": seat, "own": own, **_about(offer)}, seat)


def resign(table: Table[Any], seat: str, expected: int | None = None) -> None:
    """Give the game up for ``seat``: as the rules of the game have it, else it ends when one side
    is left in which somebody has not.

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
    game, state = table.game, table.state
    word = game.resignation(state, seat) if isinstance(game, Settlements) else None
    out = {seat, *gone}
    left = [side for side in sides_of(game, table.setup) if not out.issuperset(side)]
    if word is not None:
        table.play(word, seat, expected=expected)
    elif len(left) == 1:
        outcome = Outcome(left[0], "", say("{seat} gave up", seat=say(seat)))
        table.end(outcome, "resignation", seat, expected)
    else:
        table.fresh(expected)
        table.note("resigned", {"seat": seat}, seat)


def abort(table: Table[Any], actor: str, expected: int | None = None) -> None:
    """Break the game off: nobody wins, and it counts for nobody.

    Raises:
        BadInput: the game is over already.
        StaleState: the position has changed since ``expected``.
    """
    table.end(Outcome((), "", say("the game was broken off")), "abort", actor, expected)


def _to_answer(table: Table[Any], seat: str) -> Offer:
    offer = standing(table)
    if offer is None or seat not in asked(table, offer):
        raise BadInput(say("no draw waits for an answer of this seat"))
    return offer


def _agreement(table: Table[Any]) -> Action | None:
    """Return the announcement by which the game's own rules end it drawn."""
    game = table.game
    return game.agreement(table.state) if isinstance(game, Settlements) else None


def settled_between(game: Game[Any], state: Any, action: Action) -> bool:
    """Tell whether ``action`` is giving up, or agreeing on a draw: what :func:`resign` and
    :func:`offer_draw` are for, so that it needs no button of its own."""
    if not isinstance(game, Settlements):
        return False
    words = (game.resignation(state, seat) for seat in state.setup.seats)
    return action in (game.agreement(state), *words)
