"""Playing an action: the state after it."""

from __future__ import annotations

from companion.games.chess.geometry import (
    FORWARD,
    INDEX,
    KING,
    LETTERS,
    PAWN,
    ROOK,
    castles,
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
    elif kind == KING and origin == kings[side]:
        kings = (target, kings[1]) if side == 0 else (kings[0], target)
    if castling:
        known = castles(state.homes)
        if kind in (KING, ROOK):
            castle = known.by_way.get(64 * origin + target)
            if castle is not None and castling & castle.bit:
                men[castle.king] = men[castle.rook] = men[target] = taken = 0
                men[castle.to], men[castle.to_rook] = KING + 8 * side, ROOK + 8 * side
                kings = (castle.to, kings[1]) if side == 0 else (kings[0], castle.to)
                castling &= ~(3 << 2 * side)
        castling &= known.kept[origin] & known.kept[target]
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
        state.homes,
    )
