"""Positions as text: the Forsyth-Edwards notation, in and out."""

from __future__ import annotations

from companion.games.chess.geometry import (
    CASTLES,
    FORWARD,
    INDEX,
    KING,
    LETTERS,
    PAWN,
    ROOK,
    SPOTS,
)
from companion.games.chess.state import ChessState, new_state
from companion.rules import BadInput, Setup, quoted, say, whole_number

MOST_PLIES = 9_999
"""The greatest number of plies that a FEN may tell."""
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def letter(man: int) -> str:
    """Return the FEN letter of a man: capitals are white."""
    return LETTERS[man & 7].lower() if man >> 3 else LETTERS[man & 7]


def write_board(squares: bytes) -> str:
    """Return the first field of a FEN: the ranks from 8 to 1."""
    ranks = []
    for rank in range(7, -1, -1):
        text = "".join(letter(man) for man in squares[8 * rank : 8 * rank + 8])
        for gap in range(8, 0, -1):
            text = text.replace(" " * gap, str(gap))
        ranks.append(text)
    return "/".join(ranks)


def write_rights(castling: int) -> str:
    """Return the third field of a FEN."""
    return "".join(c.letter for c in CASTLES if castling & c.bit) or "-"


def to_fen(state: ChessState) -> str:
    """Return the position of ``state`` with its counters; the passed square is written after
    every advance of two squares, whether or not a pawn can take."""
    passed = SPOTS[state.en_passant] if state.en_passant >= 0 else "-"
    return (
        f"{write_board(state.squares)} {'wb'[state.side]} {write_rights(state.castling)} "
        f"{passed} {state.halfmoves} {state.number}"
    )


def from_fen(setup: Setup, text: str) -> ChessState:
    """Read a FEN; the two counters may be left out (0 and 1).

    Raises:
        BadInput: a field that is missing or does not fit; the sentence names it.
    """
    fields = text.split()
    if len(fields) == 4:
        fields += ["0", "1"]
    if len(fields) != 6:
        raise BadInput(say("a FEN has 6 fields, or the first 4, not {count}", count=len(fields)))
    squares = read_board(fields[0])
    if fields[1] not in ("w", "b"):
        raise BadInput(
            say("FEN field 2 (side to move) is w or b, not {text}", text=quoted(fields[1]))
        )
    side = "wb".index(fields[1])
    castling = read_rights(fields[2], squares)
    passed = read_passed(fields[3], squares, side)
    halfmoves = _number(fields[4], say("5 (half-move clock)"), 0)
    number = _number(fields[5], say("6 (move number)"), 1)
    return new_state(setup, squares, side, castling, passed, (halfmoves, number))


def read_board(text: str) -> bytes:
    """Read the first field of a FEN.

    Raises:
        BadInput: not eight ranks of eight squares, or an unknown letter.
    """
    ranks = text.split("/")
    if len(ranks) != 8:
        raise BadInput(say("FEN field 1 (pieces) has 8 ranks, not {count}", count=len(ranks)))
    squares = bytearray()
    for rank, row in zip(range(1, 9), reversed(ranks), strict=True):
        men = bytearray()
        for sign in row:
            if sign in "12345678":
                men += bytes(int(sign))
            elif sign.upper() in LETTERS[1:]:
                men.append(LETTERS.index(sign.upper()) + (8 if sign.islower() else 0))
            else:
                raise BadInput(
                    say(
                        "FEN field 1 (pieces), rank {rank}: no piece is called {sign}",
                        rank=rank,
                        sign=quoted(sign),
                    )
                )
        if len(men) != 8:
            raise BadInput(
                say(
                    "FEN field 1 (pieces), rank {rank} has {count} squares, not 8",
                    rank=rank,
                    count=len(men),
                )
            )
        squares += men
    return bytes(squares)


def read_rights(text: str, squares: bytes) -> int:
    """Read the third field of a FEN.

    Raises:
        BadInput: an unknown letter, or a king or rook that is not at home.
    """
    if text == "-":
        return 0
    known = {castle.letter: castle for castle in CASTLES}
    castling = 0
    for sign in text:
        castle = known.get(sign)
        if castle is None or castling & castle.bit:
            raise BadInput(
                say(
                    "FEN field 3 (castling) is - or some of KQkq once, not {text}",
                    text=quoted(text),
                )
            )
        colour = 8 * castle.side
        if (squares[castle.king], squares[castle.rook]) != (KING + colour, ROOK + colour):
            raise BadInput(
                say(
                    "FEN field 3 (castling): {sign} needs the king on {king} and its rook "
                    "on {rook}",
                    sign=sign,
                    king=SPOTS[castle.king],
                    rook=SPOTS[castle.rook],
                )
            )
        castling |= castle.bit
    return castling


def rights_at_home(squares: bytes) -> int:
    """Return every right whose king and rook stand at home: nobody knows whether they moved."""
    castling = 0
    for castle in CASTLES:
        colour = 8 * castle.side
        if (squares[castle.king], squares[castle.rook]) == (KING + colour, ROOK + colour):
            castling |= castle.bit
    return castling


def read_passed(text: str, squares: bytes, side: int) -> int:
    """Read the fourth field of a FEN: the square passed over, or -1.

    Raises:
        BadInput: no square, or no pawn of the other side can just have passed it.
    """
    if text == "-":
        return -1
    square = INDEX.get(text, -1)
    if square // 8 != (5, 2)[side]:
        raise BadInput(
            say(
                "FEN field 4 (en passant) is - or a square just passed, not {text}",
                text=quoted(text),
            )
        )
    ahead = 8 * FORWARD[1 - side]
    pawn = PAWN + 8 * (1 - side)
    if squares[square] or squares[square - ahead] or squares[square + ahead] != pawn:
        raise BadInput(
            say("FEN field 4 (en passant): no pawn can just have passed {spot}", spot=text)
        )
    return square


def _number(text: str, field: str, least: int) -> int:
    number = whole_number(text)
    if number is None or not least <= number <= MOST_PLIES:
        raise BadInput(
            say(
                "FEN field {field} is a whole number from {least} to {most}, not {text}",
                field=field,
                least=least,
                most=MOST_PLIES,
                text=quoted(text),
            )
        )
    return number
