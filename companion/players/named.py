"""Players by the names that people write: ``level:4``, ``greedy``, ``random``."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from companion.players.budget import Budget
from companion.players.levels import LEVEL_NAMES, LEVELS, OVERLOOKED, STEP
from companion.players.player import Player, Progress, Thought, unheard
from companion.players.sampling import Sampler
from companion.players.search import Searcher
from companion.players.simple import GreedyHand, GreedyPlayer, RandomHand, RandomPlayer
from companion.players.uci import UciPlayer
from companion.rules import (
    BadInput,
    Evaluation,
    Game,
    HandPlays,
    Rehearsal,
    UciNotation,
    quoted,
    say,
)


class LevelPlayer:
    """Thinks ahead as far as its level allows; level 1 is the weakest."""

    def __init__(self, thinker: Player, level: int) -> None:
        self._thinker, self.level = thinker, level

    def choose(self, state: Any, budget: Budget, progress: Progress = unheard) -> Thought:
        """Return the best action found within the level's share of ``budget``; without limits,
        within the level's own."""
        if budget.nodes is None and budget.seconds is None:
            mine = replace(budget, nodes=LEVELS[self.level - 1])
        else:
            mine = budget.share(STEP ** (self.level - len(LEVELS)))
        return self._thinker.choose(state, mine, progress)


def check_name(game: Game[Any], name: str) -> None:
    """Check that ``name`` names a player of ``game``.

    Raises:
        BadInput: there is no such player, or it cannot play this game.
    """
    kind, _, rest = name.partition(":")
    if kind == "uci" and rest:
        if not isinstance(game, UciNotation):
            raise BadInput(say("programs of others do not play {game}", game=game.title))
        return
    if name not in ("random", "greedy", *LEVEL_NAMES):
        raise BadInput(
            say(
                "{name} is no player; write level:1 to level:6, greedy, random, or uci:PROGRAM",
                name=quoted(name),
            )
        )
    if name != "random" and not isinstance(game, Evaluation | Rehearsal):
        raise BadInput(say("no machine thinks ahead in {game} yet", game=game.title))


@contextmanager
def player_named(game: Game[Any], name: str, chance: random.Random) -> Iterator[Player]:
    """Yield the player of ``game`` that ``name`` names; whatever runs for it ends with the block.
    Where seats play on cards that they alone know, its states are what its seat knows, an
    :class:`~companion.rules.own_hand.InformationSet`.

    Raises:
        BadInput: there is no such player, or it cannot play this game.
    """
    check_name(game, name)
    kind, _, rest = name.partition(":")
    if kind == "uci":
        with UciPlayer(game, rest) as player:
            yield player
    elif isinstance(game, Rehearsal) and (kind != "random" or isinstance(game, HandPlays)):
        yield _imagining(game, kind, rest, chance)
    elif kind == "level":
        yield LevelPlayer(Searcher(game, chance, OVERLOOKED[int(rest) - 1]), int(rest))
    elif kind == "greedy":
        yield GreedyPlayer(game, chance)
    else:
        yield RandomPlayer(game, chance)


def _imagining(game: Rehearsal[Any], kind: str, rest: str, chance: random.Random) -> Player:
    if kind == "level":
        return LevelPlayer(Sampler(game, chance, OVERLOOKED[int(rest) - 1]), int(rest))
    return GreedyHand(game, chance) if kind == "greedy" else RandomHand(game, chance)
