"""The game at the table and what happens to it, as the API tells it: only what everybody may
know."""

from __future__ import annotations

from typing import Any

from companion.journal import Event
from companion.rules import Ruling
from companion.table import Table
from companion.table.view import outcome_json
from web.context import Context
from web.doors import answers as told

CHANGES = (
    "started", "arranged", "action", "refused", "undone", "corrected", "ruled", "ended", "reopened",
    "paused", "continued", "resigned", "offered", "accepted", "declined",
)  # fmt: skip
"""The kinds of events that programs are told of; who came in and what is set is not for them."""


def game_of(context: Context) -> told.GameTold:
    """Return the game that the request shows."""
    table = context.shown
    clock = table.running
    outcome = table.outcome
    people = context.door.people
    status = context.eyes.status()
    seats = tuple(
        told.SeatTold(
            seat, people.name_of(seat), clock.seat_left(seat, clock.since) if clock else None
        )
        for seat in table.setup.seats
    )
    return told.GameTold(
        number=table.game_id,
        name=table.game.name,
        title=table.game.title,
        options=dict(table.setup.options),
        state_id=table.state_id,
        seats=seats,
        to_move=table.to_move,
        position=dict(table.game.expect(table.state)),
        last=tuple(table.actions[-1].ends) if table.actions else (),
        actions=len(table.actions),
        paused=table.paused,
        result=told.ResultTold(**outcome_json(outcome, str(table.ended_by))) if outcome else None,
        camera=told.CameraTold(
            status["still"],
            status["message"],
            tuple(status["differs"]),
            status["lifted"],
            bool(status.get("lost")),
        ),
    )


def actions_of(table: Table[Any]) -> tuple[told.WayTold, ...]:
    """Return what the seat to move may do."""
    if table.outcome is not None:
        return ()
    game = table.game
    return tuple(
        told.WayTold(game.format(one), one.verb, one.origin, one.target)
        for one in game.legal(table.state)
    )


def ruling_of(action: str, ruling: Ruling) -> told.RulingTold:
    """Return the ruling on ``action``."""
    return told.RulingTold(action, ruling.allowed, ruling.rule, ruling.reason, tuple(ruling.spots))


def event_of(table: Table[Any], event: Event) -> told.EventTold:
    """Return something that happened at ``table``."""
    before = table.line.until(event.seq - 1)
    return told.EventTold(
        event.seq,
        event.at,
        event.kind,
        event.actor,
        table.game.to_move(before.state),
        event.action,
        ruling_of(event.action or "", event.ruling) if event.ruling else None,
    )
