"""What every player that is a machine can do."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from companion.players.budget import Budget
from companion.rules import Action


@dataclass(frozen=True, slots=True)
class Thought:
    """What a player thinks of one action: ``expected`` is the share of the result that its seat
    (or side) may hope for after it, 0 lost and 1 won; ``line`` is how play may go on, the action
    itself first; ``nodes`` positions were looked at, ``depth`` actions ahead. ``cards`` are those
    of the seat's own rack that the action takes, seen or not."""

    action: Action
    expected: float
    line: tuple[Action, ...] = ()
    nodes: int = 0
    depth: int = 0
    cards: tuple[str, ...] = ()


T = TypeVar("T")
Progress = Callable[[Thought], None]


def noticed(choices: Sequence[T], overlooked: float, chance: random.Random) -> list[T]:
    """Return ``choices`` in any order without those that are overlooked, by ``chance`` so great a
    share of them; one at least is noticed."""
    found = list(choices)
    chance.shuffle(found)
    return [one for one in found if chance.random() >= overlooked] or found[:1]


def unheard(thought: Thought) -> None:
    """Hear of progress, and do nothing about it."""


class Player(Protocol):
    """Chooses actions for a seat. A player keeps nothing between two decisions that another game
    could disturb, and never rules on anything."""

    def choose(self, state: Any, budget: Budget, progress: Progress = unheard) -> Thought:
        """Return the legal action chosen for the seat whose decision ``state`` awaits. ``progress``
        hears of each better thought while there is time.

        Raises:
            HardwareFault: a program that thinks for this player failed.
        """
