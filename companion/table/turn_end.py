"""A turn in which nothing but its end is left ends by itself after a moment, unless somebody holds
it; taking that back holds it, too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.rules import Action
from companion.table.history import StaleState
from companion.table.table import Table

MOMENT = 5.0
"""Seconds after which such a turn ends."""
HELD = "held"
"""The kind of event by which somebody holds the turn."""


def left_alone(table: Table[Any], legal: Sequence[Action] | None = None) -> Action | None:
    """Return the end of the present turn, if it is all that is left, the game lets it end by itself
    and nobody holds it; else None. ``legal`` are the legal actions, where they were found."""
    game, last = table.game, None
    if game.ends_itself and table.owned and not table.paused and table.ended_by is None:
        last = next(table.events().newest("action", "corrected", "undone", "ruled", HELD), None)
    if last is None or last.kind not in ("action", "corrected"):
        return None
    legal = game.legal(table.state) if legal is None else legal
    return legal[0] if len(legal) == 1 and legal[0].verb in game.ends_turn else None


def end_by_itself(table: Table[Any]) -> None:
    """End the turn of ``table`` once it has been left alone for a moment; to be called again and
    again.

    Raises:
        HardwareFault: the journal cannot be written; the next call tries again.
    """
    seen, since = table.state_id, table.events()[-1].at
    end = left_alone(table)
    if end is None or table.now() - since < MOMENT:
        return
    try:
        table.play(end, "clock", expected=seen)
    except StaleState:  # somebody acted at the last moment
        return
