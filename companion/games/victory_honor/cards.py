"""The forty regiment cards: numbers, names, points.

A card is a number, ``10 * colour + rank``: colours red 0, blue 1, black 2, yellow 3; ranks 0 to 6
for the cards 1 to 7, 7 to 9 for the generals of one, two and three stars. So a higher number in a
colour is a higher card (VH-1.2). A set of cards is an ``int`` with a bit for each.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Final

from companion.games.victory_honor.geometry import TITLE
from companion.rules import Text, say, unknown_token
from companion.rules.hidden import BACK

RANKS: Final = ("1", "2", "3", "4", "5", "6", "7", "G1", "G2", "G3")
SCOUT: Final = 0
ARTILLERY: Final = 3
CAVALRY: Final = 6
FIRST_GENERAL: Final = 7
CARDS: Final = 40
ALL_CARDS: Final = (1 << CARDS) - 1
REGIMENTS: Final = tuple(0b1111111111 << 10 * colour for colour in range(4))
OF_COLOURS: Final = tuple(
    sum(REGIMENTS[colour] for colour in range(4) if colours >> colour & 1) for colours in range(16)
)
"""All cards of each set of colours."""
GENERALS: Final = sum(0b1110000000 << 10 * colour for colour in range(4))
DOWN: Final = CARDS
"""What lies on a slot where a card of unknown face lies face down."""
EMPTY: Final = -1
_WORDS: Final = {
    "red": say("red"), "blue": say("blue"), "green": say("green"), "black": say("black"),
    "yellow": say("yellow"), BACK: say("a card face down"),
}  # fmt: skip


def spoken(token: str) -> Text:
    """Return a card in words, such as ``red 7`` or ``red General 2``, or that it lies face down.

    Raises:
        BadInput: no such card.
    """
    colour, _, rank = token.partition(" ")
    if colour not in _WORDS or (rank and rank not in RANKS):
        raise unknown_token(token, TITLE)
    if rank.startswith("G"):
        return say("{colour} General {stars}", colour=_WORDS[colour], stars=rank[1:])
    return say("{colour} {value}", colour=_WORDS[colour], value=rank) if rank else _WORDS[token]


@dataclass(frozen=True, eq=False)
class Deck:
    """The names of the cards as they are on the table. ``tokens[DOWN]`` is the card's back."""

    colours: tuple[str, str, str, str]
    tokens: tuple[str, ...]
    numbers: Mapping[str, int]

    def card(self, token: str) -> int:
        """Return the number of the card that ``token`` names, ``DOWN`` for its back.

        Raises:
            BadInput: no card of this deck.
        """
        try:
            return self.numbers[token]
        except KeyError:
            raise unknown_token(token, TITLE) from None

    def word(self, card: int) -> Text:
        """Return the card in words."""
        return spoken(self.tokens[card])

    def colour(self, colour: int) -> Text:
        """Return the name of a colour in words."""
        return _WORDS[self.colours[colour]]

    def read(self, text: str) -> int:
        """Return the card written without its space: ``red7``, ``redG3``, ``back``.

        Raises:
            BadInput: no card of this deck.
        """
        text = text.strip()
        for colour in self.colours:
            if text.startswith(colour):
                text = f"{colour} {text.removeprefix(colour).strip()}"
        return self.card(text)


@cache
def deck(second: str) -> Deck:
    """Return the deck whose second regiment is called ``second``: blue in the rules, green in
    the published box (VH-1.1)."""
    colours = ("red", second, "black", "yellow")
    tokens = (*(f"{colour} {rank}" for colour in colours for rank in RANKS), BACK)
    return Deck(colours, tokens, MappingProxyType({t: n for n, t in enumerate(tokens)}))


def points(cards: int, by_stars: bool) -> int:
    """Return what a player's spoils and reserve score (VH-10.2): for each colour with generals
    their stars, plus the numbered cards times the generals, or times the stars (R14)."""
    total = 0
    for colour in range(4):
        regiment = cards >> 10 * colour & 0b1111111111
        held = regiment >> FIRST_GENERAL
        stars = (held & 1) + (held & 2) + 3 * (held >> 2)
        numbered = (regiment & 0b1111111).bit_count()
        total += stars + (stars if by_stars else held.bit_count()) * numbered
    return total
