"""How well each side stands: men by their worth, and where they do most."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from companion.games.chess.geometry import BISHOP, INDEX, KING, KNIGHT, PAWN, QUEEN, ROOK
from companion.games.chess.moves import moves
from companion.games.chess.state import ChessState, key
from companion.rules import Action

PAWN_UP: Final = 0.55
"""What a pawn more is worth, as the logarithm of the odds."""
WORTH: Final = {PAWN: 1.0, KNIGHT: 3.1, BISHOP: 3.3, ROOK: 5.0, QUEEN: 9.5, KING: 0.0}
_CENTRAL: Final = tuple(3.5 - max(abs(i % 8 - 3.5), abs(i // 8 - 3.5)) for i in range(64))
"""0 on the rim, 3 on the four squares in the middle."""


def _placed(kind: int, square: int) -> float:
    """Return what a white man of ``kind`` is worth on ``square``, in pawns."""
    rank, central = square // 8, _CENTRAL[square]
    if kind == PAWN:
        centre = 0.08 if square % 8 in (3, 4) else 0.0
        return 1.0 + (0.0, 0.0, 0.0, 0.06, 0.18, 0.4, 0.9, 0.0)[rank] + centre * min(rank - 1, 3)
    if kind == KNIGHT:
        return WORTH[KNIGHT] - 0.25 + 0.14 * central
    if kind == BISHOP:
        return WORTH[BISHOP] - 0.1 + 0.07 * central - (0.12 if rank == 0 else 0.0)
    if kind == ROOK:
        return WORTH[ROOK] + (0.25 if rank == 6 else 0.0) + 0.02 * central
    if kind == QUEEN:
        return WORTH[QUEEN] + 0.03 * central
    return 0.25 * (square in (1, 2, 6)) - 0.12 * min(rank, 3)


_TABLE: Final = tuple(
    tuple(
        0.0 if not 1 <= man & 7 <= 6 else _placed(man & 7, square ^ 56 if man >> 3 else square)
        for square in range(64)
    )
    for man in range(16)
)
_LONELY: Final = tuple(-0.12 * _CENTRAL[square] for square in range(64))
"""Without queens a king is wanted in the middle: what it loses by the rim is given back."""


def evaluate(state: ChessState) -> tuple[float, float]:
    """Return what White and Black may hope for."""
    squares = state.squares
    white = black = 0.0
    for square, man in enumerate(squares):
        if man:
            if man < 8:
                white += _TABLE[man][square]
            else:
                black += _TABLE[man][square]
    if len(squares) - squares.count(0) < 14:
        # Towards the end the kings come out, and the weaker one is driven to the rim.
        white -= 3 * _LONELY[state.kings[0]]
        black -= 3 * _LONELY[state.kings[1]]
    return PAWN_UP * white, PAWN_UP * black


def lively(state: ChessState) -> Sequence[Action]:
    """Return captures and promotions, the greatest gain first."""
    squares = state.squares
    found: list[tuple[float, int, Action]] = []
    for action in moves(state):
        origin, target = INDEX[str(action.origin)], INDEX[str(action.target)]
        man, victim = squares[origin] & 7, squares[target] & 7
        if victim and squares[target] >> 3 == state.side:
            continue  # its own man: it castles
        if victim or action.detail == "Q" or (man == PAWN and target == state.en_passant):
            gain = 16 * WORTH.get(victim, 1.0) - WORTH[man] + (99.0 if action.detail else 0.0)
            found.append((-gain, len(found), action))
    found.sort()
    return [action for *_, action in found]


def position_key(state: ChessState) -> bytes:
    """Return men, side and rights, and whether the position has stood before."""
    known = key(state)
    return known + bytes((state.earlier.count(known), min(state.halfmoves, 100) // 20))
