"""Chess beside python-chess, in one process and in interleaved slices: only ratios count.

Run ``python tests/bench/bench_chess.py``; it prints one JSON object. python-chess is installed
for the bench alone; both sides get the very same positions and must agree on every one.
"""

from __future__ import annotations

import json
import statistics
import time

import chess
from chess_peer import chess_perft, chess_positions, seconds

from companion.games.chess import GAME, ChessState, from_fen
from companion.rules import Action, perft
from companion.runtime.native import build_kind

SLICE = 20
POSITIONS = 300
DEPTH = 3
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def legal_ratio(boards: list[chess.Board], states: list[ChessState]) -> tuple[float, float]:
    """Return our microseconds a position, and how many times faster we list legal moves."""
    ours, ratios = 0.0, []
    for at in range(0, len(boards), SLICE):
        mine = seconds(GAME.legal, states[at : at + SLICE])
        other = seconds(lambda board: list(board.legal_moves), boards[at : at + SLICE])
        ours += mine
        ratios.append(other / mine)
    return 1e6 * ours / len(states), statistics.median(ratios)


def perft_ratio() -> tuple[float, float]:
    """Return our nodes a second, and how many times theirs that is, root move by root move."""
    board, state = chess.Board(KIWIPETE), from_fen(GAME.setup(), KIWIPETE)
    nodes, ours, ratios = 0, 0.0, []
    for action in GAME.legal(state):
        move = chess.Move.from_uci(f"{action.origin}{action.target}{action.detail.lower()}")
        begun = time.process_time()
        count = perft(GAME, GAME.advance(state, action), DEPTH - 1)
        middle = time.process_time()
        board.push(move)
        if chess_perft(board, DEPTH - 1) != count:
            raise SystemExit(f"the counts differ after {action}")
        board.pop()
        ratios.append((time.process_time() - middle) / (middle - begun))
        nodes, ours = nodes + count, ours + middle - begun
    return nodes / ours, statistics.median(ratios)


def judged(state: ChessState) -> None:
    """Rule on the moves of one man to every square."""
    origin = next(iter(GAME.expect(state)))
    for spot in GAME.board(GAME.setup()):
        GAME.judge(state, Action("move", origin, spot))


def main() -> None:
    """Measure and print."""
    boards = chess_positions(POSITIONS, 1)
    states = [from_fen(GAME.setup(), board.fen(en_passant="fen")) for board in boards]
    for board, state in zip(boards, states, strict=True):
        if board.legal_moves.count() != len(GAME.legal(state)):
            raise SystemExit(f"the legal moves differ in {board.fen()}")
    legal_us, legal_times = legal_ratio(boards, states)
    nodes, perft_times = perft_ratio()
    judge_us = 1e6 * seconds(judged, states[:SLICE]) / (64 * SLICE)
    print(
        json.dumps(
            {
                "build": build_kind(),
                "legal_us_per_position": round(legal_us, 1),
                "legal_times_python_chess": round(legal_times, 2),
                "perft_nodes_per_second": round(nodes),
                "perft_times_python_chess": round(perft_times, 2),
                "judge_us": round(judge_us, 1),
            }
        )
    )


if __name__ == "__main__":
    main()
