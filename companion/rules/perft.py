"""Counting sequences of legal actions: the classic check of a move generator."""

from __future__ import annotations

from collections.abc import Callable

from companion.rules.game import Game
from companion.rules.values import S


def perft(game: Game[S], state: S, depth: int, two_plies: Callable[[S], int] | None = None) -> int:
    """Return the number of sequences of ``depth`` legal actions from ``state``.

    The last ply is counted, not played; ``two_plies`` may count the last two otherwise than by
    playing them. A game that ends earlier has no longer sequences.
    """
    if depth == 0:
        return 1
    if depth == 1:
        return len(game.legal(state))
    if depth == 2 and two_plies is not None:
        return two_plies(state)
    advance = game.advance
    return sum(
        perft(game, advance(state, action), depth - 1, two_plies) for action in game.legal(state)
    )
