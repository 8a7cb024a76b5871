"""What a guest wants, judged by the table that owns the game: nothing but what is its own."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from companion.rules import Action, BadInput, Ruling, Settlements, binds_of, claims_of, say
from companion.table import Table
from companion.table.agreement import (
    Offer,
    accept_draw,
    asked,
    decline_draw,
    offer_draw,
    offer_undo,
    resign,
    resigned,
    standing,
    take_back,
)
from companion.table.mirror import Elsewhere, OwnerRequest
from companion.table.revelation import revealed
from companion.table.turn_end import HELD, left_alone

MOST_ACTIONS = 16
"""Actions of one correction."""


def carry_out(table: Table[Any], request: OwnerRequest, seats: Collection[str]) -> Ruling | None:
    """Do at ``table`` what a guest that plays ``seats`` wants; return the ruling where an action
    was ruled on.

    Raises:
        Elsewhere: it is not for this guest to do.
        BadInput: it is not understood, or cannot be done now.
        StaleState: the position has changed since.
        HardwareFault: the journal cannot be written.
    """
    if not table.owned or not seats:
        raise Elsewhere(say("that table only looks on"))
    if request.seat and request.seat not in seats:
        raise Elsewhere(say("{seat} is not played at that table", seat=say(request.seat)))
    table.fresh(request.seen)
    if request.do in ("play", "correct", "undo"):
        return _moved(table, request, seats)
    if request.do in ("paused", "continued"):
        if table.paused != (request.do == "paused"):
            table.note(request.do, {}, request.seat or _one(seats))
    elif request.do == HELD:
        if left_alone(table) is not None:
            table.note(HELD, {}, request.seat or _one(seats))
    else:
        _settle(table, request, _own(request, seats))
    return None


def _moved(table: Table[Any], request: OwnerRequest, seats: Collection[str]) -> Ruling | None:
    data, actor = request.data, request.seat or _one(seats)
    if request.do == "play":
        return _played(table, _action(table, data.get("action")), request, seats)
    count = data.get("count")
    if type(count) is not int:
        raise BadInput("what is taken back has to be counted")
    mine = [event for event in table.line.seqs[-count:] if _mover(table, event) in seats]
    if len(mine) < min(count, table.line.length) and request.do == "correct":
        raise Elsewhere(say("another table's action is corrected there"))
    if request.do == "correct":
        texts = data.get("actions")
        if not isinstance(texts, list) or not 0 < len(texts) <= MOST_ACTIONS:
            raise BadInput("a correction names the actions")
        actions = [_action(table, text) for text in texts]
        return table.correct(actions, actor, count, expected=request.seen)[-1]
    offer = standing(table)
    if offer is not None and offer.undo == count and actor in asked(table, offer):
        accept_draw(table, actor, request.seen)
    elif revealed(table, count) or len(mine) < min(count, table.line.length):
        # What others did or saw is taken back with their will.
        offer_undo(table, actor, count)
    else:
        take_back(table, count, actor, request.seen)
    return None


def _played(
    table: Table[Any], action: Action, request: OwnerRequest, seats: Collection[str]
) -> Ruling:
    game, state = table.game, table.state
    actor = request.seat or (table.to_move if table.to_move in seats else None) or _one(seats)
    claimed = table.outcome is None and action in claims_of(game, state)
    if claimed and action not in game.legal(state):
        offer = standing(table)
        if offer is not None and actor in asked(table, offer) and _meant(table, offer) == action:
            accept_draw(table, actor, request.seen)
            return game.judge(state, action)
        if not set(binds_of(game, state, action)) <= set(seats):
            raise Elsewhere(say("the other table has to agree to that; offer it"))
    elif table.outcome is None and table.to_move not in seats:
        who = say(table.to_move) if table.to_move else "-"
        raise Elsewhere(say("{seat} is to move, who plays at the other table", seat=who))
    return table.play(action, actor, expected=request.seen)


def _settle(table: Table[Any], request: OwnerRequest, seat: str) -> None:
    claim, count = request.data.get("claim", ""), request.data.get("undo")
    if request.do == "offered":
        if type(count) is int:
            offer_undo(table, seat, count)
        else:
            offer_draw(table, seat, str(claim))
    elif request.do == "accepted":
        offer = standing(table)
        if offer is not None and seat in asked(table, offer):
            accept_draw(table, seat, request.seen)
        else:
            raise BadInput(say("no draw waits for an answer of this seat"))
    elif request.do == "declined":
        decline_draw(table, seat)
    elif request.do == "resigned":
        resign(table, seat, request.seen)
    elif seat in resigned(table.events()):
        table.note("rejoined", {"seat": seat}, seat)


def _meant(table: Table[Any], offer: Offer) -> Action | None:
    """Return the announcement that agreeing to ``offer`` makes."""
    game = table.game
    if offer.claim:
        return game.parse(table.setup, offer.claim)
    return game.agreement(table.state) if isinstance(game, Settlements) else None


def _mover(table: Table[Any], seq: int) -> str | None:
    event = table.events().find(seq)
    return None if event is None else event.data.get("seat")


def _own(request: OwnerRequest, seats: Collection[str]) -> str:
    seat = request.data.get("seat")
    if not isinstance(seat, str) or seat not in seats:
        raise Elsewhere(say("{seat} is not played at that table", seat=str(seat)[:100]))
    return seat


def _one(seats: Collection[str]) -> str:
    return next(iter(seats))


def _action(table: Table[Any], text: Any) -> Action:
    if not isinstance(text, str) or len(text) > 200:
        raise BadInput("an action is a short text")
    return table.game.parse(table.setup, text)
