"""Whole games for other programs, with what the clocks showed."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence

from companion.rules.action import Action
from companion.rules.capabilities import Exports
from companion.rules.values import S


class TimedExports(Exports[S]):
    """Whole games are written with what the clocks showed."""

    @abstractmethod
    def notate_timed(
        self,
        notation: str,
        start: S,
        actions: Sequence[Action],
        tags: Mapping[str, str],
        clocks: Sequence[float | None],
    ) -> str:
        """Return a whole game as :meth:`notate` does, with the seconds that the seat that acted had
        left after each of ``actions``, None where no clock ran. ``tags`` may also tell ``control``
        (seconds for each seat, and after a ``+`` those that an action adds), and ``winner``, a
        seat or ``nobody``, where players ended the game."""
