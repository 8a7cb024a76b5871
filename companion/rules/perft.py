"""Counting sequences of legal actions: the classic check of a move generator."""

from __future__ import annotations

from companion.rules.game import Game, S


def perft(game: Game[S], state: S, depth: int) -> int:
    """Return the number of sequences of ``depth`` legal actions from ``state``.

    The last plies are counted, not played. A game that ends earlier has no longer sequences.
    """
    if depth == 0:
        return 1
    if depth == 1:
        return len(game.legal(state))
    if depth == 2:
        return game.two_plies(state)
    advance = game.advance
    return sum(perft(game, advance(state, action), depth - 1) for action in game.legal(state))
