"""What people call the men: ``white knight``."""

from __future__ import annotations

from types import MappingProxyType

from companion.games.chess.geometry import TITLE
from companion.rules import say, unknown_token

COLOURS = (say("White"), say("Black"))
KINDS = {"Q": say("queen"), "R": say("rook"), "B": say("bishop"), "N": say("knight")}
WORDS = MappingProxyType({
    "agree": say("agree to a draw"), "claim": say("claim a draw"), "flag": say("flag fell"),
    "resign": say("resign"),
})  # fmt: skip
"""What is said beside the moves, and what its buttons say."""
_NAMES = {
    "white P": say("white pawn"),
    "white N": say("white knight"),
    "white B": say("white bishop"),
    "white R": say("white rook"),
    "white Q": say("white queen"),
    "white K": say("white king"),
    "black P": say("black pawn"),
    "black N": say("black knight"),
    "black B": say("black bishop"),
    "black R": say("black rook"),
    "black Q": say("black queen"),
    "black K": say("black king"),
}


def spoken(token: str) -> str:
    """Return the words for ``token``.

    Raises:
        BadInput: no such token.
    """
    if token not in _NAMES:
        raise unknown_token(token, TITLE)
    return _NAMES[token]
