"""Dice on a mat taken for cubes: where each stands is fitted to what hides the mat.

Seen by a lens a cube hides its base, its top, which is larger and leans away from the lens, and
what lies between: the hull of both. As many cubes are laid on each patch of hidden mat as fill
it best; a patch that no standing cubes fill holds a die on edge, a stack, or no dice.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.calibrate import SQUARE
from vision.board.raster import Raster

Floats = NDArray[np.float64]
Mask = NDArray[np.uint8]

USUAL_BEVEL = 0.09
"""How much of a side the rounded corners take, on common dice."""
GOOD = 0.93
"""Overlap (intersection over union) from which no other number of cubes is tried."""
STANDS = 0.90
"""Overlap (intersection over union) from which on a patch is surely dice that lie flat; a die that
leans by 15 degrees has less."""
SPECK = 0.3
"""Share of a die's area below which a patch is dirt, or a printed line that moved a little."""
MOST = 10
"""Dice in one patch at most; more are not told apart."""
ONE = 0.2
"""Two cubes nearer to each other than this part of a side are one die seen badly."""
LIES_ON = 0.10
"""Two bases that share more than this part of one cannot both stand on the mat."""
_STEPS = ((3.0, 12.0), (1.0, 4.0), (0.35, 1.5))
"""Steps of the search in millimetres and degrees, for dice of 16 mm."""
_SIDES = (0.72, 0.79, 0.87, 0.95, 1.0, 1.06, 1.14, 1.24, 1.35)
"""Sides tried for dice never measured, in those of the given side."""
_SOME = 6
"""Dice whose size is measured."""
_FINE, _BEVELS = (0.96, 0.985, 1.01, 1.035), (0.05, 0.1, 0.15, 0.2)


@dataclass(frozen=True, slots=True)
class Lens:
    """Where the camera's lens is: above the point ``x``, ``y`` of the mat, so ``high``, in
    millimetres."""

    x: float
    y: float
    high: float

    def raised(self, points: Floats, height: float) -> Floats:
        """Return where on the mat (n, 2) the camera sees ``points`` that are ``height`` above."""
        foot = np.array((self.x, self.y))
        return np.asarray(foot + (points - foot) * (self.high / (self.high - height)))


@dataclass(frozen=True, slots=True)
class Shape:
    """What the dice of one tray measure: ``side`` in millimetres, and how much of it the rounded
    corners take."""

    side: float
    bevel: float = USUAL_BEVEL


@dataclass(frozen=True, slots=True)
class Cube:
    """A cube on the mat: the middle of its base in millimetres, ``turn`` in degrees, ``side`` in
    millimetres. ``fit`` is how well it and its neighbours fill what is hidden, 1 at best."""

    x: float
    y: float
    turn: float
    side: float
    fit: float

    def base(self) -> Floats:
        """Return the corners (4, 2) of the base in millimetres."""
        return _base(np.array((self.x, self.y, self.turn)), self.side)

    def top(self, lens: Lens) -> Floats:
        """Return where on the mat the camera sees the corners (4, 2) of the top."""
        return lens.raised(self.base(), self.side)


@dataclass(frozen=True, slots=True)
class Patch:
    """One connected piece of hidden mat: its ``area`` in square millimetres, its ``middle``, the
    ``cubes`` that fill it, and whether it reaches over the ``rim`` of what is looked at."""

    area: float
    middle: tuple[float, float]
    cubes: tuple[Cube, ...]
    rim: bool


def patches_of(
    mask: Mask, colours: NDArray[np.float32], raster: Raster, lens: Lens, shape: Shape
) -> list[Patch]:
    """Return the patches of ``mask`` (raster points, 1 where the mat is hidden), the largest
    first, with the dice of ``shape`` that fill them.

    ``colours`` (raster points, n) helps to tell dice of different colours apart.
    """
    side = shape.side
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=4)
    found = []
    for k in range(1, count):
        left, top, wide, high, size = (int(v) for v in np.asarray(stats)[k])
        area = size * raster.step**2
        if area < SPECK * side**2:
            continue
        pad = int(np.ceil(side / raster.step))
        x, y = max(0, left - pad), max(0, top - pad)
        box = (slice(y, top + high + pad), slice(x, left + wide + pad))
        part = (np.asarray(labels)[box] == k).astype(np.uint8)
        corner = raster.to_board(np.array([[x, y]]))[0]
        ys, xs = np.nonzero(part)
        at = np.c_[xs, ys] * raster.step + corner
        rim = left == 0 or top == 0 or left + wide == mask.shape[1] or top + high == mask.shape[0]
        piece = _Piece(part, corner, raster.step, at, colours[box][ys, xs], lens, shape)
        middle = (float(at[:, 0].mean()), float(at[:, 1].mean()))
        found.append(Patch(area, middle, piece.filled(), rim))
    return sorted(found, key=lambda patch: -patch.area)


