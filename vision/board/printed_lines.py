"""The lines that are printed on a board, and where a picture shows lines.

Both are told by the direction across the line alone, turned twice as fast (a line has no front):
which side is the darker, a veil, and shadows softer than print do not matter.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.rules import Board
from vision.board.calibrate import Camera, Points

Complex = NDArray[np.complex64]
Gray = NDArray[np.uint8]

ALONG = (0.2, 0.4, 0.6, 0.8)
"""Where a line is looked for, in parts of its length."""
FAINT = 30.0
"""Slope (of Scharr's filter: 32 a grey level) that stands out by half where all else is plain."""
AROUND = 41
"""Pixels: the side of the square whose mean slope a line has to stand out from."""
SAME = 0.2
"""Millimetres in which points are counted."""


ALIKE = 0.4
"""Share of the lines that lie on others once the board is shifted by a spot, from which on it may
be taken for lying there."""


@dataclass(frozen=True, slots=True, eq=False)
class Rival:
    """The board lying a cell farther, by ``way`` (millimetres): which of its lines would be gone
    from where they are, and which would be new (both (n,), of all lines)."""

    way: Points
    gone: NDArray[np.bool_]
    new: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class PrintedLines:
    """The sides of all spots, each once: ``ends`` (n, 2, 2) in millimetres.

    ``fold`` is 4 where they run along and across, 6 on hexagons. ``cell``, the usual distance of
    parallel lines, and ``extent``, the board's longer side, are in millimetres. ``turns`` are the
    parts of a circle, in ``fold``-ths, by which the board may be turned about ``middle`` without
    changing its lines; ``rivals`` are the places a spot farther at which most of its
    lines are the same, none on an irregular board.
    """

    ends: Points
    fold: int
    cell: float
    extent: float
    middle: Points
    turns: tuple[int, ...]
    rivals: tuple[Rival, ...]


def lines_of(board: Board) -> PrintedLines:
    """Return the lines printed on ``board``."""
    return _lines_of(tuple(spot.outline for spot in board.spots.values()))


@lru_cache(maxsize=4)
def _lines_of(outlines: tuple[tuple[tuple[float, float], ...], ...]) -> PrintedLines:
    sides = {}
    for outline in outlines:
        for one, two in zip(outline, outline[1:] + outline[:1], strict=True):
            key = frozenset((round(x, 1), round(y, 1)) for x, y in (one, two))
            sides[key] = (one, two)
    ends = np.array(list(sides.values()), np.float64)
    way = ends[:, 1] - ends[:, 0]
    length, angle = np.hypot(*way.T), np.arctan2(way[:, 1], way[:, 0])
    fold = max((4, 6), key=lambda k: abs(complex((length * np.exp(1j * k * angle)).sum())))
    corners = ends.reshape(-1, 2)
    middle = (corners.max(0) + corners.min(0)) / 2
    cell = float(np.median(length)) * (1.0 if fold == 4 else 3**0.5)
    about = ends.mean(1) - middle
    turns = tuple(k for k in range(fold) if new(about @ spin(k / fold).T, about).mean() < 0.05)
    rivals = tuple(_rivals(ends.mean(1), np.array([np.mean(o, 0) for o in outlines]), cell))
    extent = float(np.ptp(corners, 0).max())
    return PrintedLines(ends, fold, cell, extent, middle, turns, rivals)


def _rivals(middles: Points, centres: Points, cell: float) -> Iterator[Rival]:
    ways = (centres[:, None] - centres[None]).reshape(-1, 2)
    ways = ways[np.abs(np.hypot(*ways.T) / cell - 1) < 0.5]
    for first in np.unique(_places(ways), return_index=True)[1]:
        there = middles + ways[first]
        gone = new(middles, there)
        if gone.mean() < 1 - ALIKE:
            yield Rival(ways[first], gone, new(there, middles))


def new(points: Points, others: Points) -> NDArray[np.bool_]:
    """Tell of each of ``points`` (n, 2) whether none of ``others`` (m, 2) is the same."""
    return ~np.isin(_places(points), _places(others))


def _places(points: Points) -> NDArray[np.int64]:
    """Return a number for each point, the same where points are the same but for rounding."""
    # Coordinates that are computed are never just beside half a step here.
    steps = np.floor((points + 0.0371) / SAME).astype(np.int64)
    return steps[:, 0] * 2**32 + steps[:, 1]


def spin(turn: float) -> Points:
    """Return the matrix that turns points by ``turn`` circles, clockwise as seen from above."""
    cos, sin = np.cos(2 * np.pi * turn), np.sin(2 * np.pi * turn)
    return np.array([[cos, -sin], [sin, cos]])


def turned(camera: Camera, lines: PrintedLines, turn: float) -> Camera:
    """Return ``camera`` with the board turned about its middle by ``turn`` circles."""
    return camera.moved(spin(turn), lines.middle - spin(turn) @ lines.middle)


def line_field(gray: Gray) -> Complex:
    """Return for every pixel the direction across a line, turned twice as fast, as a complex
    number whose size, 0 to 1, tells how much it stands out."""
    soft = cv2.GaussianBlur(gray.astype(np.float32), (0, 0), 0.8)
    across, down = cv2.Scharr(soft, cv2.CV_32F, 1, 0), cv2.Scharr(soft, cv2.CV_32F, 0, 1)
    square = np.asarray(across * across + down * down, np.float32)
    slope = np.sqrt(square)
    rest = np.asarray(cv2.boxFilter(slope, -1, (AROUND, AROUND)), np.float32) + FAINT
    size = 1 / np.maximum(slope * (slope + rest), 1e-6)
    doubled = np.empty(gray.shape, np.complex64)
    doubled.real, doubled.imag = (across * across - down * down) * size, 2 * across * down * size
    return doubled


def responses(
    field: Complex, camera: Camera, ends: Points, offsets: Points
) -> tuple[Points, Points]:
    """Return how well each line agrees with the picture where ``camera`` sees it, shifted across
    itself by each of ``offsets`` (pixels): (n, m), -1 to 1 and 0 beside the picture; and the
    directions across (n, 2)."""
    at = np.asarray(ALONG)[None, :, None]
    points = (ends[:, :1] * (1 - at) + ends[:, 1:] * at).reshape(-1, 2)
    middles = camera.project(points).reshape(len(ends), -1, 2)
    way = middles[:, -1] - middles[:, 0]
    way /= np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 1e-9)
    normal = np.stack([-way[:, 1], way[:, 0]], 1)
    where = middles[:, :, None] + normal[:, None, None] * offsets[None, None, :, None]
    where = np.clip(where, -1e4, 1e4).reshape(len(ends), -1, 2).astype(np.float32)
    parts = np.stack([field.real, field.imag], -1)
    value = np.asarray(
        cv2.remap(parts, where[..., 0], where[..., 1], cv2.INTER_LINEAR, borderValue=(0.0, 0.0))
    )
    double = (normal[:, 0] + 1j * normal[:, 1]) ** 2
    agree = value[..., 0] * double.real[:, None] + value[..., 1] * double.imag[:, None]
    return agree.reshape(len(ends), len(ALONG), -1).mean(1), normal
