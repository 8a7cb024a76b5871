"""What somebody at the table asked to be shown by the lights, for a while."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from companion.rules import BadInput, say
from companion.rules.unknown import unknown_spot
from companion.table import Table

SECONDS = 20.0
"""How long it is shown, if nothing happens before."""

MOST = 600.0
"""Seconds for which a program may have something shown."""


class Pointer:
    """Points at spots of a table until something happens there, or the seconds have passed by
    ``clock``. All methods may be called from any thread."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._shown: tuple[Any, tuple[str, ...], float] = (None, (), 0.0)

    def point(self, table: Table[Any], spots: Sequence[str], seconds: float = SECONDS) -> None:
        """Point at ``spots``, from the first to the last, for so long; none ends it.

        Raises:
            BadInput: the board does not have one of them, or it would be for too long.
        """
        if seconds > MOST:
            raise BadInput(say("spots are pointed at for {most} seconds at most", most=int(MOST)))
        board = table.game.board(table.setup)
        for spot in spots:
            if spot not in board:
                raise unknown_spot(spot)
        self._shown = table.line, tuple(dict.fromkeys(spots)), self._clock() + seconds

    def spots(self, table: Table[Any]) -> tuple[str, ...]:
        """Return what is pointed at on ``table`` now."""
        line, spots, until = self._shown
        return spots if line is table.line and self._clock() < until else ()
