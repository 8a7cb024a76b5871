"""What people call the pieces, ``purple royal Templar, white edge``, and what they say."""

from __future__ import annotations

from types import MappingProxyType

from companion.games.victorus.pieces import FROZEN, TITLE
from companion.rules import Text, say, unknown_token

COLOURS = {
    "red": say("red"),
    "black": say("black"),
    "orange": say("orange"),
    "purple": say("purple"),
    "blue": say("blue"),
    "green": say("green"),
}
TITLES = {
    "T": say("Templar"),
    "U": say("Teutonic"),
    "B": say("Byzantine"),
    "E": say("Excalibur"),
    "H": say("Hospitaller"),
    "K": say("King"),
    "Q": say("Queen"),
}

WORDS = MappingProxyType({
    "end": say("end turn"), "forfeit": say("turn not begun in time"), "time": say("time is up"),
})  # fmt: skip
"""What is said beside the moves, and what its buttons say."""


def spoken(token: str) -> Text:
    """Return the words for ``token``.

    Raises:
        BadInput: no such token.
    """
    try:
        colour, edge, kind = token.removesuffix(FROZEN).split(" ")
        who, piece = COLOURS[colour], TITLES[kind.removesuffix("+")]
    except (ValueError, KeyError):
        raise unknown_token(token, TITLE) from None
    name = say("{colour} {piece}", colour=who, piece=piece)
    if kind == "Q":
        # In other languages a colour has another ending beside a Queen.
        name = say("{colour} Queen", colour=who)
    if kind.endswith("+"):
        name = say("{colour} royal {piece}", colour=who, piece=piece)
    if edge == "white":
        name = say("{piece}, white edge", piece=name)
    if edge == "black":
        name = say("{piece}, black edge", piece=name)
    return say("{piece}, frozen", piece=name) if token.endswith(FROZEN) else name
