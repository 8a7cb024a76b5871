"""Victorus beside python-chess, in one process and in interleaved slices: only ratios count.

Run ``python tests/bench/bench_victorus.py``; it prints one JSON object. python-chess is
installed for the bench alone. In ``build/compiled``, where ``make compiled OPTIMISE=3`` installs a
compiled wheel and compiles the bulk count, it measures these with ``PYTHONPATH=.``; so do the
benches of the other games.
"""

from __future__ import annotations

import json
import math
import random
import statistics
import time
from collections.abc import Callable, Sequence
from functools import partial

import chess
from bulk_perft import bulk_perft
from chess_peer import chess_perft, chess_positions, seconds

from companion.games.victorus import GAME
from companion.games.victorus.state import VictorusState
from companion.rules import perft
from companion.runtime.native import build_kind

SLICE = 20


def victorus_positions(count: int, seed: int) -> list[VictorusState]:
    """Return mid-game positions of six players' random play, 40 to 300 actions in."""
    rng, found = random.Random(seed), []
    setup = GAME.setup()
    while len(found) < count:
        state = GAME.start(setup)
        for number in range(300):
            actions = GAME.legal(state)
            if not actions:
                break
            state = GAME.advance(state, rng.choice(actions))
            fresh = state.turn.stage == "fresh" and not state.tally.ending
            if number >= 40 and fresh and rng.random() < 0.1:
                found.append(state)
    return found[:count]


def compare_legal(count: int = 300, rounds: int = 20) -> dict[str, float]:
    """Return microseconds a position of both, and the ratio of positions a second; of each slice
    the quickest round counts, so that other work on the machine does not."""
    ours, theirs = victorus_positions(count, 1), chess_positions(count, 1)
    starts = range(0, count, SLICE)
    mine, other = [math.inf] * len(starts), [math.inf] * len(starts)
    for _ in range(rounds):
        for number, at in enumerate(starts):
            mine[number] = min(mine[number], seconds(GAME.legal, ours[at : at + SLICE]))
            theirs_now = seconds(lambda b: list(b.legal_moves), theirs[at : at + SLICE])
            other[number] = min(other[number], theirs_now)
    return {
        "victorus_us": 1e6 * sum(mine) / count,
        "chess_us": 1e6 * sum(other) / count,
        "victorus_actions": statistics.mean(len(GAME.legal(state)) for state in ours),
        "ratio": sum(other) / sum(mine),
    }


def compare_perft(
    states: Sequence[VictorusState],
    depth: int,
    count: Callable[[VictorusState, int], int],
    rounds: int = 5,
) -> dict[str, float]:
    """Return nodes a second of a perft from ``states`` and from the start of chess (depth 4), taken
    in turns, and the ratio of the quickest rounds. ``count`` plays all plies but the last, which
    it counts, or the last two in bulk."""
    board, ours, theirs = chess.Board(), 0.0, 0.0
    for _ in range(rounds):
        nodes, began = 0, time.process_time()
        for state in states:
            nodes += count(state, depth)
        ours = max(ours, nodes / (time.process_time() - began))
        began = time.process_time()
        nodes = chess_perft(board, 4)
        theirs = max(theirs, nodes / (time.process_time() - began))
    return {"victorus_nodes_per_s": ours, "chess_nodes_per_s": theirs, "ratio": ours / theirs}


def judge_cost(count: int = 2000) -> dict[str, float]:
    """Return the microseconds of one ruling: mean and worst of random pairs of cells."""
    rng, states = random.Random(3), victorus_positions(20, 3)
    names = list(GAME.board(GAME.setup()))
    costs = []
    for _ in range(count):
        action = GAME.parse(GAME.setup(), f"{rng.choice(names)}-{rng.choice(names)}")
        costs.append(seconds(lambda a: GAME.judge(rng.choice(states), a), [action]))
    return {"mean_us": 1e6 * statistics.mean(costs), "worst_us": 1e6 * max(costs)}


def main() -> None:
    """Print every figure as one JSON object."""
    print(json.dumps(
        {
            "build": build_kind(),
            "legal": compare_legal(),
            "bulk_perft_start": compare_perft([GAME.start(GAME.setup())], 4, bulk_perft),
            "bulk_perft_midgame": compare_perft(victorus_positions(20, 2), 3, bulk_perft),
            "perft_midgame": compare_perft(victorus_positions(20, 2), 3, partial(perft, GAME)),
            "judge": judge_cost(),
        },
        indent=1,
    ))  # fmt: skip


if __name__ == "__main__":
    main()
