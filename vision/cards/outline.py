"""Finds a card of known size by its four sides. Glare, a sleeve's film and print may interrupt its
outline, as long as most of every side is seen."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.board.calibrate import SQUARE
from vision.board.printed_lines import spin
from vision.board.raster import Floats
from vision.cards.cards import CARD_MM
from vision.cards.likeness import Corners
from vision.frames import Image

STEP = 2.0
"""Degrees between the directions in which sides are searched; blur widens edges by half of that."""
TURNS = 8
"""Directions that are tried."""
EDGE = 3.5
"""A point lies on an edge where brightness or colour changes EDGE times as fast as at the median
point …"""
FAINT = 2.5
"""… and by at least so many grey levels a millimetre, smoothed."""
WAYS = ((1, 0), (0, 1))
"""Across edges that run upright, and down across level ones."""
SIDE, SIDES = 0.6, 0.78
"""Share of each side that must lie on an edge (SIDE), and of all four together (SIDES)."""


def find_outline(window: Image, per_mm: float) -> Corners | None:
    """Return the corners (4, 2) of the card in a flat picture with ``per_mm`` pixels a millimetre,
    clockwise, a short side first; None if there is none."""
    coarse = _planes(window, per_mm, 1.0)
    seen, degrees, corners = _best(coarse, 1.0, _ways(coarse, _limit(coarse)))
    if seen <= SIDES:
        return None
    near = degrees + STEP * np.linspace(-0.5, 0.5, 5)
    seen, _, closely = _best(_planes(window, per_mm, per_mm), per_mm, near.tolist())
    # A faint outline may not be seen so closely.
    return closely if seen > SIDE else (corners + 0.5) * per_mm - 0.5


def direction(window: Image, per_mm: float) -> float:
    """Return the degrees by which a card in a flat picture is likeliest to be turned, short side or
    long one: most edges run so."""
    planes = _planes(window, per_mm, 1.0)
    return _ways(planes, _limit(planes))[0]


def _limit(planes: Floats) -> float:
    """Return from which slope on a point lies on an edge."""
    return max(FAINT, EDGE * float(np.median([_slope(planes, *way) for way in WAYS])))


def _planes(window: Image, per_mm: float, wanted: float) -> Floats:
    """Return lightness and colour, with so many pixels a millimetre as ``wanted``, (height, width,
    3)."""
    shrink = wanted / per_mm
    lab = cv2.cvtColor(cv2.bilateralFilter(window, 5, 30, 3), cv2.COLOR_BGR2Lab)
    return np.asarray(
        cv2.resize(lab, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.float32
    )


def _best(planes: Floats, per_mm: float, ways: Sequence[float]) -> tuple[float, float, Corners]:
    """Return the rectangle that shows most of its outline, turned by one of ``ways`` in degrees:
    how much, by which, and its corners."""
    limit, half = _limit(planes), np.array(planes.shape[1::-1]) / 2
    best = -1.0, 0.0, np.zeros((4, 2))
    for degrees in ways:
        across, down = _edges(planes, degrees, limit)
        for size in (CARD_MM, CARD_MM[::-1]):
            sides = np.array(size) * per_mm
            seen, at = _rectangle(across, down, *sides)
            if seen > best[0]:
                # The picture was turned about its own middle: turn the place found there back.
                about = np.array(at) + 0.5 - half + SQUARE / 2 * sides
                if sides[0] > sides[1]:
                    about = np.roll(about, -1, axis=0)
                best = seen, degrees, about @ spin(degrees / 360).T + half - 0.5
    return best


def _ways(planes: Floats, limit: float) -> list[float]:
    """Return the degrees by which a card is likeliest to be turned: those in which most edges run.
    A card's print runs along its sides, too."""
    across, down = (
        np.asarray(cv2.Sobel(planes[..., 0], cv2.CV_32F, *way, ksize=3, scale=1 / 8))
        for way in WAYS
    )
    steep = np.hypot(across, down)
    degrees = np.degrees(np.arctan2(down, across))[steep > limit]
    bins = np.round((degrees + 45.0) / STEP).astype(int) % round(90 / STEP)
    count = np.bincount(bins, minlength=round(90 / STEP)).astype(float)
    count = 2 * count + np.roll(count, 1) + np.roll(count, -1)
    return [float(STEP * k - 45.0) for k in np.argsort(-count, kind="stable")[:TURNS]]


def _edges(planes: Floats, degrees: float, limit: float) -> tuple[Floats, Floats]:
    """Return where edges run upright and where level (0 or 1), steeper than ``limit``, in the
    picture turned back by ``degrees`` about its middle."""
    height, width = planes.shape[:2]
    middle = ((width - 1) / 2, (height - 1) / 2)
    turn = cv2.getRotationMatrix2D(middle, degrees, 1.0)
    turned = np.asarray(
        cv2.warpAffine(planes, turn, (width, height), borderMode=cv2.BORDER_REPLICATE), np.float32
    )
    upright, level = ((_slope(turned, *way) > limit).astype(np.float32) for way in WAYS)
    wider = cv2.dilate(upright, np.ones((1, 3))), cv2.dilate(level, np.ones((3, 1)))
    return np.asarray(wider[0], np.float32), np.asarray(wider[1], np.float32)


def _slope(planes: Floats, dx: int, dy: int) -> Floats:
    """Return how fast lightness or colour changes, in levels a pixel, smoothed along the edge: a
    side is straight, print and noise are not."""
    slopes = np.asarray(cv2.Sobel(planes, cv2.CV_32F, dx, dy, ksize=3, scale=1 / 8), np.float32)
    lightness, a, b = cv2.split(np.abs(slopes))
    most = cv2.max(lightness, cv2.max(a, b))
    return np.asarray(cv2.blur(most, (1, 5) if dx else (5, 1)), np.float32)


def _rectangle(
    across: Floats, down: Floats, wide: float, high: float
) -> tuple[float, tuple[float, float]]:
    """Return how much of the outline is seen of the rectangle that shows most, and its middle."""
    w, h = round(wide), round(high)
    upright = cv2.blur(across, (1, h), borderType=cv2.BORDER_CONSTANT)
    level = cv2.blur(down, (w, 1), borderType=cv2.BORDER_CONSTANT)
    height, width = across.shape
    x, y = w // 2, h // 2
    sides = np.stack(
        [
            upright[y : y + height - h, : width - w],
            upright[y : y + height - h, w:],
            level[: height - h, x : x + width - w],
            level[h:, x : x + width - w],
        ]
    )
    score = np.where(sides.min(axis=0) < SIDE, 0.0, sides.mean(axis=0))
    # Edges are wide: the best place is in the middle of those that show as much.
    row, column = np.unravel_index(int(np.argmax(cv2.blur(score, (3, 3)))), score.shape)
    return float(score.max()), (float(column + w / 2), float(row + h / 2))