class _Piece:
    """One patch: ``mask`` on a raster whose first point is at ``corner``; ``at`` (n, 2) are its
    points in millimetres and ``colours`` (n, k) how they look."""

    def __init__(
        self,
        mask: Mask,
        corner: Floats,
        step: float,
        at: Floats,
        colours: NDArray[np.float32],
        lens: Lens,
        shape: Shape,
    ) -> None:
        self._mask, self._corner, self._step = mask, corner, step
        self._at, self._colours, self._lens, self._shape = at, colours, lens, shape
        self._size = int(mask.sum())
        self._canvas = np.zeros_like(mask)

    def filled(self) -> tuple[Cube, ...]:
        """Return the cubes that fill the patch best; none where they would be too many."""
        middle = np.r_[self._at.mean(0), 0.0]
        one = cv2.contourArea(_hull(middle, self._shape, self._lens))
        guess = self._size * self._step**2 / one
        if guess > MOST:
            return ()
        best: tuple[float, Floats] | None = None
        # Dice that lean over each other hide less than apart: rather more than fewer.
        for number in _numbers(guess):
            trials = [self._search(start) for start in self._starts(number)]
            trial = max(trials, key=lambda found: found[0])
            if best is not None and _nearest(trial[1]) < ONE * self._shape.side:
                continue
            if best is None or trial[0] > best[0] + 0.05:
                best = trial
            if best[0] > GOOD:
                break
        assert best is not None
        rows = best[1].tolist()
        return tuple(Cube(x, y, turn, self._shape.side, best[0]) for x, y, turn in rows)

    def _starts(self, number: int) -> list[Floats]:
        """Return where a search begins: groups of points, near to each other or alike too."""
        # A cube's hull lies off its base by half the way its top leans.
        middle = self._at.mean(0)
        top = self._lens.raised(middle[None], self._shape.side)[0]
        lean = (top - middle) / 2
        straight = cv2.minAreaRect(self._at.astype(np.float32))[2]
        turns = (
            (straight, straight + 45.0) if number > 1 else (straight, straight + 30, straight + 60)
        )
        groups = [middle[None]] if number == 1 else self._groups(number)
        return [
            np.c_[group - lean, np.full(len(group), turn)] for group in groups for turn in turns
        ]

    def _groups(self, number: int) -> list[Floats]:
        some = slice(None, None, max(1, len(self._at) // 1500))
        stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 0.1)
        found = []
        for alike in (1.2 * self._shape.side, 0.0):
            points = np.c_[self._at[some], alike * self._colours[some]].astype(np.float32)
            cv2.setRNGSeed(number)
            _, labels, _ = cv2.kmeans(points, number, None, stop, 4, cv2.KMEANS_PP_CENTERS)  # type: ignore[call-overload]
            which = np.asarray(labels).ravel()
            groups = [self._at[some][which == k] for k in range(number)]
            found.append(np.array([group.mean(0) for group in groups if len(group)]))
        return found

    def _search(self, rows: Floats) -> tuple[float, Floats]:
        """Move and turn one cube after another as long as they fill the patch better."""
        best, rows = self._overlap(rows), rows.copy()
        part = self._shape.side / 16.0
        for far, turn in _STEPS:
            moves = [
                (far, 0, 0),
                (-far, 0, 0),
                (0, far, 0),
                (0, -far, 0),
                (0, 0, turn),
                (0, 0, -turn),
            ]
            scaled = np.array(moves) * (part, part, 1.0)
            better, left = True, 8
            while better and left:
                better, left = False, left - 1
                for row in range(len(rows)):
                    for move in scaled:
                        trial = rows.copy()
                        trial[row] += move
                        value = self._overlap(trial)
                        if value > best + 1e-4:
                            best, rows, better = value, trial, True
        return best, rows

    def _overlap(self, rows: Floats) -> float:
        """Return intersection over union of the cubes and the patch."""
        self._canvas[:] = 0
        for row in rows:
            hull = (_hull(row, self._shape, self._lens) - self._corner) / self._step
            cv2.fillConvexPoly(self._canvas, np.round(hull * 16).astype(np.int32), 1, 8, 4)
        both = cv2.countNonZero(cv2.bitwise_and(self._canvas, self._mask))
        return both / (cv2.countNonZero(self._canvas) + self._size - both)


def _numbers(guess: float) -> Sequence[int]:
    near = max(1, round(guess))
    some = [near, near + 1, near - 1] if guess > near else [near, near - 1, near + 1]
    return [number for number in some if 0 < number < 1.45 * guess + 1.0]


def _nearest(rows: Floats) -> float:
    """Return how near the two nearest cubes are, infinite for a single one."""
    apart = np.hypot(*(rows[:, None, :2] - rows[None, :, :2]).transpose(2, 0, 1))
    return float((apart + np.diag(np.full(len(rows), np.inf))).min())


def _base(row: Floats, side: float) -> Floats:
    angle = math.radians(row[2])
    cos, sin = side * math.cos(angle), side * math.sin(angle)
    return np.asarray(SQUARE / 2 @ np.array([(cos, sin), (-sin, cos)]) + row[:2])


def _hull(row: Floats, shape: Shape, lens: Lens) -> NDArray[np.float32]:
    """Return what a cube hides of the mat, its corners cut as those of dice are."""
    base = _base(row, shape.side)
    after, cut = np.roll(base, -1, axis=0), shape.bevel
    rim = np.concatenate([base + cut * (after - base), after + cut * (base - after)])
    both = np.concatenate([rim, lens.raised(rim, shape.side)]).astype(np.float32)
    return np.asarray(cv2.convexHull(both), np.float32).reshape(-1, 2)


def stacked(cubes: Sequence[Cube]) -> list[Cube]:
    """Return those that share their base with another: they lie on each other."""
    bases = [cube.base().astype(np.float32) for cube in cubes]

    def shared(base: NDArray[np.float32]) -> float:
        others = (other for other in bases if other is not base)
        return max((cv2.intersectConvexConvex(base, other)[0] for other in others), default=0.0)

    return [
        cube
        for cube, base in zip(cubes, bases, strict=True)
        if shared(base) > LIES_ON * cube.side**2
    ]


def measured(
    mask: Mask, colours: NDArray[np.float32], raster: Raster, lens: Lens, usual: Shape
) -> Shape | None:
    """Return the shape with which single dice fill the patches best; None where none are seen.

    ``usual`` is what they measure roughly.
    """

    alike = _alike(mask)

    def worth(shape: Shape) -> float:
        patches = patches_of(alike, colours, raster, lens, shape)
        fits = [patch.cubes[0].fit for patch in patches if len(patch.cubes) == 1]
        return sum(max(0.0, fit - 0.8) for fit in fits)

    # The side first, then the corners, then the side more closely.
    shape = max((replace(usual, side=part * usual.side) for part in _SIDES), key=worth)
    shape = max((replace(shape, bevel=bevel) for bevel in _BEVELS), key=worth)
    shape = max((replace(shape, side=part * shape.side) for part in _FINE), key=worth)
    return shape if worth(shape) > 0.05 else None


def _alike(mask: Mask) -> Mask:
    """Return a few patches of ``mask`` that are about as large as most: single dice."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=4)
    areas = np.asarray(stats)[1:, cv2.CC_STAT_AREA].astype(float)
    areas[areas < 0.2 * areas.max(initial=0.0)] = 0
    usual = float(np.median(areas[areas > 0])) if areas.any() else 0.0
    order = [k for k in np.argsort(np.abs(areas - usual)) if areas[k] > 0.5 * usual > 0]
    return np.isin(np.asarray(labels), [k + 1 for k in order[:_SOME]]).astype(np.uint8)
