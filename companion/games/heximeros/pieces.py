"""Pieces as small numbers: what stands on a cell is one byte.

``code = 1 + 14 * army + sub``; armies are numbered in ring order from Silver (0 … 5). A piece
whose first move is still to come and matters is a ``sub`` of its own. 0 is an empty cell.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from companion.rules import Text, say

TITLE: Final = "HexiMeros"
COLOURS: Final = ("silver", "blue", "yellow", "orange", "green", "red")
"""The armies in ring order (HX-1.4)."""

SUBS: Final = 14
M_FIRST: Final = 0
MILITANT: Final = 1
HATTED: Final = 2
AL_FIRST: Final = 3
ALCAZAR: Final = 4
ARCHER: Final = 5
CAVALIER: Final = 6
DREADNAUGHT: Final = 7
P_FIRST: Final = 8
PRELATE: Final = 9
ASSASSIN: Final = 10
S_FIRST: Final = 11
SOVEREIGN: Final = 12
REGENT: Final = 13
KINDS: Final = ("M", "M", "M+", "Al", "Al", "Ar", "C", "D", "P", "P", "As", "S", "S", "R")
"""How each ``sub`` is written in tokens."""
FIRST: Final = {"M": M_FIRST, "Al": AL_FIRST, "P": P_FIRST, "S": S_FIRST}
"""The kinds whose first move is special, as they stand before it."""
DONE: Final[dict[str, int]] = {kind: sub for sub, kind in enumerate(KINDS)}
"""Kind -> the ``sub`` of that kind after its first move."""
CAPITALS: Final = ("R", "As", "Ar", "P", "Al", "C", "D")
"""What a Militant may become (HX-5.1), without the Sovereign."""
TITLES: Final[Mapping[str, Text]] = MappingProxyType({
    "M": say("Militant"), "M+": say("Hatted Militant"), "Al": say("Alcazar"), "Ar": say("Archer"),
    "C": say("Cavalier"), "D": say("Dreadnaught"), "P": say("Prelate"), "As": say("Assassin"),
    "S": say("Sovereign"), "R": say("Regent"),
})  # fmt: skip
"""How the players call each kind."""
NAMED: Final[tuple[Text, ...]] = (
    say("silver"), say("blue"), say("yellow"), say("orange"), say("green"), say("red"),
)  # fmt: skip
"""The colours in words, by army."""
TOKEN_NAME: Final = "token"
"""What the Token is called where it lies in a marked place (HX-3.1)."""
SPOKEN: Final[Mapping[str, Text]] = MappingProxyType({
    TOKEN_NAME: say("the Token"),
    **{
        f"{colour} {kind}": say("{colour} {piece}", colour=named, piece=title)
        for colour, named in zip(COLOURS, NAMED, strict=True)
        for kind, title in TITLES.items()
    },
})  # fmt: skip
"""From a token to how the players call it: ``silver Regent``."""
CARRIED: Final = bytes(DONE[KINDS[sub]] for sub in range(SUBS))
"""For each ``sub``: the one it becomes by moving."""

EMPTY: Final = 0
WALL: Final = 255
"""An empty cell, and what the board holds beyond its cells."""
SUB: Final = bytes((code - 1) % SUBS if 0 < code <= 6 * SUBS else 255 for code in range(256))
OWNER: Final = bytes((code - 1) // SUBS if 0 < code <= 6 * SUBS else 255 for code in range(256))
"""For each code: its army, 255 for codes that are no piece."""
TOKENS: Final[tuple[str, ...]] = (
    "", *(f"{colour} {kind}" for colour in COLOURS for kind in KINDS)
)  # fmt: skip
"""For each code: its token."""
BLOCKED: Final = 0
FREE: Final = 1
PREY: Final = 2
"""What the army that moves may do on a cell: nothing, stand there, capture there."""

CAPTURE: Final = {"S": 75, "R": 55, "As": 45, "Ar": 40, "P": 30, "Al": 30, "C": 25, "D": 15, "M": 5,
           "M+": 10}  # fmt: skip
"""Points of a capture, and of a piece that the winner keeps (HX-6.3, HX-6.4)."""
DRAWN: Final = {"S": 37, "R": 27, "As": 22, "Ar": 20, "P": 15, "Al": 15, "C": 12, "D": 7, "M": 2,
         "M+": 5}  # fmt: skip
"""Points of a piece that is kept in a draw (HX-6.4)."""


def code_of(army: int, sub: int) -> int:
    """Return the byte of piece ``sub`` of ``army``."""
    return 1 + SUBS * army + sub


def kind_of(code: int) -> str:
    """Return how the piece is written, without its colour."""
    return KINDS[SUB[code]]
