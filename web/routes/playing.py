"""Playing on when things go otherwise: moves entered on phones, draws, resignations, pauses,
corrections, and what the table decides against the companion."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from flask import Flask, request
from flask.typing import ResponseReturnValue

from companion.rules import ANNOUNCED, Action, binds_of, claims_of, say
from companion.table import Table
from companion.table.agreement import (
    accept_draw,
    asked,
    decline_draw,
    offer_draw,
    offer_undo,
    resign,
    resigned,
    settled_by,
    standing,
    take_back,
)
from companion.table.history import PLAYED, StaleState
from companion.table.revelation import revealed
from companion.table.turn_end import HELD, left_alone
from web.access.refusal import Refusal
from web.access.request_fields import Body, flag, integer, maybe, text, texts, word, words
from web.access.seats import Person, decides
from web.context import Answer, Context
from web.judging import readings
from web.routes.api import post

MOST, AT_ONCE = 700, 16
"""Spots in a position that is sent at most (no board has as many), and actions in one correction at
most."""


def register(app: Flask, context: Context) -> None:
    """Add the routes to ``app``."""
    _moving(app, context)
    _settling(app, context)
    _mending(app, context)
    _deciding(app, context)
    _helping(app, context)


def seated(person: Person) -> str:
    """Return who acts: a seat of ``person``, or the host.

    Raises:
        Refusal: a watcher.
    """
    if not person.seats and not person.host:
        raise Refusal(403, "not_seated", say("take a seat first; watchers cannot do this"))
    return person.actor


def speak(context: Context, body: Body, person: Person) -> Answer:
    """Say a spoken action, such as ``end``; raises Refusal where that is not for ``person``."""
    seated(person)
    table, expected = context.table, integer(body, "state_id")
    action = table.game.parse(table.setup, text(body, "action"))
    if action.origin is not None or action.target is not None:
        raise Refusal(400, "not_spoken", say("pieces are moved on the table, or entered as a move"))
    return _played(table, action, _speaker(context, person, action), expected), None


def move(context: Context, body: Body, person: Person) -> Answer:
    """Enter a move while the camera does not read the table; raises as :func:`speak`."""
    seated(person)
    table, expected = context.table, integer(body, "state_id")
    if table.outcome is not None:
        raise Refusal(409, "over", say("the game is over"))
    actor = _for_mover(context, person, table.to_move)
    if not context.views.by_phone(table):
        raise Refusal(409, "camera_plays", say("moves are read of the table; move the piece there"))
    action = table.game.parse(table.setup, text(body, "action"))
    return _played(table, action, actor, expected), None


def _moving(app: Flask, context: Context) -> None:
    post(app, context, "/api/say", partial(speak, context))
    post(app, context, "/api/move", partial(move, context))


def _played(table: Table[Any], action: Action, actor: str, expected: int) -> dict[str, Any]:
    ruling = table.play(action, actor, expected=expected)
    return {"allowed": ruling.allowed, "reason": ruling.reason, "rule": ruling.rule}


def _for_mover(context: Context, person: Person, mover: str | None) -> str:
    """Return the seat to move.

    Raises:
        Refusal: ``person`` may not act for it.
    """
    if mover is None:
        raise Refusal(409, "over", say("the game is over"))
    if mover not in person.acts:
        raise Refusal(403, "not_your_turn", say("it is {seat}'s turn", seat=mover))
    return mover


def _speaker(context: Context, person: Person, action: Action) -> str:
    """Return who says ``action``: the seat to move, or for a claim one whose will it is.

    Raises:
        Refusal: it is not for ``person`` to say, or not alone.
    """
    table = context.table
    game, state = table.game, table.state
    claimed = table.outcome is None and action in claims_of(game, state)
    if action in game.legal(state) or not claimed:
        return _for_mover(context, person, table.to_move)
    if table.clock is not None and action.verb in ANNOUNCED and action not in table.due:
        raise Refusal(409, "not_due", say("the clock says this itself when the time has come"))
    will = () if action in table.due else binds_of(game, state, action)
    others = [seat for seat in will if seat not in person.acts]
    if len(will) == 1 and others:
        raise Refusal(403, "not_yours", say("another phone acts for that seat"))
    if others:
        raise Refusal(
            403,
            "needs_others",
            say("this needs the agreement of {seats}; offer it to them", seats=others),
        )
    return next((seat for seat in will if seat in person.seats), (*will, person.actor)[0])


def give_up(context: Context, body: Body, person: Person) -> Answer:
    """Give a seat up; raises as :func:`speak`."""
    expected, seat = integer(body, "state_id"), _own(body, person, person.acts)
    _still_on(context)
    resign(context.table, seat, expected)
    return {}, None


def draw(context: Context, body: Body, person: Person) -> Answer:
    """Offer a draw or answer an offer; raises as :func:`speak`."""
    answer, expected = text(body, "answer"), integer(body, "state_id")
    _still_on(context)
    if answer == "offer":
        seat = _own(body, person, person.acts)
        _offer(context.table, seat, word(body, "action"), expected)
    elif answer in ("accept", "decline"):
        _reply(context.table, body, person, answer)
    else:
        raise Refusal(400, "bad_request", say("answer with offer, accept or decline"))
    return {}, None


def pause(context: Context, body: Body, person: Person) -> Answer:
    """Let the game rest or go on; raises as :func:`speak`."""
    actor, table = seated(person), context.table
    paused = flag(body, "paused")
    if table.paused != paused:
        table.note("paused" if paused else "continued", {}, actor)
    return {}, None


def _settling(app: Flask, context: Context) -> None:
    """What players settle between themselves."""

    def hold(body: Body, person: Person) -> Answer:
        actor, table = seated(person), context.table
        if left_alone(table) is not None:
            table.note(HELD, {}, actor)
        return {}, None

    post(app, context, "/api/hold", hold)
    post(app, context, "/api/resign", partial(give_up, context))
    post(app, context, "/api/draw", partial(draw, context))
    post(app, context, "/api/pause", partial(pause, context))


def _offer(table: Table[Any], seat: str, claim: str, expected: int) -> None:
    if standing(table) is not None:
        raise Refusal(409, "no_offer", say("a draw is on offer already"))
    table.fresh(expected)
    offer_draw(table, seat, claim)


def _reply(table: Table[Any], body: Body, person: Person, answer: str) -> None:
    offer = standing(table)
    waiting = set(asked(table, offer)) if offer else set()
    if offer and answer == "decline":
        waiting.add(offer.seat)
    may = tuple(seat for seat in person.acts if seat in waiting)
    if not may:
        _own(body, person, person.acts)
        raise Refusal(409, "no_offer", say("no draw waits for an answer of this seat"))
    seat = _own(body, person, may)
    if answer == "accept":
        accept_draw(table, seat, integer(body, "state_id"))
    else:
        decline_draw(table, seat)


def _still_on(context: Context) -> None:
    if context.table.outcome is not None:
        raise Refusal(409, "over", say("the game is over"))


def _own(body: Body, person: Person, may: tuple[str, ...]) -> str:
    """Return the seat that a request is about: the one it names, else the only one of ``may``
    that the phone holds, else the only one.

    Raises:
        Refusal: the phone may not act for it, or has to say for which.
    """
    seated(person)
    if "seat" in body:
        seat = text(body, "seat")
        if seat not in may:
            raise Refusal(403, "not_yours", say("another phone acts for that seat"))
        return seat
    own = [seat for seat in may if seat in person.seats] or list(may)
    if len(own) != 1:
        raise Refusal(400, "bad_request", say("say for which seat"))
    return own[0]


def undo(context: Context, body: Body, person: Person) -> Answer:
    """Take actions back, or ask the others to agree to that; raises as :func:`speak`."""
    actor, table = seated(person), context.table
    expected, count = integer(body, "state_id"), integer(body, "count")
    _may_reopen(table, person)
    out = {*person.acts, *resigned(table.events())}
    others = not out.issuperset(table.setup.seats)
    if person.seats and others and revealed(table, count):
        # What was seen cannot be unseen: those who saw it agree first.
        table.fresh(expected)
        also = tuple(seat for seat in person.acts if seat != person.seats[0])
        offer_undo(table, person.seats[0], count, also)
    else:
        take_back(table, count, actor, expected)
    return {}, None


def correct(context: Context, body: Body, person: Person) -> Answer:
    """Put other actions in the place of the last ones; raises as :func:`speak`."""
    actor, table = seated(person), context.table
    expected, chosen = integer(body, "state_id"), words(body, "actions", AT_ONCE)
    actions = [table.game.parse(table.setup, word) for word in chosen]
    _may_reopen(table, person)
    rulings = table.correct(actions, actor, integer(body, "count"), expected=expected)
    return {"allowed": rulings[-1].allowed, "reason": rulings[-1].reason}, None


def _mending(app: Flask, context: Context) -> None:
    """What was read wrongly, or is taken back."""
    post(app, context, "/api/undo", partial(undo, context))
    post(app, context, "/api/correct", partial(correct, context))

    @app.get("/api/corrections")
    def corrections() -> ResponseReturnValue:
        """What else the last action may have been; with ``spot`` only what has an end there."""
        return {"ok": True, **readings(context, request.args.get("spot"))}


def _deciding(app: Flask, context: Context) -> None:
    """What the table says, whatever the companion thinks."""

    def ruling(body: Body, person: Person) -> Answer:
        actor, table = seated(person), context.table
        expected, why = integer(body, "state_id"), text(body, "why", 300)
        written, turn = maybe(body, "action"), maybe(body, "to_move")
        action = table.game.parse(table.setup, written) if written else None
        position = _position(context, body) if "position" in body else None
        if turn is not None and turn not in table.setup.seats:
            raise Refusal(404, "no_seat", say("there is no such seat in this game"))
        _may_decide(table, person)
        table.decide(why, actor, action=action, position=position, turn=turn, expected=expected)
        return {}, None

    def arrange(body: Body, person: Person) -> Answer:
        actor, table = seated(person), context.table
        expected, turn = integer(body, "state_id"), maybe(body, "to_move")
        if next(table.events().of(*PLAYED), None) is not None:
            raise Refusal(
                409, "begun", say("the game has begun; its start cannot be changed any more")
            )
        if turn is not None and turn not in table.setup.seats:
            raise Refusal(404, "no_seat", say("there is no such seat in this game"))
        if turn is not None or body.get("position") != "table":
            _may_decide(table, person)
        table.fresh(expected)
        table.arrange(_position(context, body), actor, turn)
        return {}, None

    post(app, context, "/api/ruling", ruling)
    post(app, context, "/api/arrange", arrange)


def _may_decide(table: Table[Any], person: Person) -> None:
    """Raise a Refusal for whoever cannot decide for the whole table."""
    if not decides(person, table.setup.seats):
        raise Refusal(
            403, "needs_others", say("this decides for everybody; the host of the table does it")
        )


def _may_reopen(table: Table[Any], person: Person) -> None:
    """Raise a Refusal where the game ended by somebody's will and ``person`` is not the one to
    take that back: the host, somebody in whose favour it was, or a phone that acts for all."""
    will = set(settled_by(table))
    favoured = set(table.setup.seats) - will
    acts = set(person.acts)
    if not will or person.host or acts & favoured or (not favoured and acts >= will):
        return
    raise Refusal(
        403,
        "needs_others",
        say("that ended the game by word; the other side or the host takes it back"),
    )


def _position(context: Context, body: Body) -> Mapping[str, str]:
    """Return the position that a request gives, or names as what lies on the table.

    Raises:
        Refusal: it is none, or the camera cannot tell.
    """
    if body.get("position") == "table":
        seen = context.eyes.seen()
        if seen is None:
            raise Refusal(409, "not_seen", say("it cannot be told what stands on the table"))
        return seen
    return texts(body, "position", MOST)


def _helping(app: Flask, context: Context) -> None:
    def answer(body: Body, person: Person) -> Answer:
        seated(person)
        expected, index = integer(body, "state_id"), integer(body, "index")
        asks = context.eyes.status()["asks"]
        same = index < len(asks) and list(asks[index]) == words(body, "actions", AT_ONCE)
        if not same or expected > context.table.state_id:
            # The camera asks something else by now; the index alone could mean anything.
            raise StaleState(expected, context.table.state_id)
        context.eyes.answer(index)
        return {}, None

    post(app, context, "/api/answer", answer)
