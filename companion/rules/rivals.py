"""Games in which many play, each against all."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Sequence

from companion.rules.action import Action
from companion.rules.capabilities import Evaluation
from companion.rules.values import S


class Rivals(Evaluation[S]):
    """Players that are machines look at what any of the others could do to them, whose turn soever
    comes first."""

    @abstractmethod
    def turn_of(self, state: S, seat: int) -> S | None:
        """Return ``state`` as if the turn of the seat of this number, in the order of the set-up,
        had just begun; None where it plays no more, or the game is over."""

    @abstractmethod
    def threats(self, state: S, seats: Collection[int]) -> Sequence[tuple[S, Action]]:
        """Return by which single actions others could take what belongs to ``seats``, if it were
        their turn, the gravest first; each with the state in which it is."""
