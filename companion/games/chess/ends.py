"""How a game ends: by the board alone, and by what is announced (articles 5, 6.9 and 9)."""

from __future__ import annotations

from typing import Final

from companion.games.chess.geometry import SEATS
from companion.games.chess.moves import in_check, moves
from companion.games.chess.play import after_move
from companion.games.chess.state import ChessState, key
from companion.games.chess.words import COLOURS
from companion.rules import Action, Outcome, say

_NO_COUNT: Final = b"\x00\x06\x0e"
_BISHOPS: Final = b"\x03\x0b"
_KNIGHTS: Final = b"\x02\x0a"
_DARK: Final = tuple(square for square in range(64) if (square + square // 8) % 2 == 0)

DEAD: Final = Outcome((), "CH-5.2.2", say("Neither side has the men left to give mate: a draw."))
FIVEFOLD: Final = Outcome(
    (), "CH-9.6.1", say("The same position stood for the fifth time: a draw.")
)
THREEFOLD: Final = Outcome(
    (), "CH-9.2.1", say("The same position stood for the third time: a draw.")
)
MOVES_75: Final = Outcome(
    (), "CH-9.6.2", say("75 moves of each side without a capture or a pawn move: a draw.")
)
MOVES_50: Final = Outcome(
    (), "CH-9.3.1", say("50 moves of each side without a capture or a pawn move: a draw.")
)
STALEMATE: Final = Outcome(
    (), "CH-5.2.1", say("The side to move has no legal move and is not in check: a draw.")
)
AGREED: Final = Outcome((), "CH-5.2.3", say("The players agreed on a draw."))
FLAG_DRAW: Final = Outcome(
    (), "CH-6.9", say("A flag fell, but the other side has not the men to give mate: a draw.")
)
MATES: Final = tuple(
    Outcome((SEATS[1 - side],), "CH-5.1.1", say("{side} is checkmated.", side=COLOURS[side]))
    for side in (0, 1)
)
RESIGNED: Final = tuple(
    Outcome((SEATS[1 - side],), "CH-5.1.2", say("{side} resigned.", side=COLOURS[side]))
    for side in (0, 1)
)
FLAGGED: Final = tuple(
    Outcome((SEATS[1 - side],), "CH-6.9", say("{side}'s time ran out.", side=COLOURS[side]))
    for side in (0, 1)
)

AGREE: Final = Action("agree")
RESIGN: Final = tuple(Action("resign", detail=seat) for seat in SEATS)
FLAG: Final = tuple(Action("flag", detail=seat) for seat in SEATS)
REPETITION: Final = "repetition"
FIFTY: Final = "fifty"


def occurrences(state: ChessState) -> int:
    """Return how often the position has stood, this time included (CH-9.2.2)."""
    return 1 + state.earlier.count(key(state))


def dead(men: bytes) -> bool:
    """Tell whether no series of moves can mate, for want of men (CH-5.2.2, the basic cases):
    bare kings, one knight or bishop more, or bishops alone that all run on one colour."""
    rest = men.translate(None, _NO_COUNT)
    if not rest:
        return True
    if rest.translate(None, _BISHOPS):
        return len(rest) == 1 and rest in (b"\x02", b"\x0a")
    return one_shade(men)


def one_shade(men: bytes) -> bool:
    """Tell whether all bishops on the board run on squares of one colour."""
    dark = sum(men[square] in _BISHOPS for square in _DARK)
    return dark in (0, men.count(3) + men.count(11))


def can_mate(men: bytes, side: int) -> bool:
    """Tell whether ``side`` could mate if the other side helped (CH-6.9).

    A lone knight needs a man beside the enemy king that blocks it, a queen alone would only
    take the knight's check away; bishops of one colour need a pawn, a knight or a bishop of
    the other colour.
    """
    own = bytes(man for man in men if man >> 3 == side).translate(None, _NO_COUNT)
    foe = bytes(man for man in men if man >> 3 == 1 - side).translate(None, _NO_COUNT)
    if own in (b"\x02", b"\x0a"):
        return bool(foe.translate(None, b"\x05\x0d"))
    if own and not own.translate(None, _BISHOPS):
        others = (own + foe).translate(None, b"\x03\x0b\x04\x0c\x05\x0d")
        return bool(others) or not one_shade(men)
    return bool(own)


def board_end(state: ChessState) -> Outcome | None:
    """Return the end that the board or an announcement brought, stalemate and mate apart."""
    if state.claimed is not None:
        return state.claimed
    if dead(state.squares):
        return DEAD
    if len(state.earlier) < 8 and state.halfmoves < 100:
        return None
    at_once = dict(state.options)["draws"] == "automatic"
    count = occurrences(state)
    if count >= 5:
        return FIVEFOLD
    if at_once and count >= 3:
        return THREEFOLD
    if state.halfmoves >= 150:
        return MOVES_75
    return MOVES_50 if at_once and state.halfmoves >= 100 else None


def outcome(state: ChessState) -> Outcome | None:
    """Return how the game ended, or None. A mate counts before the 75 moves (CH-9.6.2)."""
    ended = board_end(state)
    if ended is not None and ended.rule not in ("CH-9.6.2", "CH-9.3.1"):
        return ended
    if moves(state):
        return ended
    return MATES[state.side] if in_check(state) else STALEMATE


def draw_claims(state: ChessState) -> dict[Action, Outcome]:
    """Return the draws that the side to move may claim now (CH-9.2.1, CH-9.3.1).

    A claim names a move (``claim=repetition g1-f3``) where the position is only about to
    appear; the move is declared, not played.
    """
    found: dict[Action, Outcome] = {}
    if occurrences(state) >= 3:
        found[Action("claim", detail=REPETITION)] = THREEFOLD
    if state.halfmoves >= 100:
        found[Action("claim", detail=FIFTY)] = MOVES_50
    if len(state.earlier) < 7 and state.halfmoves < 99:
        return found
    for action in moves(state):
        declared = f"{action.origin}-{action.target}"
        after = after_move(state, action)
        if after.halfmoves >= 100:
            found[Action("claim", detail=f"{FIFTY} {declared}")] = MOVES_50
        if occurrences(after) >= 3:
            found[Action("claim", detail=f"{REPETITION} {declared}")] = THREEFOLD
    return found


def claims(state: ChessState) -> dict[Action, Outcome]:
    """Return everything that may be announced in a game that goes on, with the end it brings."""
    found = draw_claims(state)
    if state.plies >= 2:
        found[AGREE] = AGREED
    for side in (0, 1):
        found[RESIGN[side]] = RESIGNED[side]
        if dict(state.options)["minutes"] != "0":
            found[FLAG[side]] = flag_end(state, side)
    return found


def flag_end(state: ChessState, side: int) -> Outcome:
    """Return how the game ends when the flag of ``side`` falls (CH-6.9)."""
    return FLAGGED[side] if can_mate(state.squares, 1 - side) else FLAG_DRAW
