"""Orders of play that no picture tells apart, kept until a later move decides between them.

Several moves between two still pictures may have been made in more than one order, and the order
may decide whose turn it is. The likeliest is told; where the next move does not follow from it,
another one was the true one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Generic

from companion.rules import Action, Game, S, claims_of
from vision.decoding.decoded import KEPT, Decoded
from vision.decoding.reading import Step
from vision.decoding.story import Story

Order = tuple[int, tuple[Action, ...]]
"""How many states there were before an order parts from what was told, and its actions from there
on."""
Instead = tuple[int, tuple[Action, ...]]
"""How many of the last actions are wrong, and those that were played in their place."""


class Orders(Generic[S]):
    """Remembers other orders of play for one game, beside the one that led to the state told."""

    def __init__(self, game: Game[S], ledger: Ledger[S]) -> None:
        self._game, self._ledger = game, ledger
        self._kept: list[Order] = []
        self._told: S | None = None

    def told(self, past: Sequence[S], story: Story[S], twins: Sequence[Story[S]]) -> None:
        """Remember that after ``past`` the ``story`` was told though ``twins`` were possible, too.

        Orders remembered before are continued with the story if it follows from them, else
        forgotten. A story that changes nothing in the game, such as a refused move, ends none.
        """
        if story.state == past[-1]:
            return
        before, self._kept = [order for order, _ in self.others(past)], []
        self._told, back = story.state, _taken_back(story)
        if back is None or not story.steps:
            return
        done = tuple(self._ledger.actions(past))
        found = []
        for begun, actions in before:
            stays = len(actions) - back
            if stays > 0 and actions[stays:] == done[len(done) - back :]:
                head = actions[:stays]
                if (after := self._after(past, (begun, head))) is not None:
                    orders = self._orders(after[-1], _moves(story))
                    found += [(begun, (*head, *order)) for order in islice(orders, KEPT)]
        for twin in twins:
            if (undone := _taken_back(twin)) is not None:
                begun = len(past) - max(back, undone)
                found.append((begun, (*done[begun - 1 : len(done) - undone], *_played(twin))))
        legal = (order for order in found if self._after(past, order) is not None)
        self._kept = list(islice(legal, KEPT))

    def others(self, past: Sequence[S]) -> Iterator[tuple[Order, tuple[S, ...]]]:
        """Yield every other order that may have led to the current picture, with its past."""
        for order in self._kept if self._told == past[-1] else ():
            if (after := self._after(past, order)) is not None:
                yield order, after

    def better(
        self, told: Decoded[S], past: Sequence[S], decode: Callable[[Sequence[S]], Decoded[S]]
    ) -> tuple[Decoded[S], Sequence[S], Instead | None]:
        """Return what a picture shows, after which past, and what that has instead of the last
        actions: what was ``told``, unless earlier moves were made in another order, which explains
        the picture no worse, by moves that the rules allow and that, at best, take nothing back;
        no order is remembered after that.

        ``decode`` returns what the picture shows after another past.
        """
        for (begun, actions), other in () if told.forth else self.others(past):
            decoded = decode(other)
            if decoded.best and told.best and decoded.best.score < told.best.score:
                continue
            if decoded.forth or (decoded.lawful and not told.lawful):
                self._kept = []
                return decoded, other, (len(past) - begun, actions)
        return told, past, None

    def _orders(
        self, state: S, moves: tuple[Action, ...], said: bool = False
    ) -> Iterator[tuple[Action, ...]]:
        """Yield every order in which ``moves`` may be played from ``state`` on, the given one
        first. What moves nothing may be ``said`` before each, once."""
        if not moves:
            yield ()
        first = moves[:1]
        for action in sorted(self._game.legal(state), key=lambda a: a not in first):
            spoken = action.target is None
            if action in moves or (moves and spoken and not said):
                at = moves.index(action) if action in moves else len(moves)
                left, after = moves[:at] + moves[at + 1 :], self._game.advance(state, action)
                yield from ((action, *order) for order in self._orders(after, left, spoken))

    def _after(self, past: Sequence[S], order: Order) -> tuple[S, ...] | None:
        """Return the past that ``order`` makes of ``past``; None where the rules refuse it."""
        begun, actions = order
        states = list(past[:begun])
        for action in actions:
            if action not in self._game.legal(states[-1]):
                return None
            states.append(self._game.advance(states[-1], action))
        return tuple(states)


def revoked(
    game: Game[S], steps: Sequence[Step], past: Sequence[S]
) -> tuple[Instead, tuple[Step, ...]] | None:
    """Return what remains of ``steps`` that take moves back only to play them again, or take back
    moves there and back: nobody touched those tokens. This happens when a turn had not ended after
    all. None for any other steps.

    ``past`` leads to where the steps begin.
    """
    count = sum(step.takeback or 0 for step in steps)
    if not count or any(step.takeback is None and not step.legal for step in steps):
        return None
    played = [step for step in steps if step.takeback is None]
    table, state = game.expect(past[-1]), past[-1 - count]
    for done in range(len(played) + 1):
        if game.expect(state) == table:
            return (count, tuple(step.action for step in played[:done])), tuple(played[done:])
        if done < len(played):
            state = game.advance(state, played[done].action)
    return None


def one_after_another(first: Instead | None, then: Instead) -> Instead:
    """Return what replaces the last actions if first ``first`` and then ``then`` replaces them."""
    if first is None:
        return then
    (gone, actions), (count, again) = first, then
    kept = actions[: max(0, len(actions) - count)]
    return gone + max(0, count - len(actions)), (*kept, *again)


def _taken_back(story: Story[S]) -> int | None:
    """Return how many accepted actions a story begins by taking back; None where it holds what
    has no place in the order of play: refused moves, or tokens put back after them."""
    back = sum(step.takeback or 0 for step in story.steps)
    plain = all(step.legal or step.takeback for step in story.steps)
    return back if plain and not story.standing else None


def _played(story: Story[S]) -> tuple[Action, ...]:
    return tuple(step.action for step in story.steps if step.legal)


def _moves(story: Story[S]) -> tuple[Action, ...]:
    return tuple(action for action in _played(story) if action.target is not None)


class Ledger(Generic[S]):
    """Finds the actions that lead from each state of a game to the next, and remembers them."""

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
        options = [*self._game.legal(before), *claims_of(self._game, before)]
        then, now = self._game.expect(after), self._game.expect(before)
        options.sort(key=lambda a: a.target is None or then.get(a.target) == now.get(a.target))
        for action in options:
            if self._game.advance(before, action) == after:
                return action
        return Action("unknown")
