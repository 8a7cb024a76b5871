"""Dice on a mat with marked zones: what a camera needs to know of a game that is played so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from companion.rules.action import Action
from companion.rules.geometry import Point

Lying = Mapping[str, tuple[str, ...]]
"""Zone -> the dice in it, each a colour and what it shows: ``yellow hit``. Where a game does not
care what a die shows, its colour alone."""


@dataclass(frozen=True, slots=True)
class DieKind:
    """The dice of one colour: how many there are, what their six ``sides`` show, and their ``ink``
    on the pages, a CSS colour."""

    count: int
    sides: tuple[str, ...]
    ink: str


@dataclass(frozen=True, slots=True)
class Mat:
    """A mat of ``size`` millimetres: zones with outlines about its middle, x to the right and y to
    the player; the dice by colour; the zone that they are thrown into; the side of a die."""

    size: Point
    zones: Mapping[str, tuple[Point, ...]]
    kinds: Mapping[str, DieKind]
    thrown: str
    side_mm: float = 16.0

    @property
    def faces(self) -> tuple[str, ...]:
        """Return every different face, as ``yellow hit``."""
        return tuple(
            f"{colour} {side}" for colour, kind in self.kinds.items() for side in faces_of(kind)
        )

    @property
    def count(self) -> int:
        """Return how many dice there are."""
        return sum(kind.count for kind in self.kinds.values())

    @property
    def shows(self) -> tuple[tuple[str, ...], ...]:
        """Return the faces that are shown to a camera at a time, so that it knows them: first
        none, the bare mat; no time more dice of a colour than there are."""
        shown: list[tuple[str, ...]] = [()]
        left = {colour: faces_of(kind) for colour, kind in self.kinds.items()}
        while any(left.values()):
            batch = tuple(
                f"{colour} {side}"
                for colour, sides in left.items()
                for side in sides[: self.kinds[colour].count]
            )
            left = {colour: sides[self.kinds[colour].count :] for colour, sides in left.items()}
            shown.append(batch)
        return tuple(shown)


def faces_of(kind: DieKind) -> tuple[str, ...]:
    """Return what the sides of a die show, each once."""
    return tuple(dict.fromkeys(kind.sides))


class MatReading(NamedTuple):
    """What dice on a mat tell. ``steps`` happened, one after another; the rules may refuse them.
    Where that is not certain, ``asks`` holds what may have happened, the likeliest first.
    ``words`` say what is still to be done, ``zones`` where the dice do not lie as they should."""

    steps: tuple[Action, ...] = ()
    asks: tuple[tuple[Action, ...], ...] = ()
    words: str = ""
    zones: tuple[str, ...] = ()
