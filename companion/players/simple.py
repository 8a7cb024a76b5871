"""Players that do not think ahead: the measure of those that do."""

from __future__ import annotations

import random
from typing import Generic

from companion.players.budget import Budget
from companion.players.outlook import Outlook, expected, own_side
from companion.players.player import Progress, Thought, unheard
from companion.rules import Evaluation, Game, Rehearsal
from companion.rules.values import K, S


class RandomPlayer(Generic[S]):
    """Takes any legal action."""

    def __init__(self, game: Game[S], chance: random.Random) -> None:
        self._game, self._chance = game, chance

    def choose(self, state: S, budget: Budget, progress: Progress = unheard) -> Thought:
        """Return any legal action; what it leads to is not asked."""
        return Thought(self._chance.choice(list(self._game.legal(state))), 0.5)


class GreedyPlayer(Generic[S]):
    """Takes what the game's own evaluation likes best after one action, any of those alike."""

    def __init__(self, game: Game[S], chance: random.Random) -> None:
        self._game, self._chance = game, chance

    def choose(self, state: S, budget: Budget, progress: Progress = unheard) -> Thought:
        """Return one of the actions that look best at once."""
        game = self._game
        assert isinstance(game, Evaluation)
        outlook = Outlook(game, state.setup, own_side(game, state.setup, game.decides(state)))
        values = [(outlook.after(state, action), action) for action in game.legal(state)]
        top = max(value for value, _ in values)
        alike = [action for value, action in values if value > top - 1e-9]
        return Thought(self._chance.choice(alike), expected(top), (), len(values), 1)


class RandomHand(Generic[K]):
    """Takes any of the plays that may be made."""

    def __init__(self, game: Rehearsal[K], chance: random.Random) -> None:
        self._game, self._chance = game, chance

    def choose(self, known: K, budget: Budget, progress: Progress = unheard) -> Thought:
        """Return any play; what it leads to is not asked."""
        play = self._chance.choice(list(self._game.hand_plays(known)))
        return Thought(play.action, 0.5, cards=play.cards)


class GreedyHand(Generic[K]):
    """Takes the play that promises most at once, any of those alike."""

    def __init__(self, game: Rehearsal[K], chance: random.Random) -> None:
        self._game, self._chance = game, chance

    def choose(self, known: K, budget: Budget, progress: Progress = unheard) -> Thought:
        """Return one of the plays that look best at first sight."""
        plays = [(self._game.at_once(known, play), play) for play in self._game.hand_plays(known)]
        top = max(value for value, _ in plays)
        play = self._chance.choice([play for value, play in plays if value > top - 1e-9])
        return Thought(play.action, expected(top), (), len(plays), 1, play.cards)
