"""HexiMeros beside python-chess, in one process and in interleaved slices: only ratios count.

Run ``python tests/bench/bench_heximeros.py``; it prints one JSON object. python-chess is installed
for the bench alone.
"""

from __future__ import annotations

import json
import math
import random
import statistics

from chess_peer import chess_positions, seconds

from companion.games.heximeros import GAME
from companion.games.heximeros.state import FRESH, HexiMerosState
from companion.rules import Action
from companion.runtime.native import build_kind

SLICE = 20


def heximeros_positions(count: int, seed: int) -> list[HexiMerosState]:
    """Return mid-game positions of six armies' random play, 60 to 300 moves in, all in play."""
    rng, found = random.Random(seed), []
    setup = GAME.setup()
    while len(found) < count:
        state = GAME.start(setup)
        for number in range(600):
            state = GAME.advance(state, rng.choice(GAME.legal(state)))
            if state.tally.live != 63:
                break
            if number >= 120 and state.turn.stage == FRESH and rng.random() < 0.1:
                found.append(state)
    return found[:count]


def compare_legal(count: int = 300, rounds: int = 7) -> dict[str, float]:
    """Return microseconds a position of both, and the ratios of moves and of positions a second.

    Each slice is taken in turns, theirs and ours, and its quickest round counts, so that other
    work on the machine does not.
    """
    ours, theirs = heximeros_positions(count, 1), chess_positions(count, 1)
    mine = other = 0.0
    for at in range(0, count, SLICE):
        best = [math.inf, math.inf]
        for _ in range(rounds):
            now = seconds(lambda b: list(b.legal_moves), theirs[at : at + SLICE])
            best[0] = min(best[0], now)
            best[1] = min(best[1], seconds(GAME.legal, ours[at : at + SLICE]))
        other, mine = other + best[0], mine + best[1]
    moves = sum(len(GAME.legal(state)) for state in ours)
    chess_moves = sum(board.legal_moves.count() for board in theirs)
    return {
        "heximeros_us": 1e6 * mine / count,
        "chess_us": 1e6 * other / count,
        "heximeros_moves": moves / count,
        "chess_moves": chess_moves / count,
        "heximeros_moves_per_s": moves / mine,
        "ratio_moves_per_s": (moves / mine) / (chess_moves / other),
        "ratio_positions_per_s": other / mine,
    }


def judge_cost(count: int = 3000) -> dict[str, float]:
    """Return the microseconds of one ruling, for own pieces of mid-game positions to random
    spaces: mean, and the worst of each pair's quickest of three."""
    rng, states = random.Random(3), heximeros_positions(20, 3)
    names = list(GAME.board(GAME.setup()))
    costs = []
    for _ in range(count):
        state = rng.choice(states)
        origin = rng.choice(GAME.legal(state)).origin
        action = Action("move", origin, rng.choice(names))
        costs.append(min(seconds(lambda a, s=state: GAME.judge(s, a), [action]) for _ in range(3)))
    return {"mean_us": 1e6 * statistics.mean(costs), "worst_us": 1e6 * max(costs)}


def main() -> None:
    """Print every figure as one JSON object."""
    print(
        json.dumps(
            {"build": build_kind(), "legal": compare_legal(), "judge": judge_cost()}, indent=1
        )
    )


if __name__ == "__main__":
    main()
