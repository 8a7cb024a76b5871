"""The ruling on any conceivable action."""

from __future__ import annotations

from companion.games.victorus import moves
from companion.games.victorus.state import State
from companion.rules import Action, Ruling


def judge(state: State, action: Action) -> Ruling:
    """Rule on ``action``."""
    if action in moves.legal(state):
        return Ruling(True, "VIC-3.2", "This stands.")
    return Ruling(False, "VIC-3.2", "This does not stand.")
