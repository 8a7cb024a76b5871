"""Squares, men and the ray tables that hold every action ready made.

Squares are numbered 0 (a1) … 63 (h8), rank by rank. A man is a number: 0 nothing, 1–6 white
P N B R Q K, 9–14 the black ones; bit 3 is the colour, the low bits are the kind. Generating a
move is appending an action that already exists: nothing is allocated.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from companion.rules import Action, say

PAWN: Final = 1
KNIGHT: Final = 2
BISHOP: Final = 3
ROOK: Final = 4
QUEEN: Final = 5
KING: Final = 6
WHITE: Final = 0
BLACK: Final = 1
TITLE: Final = say("Chess")
SEATS: Final = ("white", "black")
LETTERS: Final = " PNBRQK"
NAMES: Final = ("", "pawn", "knight", "bishop", "rook", "queen", "king")
PROMOTIONS: Final = ("Q", "R", "B", "N")
POINTS: Final = (0, 1, 3, 3, 5, 9, 0)
"""The customary worth of the kinds; it decides nothing."""

Step = tuple[int, Action]
Ray = tuple[Step, ...]

SPOTS: Final = tuple(f"{file}{rank}" for rank in range(1, 9) for file in "abcdefgh")
INDEX: Final = {spot: number for number, spot in enumerate(SPOTS)}
TOKENS: Final = tuple(
    f"{SEATS[man >> 3]} {LETTERS[man & 7]}" if 1 <= man & 7 <= 6 else "" for man in range(16)
)
MEN: Final = {token: man for man, token in enumerate(TOKENS) if token}

ROOK_WAYS: Final = ((1, 0), (-1, 0), (0, 1), (0, -1))
BISHOP_WAYS: Final = ((1, 1), (1, -1), (-1, 1), (-1, -1))
KNIGHT_LEAPS: Final = tuple(
    (a * x, b * y) for a, b in ((1, 2), (2, 1)) for x in (1, -1) for y in (1, -1)
)

MOVES: Final = tuple(tuple(Action("move", a, b) for b in SPOTS) for a in SPOTS)
"""``MOVES[origin][target]``: the action without a detail, one object for each pair."""


def aim(square: int, file: int, rank: int) -> int | None:
    """Return the square ``file`` files and ``rank`` ranks away, or None beside the board."""
    x, y = square % 8 + file, square // 8 + rank
    return y * 8 + x if 0 <= x < 8 and 0 <= y < 8 else None


def _ray(origin: int, file: int, rank: int) -> Ray:
    steps: list[Step] = []
    square = aim(origin, file, rank)
    while square is not None:
        steps.append((square, MOVES[origin][square]))
        square = aim(square, file, rank)
    return tuple(steps)


def _rays(origin: int, ways: tuple[tuple[int, int], ...]) -> tuple[Ray, ...]:
    return tuple(ray for ray in (_ray(origin, *way) for way in ways) if ray)


def _leaps(origin: int, ways: tuple[tuple[int, int], ...]) -> Ray:
    targets = (aim(origin, *way) for way in ways)
    return tuple((square, MOVES[origin][square]) for square in targets if square is not None)


ROOK_RAYS: Final = tuple(_rays(square, ROOK_WAYS) for square in range(64))
BISHOP_RAYS: Final = tuple(_rays(square, BISHOP_WAYS) for square in range(64))
QUEEN_RAYS: Final = tuple(a + b for a, b in zip(ROOK_RAYS, BISHOP_RAYS, strict=True))
KNIGHT_STEPS: Final = tuple(_leaps(square, KNIGHT_LEAPS) for square in range(64))
KING_STEPS: Final = tuple(_leaps(square, ROOK_WAYS + BISHOP_WAYS) for square in range(64))

SLIDES: Final = {BISHOP: BISHOP_RAYS, ROOK: ROOK_RAYS, QUEEN: QUEEN_RAYS}
LEAPS: Final = {KNIGHT: KNIGHT_STEPS, KING: KING_STEPS}

ROOK_LINES: Final = tuple(tuple(tuple(s for s, _ in ray) for ray in rays) for rays in ROOK_RAYS)
BISHOP_LINES: Final = tuple(tuple(tuple(s for s, _ in ray) for ray in rays) for rays in BISHOP_RAYS)
KNIGHT_SQUARES: Final = tuple(tuple(s for s, _ in steps) for steps in KNIGHT_STEPS)
KING_SQUARES: Final = tuple(tuple(s for s, _ in steps) for steps in KING_STEPS)

FORWARD: Final = (1, -1)
LAST_RANK: Final = (7, 0)
HOME_RANK: Final = (1, 6)


def promoted(origin: int, target: int) -> tuple[Action, ...]:
    """Return the four promotions of a pawn from ``origin`` to ``target``."""
    return tuple(Action("move", SPOTS[origin], SPOTS[target], kind) for kind in PROMOTIONS)


def _pawn_actions(side: int, origin: int, target: int) -> tuple[Action, ...]:
    last = target // 8 == LAST_RANK[side]
    return promoted(origin, target) if last else (MOVES[origin][target],)


Push = tuple[int, tuple[Action, ...], int, Action | None]


def _push(side: int, origin: int) -> Push | None:
    """Return the square ahead, its actions, the square two ahead (or -1) and its action."""
    ahead = aim(origin, 0, FORWARD[side])
    if ahead is None:
        return None
    actions = _pawn_actions(side, origin, ahead)
    if origin // 8 != HOME_RANK[side]:
        return ahead, actions, -1, None
    far = origin + 16 * FORWARD[side]
    return ahead, actions, far, MOVES[origin][far]


def _strikes(side: int, origin: int) -> tuple[tuple[int, tuple[Action, ...]], ...]:
    targets = (aim(origin, file, FORWARD[side]) for file in (-1, 1))
    return tuple((t, _pawn_actions(side, origin, t)) for t in targets if t is not None)


PUSHES: Final = tuple(tuple(_push(side, square) for square in range(64)) for side in (WHITE, BLACK))
STRIKES: Final = tuple(
    tuple(_strikes(side, square) for square in range(64)) for side in (WHITE, BLACK)
)

PAWN_SOURCES: Final = tuple(
    tuple(
        tuple(s for s in (aim(square, f, -FORWARD[side]) for f in (-1, 1)) if s is not None)
        for square in range(64)
    )
    for side in (WHITE, BLACK)
)
"""``PAWN_SOURCES[side][square]``: where a pawn of ``side`` would attack ``square`` from."""


class Castle:
    """A castling: who, the squares of king and rook and where they go, and the right's bit.

    ``free`` are the squares that have to be empty, ``path`` those of the king, first and last too;
    ``usual`` tells whether king and rook stand where they do in the usual game. The ``action`` is
    the king's way where that is two squares or more, and otherwise, where it may be a plain step or
    none, the rook's: over its king or onto its square, which no rook goes else.
    """

    __slots__ = (
        "action", "bit", "free", "king", "letter", "path", "rook", "side", "to", "to_rook", "usual",
    )  # fmt: skip

    def __init__(self, letter: str, bit: int, king: int, rook: int) -> None:
        first = king - king % 8
        self.letter, self.bit, self.side = letter, bit, int(letter.islower())
        self.king, self.rook = king, rook
        self.to, self.to_rook = (first + 6, first + 5) if rook > king else (first + 2, first + 3)
        self.usual = king % 8 == 4 and rook % 8 in (0, 7)
        self.path = _span(king, self.to)
        ways = {*self.path, *_span(rook, self.to_rook)}
        self.free = tuple(sorted(ways - {king, rook}))
        leaps = abs(self.to - king) > 1
        self.action = MOVES[king][self.to] if leaps else MOVES[rook][self.to_rook]


def _span(a: int, b: int) -> tuple[int, ...]:
    return tuple(range(min(a, b), max(a, b) + 1))


class Castles:
    """The four castlings of a game, from where its kings and rooks stand at first."""

    __slots__ = ("by_side", "by_way", "four", "kept")

    def __init__(self, homes: bytes) -> None:
        self.four = tuple(
            Castle("KQkq"[number], 1 << number, homes[2 * number], homes[2 * number + 1])
            for number in range(4)
        )
        self.by_side = (self.four[:2], self.four[2:])
        self.by_way = {
            64 * INDEX[str(castle.action.origin)] + INDEX[str(castle.action.target)]: castle
            for castle in self.four
        }
        self.kept = tuple(
            15 & ~sum(castle.bit for castle in self.four if square in (castle.king, castle.rook))
            for square in range(64)
        )
        """The rights that remain when something leaves or takes on a square (CH-3.8.2.1)."""


@cache
def castles(homes: bytes) -> Castles:
    """Return the castlings with king and rook of the rights K, Q, k, q on the squares ``homes``."""
    return Castles(homes)


USUAL: Final = 518
"""The number of the usual first position."""
_KNIGHTS: Final = ((0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4))


def first_rank(number: int) -> bytes:
    """Return White's men from a1 to h1 in the first position ``number``, 0 to 959 (CH-960.2)."""
    rank = bytearray(8)
    number, light = divmod(number, 4)
    number, dark = divmod(number, 4)
    knights, queen = divmod(number, 6)
    rank[2 * light + 1] = rank[2 * dark] = BISHOP
    rank[[file for file in range(8) if not rank[file]][queen]] = QUEEN
    left = [file for file in range(8) if not rank[file]]
    for knight in _KNIGHTS[knights]:
        rank[left[knight]] = KNIGHT
    for man in (ROOK, KING, ROOK):
        rank[rank.index(0)] = man
    return bytes(rank)


@cache
def homes_of(number: int) -> bytes:
    """Return the squares of king and rook for each right in the first position ``number``."""
    rank = first_rank(number)
    king, left, right = rank.index(KING), rank.index(ROOK), rank.rindex(ROOK)
    white = (king, right, king, left)
    return bytes((*white, *(56 + square for square in white)))


def between(a: int, b: int) -> tuple[int, ...]:
    """Return the squares strictly between two squares of one rank, file or diagonal, from
    ``a`` on; empty where they are side by side."""
    line = next(line for line in ROOK_LINES[a] + BISHOP_LINES[a] if b in line)
    return line[: line.index(b)]
