"""Who attacks what: attacks on a square, checks and pins (articles 3.1.2 to 3.9)."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.chess.geometry import (
    BISHOP,
    BISHOP_LINES,
    KING,
    KING_SQUARES,
    KNIGHT,
    KNIGHT_SQUARES,
    PAWN,
    PAWN_SOURCES,
    QUEEN,
    ROOK,
    ROOK_LINES,
)

Men = Sequence[int]


def attacked(men: Men, square: int, by: int) -> bool:
    """Tell whether a man of side ``by`` attacks ``square``, pinned or not (CH-3.1.3)."""
    colour = 8 * by
    wanted = KNIGHT + colour
    for source in KNIGHT_SQUARES[square]:
        if men[source] == wanted:
            return True
    queen = QUEEN + colour
    for lines, slider in ((ROOK_LINES, ROOK + colour), (BISHOP_LINES, BISHOP + colour)):
        for line in lines[square]:
            for source in line:
                man = men[source]
                if man:
                    if man in (slider, queen):
                        return True
                    break
    wanted = PAWN + colour
    for source in PAWN_SOURCES[by][square]:
        if men[source] == wanted:
            return True
    wanted = KING + colour
    return any(men[source] == wanted for source in KING_SQUARES[square])


def attackers(men: Men, square: int, by: int) -> list[int]:
    """Return the squares of all men of side ``by`` that attack ``square``."""
    colour = 8 * by
    found = [s for s in KNIGHT_SQUARES[square] if men[s] == KNIGHT + colour]
    found += [s for s in PAWN_SOURCES[by][square] if men[s] == PAWN + colour]
    found += [s for s in KING_SQUARES[square] if men[s] == KING + colour]
    for lines, slider in ((ROOK_LINES, ROOK + colour), (BISHOP_LINES, BISHOP + colour)):
        for line in lines[square]:
            first = next((s for s in line if men[s]), None)
            if first is not None and men[first] in (slider, QUEEN + colour):
                found.append(first)
    return sorted(found)


def threats(men: Men, king: int, side: int) -> tuple[dict[int, set[int]], list[set[int]]]:
    """Look out from the king of ``side`` once.

    Returns:
        The pinned men with the squares each may still go to, and for every check the squares
        that end it: the checking man's and those between.
    """
    pins: dict[int, set[int]] = {}
    checks: list[set[int]] = []
    own, colour = 8 * side, 8 - 8 * side
    queen = QUEEN + colour
    for lines, slider in ((ROOK_LINES, ROOK + colour), (BISHOP_LINES, BISHOP + colour)):
        for line in lines[king]:
            shield = -1
            for number, square in enumerate(line):
                man = men[square]
                if not man:
                    continue
                if man in (slider, queen):
                    if shield < 0:
                        checks.append(set(line[: number + 1]))
                    else:
                        pins[shield] = set(line[: number + 1])
                    break
                if shield >= 0 or man & 8 != own:
                    break
                shield = square
    knight, pawn, other = KNIGHT + colour, PAWN + colour, KING + colour
    checks += [{square} for square in KNIGHT_SQUARES[king] if men[square] == knight]
    checks += [{square} for square in PAWN_SOURCES[1 - side][king] if men[square] == pawn]
    if other in men[max(0, king - 9) : king + 10]:  # beside it only in positions set up by hand
        checks += [{square} for square in KING_SQUARES[king] if men[square] == other]
    return pins, checks
