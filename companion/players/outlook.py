"""How a position looks to a seat and those who win with it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final, Generic

from companion.rules import Action, Evaluation, Game, Setup, sides_of
from companion.rules.values import S

WON: Final = 40.0
"""What a won game counts, as the logarithm of the odds; a lost one counts as much below 0."""
SURE: Final = 30.0
"""What a position counts at most whose game goes on."""
SOONER: Final = 0.01
"""What each action less on the way to a win counts."""


def own_side(game: Game[Any], setup: Setup, number: int) -> frozenset[int]:
    """Return the numbers of the seats that win together with seat ``number``, itself too."""
    seat = setup.seats[number]
    side = next(side for side in sides_of(game, setup) if seat in side)
    return frozenset(setup.seats.index(one) for one in side)


def odds(values: Sequence[float], own: frozenset[int]) -> float:
    """Return the logarithm of the odds of the seats ``own``, from what :meth:`Evaluation.evaluate`
    says of all."""
    if len(values) == 2:
        return values[0] - values[1] if 0 in own else values[1] - values[0]
    top = max(values)
    mine = theirs = 0.0
    for seat, value in enumerate(values):
        share = math.exp(value - top)
        if seat in own:
            mine += share
        else:
            theirs += share
    return math.log((mine + 1e-12) / (theirs + 1e-12))


def expected(value: float) -> float:
    """Return the share of the result that goes with the logarithm of the odds ``value``."""
    return 1.0 / (1.0 + math.exp(-max(-WON, min(WON, value))))


class Outlook(Generic[S]):
    """One side's look at positions of one game."""

    def __init__(self, game: Game[S], setup: Setup, own: frozenset[int]) -> None:
        assert isinstance(game, Evaluation)
        self.own = own
        self.evaluate: Callable[[S], tuple[float, ...]] = game.evaluate
        self._game, self._setup = game, setup

    def value(self, state: S) -> float:
        """Return the logarithm of the odds of the own side; never as much as a game that is won."""
        return max(-SURE, min(SURE, odds(self.evaluate(state), self.own)))

    def final(self, state: S, after: int) -> float:
        """Return what the end of the game is worth, which ``after`` so many actions came about."""
        outcome = self._game.outcome(state)
        seats = self._setup.seats
        if outcome is None or not outcome.winners:
            others = len(seats) - len(self.own)
            return math.log(len(self.own) / others) if others else 0.0
        won = any(seats[number] in outcome.winners for number in self.own)
        return WON - SOONER * after if won else SOONER * after - WON

    def after(self, state: S, action: Action) -> float:
        """Return what ``action`` leads to, at once."""
        there = self._game.advance(state, action)
        return self.final(there, 1) if self._game.to_move(there) is None else self.value(there)
