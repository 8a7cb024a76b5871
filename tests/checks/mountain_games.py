"""Whole games of Hoplomachus: Victorum played at random with the invented cards.

Used by a short test (games/test_hoplomachus_games.py) and at length by
soak/soak_hoplomachus.py.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field

from companion.games.hoplomachus import GAME
from companion.games.hoplomachus import state as s
from companion.games.hoplomachus.cards import CARNAGE, OPPORTUNITY, SPORT
from companion.games.hoplomachus.pieces import COLOURS, FACES, NUMBER, SIDES, in_words
from companion.games.hoplomachus.scorecards import all_dice
from companion.games.hoplomachus.state import HoplomachusState, card_of
from companion.rules import Action

LONGEST = 3000
"""Actions after which a game counts as one that does not end."""
_WISE = ("scout", "heal", "assign", "take", "keep")


@dataclass
class Figures:
    """What the games have shown."""

    games: int = 0
    actions: int = 0
    by_card: int = 0
    turns: int = 0
    won: int = 0
    lost: int = 0
    finals: int = 0
    primuses: int = 0
    longest: int = 0
    verbs: Counter[str] = field(default_factory=Counter)

    def add(self, other: Figures) -> None:
        """Add the figures of another game."""
        self.longest = max(self.longest, other.longest)
        for name, value in vars(other).items():
            if name != "longest":
                setattr(self, name, getattr(self, name) + value)


def conflict_cards(state: HoplomachusState) -> int:
    """Return how many Conflict cards there are in all places together."""
    listed = [card for pile in state.piles for card in pile]
    listed += [enemy.card for enemy in state.enemies]
    listed += [*state.items, *state.influence, *state.discard]
    listed += [what for kind, what in state.owed if kind == s.OPENED]
    return sum(card_of(name).kind in (SPORT, CARNAGE, OPPORTUNITY) for name in listed)


class RandomGame:
    """One game. ``texts`` is how likely a card's text is carried out before an action of play,
    ``care`` how likely the player takes thought: few would see the Final otherwise."""

    def __init__(self, seed: int, texts: float = 0.05, care: float = 0.0) -> None:
        self.rng, self.texts = random.Random(f"mountain {seed}"), texts
        self.care = care
        options = {"deal": str(seed), "rank": str(1 + seed % 5)}
        self.setup = GAME.setup(None, options)
        self.state: HoplomachusState = GAME.start(self.setup)
        self.figures = Figures(games=1)

    def play(self) -> Figures:
        """Play to the end, checking the dice and cards after each action."""
        figures = self.figures
        while GAME.outcome(self.state) is None:
            assert figures.actions < LONGEST, "the game does not end"
            self.do(self.choose())
        assert not GAME.legal(self.state)
        figures.turns, figures.longest = self.state.turn, figures.actions
        figures.won = int(self.state.ending == s.WON)
        figures.lost = 1 - figures.won
        return figures

    def do(self, action: Action) -> None:
        """Carry an action out and count dice and cards."""
        again = GAME.parse(self.setup, GAME.format(action))
        assert again == action, "what is written is read again"
        self.figures.actions += 1
        self.figures.verbs[action.verb] += 1
        self.figures.finals += action.verb == "final"
        self.figures.primuses += action.verb == "fight"
        self.state = GAME.advance(self.state, action)
        assert all_dice(self.state) == NUMBER, "seventeen unit dice"
        assert conflict_cards(self.state) == 54, "all conflict cards"
        assert 0 <= self.state.health <= 6, "what the stat die can show"
        assert not GAME.check(self.state)

    def choose(self) -> Action:
        """Return an action of the rules at random; of rolls, one that dice would show."""
        state, claims = self.state, GAME.claims(self.state)
        if claims and self.rng.random() < self.texts:
            self.figures.by_card += 1
            return self.rng.choice(claims)
        kind = state.awaited[0]
        if kind == s.ROLL:
            return self.checked(self.roll(), sum(state.active) <= 5)
        careful = self.rng.random() < self.care
        if careful and "health" in {claim.verb for claim in claims} and state.health < 4:
            self.figures.by_card += 1
            return Action("health", detail="+1")
        if kind == s.ENGAGE and (careful or self.rng.random() < 0.8):
            return self.checked(self.engagement(careful), sum(state.reserve) <= 9)
        legal = GAME.legal(state)
        wise = [action for action in legal if action.verb in _WISE] if careful else []
        return self.rng.choice(wise or legal)

    def checked(self, action: Action, listed: bool) -> Action:
        """Return ``action``, if the rules offer it; long lists are not looked through."""
        if listed:
            assert action in GAME.legal(self.state), f"{GAME.format(action)} is offered"
        return action

    def roll(self) -> Action:
        """Return what the active dice show when they are thrown."""
        shown = [
            f"{COLOURS[colour]}={self.rng.choices(FACES, SIDES[colour])[0]}"
            for colour, count in enumerate(self.state.active)
            for _ in range(count)
        ]
        return GAME.parse(self.setup, f"roll {' '.join(shown)}")

    def engagement(self, careful: bool) -> Action:
        """Return dice of the reserve: most of them, or all for a careful player."""
        share = 1.0 if careful else 0.6
        dice = tuple(
            sum(self.rng.random() < share for _ in range(count)) for count in self.state.reserve
        )
        return Action("engage", detail=in_words(dice))


def games(first: int, count: int, texts: float = 0.05) -> Figures:
    """Play ``count`` games, two of three with some care, and return their figures."""
    total = Figures()
    for seed in range(first, first + count):
        try:
            total.add(RandomGame(seed, texts, (0.0, 0.7, 0.97)[seed % 3]).play())
        except AssertionError as error:
            error.add_note(f"game {seed}")
            raise
    return total
