"""A sheet: strokes and words in millimetres, x to the right and y down."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

from companion.rules import Drawing, Point, Stroke

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""


@dataclass(frozen=True, slots=True)
class Words:
    """A line of text with its middle at ``at``, ``size`` millimetres high, in a CSS colour."""

    text: str
    at: Point
    size: float
    colour: str = "#000000"


@dataclass(frozen=True)
class Sheet:
    """Something to print at true size. ``box`` is what has to fit on the paper; ``cuts`` are the
    lines of scissors, drills and lasers, apart from what is printed."""

    title: str
    box: Box
    strokes: Drawing
    words: tuple[Words, ...] = ()
    cuts: Drawing = ()

    @property
    def size(self) -> tuple[float, float]:
        """Return width and height."""
        left, top, right, bottom = self.box
        return right - left, bottom - top

    def scaled(self, scale: float) -> Sheet:
        """Return the sheet at another size."""
        left, top, right, bottom = (value * scale for value in self.box)
        strokes, cuts = (
            tuple(
                s._replace(points=tuple((x * scale, y * scale) for x, y in s.points),
                           width=s.width * scale)
                for s in drawn
            )
            for drawn in (self.strokes, self.cuts)
        )  # fmt: skip
        words = tuple(
            replace(w, at=(w.at[0] * scale, w.at[1] * scale), size=w.size * scale)
            for w in self.words
        )
        return replace(
            self, box=(left, top, right, bottom), strokes=strokes, words=words, cuts=cuts
        )


def box_of(strokes: Iterable[Stroke]) -> Box:
    """Return what holds all strokes; nothing at the origin where there are none."""
    points = [point for stroke in strokes for point in stroke.points] or [(0.0, 0.0)]
    xs, ys = zip(*points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def moved(drawing: Iterable[Stroke], by: Point, turn: float = 0.0) -> Drawing:
    """Return a drawing turned clockwise by ``turn`` degrees about (0, 0), then moved."""
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    return tuple(
        stroke._replace(
            points=tuple(
                (by[0] + x * cos - y * sin, by[1] + x * sin + y * cos) for x, y in stroke.points
            ),
        )
        for stroke in drawing
    )


def line(start: Point, end: Point, width: float = 0.2, colour: str = "#000000") -> Stroke:
    """Return a straight line."""
    return Stroke((start, end), colour=colour, width=width, closed=False)
