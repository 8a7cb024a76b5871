"""What a player that is a machine would do, and why in the words of the rules."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from companion.players.budget import Budget
from companion.players.levels import LEVELS
from companion.players.player import Thought
from companion.players.sampling import Sampler
from companion.players.search import Searcher
from companion.rules import Action, Alone, BadInput, Evaluation, Game, Text, name_of, say
from companion.rules.values import S

IDEAS = 3
"""Ideas that are told, unless more are asked for."""
SHOWN = 5
"""Actions of a line that are told."""


@dataclass(frozen=True, slots=True)
class Idea:
    """An action worth considering, what its seat may expect of it, why, and how play may go on."""

    action: Action
    expected: float
    reason: Text
    line: tuple[Action, ...]


def advise(
    game: Game[S],
    state: S,
    level: int,
    count: int = IDEAS,
    seed: int = 0,
    seconds: float | None = None,
) -> list[Idea]:
    """Return the best ideas for the seat whose decision ``state`` awaits, the best first; none when
    the game is over, or chance decides. ``level`` is 1 to 6;
    after ``seconds`` what was found by then is told.

    Raises:
        BadInput: no machine thinks ahead in this game.
    """
    if not isinstance(game, Evaluation | Alone):
        raise BadInput(say("no machine thinks ahead in {game} yet", game=game.title))
    if game.to_move(state) is None:
        return []
    budget, chance = Budget(nodes=LEVELS[level - 1], seconds=seconds), random.Random(seed)
    if isinstance(game, Alone):
        thoughts = Sampler(game, chance).ideas(state, budget)[:count]
    else:
        thoughts = Searcher(game, chance).ideas(state, budget, count)
    return [Idea(t.action, t.expected, reason(game, state, t), t.line[:SHOWN]) for t in thoughts]


def reason(game: Game[S], state: S, thought: Thought) -> Text:
    """Return in one sentence what is good about the action of ``thought``: what it does at once,
    else what it prepares."""
    if isinstance(game, Alone):
        why = game.why(state, thought.action)
        return why or say("comes off so when the game is played on many times")
    done = _done(game, state, thought.action)
    if done is not None:
        return done
    here, seat = game.advance(state, thought.action), game.to_move(state)
    for action in thought.line[1:]:
        if game.to_move(here) == seat and (what := _done(game, here, action)) is not None:
            return say("prepares {action}: {what}", action=game.format(action), what=what)
        here = game.advance(here, action)
    return say("stands better after it, as far as it was looked ahead")


def _done(game: Game[S], state: S, action: Action) -> Text | None:
    """Return what ``action`` gains at once; None for nothing to speak of."""
    after = game.advance(state, action)
    outcome = game.outcome(after)
    seat = game.to_move(state)
    if outcome is not None and seat in outcome.winners:
        return say("wins the game")
    effect = game.effect(state, action)
    if effect.captures:
        return say("takes {pieces}", pieces=[name_of(game, token) for token in effect.captures])
    if effect.becomes:
        return say("becomes {piece}", piece=name_of(game, effect.becomes))
    if effect.scored:
        return say("scores {points}", points=effect.scored)
    return None


def as_json(game: Game[Any], ideas: list[Idea]) -> list[dict[str, Any]]:
    """Return ideas as the command prints them."""
    return [
        {
            "action": game.format(idea.action),
            "expected": round(idea.expected, 4),
            "reason": idea.reason,
            "line": [game.format(action) for action in idea.line],
        }
        for idea in ideas
    ]
