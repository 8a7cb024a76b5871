"""What games speak in: positions, ends, scorecards, and what tokens look like."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple, Protocol, TypeVar

from companion.rules.options import Setup
from companion.rules.words import Text, say


class GameState(Protocol):
    """What the states of every game are: immutable, hashable values that know by which set-up
    their game was begun."""

    @property
    def setup(self) -> Setup:
        """Return the set-up that the game was begun with."""


K = TypeVar("K")
"""What the one who decides knows."""
S = TypeVar("S", bound=GameState)


Position = Mapping[str, str]
"""What stands where: spot name -> token. A spot that is not named is empty."""


class Outcome(NamedTuple):
    """How a game ended: ``winners`` empty means a draw; ``rule`` decided it."""

    winners: tuple[str, ...]
    rule: str
    reason: str


def result(outcome: Outcome, seat: str) -> Text:
    """Return what the end of a game is for ``seat``: won, lost or a draw, in words."""
    if not outcome.winners:
        return say("draw")
    return say("won") if seat in outcome.winners else say("lost")


class Field(NamedTuple):
    """One box of a scorecard: a label, the tokens lying in it, what it counts.

    ``picture`` is the token that the box belongs to, empty for none; where there is a ``goal``,
    ``value`` is a whole number that counts toward it.
    """

    label: str
    tokens: tuple[str, ...] = ()
    value: str = ""
    picture: str = ""
    goal: int = 0


class Scorecard(NamedTuple):
    """A seat's scorecard. ``score`` is None in games without points; ``status`` is a short
    phrase such as ``out`` or ``King may leave``."""

    seat: str
    fields: tuple[Field, ...]
    score: int | None = None
    status: str = ""


class Problem(NamedTuple):
    """Why a position cannot be: the spots concerned, the rule, one sentence."""

    rule: str
    reason: str
    spots: tuple[str, ...] = ()


class Mark(NamedTuple):
    """What a mark on a spot or a token is called, in the players' words. What is marked with one
    that ``holds`` may not move on."""

    words: Text
    holds: bool = False


class Look(NamedTuple):
    """How a token looks from above: a ``face`` and how far it is turned from upright.

    Tokens that cannot be told apart share a face. ``turn`` is in degrees clockwise for its
    owner, None where turning means nothing (dice, chessmen). ``pips`` are those of a die's top
    face, 0 if it is no die; tokens of one colour share a ``body``. Tokens with a body and no turn
    need no enrolment: a camera goes by colour and by what the rules allow. A ``card`` is known by
    its face wherever it lies; ``code`` is the number printed in its corners, -1 for none.
    ``height`` is how high a token usually stands, in pitches of the board, 0 if that is not known.
    """

    face: str
    turn: float | None = None
    pips: int = 0
    body: str = ""
    card: bool = False
    code: int = -1
    height: float = 0.0


class Effect(NamedTuple):
    """What an action, legal or not, does to the table.

    ``changes`` maps each spot that the hand changes to its new token, None for emptied.
    ``captures`` in path order; ``becomes`` the token after a promotion; ``returned`` a token put
    back and where; ``scored`` the value that leaves the board for its owner.
    """

    seat: str | None
    piece: str | None
    captures: tuple[str, ...] = ()
    changes: Mapping[str, str | None] = MappingProxyType({})
    becomes: str | None = None
    returned: tuple[str, int] | None = None
    scored: int | None = None
