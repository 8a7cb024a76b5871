"""Lights under the board in the picture: where they fall, and when one without them is wanted.

A light that is on is no secret: who lights it says so with the picture. What seems to have changed
where such light falls, and is not plain to see, is looked at again in the dark, before anything is
believed. A dark picture that shows all in place answers for those that follow with the same
lights, until a hand comes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from companion.rules import Board
from vision.decoding.decode import WELL, Decoded
from vision.decoding.differences import FITS
from vision.frames import Frame
from vision.tokens.eye import Seen

REACH = 1.2
"""Pitches from a light within which its shine may change what a spot looks like."""
PATIENCE = 1.0
"""Seconds in which the lights must go out when that is asked for; else they cannot."""


class Dark:
    """Decides, picture after picture, whether one without lights is wanted.

    Call :meth:`begin` first with every picture of the table, :meth:`disturb` for each with a hand.
    """

    def __init__(self, board: Board) -> None:
        self._board = board
        self._lit: frozenset[str] = frozenset()
        self._shone: frozenset[str] = frozenset()
        self._at = 0.0
        self._asked_at: float | None = None
        self._asked: frozenset[str] = frozenset()
        self._answered: frozenset[str] = frozenset()
        self._cleared: frozenset[str] = frozenset()

    def begin(self, frame: Frame) -> None:
        """Take note of the next picture, and of whether it is the dark one that was asked for."""
        self._lit, self._at = frozenset(frame.lit or ()), frame.at
        if not self._lit:
            self._answered |= self._asked
            self._asked, self._asked_at = frozenset(), None
            return
        if self._lit != self._shone:
            self._shone, self._cleared, self._answered = self._lit, frozenset(), frozenset()
        self._cleared, self._answered = self._cleared | self._answered, frozenset()

    def disturb(self) -> None:
        """Take note that a hand is in view: what was seen in the dark answers for nothing now."""
        self._cleared = self._answered = frozenset()

    @property
    def waits(self) -> bool:
        """Tell whether a picture was asked for that was to be dark and has just come, or not."""
        return bool(self._asked or self._answered)

    def under_light(self, spots: Iterable[str]) -> frozenset[str]:
        """Return those of ``spots`` on which light falls in this picture."""
        reach = REACH * self._board.pitch
        middles = [self._board[spot].centre for spot in self._lit if spot in self._board]
        return frozenset(
            spot
            for spot in spots
            if any(math.dist(self._board[spot].centre, middle) < reach for middle in middles)
        )

    def strange(self, seen: Seen, table: Mapping[str, str], spots: Iterable[str]) -> frozenset[str]:
        """Return those of ``spots`` on which light falls and that do not show what is believed."""
        lit = self.under_light(spots)
        return frozenset(s for s in lit if seen.error(s, table.get(s)) > FITS)

    def cleared(self, spots: Iterable[str]) -> frozenset[str]:
        """Return those of ``spots`` that look strange by these lights only: a picture in the dark
        was asked for their sake, and came."""
        return self._cleared.intersection(spots)

    def ask(self, spots: Iterable[str]) -> bool:
        """Ask for a dark picture for the sake of ``spots``; False where this one is dark, or where
        the lights do not go out."""
        if not self._lit:
            return False
        self._asked |= frozenset(spots)
        if self._asked_at is None:
            self._asked_at = self._at
        return self._at - self._asked_at <= PATIENCE

    def again(self) -> bool:
        """Ask for one more where this picture is the dark one that was asked for."""
        self._asked, self._answered = self._asked | self._answered, frozenset()
        if self._asked and self._asked_at is None:
            self._asked_at = self._at
        return bool(self._asked) and not self._lit


def plainly(seen: Seen, changed: Iterable[str], decoded: Decoded[Any]) -> bool:
    """Tell whether the picture needs no second look: every changed spot fits the story well, or,
    where there is none, is plainly bare."""
    if decoded.best is not None:
        return decoded.sure and decoded.best.worst < WELL
    return all(seen.error(spot, None) < FITS for spot in changed)
