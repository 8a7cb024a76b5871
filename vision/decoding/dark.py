"""Lights under the board: where they fall in the picture, and when a picture without them is asked
for.

Whoever switches the lights says with each picture what was lit. If a spot seems to have changed
where such light falls, and it is not clear, a picture in the dark is asked for before anything is
believed. A dark picture in which all is in place also answers for later pictures with the same
lights, until a hand comes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from companion.rules import Board
from vision.decoding.decoded import Decoded
from vision.decoding.differences import DOUBT, FITS, nearby
from vision.frames import Frame
from vision.tokens.eye import Seen

PATIENCE = 1.0
"""Seconds within which a dark picture has to come after it was asked for; else the lights are taken
as not controllable."""


class Dark:
    """Decides for every picture whether one without lights is wanted.

    Call :meth:`begin` first with every picture, and :meth:`disturb` for each in which a hand is
    seen.
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
        """Take the next picture, and note whether it is the dark one that was asked for."""
        self._lit, self._at = frozenset(frame.lit or ()), frame.at
        if not self._lit:
            self._answered |= self._asked
            self._asked, self._asked_at = frozenset(), None
            return
        if self._lit != self._shone:
            self._shone, self._cleared, self._answered = self._lit, frozenset(), frozenset()
        self._cleared, self._answered = self._cleared | self._answered, frozenset()

    def disturb(self) -> None:
        """Forget what dark pictures answered for, because a hand is in view."""
        self._cleared = self._answered = frozenset()

    @property
    def waits(self) -> bool:
        """Tell whether a dark picture was asked for and this one came instead, or is it."""
        return bool(self._asked or self._answered)

    def under_light(self, spots: Iterable[str]) -> frozenset[str]:
        """Return those of ``spots`` on which light from under the board falls in this picture."""
        lit = self._lit & self._board.spots.keys()
        return nearby(self._board, lit, spots)

    def strange(self, seen: Seen, table: Mapping[str, str], spots: Iterable[str]) -> frozenset[str]:
        """Return those of ``spots`` on which such light falls and that do not show what is believed
        there."""
        lit = self.under_light(spots)
        return frozenset(s for s in lit if seen.error(s, table.get(s)) > FITS)

    def cleared(self, spots: Iterable[str]) -> frozenset[str]:
        """Return those of ``spots`` that only look strange because of these lights, as a dark
        picture has shown."""
        return self._cleared.intersection(spots)

    def ask(self, spots: Iterable[str]) -> bool:
        """Ask for a dark picture because of ``spots``. Return False if this one is dark already, or
        the lights do not go out when asked."""
        if not self._lit:
            return False
        self._asked |= frozenset(spots)
        if self._asked_at is None:
            self._asked_at = self._at
        return self._at - self._asked_at <= PATIENCE

    def again(self) -> bool:
        """Ask for one more dark picture, if this is the one that was asked for."""
        self._asked, self._answered = self._asked | self._answered, frozenset()
        if self._asked and self._asked_at is None:
            self._asked_at = self._at
        return bool(self._asked) and not self._lit


def plainly(seen: Seen, changed: Iterable[str], decoded: Decoded[Any]) -> bool:
    """Tell whether the picture needs no second look in the dark: every changed spot fits the story
    well or, where there is no story, is clearly bare."""
    if decoded.best is not None:
        return decoded.sure and not decoded.left and decoded.best.worst < DOUBT
    return all(seen.error(spot, None) < FITS for spot in changed)
