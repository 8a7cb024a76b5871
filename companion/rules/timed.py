"""Whole games for other programs, with what the clocks showed."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from companion.rules.action import Action
from companion.rules.capabilities import Exports
from companion.rules.values import S


class ActionRemark(NamedTuple):
    """What is told beside an action: the seconds ``left`` to the seat that acted and those it
    ``took``, None where no clock ran; ``expected`` is the share of the result that the first seat
    may expect after it, 0 to 1, None where nobody looked."""

    left: float | None = None
    took: float | None = None
    expected: float | None = None


class TimedExports(Exports[S]):
    """Whole games are written with what the clocks showed and what a machine made of them."""

    @abstractmethod
    def notate_timed(
        self,
        notation: str,
        start: S,
        actions: Sequence[Action],
        tags: Mapping[str, str],
        remarks: Sequence[ActionRemark],
    ) -> str:
        """Return a whole game as :meth:`notate` does, with the remarks on as many of ``actions`` as
        there are. ``tags`` may also tell ``control``
        (the time control as PGN writes it: phases between colons, ``moves/seconds``, after a ``+``
        the seconds of an increment, with a ``d`` those of a delay), and ``winner``, a seat or
        ``nobody``, where players ended the game."""
