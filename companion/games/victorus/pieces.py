"""Pieces as small numbers: what lies on a cell is one byte.

``code = 1 + 20 * place + sub`` where ``place`` is the seat's place at the table, clockwise from
the south (0 … 5), and ``sub`` the piece: T, U, B, E, H twice each (white edge, then black edge),
K, Q, then the royal T, U, B, E twice each. 0 is an empty cell.
"""

from __future__ import annotations

from typing import Final, NamedTuple

TITLE: Final = "Victorus"
KNIGHTS: Final = "TUBEH"
EDGES: Final = ("white", "black")
WHITE: Final = 0
GREY: Final = 1
"""Colours of cells; a white edge belongs on white, a black edge on grey."""

SUBS: Final = 20
PIECES_EACH: Final = 12
"""How many pieces a player begins with."""
KING: Final = 10
QUEEN: Final = 11
ROYAL: Final = 12
FROZEN: Final = " frozen"
"""What a captor's token ends in until the turn is over (VIC-9.1)."""
EMPTY: Final = 0
WALL: Final = 255
"""What the board holds beyond its cells: a blocker that is no piece."""


class Piece(NamedTuple):
    """What a piece is, whoever owns it. ``edge`` is None for King and Queen (half and half)."""

    kind: str
    edge: int | None
    royal: bool


PIECES: Final[tuple[Piece, ...]] = (
    *(Piece(kind, edge, False) for kind in KNIGHTS for edge in (WHITE, GREY)),
    Piece("K", None, False),
    Piece("Q", None, False),
    *(Piece(kind, edge, True) for kind in "TUBE" for edge in (WHITE, GREY)),
)
SUB: Final = bytes((code - 1) % SUBS if 0 < code <= 6 * SUBS else 255 for code in range(256))
"""From a code to its piece, ``PIECES[SUB[code]]``."""
OWNER: Final = bytes((code - 1) // SUBS if 0 < code <= 6 * SUBS else 255 for code in range(256))
"""From a code to its owner's place."""


def code_of(place: int, sub: int) -> int:
    """Return the byte of piece ``sub`` of the seat at ``place``."""
    return 1 + SUBS * place + sub


def is_knight(sub: int) -> bool:
    """Tell whether ``sub`` is a knight: regular, royal or Hospitaller."""
    return sub not in (KING, QUEEN)


def is_double(sub: int) -> bool:
    """Tell whether ``sub`` has a turn of two moves: royal knights, King, Queen."""
    return sub >= KING


def face(sub: int) -> str:
    """Return a piece's own part of its token: ``white T``, ``black E+``, ``half K``."""
    piece = PIECES[sub]
    edge = "half" if piece.edge is None else EDGES[piece.edge]
    return f"{edge} {piece.kind}{'+' if piece.royal else ''}"


FACES: Final[dict[str, int]] = {face(sub): sub for sub in range(SUBS)}
