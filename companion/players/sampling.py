"""Thinking ahead where something is hidden, or left to chance.

Monte Carlo on determinizations: worlds are drawn that fit what was seen, and each play is
played out in the same worlds; a play that falls behind the best one by more than chance would is
given up (a race: Maron and Moore, Hoeffding races, 1994). What the player is given holds no card
that its seat does not see.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Generic, NamedTuple

from companion.players.budget import Budget, Meter, Spent
from companion.players.outlook import expected
from companion.players.player import Progress, Thought, noticed, unheard
from companion.rules import Rehearsal
from companion.rules.own_hand import HandPlay
from companion.rules.values import K

AT_ONCE = 0.02
"""How much what a play promises at once counts beside what it came to."""
FEWEST = 6
"""Worlds in which every play is looked at before any is given up."""
BEHIND = 2.0
"""Standard errors by which a play falls behind before it is given up."""
WORLDS = 400
"""Worlds after which more tell nothing new."""


class Run(NamedTuple):
    """A play in the race: what it promised at once, and what it came to in each world."""

    play: HandPlay
    at_once: float
    came_to: list[float]

    @property
    def mean(self) -> float:
        """Return what it is worth: the logarithm of the odds."""
        return AT_ONCE * self.at_once + math.fsum(self.came_to) / max(1, len(self.came_to))


class Sampler(Generic[K]):
    """A player that imagines what is hidden and what chance may do; so great a share of the plays
    as ``overlooked`` it does not think of at all."""

    def __init__(self, game: Rehearsal[K], chance: random.Random, overlooked: float = 0.0) -> None:
        self._game, self._chance, self._overlooked = game, chance, overlooked

    def choose(self, known: K, budget: Budget, progress: Progress = unheard) -> Thought:
        """Return the play that came off best within ``budget``; one that is the only one is not
        weighed."""
        plays = self._game.hand_plays(known)
        if len(plays) == 1:
            return Thought(plays[0].action, 0.5, cards=plays[0].cards)
        return self.ideas(known, budget, progress)[0]

    def ideas(self, known: K, budget: Budget, progress: Progress = unheard) -> list[Thought]:
        """Return every play that may be made, the best first."""
        game, meter = self._game, Meter(budget)
        plays = noticed(game.hand_plays(known), self._overlooked, self._chance)
        runs = [Run(play, game.at_once(known, play), []) for play in plays]
        runs.sort(key=lambda run: -run.at_once)
        racing = runs
        try:
            for number in range(1, WORLDS + 1):
                if len(racing) <= 1 and (number > FEWEST or not racing):
                    break
                self._race(known, racing, meter)
                if number >= FEWEST:
                    racing = _still(racing)
                    progress(_thought(racing[0], meter))
        except Spent:
            pass
        # What was given up last came farthest.
        ranked = sorted(runs, key=lambda run: (-len(run.came_to), -run.mean))
        return [_thought(run, meter) for run in ranked]

    def _race(self, known: K, racing: Sequence[Run], meter: Meter) -> None:
        """Play every play of ``racing`` out in one more world, or none if the budget is spent."""
        world = self._game.world(known, self._chance)
        fate, came_to = self._chance.random(), []
        for run in racing:
            value, nodes = self._game.prospect(known, world, run.play, random.Random(fate))
            came_to.append(value)
            for _ in range(nodes):
                meter.spend()
        for run, value in zip(racing, came_to, strict=True):
            run.came_to.append(value)


def _still(racing: Sequence[Run]) -> list[Run]:
    """Return the plays that may still be the best, the best of all first."""
    ahead = max(racing, key=lambda run: run.mean)
    return [ahead] + [run for run in racing if run is not ahead and not _behind(run, ahead)]


def _behind(run: Run, ahead: Run) -> bool:
    """Tell whether ``run`` is behind by more than chance would have it, world by world."""
    gaps = [best - own for best, own in zip(ahead.came_to, run.came_to, strict=True)]
    mean = math.fsum(gaps) / len(gaps)
    spread = math.sqrt(math.fsum((gap - mean) ** 2 for gap in gaps) / (len(gaps) - 1))
    return mean > BEHIND * spread / math.sqrt(len(gaps))


def _thought(run: Run, meter: Meter) -> Thought:
    return Thought(run.play.action, expected(run.mean), (), meter.nodes, 1, cards=run.play.cards)
