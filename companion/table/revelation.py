"""What cannot be unseen: a hidden thing that was shown, dice that were thrown. Only all who saw it
together take it back."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

from companion.rules import BACK, DiceOnMat, Game, HiddenHands, Lying
from companion.table.table import Table


def revealed(table: Table[Any], count: int) -> bool:
    """Tell whether one of the last ``count`` actions showed a hidden thing, or what dice fell."""
    states = table.past[-count - 1 :]
    return any(_shows(table.game, before, after) for before, after in pairwise(states))


def _shows(game: Game[Any], before: Any, after: Any) -> bool:
    if isinstance(game, DiceOnMat) and _faces(game.dice(before)) != _faces(game.dice(after)):
        return True
    if not isinstance(game, HiddenHands):
        return False
    lay, lies = Counter(game.expect(before).values()), Counter(game.expect(after).values())
    return any(token != BACK for token in lies - lay)


def _faces(lying: Lying) -> Counter[str]:
    return Counter(token for tokens in lying.values() for token in tokens)
