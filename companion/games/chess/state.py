"""The state of a game of chess: one immutable, hashable value."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from companion.games.chess.attacks import attacked
from companion.games.chess.geometry import (
    BISHOP,
    FORWARD,
    KING,
    KNIGHT,
    PAWN,
    STRIKES,
    USUAL,
    first_rank,
    homes_of,
)
from companion.rules import Outcome, Setup

ARMY: Final = bytes([KNIGHT] * 2 + [BISHOP] * 2 + [4] * 2 + [5, KING] + [PAWN] * 8)
"""The sixteen men of a side as white men (CH-2.2)."""


class ChessState(NamedTuple):
    """Where everything stands and what the laws need to remember.

    ``squares`` 64 men (see ``tables``); ``side`` 0 white, 1 black to move; ``castling`` the
    rights' bits; ``en_passant`` the square a pawn has just passed over, or -1; ``halfmoves``
    since the last capture or pawn move; ``plies`` made at this table; ``earlier`` the keys of
    the positions before this one that can still come again; ``captured`` the men taken, in
    order; ``lately`` bits of the squares where a pawn was exchanged and the new piece has not
    moved since; ``claimed`` the end that was announced, not played; ``homes`` the squares of king
    and rook for each right.
    """

    squares: bytes
    side: int
    castling: int
    en_passant: int
    halfmoves: int
    number: int
    kings: tuple[int, int]
    plies: int
    earlier: tuple[bytes, ...]
    captured: bytes
    lately: int
    claimed: Outcome | None
    options: tuple[tuple[str, str], ...]
    homes: bytes

    @property
    def setup(self) -> Setup:
        """Return the set-up the game was begun with."""
        values: Mapping[str, str] = MappingProxyType(dict(self.options))
        return Setup(("white", "black"), values)


def new_state(
    setup: Setup,
    squares: bytes,
    side: int = 0,
    castling: int = 0,
    en_passant: int = -1,
    counts: tuple[int, int] = (0, 1),
    homes: bytes | None = None,
) -> ChessState:
    """Return a state without a past; ``counts`` are the half-move clock and the move number,
    ``homes`` the squares of kings and rooks if they are not those of the first position."""
    return ChessState(
        squares=squares,
        side=side,
        castling=castling,
        en_passant=en_passant,
        halfmoves=counts[0],
        number=counts[1],
        kings=(squares.find(KING), squares.find(KING + 8)),
        plies=0,
        earlier=(),
        captured=missing(squares),
        lately=0,
        claimed=None,
        options=tuple(setup.options.items()),
        homes=homes_of(first_position(setup)) if homes is None else homes,
    )


def first_position(setup: Setup) -> int:
    """Return the number of the first position in Chess960 (CH-960.2); 518 is the usual one."""
    return int(setup.options.get("position", USUAL))


def first_squares(number: int) -> bytes:
    """Return the men of the first position ``number`` (CH-2.3, CH-960.2)."""
    white, pawns, empty = first_rank(number), bytes([PAWN] * 8), bytes(32)
    black = bytes(man + 8 for man in white)
    return white + pawns + empty + bytes(man + 8 for man in pawns) + black


def missing(squares: bytes) -> bytes:
    """Return the men that must have been taken to come to ``squares`` from a full board.

    A piece beyond the first army is a promoted pawn, which is then not missing.
    """
    gone = bytearray()
    for colour in (0, 8):
        spare = 0
        lost = bytearray()
        for kind in sorted(set(ARMY), reverse=True):
            short = ARMY.count(kind) - squares.count(kind + colour)
            spare += max(0, -short)
            lost += bytes([kind + colour]) * max(0, short - (spare if kind == PAWN else 0))
        gone += lost
    return bytes(gone)


def key(state: ChessState) -> bytes:
    """Return what makes two positions the same for repetition: men, side, rights (CH-9.2.2,
    CH-9.2.3). A pawn just passed counts only if it can really be taken."""
    square = state.en_passant
    if square >= 0 and not takers(state):
        square = -1
    return state.squares + bytes((state.side, state.castling, square + 1))


def takers(state: ChessState) -> list[int]:
    """Return the squares of the pawns that may take the one that has just passed (CH-3.7.4,
    CH-3.9.2)."""
    found: list[int] = []
    passed, side = state.en_passant, state.side
    king, victim = state.kings[side], passed - 8 * FORWARD[side]
    pawn = PAWN + 8 * side
    for origin, _ in STRIKES[1 - side][passed]:
        if state.squares[origin] != pawn:
            continue
        after = bytearray(state.squares)
        after[origin] = after[victim] = 0
        after[passed] = pawn
        if king < 0 or not attacked(after, king, 1 - side):
            found.append(origin)
    return found
