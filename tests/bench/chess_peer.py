"""python-chess as the measure of the rules' benches: its positions, its counts, our stopwatch.

It is installed for the benches alone.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from typing import Any

import chess


def chess_positions(count: int, seed: int) -> list[chess.Board]:
    """Return mid-game positions of random play, 20 to 80 plies in."""
    rng = random.Random(seed)
    found: list[chess.Board] = []
    while len(found) < count:
        board = chess.Board()
        for ply in range(80):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(rng.choice(moves))
            if ply >= 20 and rng.random() < 0.1 and not board.is_game_over():
                found.append(board.copy())
    return found[:count]


def chess_perft(board: chess.Board, depth: int) -> int:
    """Return the nodes of ``board``; the last ply is counted, not played."""
    if depth == 1:
        return board.legal_moves.count()
    nodes = 0
    for move in board.legal_moves:
        board.push(move)
        nodes += chess_perft(board, depth - 1)
        board.pop()
    return nodes


def seconds(work: Callable[[Any], object], things: Sequence[Any]) -> float:
    """Return how long ``work`` takes for all ``things``, in seconds of this process alone."""
    began = time.process_time()
    for thing in things:
        work(thing)
    return time.process_time() - began
