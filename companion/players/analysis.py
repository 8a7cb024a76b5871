"""A game that was played, looked at again: what each side could expect, and what it gave away."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from companion.players.budget import Budget
from companion.players.levels import LEVELS
from companion.players.outlook import own_side
from companion.players.player import Thought
from companion.players.search import Searcher
from companion.rules import Action, BadInput, Evaluation, Game, say
from companion.rules.values import S

BLUNDER = 0.15
"""The share of the result that an action gives away which is called a blunder."""


class Reviewed(NamedTuple):
    """An ``action`` of ``seat``, ``at`` so many actions from the start: the ``shares`` of the
    result that each seat may expect after it (a win that seats share counts for each of them), what
    would have been ``best``, how great a share was ``lost`` by not doing that, and how many tokens
    were ``captured``."""

    at: int
    seat: str
    action: Action
    shares: dict[str, float]
    best: Thought
    lost: float
    captured: int

    @property
    def blunder(self) -> bool:
        """Tell whether much was given away."""
        return self.lost >= BLUNDER


def analysed(
    game: Game[S], start: S, actions: Sequence[Action], level: int, seed: int = 0
) -> Iterator[Reviewed]:
    """Yield what ``actions``, legal one after another from ``start``, were worth to whom decided.
    What nobody decided, such as a claim in another seat's turn, is passed over. ``level`` is how
    hard each position is looked at, 1 to 6.

    Raises:
        BadInput: no machine thinks ahead in this game.
    """
    if not isinstance(game, Evaluation):
        raise BadInput(say("no machine thinks ahead in {game} yet", game=game.title))
    searcher, budget = Searcher(game, random.Random(seed)), Budget(nodes=LEVELS[level - 1])
    state = start
    best = _best(searcher, state, budget)
    for at, action in enumerate(actions):
        after = game.advance(state, action)
        then = _best(searcher, after, budget)
        if best is not None and action in game.legal(state):
            made = best if best.action == action else _beside(searcher, state, best, action, budget)
            share = _in_hindsight(game, state, after, made.expected, then)
            if made.action == best.action:
                best = _instead(searcher, state, made, share, budget)
            # What was found while the action was looked at beside it is known now, too.
            top = share if best.action == action else max(best.expected, share)
            number = game.decides(state)
            yield Reviewed(
                at,
                state.setup.seats[number],
                action,
                _shares(game, after, number, share),
                made if top == share else best,
                top - share,
                len(game.effect(state, action).captures),
            )
        state, best = after, then


def _best(searcher: Searcher[S], state: S, budget: Budget) -> Thought | None:
    """Return the best action that is found in ``state``, None where the game is over."""
    return searcher.choose(state, budget) if searcher.game.to_move(state) is not None else None


def _in_hindsight(
    game: Game[Any], state: Any, after: Any, share: float, then: Thought | None
) -> float:
    """Return the ``share`` that whoever decides in ``state`` may expect in ``after`` by what is
    known of the next decision, ``then``: it was looked at from one action nearer."""
    assert isinstance(game, Evaluation)
    setup = state.setup
    own = own_side(game, setup, game.decides(state))
    outcome = game.outcome(after)
    if then is None or outcome is not None:
        winners = outcome.winners if outcome else ()
        if not winners:
            return len(own) / len(setup.seats)
        return float(any(setup.seats[number] in winners for number in own))
    if game.decides(after) in own:
        return then.expected
    return min(share, 1 - then.expected)


def _beside(
    searcher: Searcher[S], state: S, best: Thought, action: Action, budget: Budget
) -> Thought:
    """Return what is thought of ``action`` when it is looked at beside the best one."""
    both = searcher.ideas(state, budget, 2, among=(best.action, action))
    return next(thought for thought in both if thought.action == action)


def _instead(
    searcher: Searcher[S], state: S, made: Thought, share: float, budget: Budget
) -> Thought:
    """Return what is better than ``made``, which was thought the best and turned out to be worth
    ``share``: the best of the others; ``made`` itself where much was not lost by it, or none is."""
    others = [action for action in searcher.game.legal(state) if action != made.action]
    if made.expected - share < BLUNDER or not others:
        return made
    other = searcher.ideas(state, budget, 1, among=others)[0]
    return other if other.expected > share else made


def _shares(game: Game[Any], after: Any, number: int, own: float) -> dict[str, float]:
    """Return what each seat may expect in ``after``: the side of seat ``number`` what it was found
    to, the others the rest, in the ratio that the game's evaluation says."""
    assert isinstance(game, Evaluation)
    seats, side = after.setup.seats, own_side(game, after.setup, number)
    outcome = game.outcome(after)
    if outcome is not None:
        share = 1 / len(seats) if not outcome.winners else 1.0
        return {seat: share if seat in (outcome.winners or seats) else 0.0 for seat in seats}
    values = game.evaluate(after)
    top = max((value for seat, value in enumerate(values) if seat not in side), default=0.0)
    others = {
        seat: math.exp(max(-700.0, value - top))
        for seat, value in enumerate(values)
        if seat not in side
    }
    whole = sum(others.values()) or 1.0
    return {
        name: own if seat in side else (1 - own) * others[seat] / whole
        for seat, name in enumerate(seats)
    }


def as_json(game: Game[Any], moments: Sequence[Reviewed]) -> dict[str, Any]:
    """Return the analysis as the command prints it: ``actions`` in their order, and for each seat
    how many it made, its blunders, what it captured and the mean share it gave away."""
    seats: dict[str, list[Reviewed]] = {}
    for moment in moments:
        seats.setdefault(moment.seat, []).append(moment)
    return {
        "actions": [
            {
                "at": one.at,
                "seat": one.seat,
                "blunder": one.blunder,
                "action": game.format(one.action),
                "expected": {seat: round(share, 4) for seat, share in one.shares.items()},
                "lost": round(one.lost, 4),
                "best": game.format(one.best.action),
                "line": [game.format(action) for action in one.best.line],
            }
            for one in moments
        ],
        "seats": {
            seat: {
                "actions": len(own),
                "blunders": sum(one.blunder for one in own),
                "captures": sum(one.captured for one in own),
                "lost": round(math.fsum(one.lost for one in own) / len(own), 4),
            }
            for seat, own in seats.items()
        },
    }
