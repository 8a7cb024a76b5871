"""What people call the dice, what they show, and where they lie."""

from __future__ import annotations

from companion.games.hoplomachus.pieces import Dice
from companion.rules import Text, say

DIE = {
    "yellow": say("yellow die"), "green": say("green die"), "blue": say("blue die"),
    "purple": say("purple die"), "red": say("red die"),
}  # fmt: skip
SHOWN = {"blank": say("blank"), "hit": say("hit"), "crit": say("crit")}
ZONE = {
    "reserve": say("reserve"), "active": say("active dice"), "exhausted": say("exhausted dice"),
    "training": say("training ground"), "banished": say("banished dice"),
}  # fmt: skip
_INKS = (say("yellow"), say("green"), say("blue"), say("purple"), say("red"))
"""The colours of the dice, weakest first."""


def in_inks(dice: Dice) -> str:
    """Return how many dice of which colours there are: ``yellow: 2, blue: 1``."""
    told: Text | None = None
    for ink, count in zip(_INKS, dice, strict=True):
        if count:
            some = say("{colour}: {count}", colour=ink, count=count)
            told = say("{one}, {other}", one=told, other=some) if told else some
    return told or "0"


THERE = {
    "reserve": say("in the reserve"), "active": say("among the active dice"),
    "exhausted": say("among the exhausted dice"), "training": say("in the training ground"),
    "banished": say("among the banished dice"),
}  # fmt: skip
"""Where a die lies, by the zone."""


def these(dice: Dice) -> str:
    """Return the dice in words, or that there is none."""
    return in_inks(dice) if any(dice) else say("no die")


def die_in_words(die: str) -> Text:
    """Return ``green`` or ``green=hit`` in words: ``green die``, ``green die (hit)``."""
    colour, _, face = die.partition("=")
    return say("{die} ({face})", die=DIE[colour], face=SHOWN[face]) if face else DIE[colour]
