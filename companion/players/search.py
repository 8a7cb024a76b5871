"""Thinking ahead where nothing is hidden and nothing is left to chance.

Alpha-beta search, deepened step by step, with a table of positions seen (Knuth and Moore, An
analysis of alpha-beta pruning, 1975). Captures are followed beyond the depth until the position is
quiet. With more than two sides the others are taken to play together against one's own (the
paranoid assumption: Sturtevant and Korf, On pruning techniques for multi-player games, 2000); where
a game can tell what all the others threaten, and more than one of them is left, only the gravest
answer is looked at (Schadd and Winands, Best reply search for multiplayer games, 2011).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final, Generic

from companion.players.budget import Budget, Meter, Spent
from companion.players.outlook import Outlook, expected, own_side
from companion.players.player import Progress, Thought, noticed, unheard
from companion.rules import Action, Evaluation, Game, Rivals
from companion.rules.values import S

INFINITE: Final = 1e9
DEEPEST = 24
QUIET: Final = 6
"""Captures that are followed one after another beyond the depth."""
EXACT: Final = 0
AT_LEAST: Final = 1
AT_MOST: Final = 2
AT_ONCE: Final = 0.03
"""How much more it counts what an action gains at once than what may be gained later: else a gain
that nobody can prevent would be put off for ever."""
KEPT = 200_000
"""Positions that the table holds at most."""


class Searched:
    """What is known of a position: how deep it was searched, what it is worth to the seat that
    decides in it, whether that is exact or a bound, and the best action."""

    __slots__ = ("best", "bound", "depth", "worth")

    def __init__(self, depth: int, worth: float, bound: int, best: Action | None) -> None:
        self.depth: Final = depth
        self.worth: Final = worth
        self.bound: Final = bound
        self.best: Final = best


class _Search(Generic[S]):
    """One decision: the table of positions, what it has cost, which actions were good."""

    def __init__(self, game: Game[S], outlook: Outlook[S], meter: Meter) -> None:
        assert isinstance(game, Evaluation)
        self._legal: Callable[[S], Sequence[Action]] = game.legal
        self._advance: Callable[[S, Action], S] = game.advance
        self._decides: Callable[[S], int] = game.decides
        self._lively: Callable[[S], Sequence[Action]] = game.lively
        self._key: Callable[[S], object] = game.position_key
        self._outlook, self._meter = outlook, meter
        self._table: dict[object, Searched] = {}
        self._good: dict[Action, int] = {}

    def child(
        self, state: S, action: Action, depth: int, low: float, high: float, ours: bool, ply: int
    ) -> float:
        """Return what ``action`` is worth to the side that takes it."""
        self._meter.spend()
        after = self.followed(state, action)
        if (self._decides(after) in self._outlook.own) == ours:
            return self._worth(after, depth, low, high, ours, ply)
        return -self._worth(after, depth, -high, -low, not ours, ply)

    def followed(self, state: S, action: Action) -> S:
        """Return what ``action`` leads to, with what its seat then has to do anyway: that is no
        decision, and so it costs no depth."""
        after = self._advance(state, action)
        if self._decides(after) != self._decides(state):
            return after
        actions = self._legal(after)
        return self._advance(after, actions[0]) if len(actions) == 1 else after

    def _worth(self, state: S, depth: int, low: float, high: float, ours: bool, ply: int) -> float:
        """Return what ``state`` is worth to the side that decides in it, within ``low`` and
        ``high``."""
        if depth <= 0:
            return self._quiet(state, depth, low, high, ours, ply)
        key = self._key(state)
        seen = self._table.get(key)
        if seen is not None and seen.depth >= depth:
            if seen.bound == EXACT:
                return seen.worth
            if seen.bound == AT_LEAST and seen.worth >= high:
                return seen.worth
            if seen.bound == AT_MOST and seen.worth <= low:
                return seen.worth
        actions = self._legal(state)
        if not actions:
            final = self._outlook.final(state, ply)
            return final if ours else -final
        first = seen.best if seen else None
        best, worth, floor = None, -INFINITE, low
        for number, action in enumerate(self.ordered(state, actions, first)):
            reached = self._reduced(state, action, depth, number, floor, high, ours, ply)
            if reached > worth:
                best, worth = action, reached
                if worth > floor:
                    floor = worth
                    if floor >= high:
                        self._good[action] = self._good.get(action, 0) + depth * depth
                        break
        bound = AT_LEAST if worth >= high else AT_MOST if worth <= low else EXACT
        if len(self._table) < KEPT:
            self._table[key] = Searched(depth, worth, bound, best)
        return worth

    def _reduced(
        self, state: S, action: Action, depth: int, number: int, low: float, high: float,
        ours: bool, ply: int,
    ) -> float:  # fmt: skip
        """Return what ``action`` is worth; one that comes late in the order is looked at with less
        depth first, and with all of it only if it seems to be better than what is known."""
        if depth >= 3 and number >= 8:
            reached = self.child(state, action, depth - 2, low, high, ours, ply + 1)
            if reached <= low:
                return reached
        return self.child(state, action, depth - 1, low, high, ours, ply + 1)

    def _quiet(self, state: S, depth: int, low: float, high: float, ours: bool, ply: int) -> float:
        """Return what ``state`` is worth when all captures that gain are made; ``depth``, 0 or
        less, is counted on."""
        value = self._outlook.value(state)
        worth = value if ours else -value
        if worth >= high or depth <= -QUIET:
            return worth
        for action in self._lively(state):
            reached = self.child(state, action, depth - 1, max(low, worth), high, ours, ply + 1)
            if reached > worth:
                worth = reached
                if worth >= high:
                    break
        return worth

    def ordered(
        self, state: S, actions: Sequence[Action], first: Action | None
    ) -> Sequence[Action]:
        """Return ``actions`` with the likeliest to be best first: what was best before, captures,
        what was good elsewhere."""
        rank = {action: number - 10**9 for number, action in enumerate(self._lively(state))}
        if first is not None:
            rank[first] = -(10**10)
        good = self._good
        return sorted(actions, key=lambda action: rank.get(action) or -good.get(action, 0))

    def line(self, state: S, action: Action, length: int) -> tuple[Action, ...]:
        """Return how play may go on from ``state`` by ``action``, as far as the table knows."""
        found = [action]
        state = self._advance(state, action)
        while len(found) < length:
            seen = self._table.get(self._key(state))
            if seen is None or seen.best is None or seen.best not in self._legal(state):
                break
            found.append(seen.best)
            state = self._advance(state, seen.best)
        return tuple(found)


class _AmongRivals(_Search[S]):
    """Where many play, too much happens before one's own next turn to be searched. After each own
    action that one thing is looked at by which another could hurt most, whoever could; the rest
    let their turns pass."""

    def __init__(self, game: Game[S], outlook: Outlook[S], meter: Meter, seat: int) -> None:
        super().__init__(game, outlook, meter)
        assert isinstance(game, Rivals)
        self._rivals: Rivals[S] = game
        self._seat = seat

    def child(
        self, state: S, action: Action, depth: int, low: float, high: float, ours: bool, ply: int
    ) -> float:
        """Return what ``action`` is worth to the seat that thinks, in whose turns alone it is
        asked: ``ours`` always."""
        self._meter.spend()
        after = self.followed(state, action)
        if self._decides(after) == self._seat:
            return self._worth(after, depth, low, high, ours, ply)
        if depth > 0:
            worth = self._again(after, depth, low, high, ply)
        else:
            worth = self._outlook.value(after)
        if worth <= low or depth <= -QUIET:
            return worth
        for there, threat in self._rivals.threats(after, self._outlook.own):
            worth = min(worth, self._hurt(there, threat, depth - (depth <= 0), low, worth, ply + 1))
            if worth <= low:
                break
        return worth

    def _hurt(
        self, state: S, threat: Action, depth: int, low: float, high: float, ply: int
    ) -> float:
        """Return what is left to hope for when another does ``threat``, and goes on taking for as
        long as it decides."""
        self._meter.spend()
        after = self.followed(state, threat)
        worth = self._again(after, depth, low, high, ply)
        if self._decides(after) == self._decides(state):
            for action in self._lively(after):
                if worth <= low:
                    break
                worth = min(worth, self._hurt(after, action, depth, low, worth, ply + 1))
        return worth

    def _again(self, state: S, depth: int, low: float, high: float, ply: int) -> float:
        """Return what ``state`` is worth when it is the turn of the seat that thinks again."""
        mine = self._rivals.turn_of(state, self._seat)
        if mine is None:
            return self._outlook.value(state)
        return self._worth(mine, depth, low, high, True, ply)


class Searcher(Generic[S]):
    """A player that thinks ahead; so great a share of the actions as ``overlooked`` it does not
    think of at all."""

    def __init__(self, game: Game[S], chance: random.Random, overlooked: float = 0.0) -> None:
        self.game, self._chance, self._overlooked = game, chance, overlooked

    def choose(self, state: S, budget: Budget, progress: Progress = unheard) -> Thought:
        """Return the best action found within ``budget``."""
        return self.ideas(state, budget, 1, progress)[0]

    def ideas(
        self,
        state: S,
        budget: Budget,
        count: int,
        progress: Progress = unheard,
        among: Sequence[Action] | None = None,
    ) -> list[Thought]:
        """Return the ``count`` best actions that differ, the best first; fewer if there are not
        so many. Only the best one is searched with all of the budget's sharpness. ``among`` are
        the legal actions that are looked at, None for all."""
        game = self.game
        assert isinstance(game, Evaluation)
        seat = game.decides(state)
        outlook = Outlook(game, state.setup, own_side(game, state.setup, seat))
        at_hand = game.legal(state) if among is None else among
        actions = noticed(at_hand, self._overlooked, self._chance)
        meter = Meter(budget)
        search = (
            _AmongRivals(game, outlook, meter, seat)
            if isinstance(game, Rivals) and _rivals(game, state, seat) > 1
            else _Search(game, outlook, meter)
        )
        values = {action: outlook.after(state, action) for action in actions}
        ranked = sorted(actions, key=lambda action: -values[action])
        done = [
            Thought(action, expected(values[action]), (action,), len(actions), 1)
            for action in ranked[:count]
        ]
        if len(actions) == 1:
            return done
        for depth in range(1, DEEPEST):
            reached, whole = _deepened(search, state, ranked, values, depth, count)
            found = [
                Thought(
                    action, expected(value), search.line(state, action, depth), meter.nodes, depth
                )
                for action, value in reached[:count]
            ]
            ahead = [action for action, _ in reached]
            done = [*found, *_below(found, done)][:count]
            if found:
                progress(done[0])
            if not whole:
                break
            ranked = ahead + [action for action in ranked if action not in set(ahead)]
        return done


def _rivals(game: Rivals[S], state: S, seat: int) -> int:
    """Return how many other seats than ``seat`` still have turns."""
    others = set(range(len(state.setup.seats))) - {seat}
    return sum(game.turn_of(state, other) is not None for other in others)


def _below(found: Sequence[Thought], known: Sequence[Thought]) -> list[Thought]:
    """Return those of ``known`` that are not among ``found``, as what comes after them: they were
    looked at with less depth."""
    ahead = {thought.action for thought in found}
    least = min((thought.expected for thought in found), default=1.0)
    return [
        replace(thought, expected=min(least, thought.expected))
        for thought in known
        if thought.action not in ahead
    ]


def _deepened(
    search: _Search[S],
    state: S,
    ranked: Sequence[Action],
    values: Mapping[Action, float],
    depth: int,
    count: int,
) -> tuple[list[tuple[Action, float]], bool]:
    """Return the best actions with what they are worth, searched ``depth`` deep, the best first,
    and whether all of ``ranked`` were; what the budget did not suffice for is left out. ``values``
    are what each is worth at once."""
    best: list[tuple[Action, float]] = []
    try:
        for action in ranked:
            low = best[count - 1][1] if len(best) >= count else -INFINITE
            at_once = AT_ONCE * values[action]
            value = at_once + search.child(
                state, action, depth - 1, low - at_once, INFINITE, True, 1
            )
            if value > low or len(best) < count:
                best.append((action, value))
                best.sort(key=lambda each: -each[1])
    except Spent:
        return best, False
    return best, True
