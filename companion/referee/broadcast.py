"""A game as broadcasts read it, while it is played and after: with the clocks, as far as there are
any."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.journal import Event
from companion.rules import (
    ActionRemark,
    Exports,
    Game,
    Limits,
    Outcome,
    Setup,
    TimedExports,
    TimePhase,
    limits_of,
)
from companion.table.history import RULED, History, clock_of, clocked

NOBODY = "nobody"


def clocks_of(
    game: Game[Any], setup: Setup, line: History[Any], events: Sequence[Event]
) -> list[ActionRemark]:
    """Return for each action that stands in ``line`` what the clock showed, nothing in a game
    without clocks. ``events`` are the game's, from its first."""
    clock = clock_of(game, setup, events[:1])
    if clock is None:
        return [ActionRemark()] * line.length
    stands, shown = set(line.seqs), {}
    for event in events[1:]:
        mover, took = clock.seat, clock.at(event.at).turn
        clock = clocked(clock, (event,))
        if event.seq in stands and mover is not None:
            shown[event.seq] = ActionRemark(clock.seat_left(mover, event.at), took)
    return [shown.get(seq, ActionRemark()) for seq in line.seqs]


def written_game(
    notation: str,
    game: Game[Any],
    setup: Setup,
    line: History[Any],
    events: Sequence[Event],
    tags: Mapping[str, str],
    outcome: Outcome | None,
) -> str:
    """Return the game in ``notation``: its moves in ``line``, from the last one that the table
    decided, and how it ended. ``tags`` are as :meth:`companion.rules.Exports.notate` takes them."""
    actions, states = line.actions, line.past
    first = len(actions) - actions[::-1].index(RULED) if RULED in actions else 0
    assert isinstance(game, Exports)
    if not isinstance(game, TimedExports):
        return game.notate(notation, states[first], actions[first:], tags)
    told = {**tags, "control": _control(limits_of(game, setup))}
    if outcome is not None:
        told["winner"] = outcome.winners[0] if outcome.winners else NOBODY
    clocks = clocks_of(game, setup, line, events)
    timed = [one if one.left is not None else ActionRemark() for one in clocks[first:]]
    return game.notate_timed(notation, states[first], actions[first:], told, timed)


def _control(limits: Limits) -> str:
    return ":".join(map(_phase, limits.phases))


def _phase(phase: TimePhase) -> str:
    moves = f"{phase.moves}/" if phase.moves else ""
    delay = f"+{int(phase.delay)}d" if phase.delay else ""
    added = f"+{int(phase.increment)}" if phase.increment else delay
    return f"{moves}{int(phase.seconds)}{added}"
