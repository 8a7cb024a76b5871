"""Finds a card of known size by its four sides. Glare, a sleeve's film and print may interrupt its
outline, as long as most of every side is seen."""

from __future__ import annotations

import cv2
import numpy as np

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
NEAR = np.array([(dx, dy) for dy in np.arange(-3.0, 3.1) for dx in np.arange(-3.0, 3.1)])
"""Offsets in pixels that are tried along both sides when the card's place is refined."""


def find_outline(window: Image, per_mm: float) -> Corners | None:
    """Return the corners (4, 2) of the card in a flat picture with ``per_mm`` pixels a millimetre,
    clockwise, a short side first; None if there is none."""
    planes = _planes(window, per_mm)
    limit = _limit(planes)
    best, there = SIDES, None
    for degrees in _ways(planes, limit):
        across, down = _edges(planes, degrees, limit)
        for sides in (CARD_MM, CARD_MM[::-1]):
            seen, at = _rectangle(across, down, *sides)
            if seen > best:
                best, there = seen, (degrees, at, sides)
    return None if there is None else _refined(window, per_mm, *there)


def directions(window: Image, per_mm: float) -> list[float]:
    """Return the degrees by which a card in a flat picture is likeliest to be turned, short side or
    long one, the likeliest first."""
    planes = _planes(window, per_mm)
    return _ways(planes, _limit(planes))


def _limit(planes: Floats) -> float:
    """Return from which slope on a point lies on an edge."""
    return max(FAINT, EDGE * float(np.median([_slope(planes, *way) for way in WAYS])))


def _planes(window: Image, per_mm: float) -> Floats:
    """Return lightness and colour, one pixel a millimetre, (height, width, 3)."""
    shrink = 1 / per_mm
    lab = cv2.cvtColor(cv2.bilateralFilter(window, 5, 30, 3), cv2.COLOR_BGR2Lab)
    return np.asarray(
        cv2.resize(lab, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.float32
    )


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


def _refined(
    window: Image,
    per_mm: float,
    degrees: float,
    at: tuple[float, float],
    sides: tuple[float, float],
) -> Corners:
    """Return the corners (4, 2), a short side first, where the outline is steepest near by."""
    gray = cv2.GaussianBlur(cv2.cvtColor(window, cv2.COLOR_BGR2GRAY), (3, 3), 0)
    gx = np.asarray(cv2.Sobel(gray, cv2.CV_32F, 1, 0, ksize=3), np.float32)
    gy = np.asarray(cv2.Sobel(gray, cv2.CV_32F, 0, 1, ksize=3), np.float32)
    half = np.array([window.shape[1], window.shape[0]]) / 2
    # The coarse picture was turned about its own middle: turn the place found there back.
    offset = (np.array(at) + 0.5) * per_mm - half
    x, y = np.array(sides) / 2 * per_mm
    around = offset + np.array([(-x, -y), (x, -y), (x, y), (-x, y)])
    if x > y:
        around = np.roll(around, -1, axis=0)
    best: tuple[float, Corners] = (-1.0, around)
    for turn in np.arange(degrees - STEP, degrees + STEP + 0.1, STEP / 4):
        back = spin(turn / 360)
        corners, near = around @ back.T + half - 0.5, NEAR @ back.T
        steep = _steep(gx, gy, corners, near)
        k = int(np.argmax(steep))
        if steep[k] > best[0]:
            best = (float(steep[k]), corners + near[k])
    return best[1]


def _steep(gx: Floats, gy: Floats, corners: Corners, near: Corners) -> Corners:
    """Return how steep the picture is across the four sides, for each place ``near`` by (n, 2);
    no point counts for too much."""
    height, width = gx.shape
    ends = np.roll(corners, -1, axis=0)
    along = (ends - corners) / np.linalg.norm(ends - corners, axis=1, keepdims=True)
    parts = np.linspace(0.06, 0.94, 30)[:, None]
    points = np.stack(
        [here + (there - here) * parts for here, there in zip(corners, ends, strict=True)]
    )
    moved = points[None] + near[:, None, None]
    at = np.clip(np.round(moved).astype(int), 0, (width - 1, height - 1))
    x, y = at[..., 0], at[..., 1]
    steep = np.abs(gy[y, x] * along[:, None, 0] - gx[y, x] * along[:, None, 1])
    return np.asarray(np.minimum(steep, 60.0).mean(axis=(1, 2)), np.float64)
