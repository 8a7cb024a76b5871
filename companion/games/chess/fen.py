"""Positions as text: the Forsyth-Edwards notation, in and out."""

from __future__ import annotations

from companion.games.chess.geometry import (
    FORWARD,
    INDEX,
    KING,
    LETTERS,
    PAWN,
    ROOK,
    SPOTS,
    USUAL,
    Castle,
    castles,
    homes_of,
)
from companion.games.chess.state import ChessState, first_position, new_state
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


def write_rights(state: ChessState, squares: bytes, castling: int) -> str:
    """Return the third field of a FEN for ``castling`` with the men on ``squares``: KQkq where the
    rook is the outermost one on that side of its king, else its file. In a game that begins as
    usual KQkq are the usual castlings alone."""
    usual = first_position(state.setup) == USUAL
    told = [castle for castle in castles(state.homes).four if castling & castle.bit]
    return "".join(_sign(castle, squares, usual) for castle in told) or "-"


def _sign(castle: Castle, squares: bytes, usual: bool) -> str:
    plain = castle.usual if usual else castle.rook == _outermost(squares, castle)
    file = "ABCDEFGH"[castle.rook % 8]
    return castle.letter if plain else file.lower() if castle.side else file


def _outermost(squares: bytes, castle: Castle) -> int:
    """Return the square of the rook that stands furthest out on the side of ``castle``, -1 for
    none."""
    first, rook = 56 * castle.side, ROOK + 8 * castle.side
    beyond = (
        range(first + 7, castle.king, -1) if castle.letter in "Kk" else range(first, castle.king)
    )
    return next((square for square in beyond if squares[square] == rook), -1)


def to_fen(state: ChessState) -> str:
    """Return the position of ``state`` with its counters; the passed square is written after
    every advance of two squares, whether or not a pawn can take."""
    passed = SPOTS[state.en_passant] if state.en_passant >= 0 else "-"
    rights = write_rights(state, state.squares, state.castling)
    return (
        f"{write_board(state.squares)} {'wb'[state.side]} {rights} "
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
    castling, homes = read_rights(fields[2], squares, first_position(setup))
    passed = read_passed(fields[3], squares, side)
    halfmoves = _number(fields[4], say("5 (half-move clock)"), 0)
    number = _number(fields[5], say("6 (move number)"), 1)
    return new_state(setup, squares, side, castling, passed, (halfmoves, number), homes)


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


def read_rights(text: str, squares: bytes, position: int) -> tuple[int, bytes]:
    """Read the third field of a FEN, also as X-FEN and Shredder-FEN write it, of a game that begins
    with the first position ``position``.

    Returns:
        The rights, and the squares of king and rook for each.

    Raises:
        BadInput: an unknown letter, or a king or rook that is not where it has to be.
    """
    homes, castling = bytearray(homes_of(position)), 0
    for sign in "" if text == "-" else text:
        at = sign.upper()
        if at in "KQ":
            number = "KQkq".index(sign)
            pair = _at_home(sign, number, squares, bytes(homes), position == USUAL)
        elif at in "ABCDEFGH":
            side = int(sign.islower())
            pair = _on_file(sign, side, squares)
            number = 2 * side + (pair[1] < pair[0])
        else:
            raise _no_rights(text)
        if castling >> number & 1:
            raise _no_rights(text)
        castling |= 1 << number
        homes[2 * number : 2 * number + 2] = bytes(pair)
    return castling, bytes(homes)


def _no_rights(text: str) -> BadInput:
    return BadInput(
        say("FEN field 3 (castling) is - or some of KQkq once, not {text}", text=quoted(text))
    )


def _at_home(sign: str, number: int, squares: bytes, homes: bytes, usual: bool) -> tuple[int, int]:
    """Return the squares of king and rook for ``sign``, one of KQkq."""
    side = number // 2
    king, rook = homes[2 * number], homes[2 * number + 1]
    if not usual:
        king = _king_at_home(squares, side)
        rook = _outermost(squares, Castle(sign, 0, king, rook)) if king >= 0 else -1
    if king < 0 or rook < 0 or not _stand(squares, side, king, rook):
        if usual:
            raise BadInput(
                say(
                    "FEN field 3 (castling): {sign} needs the king on {king} and its rook "
                    "on {rook}",
                    sign=sign,
                    king=SPOTS[king],
                    rook=SPOTS[rook],
                )
            )
        raise _nobody(sign)
    return king, rook


def _on_file(sign: str, side: int, squares: bytes) -> tuple[int, int]:
    """Return the squares of king and rook where ``sign`` names the rook's file."""
    king, rook = _king_at_home(squares, side), 56 * side + "ABCDEFGH".index(sign.upper())
    if king < 0 or not _stand(squares, side, king, rook):
        raise _nobody(sign)
    return king, rook


def _nobody(sign: str) -> BadInput:
    return BadInput(
        say(
            "FEN field 3 (castling): {sign} needs a king on its first rank, and a rook of its side "
            "there",
            sign=sign,
        )
    )


def _king_at_home(squares: bytes, side: int) -> int:
    """Return the square of the king on its first rank, -1 where it is not there."""
    return squares.find(KING + 8 * side, 56 * side, 56 * side + 8)


def _stand(squares: bytes, side: int, king: int, rook: int) -> bool:
    return (squares[king], squares[rook]) == (KING + 8 * side, ROOK + 8 * side)


def rights_at_home(squares: bytes, position: int) -> int:
    """Return every right whose king and rook stand as in the first position ``position``: nobody
    knows whether they moved."""
    castling = 0
    for castle in castles(homes_of(position)).four:
        if _stand(squares, castle.side, castle.king, castle.rook):
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
