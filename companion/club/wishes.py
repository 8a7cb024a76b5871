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
from companion.table.mirror import Elsewhere, Wish
from companion.table.revelation import revealed
from companion.table.turn_end import HELD, left_alone

MOST_ACTIONS = 16
"""Actions of one correction."""


def carry_out(table: Table[Any], wish: Wish, seats: Collection[str]) -> Ruling | None:
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
    if wish.seat and wish.seat not in seats:
        raise Elsewhere(say("{seat} is not played at that table", seat=say(wish.seat)))
    table.fresh(wish.seen)
    if wish.do in ("play", "correct", "undo"):
        return _moved(table, wish, seats)
    if wish.do in ("paused", "continued"):
        if table.paused != (wish.do == "paused"):
            table.note(wish.do, {}, wish.seat or _one(seats))
    elif wish.do == HELD:
        if left_alone(table) is not None:
            table.note(HELD, {}, wish.seat or _one(seats))
    else:
        _settle(table, wish, _own(wish, seats))
    return None


def _moved(table: Table[Any], wish: Wish, seats: Collection[str]) -> Ruling | None:
    data, actor = wish.data, wish.seat or _one(seats)
    if wish.do == "play":
        return _played(table, _action(table, data.get("action")), wish, seats)
    count = data.get("count")
    if type(count) is not int:
        raise BadInput("what is taken back has to be counted")
    mine = [event for event in table.line.seqs[-count:] if _mover(table, event) in seats]
    if len(mine) < min(count, table.line.length) and wish.do == "correct":
        raise Elsewhere(say("another table's action is corrected there"))
    if wish.do == "correct":
        texts = data.get("actions")
        if not isinstance(texts, list) or not 0 < len(texts) <= MOST_ACTIONS:
            raise BadInput("a correction names the actions")
        actions = [_action(table, text) for text in texts]
        return table.correct(actions, actor, count, expected=wish.seen)[-1]
    offer = standing(table)
    if offer is not None and offer.undo == count and actor in asked(table, offer):
        accept_draw(table, actor, wish.seen)
    elif revealed(table, count) or len(mine) < min(count, table.line.length):
        # What others did or saw is taken back with their will.
        offer_undo(table, actor, count)
    else:
        take_back(table, count, actor, wish.seen)
    return None


def _played(table: Table[Any], action: Action, wish: Wish, seats: Collection[str]) -> Ruling:
    game, state = table.game, table.state
    actor = wish.seat or (table.to_move if table.to_move in seats else None) or _one(seats)
    claimed = table.outcome is None and action in claims_of(game, state)
    if claimed and action not in game.legal(state):
        offer = standing(table)
        if offer is not None and actor in asked(table, offer) and _meant(table, offer) == action:
            accept_draw(table, actor, wish.seen)
            return game.judge(state, action)
        if not set(binds_of(game, state, action)) <= set(seats):
            raise Elsewhere(say("the other table has to agree to that; offer it"))
    elif table.outcome is None and table.to_move not in seats:
        who = say(table.to_move) if table.to_move else "-"
        raise Elsewhere(say("{seat} is to move, who plays at the other table", seat=who))
    return table.play(action, actor, expected=wish.seen)


def _settle(table: Table[Any], wish: Wish, seat: str) -> None:
    claim, count = wish.data.get("claim", ""), wish.data.get("undo")
    if wish.do == "offered":
        if type(count) is int:
            offer_undo(table, seat, count)
        else:
            offer_draw(table, seat, str(claim))
    elif wish.do == "accepted":
        offer = standing(table)
        if offer is not None and seat in asked(table, offer):
            accept_draw(table, seat, wish.seen)
        else:
            raise BadInput(say("no draw waits for an answer of this seat"))
    elif wish.do == "declined":
        decline_draw(table, seat)
    elif wish.do == "resigned":
        resign(table, seat, wish.seen)
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


def _own(wish: Wish, seats: Collection[str]) -> str:
    seat = wish.data.get("seat")
    if not isinstance(seat, str) or seat not in seats:
        raise Elsewhere(say("{seat} is not played at that table", seat=str(seat)[:100]))
    return seat


def _one(seats: Collection[str]) -> str:
    return next(iter(seats))


def _action(table: Table[Any], text: Any) -> Action:
    if not isinstance(text, str) or len(text) > 200:
        raise BadInput("an action is a short text")
    return table.game.parse(table.setup, text)
