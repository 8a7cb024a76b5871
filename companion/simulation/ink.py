"""Strokes as a simulated camera sees them: ink in pixels, and the drawings of tokens on prisms."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.rules import Drawing, Point, Stroke
from vision.board.optics import Array, Optics
from vision.board.printing import Shade, shade
from vision.frames import Image

_FINE = 4
"""Binary digits after the point that OpenCV's drawing functions are given."""


def circle(radius: float, corners: int = 40) -> tuple[Point, ...]:
    """Return a circle's outline about (0, 0)."""
    turns = [2 * math.pi * k / corners for k in range(corners)]
    return tuple((radius * math.cos(turn), radius * math.sin(turn)) for turn in turns)


@dataclass(frozen=True, eq=False)
class Ink:
    """A stroke in pixels: ``points`` (n, 2), line ``width``, the ``box`` that holds it."""

    points: Array
    fill: Shade | None
    colour: Shade | None
    width: float
    closed: bool
    box: tuple[float, float, float, float]


def inks(strokes: Iterable[Stroke], optics: Optics) -> list[Ink]:
    """Project the strokes of a print that lies flat on the table."""
    drawn = [stroke for stroke in strokes if stroke.points]
    every = np.array([point for stroke in drawn for point in stroke.points], float)
    pixels = optics.project(every)
    scales = optics.scales([stroke.points[0] for stroke in drawn])
    result, first = [], 0
    for stroke, scale in zip(drawn, scales, strict=True):
        points = pixels[first : first + len(stroke.points)]
        first += len(stroke.points)
        width = float(stroke.width * scale)
        low, high = points.min(axis=0) - width - 1, points.max(axis=0) + width + 1
        result.append(
            Ink(
                points,
                shade(stroke.fill) if stroke.fill else None,
                shade(stroke.colour) if stroke.colour and stroke.width else None,
                width,
                stroke.closed,
                (low[0], low[1], high[0], high[1]),
            )
        )
    return result


def draw_ink(canvas: Image, ink: Ink, origin: tuple[int, int], fine: int) -> None:
    """Draw on a canvas whose pixel (0, 0) is ``origin``, ``fine`` times enlarged."""
    points = fixed(ink.points, origin, fine)
    if ink.fill:
        cv2.fillPoly(canvas, [points], ink.fill, shift=_FINE)
    if ink.colour:
        width = max(1, round(ink.width * fine))
        cv2.polylines(canvas, [points], ink.closed, ink.colour, width, cv2.LINE_8, _FINE)


def fixed(points: Array, origin: tuple[int, int], fine: int) -> NDArray[np.int32]:
    """Return pixels as the fixed-point numbers of :data:`_FINE` digits on that canvas."""
    local = (points - np.array(origin) + 0.5) * fine - 0.5
    rounded: NDArray[np.int32] = np.round(local * 2**_FINE).astype(np.int32)
    return rounded


def fill(canvas: Any, points: NDArray[np.int32], colour: Any) -> None:
    """Fill a polygon of :func:`fixed` points."""
    cv2.fillPoly(canvas, [points], colour, shift=_FINE)


class Model:
    """A token's drawing made ready to be put anywhere: a prism with the drawing on top."""

    def __init__(self, drawing: Drawing, height: float) -> None:
        self.height = height
        self.strokes = [stroke for stroke in drawing if stroke.points]
        self.points: Array = np.array(
            [point for stroke in self.strokes for point in stroke.points] or [(0.0, 0.0)], float
        )
        self.reach = float(np.hypot(*self.points.T).max())
        solid = [stroke for stroke in self.strokes if stroke.fill]
        edge = shade(solid[0].fill) if solid else (90, 90, 90)
        self.edge: Shade = (int(edge[0] * 0.6), int(edge[1] * 0.6), int(edge[2] * 0.6))

    def on_edge(self) -> Model:
        """Return the token standing on its edge: as thin as it was high, as high as it was wide."""
        half = self.height / 2
        rim = ((-self.reach, -half), (self.reach, -half), (self.reach, half), (-self.reach, half))
        return Model((Stroke(rim, fill="#" + bytes(self.edge[::-1]).hex()),), 2 * self.reach)

    def placed(self, centre: Point, turn: float) -> Array:
        """Return the points (n, 2) on the table, turned clockwise by ``turn`` degrees."""
        angle = math.radians(turn)
        matrix = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
        placed: Array = self.points @ matrix + np.array(centre)
        return placed

    def parts(self, points: Array) -> Iterator[tuple[Stroke, Array]]:
        """Yield each stroke with its share of ``points``."""
        first = 0
        for stroke in self.strokes:
            yield stroke, points[first : first + len(stroke.points)]
            first += len(stroke.points)
