"""Chess960 beside python-chess: the same legal moves, positions and PGN in games by chance.

Run ``python -m tests.soak.soak_chess960 --games 200``; python-chess is installed beside the tests
(``pip install chess``), as for the benches.
"""

from __future__ import annotations

import argparse
import io
import random
import sys
from typing import Any

import chess
import chess.pgn

from companion.games import find_game
from companion.games.chess import san, to_fen
from companion.games.chess.geometry import INDEX, SPOTS, castles
from companion.rules import Action

GAME: Any = find_game("chess")


def theirs(state: Any, action: Action) -> str:
    """Return ``action`` as python-chess writes it in Chess960: castling onto the rook."""
    castle = castles(state.homes).by_way.get(64 * INDEX[action.origin] + INDEX[action.target])
    if castle is not None and state.castling & castle.bit:
        return f"{SPOTS[castle.king]}{SPOTS[castle.rook]}"
    return f"{action.origin}{action.target}{(action.detail or '').lower()}"


def differs(chance: random.Random, plies: int) -> str:
    """Play one game; return what differs, empty if nothing."""
    number = chance.randrange(960)
    state = GAME.start(GAME.setup(options={"position": str(number)}))
    start, actions = state, []
    board = chess.Board.from_chess960_pos(number)
    for _ in range(plies):
        legal = {theirs(state, action): action for action in GAME.legal(state)}
        if set(legal) != {move.uci() for move in board.legal_moves} and GAME.to_move(state):
            return f"{number}: {board.fen()}: {sorted(legal)}"
        if not GAME.to_move(state):
            break
        castling = [move.uci() for move in board.legal_moves if board.is_castling(move)]
        move = chance.choice(castling or sorted(legal))
        if san(state, legal[move]) != board.san(chess.Move.from_uci(move)):
            return f"{number}: {board.fen()}: {move} is written {san(state, legal[move])}"
        actions.append(legal[move])
        state = GAME.advance(state, legal[move])
        board.push_uci(move)
        if to_fen(state).split()[:3] != board.fen(en_passant="fen").split()[:3]:
            return f"{number}: {board.fen()}: {to_fen(state)}"
        if chess.Board(to_fen(state), chess960=True).fen() != board.fen():
            return f"{number}: {to_fen(state)} is read as another position"
        again = GAME.load(GAME.dump(state))
        if again != state:
            return f"{number}: {to_fen(state)} is saved as another position"
    read = chess.pgn.read_game(io.StringIO(GAME.notate("pgn", start, actions, {})))
    if read is None or read.errors or read.end().board().fen() != board.fen():
        return f"{number}: another game is read from its PGN"
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--plies", type=int, default=80)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    for number in range(960):
        first = GAME.start(GAME.setup(options={"position": str(number)}))
        if to_fen(first) != chess.Board.from_chess960_pos(number).fen():
            print(f"first position {number}: {to_fen(first)}")
            return 1
    chance = random.Random(arguments.seed)
    for game in range(arguments.games):
        if why := differs(chance, arguments.plies):
            print(f"seed {arguments.seed}, game {game}: {why}")
            return 1
    print(f"960 first positions, {arguments.games} games of {arguments.plies} plies, none wrong")
    return 0


if __name__ == "__main__":
    sys.exit(main())
