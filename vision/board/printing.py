"""Everything printed on a simulated table, and tokens, as strokes in millimetres."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.rules import BadInput, Board, Drawing, Point, Stroke, quoted
from vision._cv import marker_dictionary
from vision.board.optics import Array, CameraView, Optics
from vision.frames import Image

DICTIONARY = "DICT_4X4_50"
_MODULES = 6
_PAPER, _INK = "#f6f4ee", "#1b1a1a"
_FINE = 4
"""Binary digits after the point that OpenCV's drawing functions are given."""

Shade = tuple[int, int, int]
"""Blue, green, red."""


def shade(text: str) -> Shade:
    """Return a CSS hexadecimal colour as blue, green, red.

    Raises:
        BadInput: ``text`` is not ``#rgb`` or ``#rrggbb``.
    """
    digits = text.removeprefix("#")
    if len(digits) == 3:
        digits = "".join(2 * digit for digit in digits)
    try:
        red, green, blue = bytes.fromhex(digits)
    except ValueError:
        raise BadInput(f"{quoted(text)} is not a colour; write it as #rrggbb") from None
    return blue, green, red


def marker_centres(view: CameraView) -> dict[int, Point]:
    """Return the centres of the corner markers 0 to 3 in millimetres, clockwise from the left
    of the far side."""
    reach = view.reach
    return {0: (-reach, -reach), 1: (reach, -reach), 2: (reach, reach), 3: (-reach, reach)}


def mat_half(board: Board, view: CameraView) -> float:
    """Return half the side of the mat in millimetres."""
    if view.marks == "markers":
        return view.reach + 0.75 * view.marker_mm
    return 1.14 * max(abs(value) for value in board.bounds)


def printed(board: Board, view: CameraView) -> Iterator[Stroke]:
    """Yield what is printed: mat, spots, the board's marks, corner markers; later on top."""
    if view.mat:
        half = mat_half(board, view)
        yield Stroke(tuple(_square(0.0, 0.0, half, 24)), fill=view.mat)
    for spot in board.spots.values():
        yield Stroke(spot.outline, fill=spot.shade, colour="#6b6864", width=0.3)
    yield from board.marks
    if view.marks == "markers":
        for number, centre in marker_centres(view).items():
            yield from marker(number, centre, view.marker_mm)


def _square(x: float, y: float, half: float, pieces: int = 1) -> list[Point]:
    """Return a square's outline, each side in ``pieces`` so that the lens can bend it."""
    steps = [2 * half * k / pieces - half for k in range(pieces)]
    return (
        [(x + s, y - half) for s in steps]
        + [(x + half, y + s) for s in steps]
        + [(x - s, y + half) for s in steps]
        + [(x - half, y - s) for s in steps]
    )


def marker(number: int, centre: Point, size: float) -> Iterator[Stroke]:
    """Yield a printed corner marker of ``size`` millimetres with its white rim."""
    aruco: Any = cv2.aruco
    # Called drawMarker before OpenCV 4.7.
    make = getattr(aruco, "generateImageMarker", None) or aruco.drawMarker
    modules = make(marker_dictionary(DICTIONARY), number, _MODULES)
    side = size / _MODULES
    yield Stroke(tuple(_square(*centre, size / 2 + side)), fill=_PAPER)
    yield Stroke(tuple(_square(*centre, size / 2)), fill=_INK)
    for row, column in zip(*np.nonzero(modules), strict=True):
        x = centre[0] + (column + 0.5) * side - size / 2
        y = centre[1] + (row + 0.5) * side - size / 2
        yield Stroke(tuple(_square(x, y, side / 2)), fill=_PAPER)


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
