"""The tone of a camera's pictures: which level it shows for which light.

A lens that mists over, sun that falls into it, an exposure or a contrast that the camera chooses
anew change every level of a picture by one curve, wherever it is seen. That is put right before
anything is compared; light that differs from place to place is not told by it.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.rules import Board
from vision.board.calibrate import Camera
from vision.board.raster import quantile
from vision.frames import Image
from vision.watching.flat import means

GRID = 48, 36
"""Columns and rows of which a picture's means are compared: noise and small shifts count less."""
BINS = 24
"""Levels, from the darkest to the brightest, between which a curve is straight; each is the median
of as many pixels."""
PLAINER = 0.8
"""Share of what a simpler curve leaves that another one has to leave at most, to be believed
instead."""
MOST, FITS, ALL = 0.8, 0.07, 0.15
"""A curve has to leave less than ALL of what the board's levels differ among themselves, in MOST of
its places: a hand may lie on the rest, but what lies on a part of the board is no tone. What leaves
no more than FITS is as good as any: noise leaves 0.02 to 0.06. Recordings read as if through mist,
or with another contrast, left 0.05 to 0.11; those with a veil over a part of the board 0.2."""
STEEPEST = 4.0
"""How much a curve may rise for a level: what is steeper tells nothing, for it was nearly lost."""
GAMMA = 2.2
"""Power by which a camera's levels follow linear light, near enough (sRGB)."""

Levels = NDArray[np.uint8]
"""The levels of some pixels, channel by channel (3, n)."""
Curve = NDArray[np.uint8]
"""What to show in place of each level of each channel (3, 256)."""


class Tone:
    """Puts the tone of later pictures of a ``board`` right by that of the first one.

    Each is given together with a ``small`` one that shows the same."""

    def __init__(self, board: Board, camera: Camera, small: Image) -> None:
        left, top, right, bottom = board.bounds
        self._corners = np.array([(left, top), (right, top), (right, bottom), (left, bottom)])
        self._curve: Curve | None = None
        self._look_through(camera)
        self._then = self._levels(small)

    def evened(self, image: Image, small: Image) -> Image:
        """Return ``image`` in the tone of the settled ones."""
        self._compare(self._levels(small), self._then)
        if self._curve is None:
            return image
        return np.asarray(cv2.LUT(image, np.ascontiguousarray(self._curve.T[None])), np.uint8)

    def settle(self, camera: Camera, small: Image) -> None:
        """Compare later pictures with this one, whose tone was put right and in which ``camera``
        saw the board."""
        if camera is not self._camera:
            self._look_through(camera)
        self._then = self._levels(small)

    def _look_through(self, camera: Camera) -> None:
        outline = camera.project(self._corners) / camera.size * GRID - 0.5
        mask = np.zeros(GRID[::-1], np.uint8)
        cv2.fillConvexPoly(mask, np.round(outline).astype(np.int32), (1,))
        self._camera, self._on_board = camera, mask > 0

    def _levels(self, small: Image) -> Levels:
        """Return what a ``small`` picture shows of the board."""
        return np.ascontiguousarray(means(small, GRID)[self._on_board].T)

    def _compare(self, now: Levels, then: Levels) -> None:
        """Find the curve by which pixels show ``now`` what they showed ``then``: the simplest that
        is good enough."""
        if now.shape[1] < BINS:
            return
        as_it_is = _left(now, then, None)
        if as_it_is <= FITS:
            self._curve = None
            return
        # As before; in a light that multiplies and adds; any.
        curves = None, self._curve, *_curves(now, then)
        left = [as_it_is, *(_left(now, then, curve) for curve in curves[1:])]
        if min(left) < ALL:
            enough = max(FITS, min(left) / PLAINER)
            self._curve = next(c for c, rest in zip(curves, left, strict=True) if rest <= enough)


def _left(now: Levels, then: Levels, curve: Curve | None) -> float:
    """Return by how much pixels usually differ once ``curve``, and then a light that is even, are
    taken out of them: as a share of how much they differ among themselves, for a curve that levels
    all would leave nothing."""
    plain = now if curve is None else np.take_along_axis(curve, now, 1)
    shown, before = (levels.astype(np.float32) for levels in (plain, then))
    even = shown * quantile((before + 2) / (shown + 2))[:, None]
    spread = float(np.abs(even - quantile(even)[:, None]).mean())
    return float(quantile(np.abs(even - before).max(0), MOST)) / max(spread, 1.0)


def _curves(now: Levels, then: Levels) -> list[Curve]:
    """Return the best curve of a light that multiplies and adds by which pixels show ``now`` what
    they showed ``then``, and the best of all; none where too little is seen."""
    found = [_of_channel(*levels) for levels in zip(now, then, strict=True)]
    every = [np.stack(kind) for kind in zip(*found, strict=True)] if all(found) else []
    return [np.round(np.clip(curve, 0, 255)).astype(np.uint8) for curve in every]


def _of_channel(now: NDArray[np.uint8], then: NDArray[np.uint8]) -> list[NDArray[np.float64]]:
    """Return these curves of one channel (256,)."""
    each = len(now) // BINS
    parts = np.argsort(now, kind="stable")[: BINS * each].reshape(BINS, each)
    levels, first = np.unique(quantile(now[parts]).astype(np.float64), return_index=True)
    if len(levels) < 4:
        return []
    middles = np.maximum.accumulate(quantile(then[parts])[first].astype(np.float64))
    every = np.arange(256.0)
    slope, _ = np.polyfit(levels, middles, 1)
    if not 1 / STEEPEST < slope < STEEPEST:
        return []
    curve = np.interp(every, levels, middles)
    # Beyond what was seen it goes on as the whole of it does.
    below, above = every < levels[0], every > levels[-1]
    curve[below] = middles[0] + slope * (every[below] - levels[0])
    curve[above] = middles[-1] + slope * (every[above] - levels[-1])
    light = np.polyval(np.polyfit(levels**GAMMA, middles**GAMMA, 1), every**GAMMA)
    return [np.maximum(light, 0) ** (1 / GAMMA), curve]
