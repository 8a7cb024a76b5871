"""The legal moves of a position (articles 3.1 to 3.10), as ready-made actions."""

from __future__ import annotations

from typing import Final

from companion.games.chess.attacks import attacked, threats
from companion.games.chess.geometry import (
    INDEX,
    KING_STEPS,
    KNIGHT,
    KNIGHT_STEPS,
    MOVES,
    PAWN,
    PUSHES,
    ROOK,
    SLIDES,
    STRIKES,
    Castle,
    Ray,
    castles,
)
from companion.games.chess.state import ChessState, takers
from companion.rules import Action

TAKEABLE: Final = (
    tuple(man == 0 or 9 <= man <= 13 for man in range(16)),
    tuple(man < 6 for man in range(16)),
)
"""``TAKEABLE[side][man]``: may a man of ``side`` go where ``man`` stands? Never onto an own man
(CH-3.1), never onto a king (CH-1.4.1)."""

SLIDE_TABLES: Final[tuple[tuple[tuple[Ray, ...], ...] | None, ...]] = tuple(
    SLIDES.get(kind) for kind in range(8)
)


def moves(state: ChessState) -> list[Action]:
    """Return every legal move of the side to move, whether or not the game is over."""
    side, king = state.side, state.kings[state.side]
    out: list[Action] = []
    pins: dict[int, set[int]] = {}
    checks: list[set[int]] = []
    if king >= 0:
        pins, checks = threats(state.squares, king, side)
        _king_moves(state, king, out)
        if not checks and state.castling:
            own = castles(state.homes).by_side[side]
            out += [castle.action for castle in own if may_castle(state, castle)]
    if len(checks) > 1:
        return out
    if not pins and not checks:
        generate(state.squares, side, king, out)
    else:
        _restricted(state, king, pins, checks, out)
    if state.en_passant >= 0:
        out += [MOVES[origin][state.en_passant] for origin in takers(state)]
    return out


def generate(men: bytes, side: int, king: int, out: list[Action], only: int = -1) -> None:
    """Append the moves of all men of ``side`` but the one on ``king``, regardless of check.

    Castling and en passant are not among them. ``only`` restricts it to the man on that square.
    """
    takeable = TAKEABLE[side]
    low = 8 * side
    high, pawn, knight = low + 7, low + PAWN, low + KNIGHT
    append = out.append
    for origin, man in enumerate(men) if only < 0 else ((only, men[only]),):
        if not low < man < high or origin == king:
            continue
        if man == pawn:
            _pawn_moves(men, side, origin, out)
            continue
        rays = SLIDE_TABLES[man - low]
        if rays is None:
            steps = KNIGHT_STEPS if man == knight else KING_STEPS
            for target, action in steps[origin]:
                if takeable[men[target]]:
                    append(action)
            continue
        for ray in rays[origin]:
            for target, action in ray:
                met = men[target]
                if met:
                    if takeable[met]:
                        append(action)
                    break
                append(action)


def _pawn_moves(men: bytes, side: int, origin: int, out: list[Action]) -> None:
    """Append a pawn's advances and ordinary captures (CH-3.7.1 to CH-3.7.3, CH-3.7.5)."""
    push = PUSHES[side][origin]
    if push is None:
        return
    ahead, actions, far, leap = push
    if not men[ahead]:
        out += actions
        if leap and not men[far]:
            out.append(leap)
    takeable = TAKEABLE[side]
    for target, actions in STRIKES[side][origin]:
        met = men[target]
        if met and takeable[met]:
            out += actions


def _restricted(
    state: ChessState,
    king: int,
    pins: dict[int, set[int]],
    checks: list[set[int]],
    out: list[Action],
) -> None:
    """Append what pinned men and men answering a check may do (CH-3.9.2)."""
    men, side = state.squares, state.side
    for origin, man in enumerate(men):
        if not man or man >> 3 != side or origin == king:
            continue
        mine: list[Action] = []
        generate(men, side, king, mine, origin)
        for mask in (*checks, *((pins[origin],) if origin in pins else ())):
            mine = [a for a in mine if INDEX[str(a.target)] in mask]
        out += mine


def _king_moves(state: ChessState, king: int, out: list[Action]) -> None:
    """Append the steps of the king to squares that are not attacked (CH-3.8.1, CH-3.9.2)."""
    men, side = state.squares, state.side
    takeable = TAKEABLE[side]
    gone: bytearray | None = None
    for target, action in KING_STEPS[king]:
        if takeable[men[target]]:
            if gone is None:
                gone = bytearray(men)
                gone[king] = 0
            if not attacked(gone, target, 1 - side):
                out.append(action)


def may_castle(state: ChessState, castle: Castle) -> bool:
    """Tell whether a king that is not in check may castle so (CH-3.8.2, CH-960.3)."""
    if not state.castling & castle.bit or state.kings[castle.side] != castle.king:
        return False
    men = state.squares
    if any(men[square] for square in castle.free):
        return False
    if castle.usual:  # the king shields nothing, and no rook comes into the way
        foe = 1 - castle.side
        return not attacked(men, castle.to_rook, foe) and not attacked(men, castle.to, foe)
    return endangered(state, castle) < 0


def endangered(state: ChessState, castle: Castle) -> int:
    """Return the first square of the king's way that is attacked, -1 where it castles safely.

    The king shields nothing behind it while it goes, and at its end the rook has gone, too."""
    men, foe = bytearray(state.squares), 1 - castle.side
    men[castle.king] = 0
    way = castle.path if castle.to > castle.king else castle.path[::-1]
    for square in way:
        if attacked(men, square, foe):
            return square
    men[castle.rook] = 0
    men[castle.to_rook] = ROOK + 8 * castle.side
    return castle.to if attacked(men, castle.to, foe) else -1


def in_check(state: ChessState) -> bool:
    """Tell whether the king of the side to move is attacked (CH-3.9.1)."""
    king = state.kings[state.side]
    return king >= 0 and attacked(state.squares, king, 1 - state.side)
