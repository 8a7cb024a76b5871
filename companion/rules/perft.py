"""Counting sequences of legal actions: the classic check of a move generator."""

from __future__ import annotations

from companion.rules.game import Game
from companion.rules.values import S


def perft(game: Game[S], state: S, depth: int) -> int:
    """Return the number of sequences of ``depth`` legal actions from ``state``.

    The last ply is counted, not played. A game that ends earlier has no longer sequences.
    """
    if depth == 0:
        return 1
    if depth == 1:
        return len(game.legal(state))
    advance = game.advance
    return sum(perft(game, advance(state, action), depth - 1) for action in game.legal(state))
