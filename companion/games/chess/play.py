"""Playing an action: the state after it."""

from __future__ import annotations

from companion.games.chess.geometry import (
    CASTLE_BY_ACTION,
    FORWARD,
    INDEX,
    KING,
    LETTERS,
    PAWN,
    RIGHTS_KEPT,
)
from companion.games.chess.state import ChessState, key
from companion.rules import Action


def after_move(state: ChessState, action: Action) -> ChessState:
    """Return the state after the legal move ``action``."""
    origin, target = INDEX[str(action.origin)], INDEX[str(action.target)]
    men, side, lately = bytearray(state.squares), state.side, state.lately
    man, taken = men[origin], men[target]
    kind = man & 7
    kings, castling, passed = state.kings, state.castling, -1
    men[origin], men[target] = 0, man
    if lately:
        lately &= ~(1 << origin | 1 << target)
    if kind == PAWN:
        if action.detail:
            men[target] = LETTERS.index(action.detail) + 8 * side
            lately |= 1 << target
        elif target == state.en_passant and not taken:
            victim = target - 8 * FORWARD[side]
            taken, men[victim] = men[victim], 0
        elif target - origin == 16 or origin - target == 16:
            passed = (origin + target) // 2
    elif kind == KING:
        if origin == kings[side]:
            kings = (target, kings[1]) if side == 0 else (kings[0], target)
        castle = CASTLE_BY_ACTION.get(action) if castling else None
        if castle is not None and castling & castle.bit:
            men[castle.to_rook], men[castle.rook] = men[castle.rook], 0
    if castling:
        castling &= RIGHTS_KEPT[origin] & RIGHTS_KEPT[target]
    final = kind == PAWN or taken
    return ChessState(
        bytes(men),
        1 - side,
        castling,
        passed,
        0 if final else state.halfmoves + 1,
        state.number + side,
        kings,
        state.plies + 1,
        () if final else (*state.earlier, key(state)),
        state.captured + bytes((taken,)) if taken else state.captured,
        lately,
        None,
        state.options,
    )
