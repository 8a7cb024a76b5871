"""Orders of play that no picture tells apart, kept until a later move decides between them.

Several moves between two still pictures may have been made in more than one order, and the order
may decide whose turn it is. The likeliest is told; where the next move does not follow from it,
another one was the true one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from companion.rules import Action, Game
from vision.reading import Step
from vision.story import Story

S = TypeVar("S")

KEPT = 6
"""Other orders that are remembered."""


@dataclass(frozen=True, slots=True)
class Order(Generic[S]):
    """Another way the game may have gone since it had ``begun`` states: the ``actions``, and the
    ``states`` after each of them. ``told`` is the state that was told instead."""

    begun: int
    actions: tuple[Action, ...]
    states: tuple[S, ...]
    told: S


class Orders(Generic[S]):
    """Remembers other orders of play for one game."""

    def __init__(self, game: Game[S]) -> None:
        self._game = game
        self._kept: list[Order[S]] = []

    def told(self, past: Sequence[S], story: Story[S], twins: Sequence[Story[S]]) -> None:
        """Remember that from ``past`` on ``story`` was told, though it may have been ``twins``.

        Orders remembered before go on with the story if it follows from them, or end.
        """
        steps = [step for step in story.steps if step.legal]
        kept = [self._gone_on(order, steps) for order in self._kept if order.told == past[-1]]
        if len(steps) < len(story.steps) or not steps:
            self._kept = []
            return
        self._kept = [
            Order(order.begun, order.actions, order.states, story.state)
            for order in kept
            if order is not None
        ]
        for twin in twins:
            actions = tuple(step.action for step in twin.steps)
            states = self._states(past[-1], actions)
            if states is not None:
                self._kept.append(Order(len(past), actions, states, story.state))
        del self._kept[KEPT:]

    def others(self, past: Sequence[S]) -> Iterator[tuple[Order[S], tuple[S, ...]]]:
        """Yield every other order that may have led to the current picture, with its past."""
        for order in self._kept:
            if order.told == past[-1]:
                yield order, (*past[: order.begun], *order.states)

    def forget(self) -> None:
        """One of the orders was the true one."""
        self._kept = []

    def _gone_on(self, order: Order[S], steps: Sequence[Step]) -> Order[S] | None:
        actions = tuple(step.action for step in steps)
        states = self._states(order.states[-1], actions)
        if states is None:
            return None
        return Order(order.begun, (*order.actions, *actions), (*order.states, *states), order.told)

    def _states(self, state: S, actions: Sequence[Action]) -> tuple[S, ...] | None:
        states = []
        for action in actions:
            if action not in self._game.legal(state):
                return None
            state = self._game.advance(state, action)
            states.append(state)
        return tuple(states)


class Ledger(Generic[S]):
    """The actions that lead through a game's states, found once for each pair of them."""

    def __init__(self, game: Game[S]) -> None:
        self._game = game
        self._found: list[tuple[S, Action]] = []

    def actions(self, past: Sequence[S]) -> list[Action]:
        """Return the actions that lead through ``past``; ``unknown`` where none does."""
        keep, limit = 0, min(len(self._found), len(past) - 1)
        while keep < limit and self._found[keep][0] == past[keep + 1]:
            keep += 1
        del self._found[keep:]
        for before, after in zip(past[keep:-1], past[keep + 1 :], strict=True):
            self._found.append((after, self._between(before, after)))
        return [action for _, action in self._found]

    def _between(self, before: S, after: S) -> Action:
        options = [*self._game.legal(before), *self._game.claims(before)]
        then, now = self._game.expect(after), self._game.expect(before)
        options.sort(key=lambda a: a.target is None or then.get(a.target) == now.get(a.target))
        for action in options:
            if self._game.advance(before, action) == after:
                return action
        return Action("unknown")
