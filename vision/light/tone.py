"""The tone of a camera's pictures: which level it shows for which light.

A lens that mists over, sun that falls into it, an exposure or a contrast that the camera chooses
anew change every level of a picture by one curve, wherever it is seen. That is put right before
anything is compared; light that differs from place to place is not told by it.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.rules import Board
from vision.board.calibrate import Camera
from vision.board.raster import middle
from vision.frames import Frame, Image

SIDE = 32
"""Pixels of a picture that become one to be compared: noise and small shifts count less."""
BINS = 24
"""Levels, from the darkest to the brightest, between which a curve is straight; each is the median
of as many pixels."""
PLAINER = 0.8
"""Share of what a simpler curve leaves that another one has to leave at most, to be believed
instead."""
MOST, FITS, ALL = 0.8, 0.07, 0.25
"""A curve has to leave less than ALL of what the board's levels differ among themselves, in MOST of
its places: a hand may lie on the rest, but what lies on a part of the board is no tone. What leaves
no more than FITS is as good as any: noise leaves 0.03 to 0.07."""
STEEPEST = 4.0
"""How much a curve may rise for a level: what is steeper tells nothing, for it was nearly lost."""
GAMMA = 2.2
"""Power by which a camera's levels follow linear light, near enough (sRGB)."""

Levels = NDArray[np.uint8]
"""The levels of some pixels, channel by channel (3, n)."""
Curve = NDArray[np.uint8]
"""What to show in place of each level of each channel (3, 256)."""


class Tone:
    """Puts the tone of later pictures of a ``board`` right by that of the first one."""

    def __init__(self, board: Board) -> None:
        left, top, right, bottom = board.bounds
        self._corners = np.array([(left, top), (right, top), (right, bottom), (left, bottom)])
        self._camera: Camera | None = None
        self._on_board = np.zeros((0, 0), np.bool_)
        self._then = self._now = np.zeros((0, 0, 3), np.uint8)
        self._curve: Curve | None = None

    def evened(self, frame: Frame) -> Frame:
        """Return ``frame`` in the tone of the settled ones."""
        image = frame.image
        if image is None:
            return frame
        small = _smaller(image)
        if small.shape == self._then.shape:
            self._compare(*(np.ascontiguousarray(p[self._on_board].T) for p in (small, self._then)))
        curve = self._curve
        self._now = small if curve is None else _shown(small, curve)
        return frame if curve is None else replace(frame, image=_shown(image, curve))

    def settle(self, camera: Camera) -> None:
        """Compare later pictures with the last one, in which ``camera`` saw the board, and whose
        tone was put right."""
        self._then = self._now
        if camera is not self._camera:
            mask, at = np.zeros(self._now.shape[:2], np.uint8), camera.project(self._corners)
            outline = np.round(at / SIDE - 0.5).astype(np.int32)
            self._camera, self._on_board = camera, cv2.fillConvexPoly(mask, outline, (1,)) > 0

    def _compare(self, now: Levels, then: Levels) -> None:
        """Find the curve by which pixels show ``now`` what they showed ``then``: the simplest that
        is good enough."""
        if not now.size:
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


def _smaller(image: Image) -> Image:
    """Return the picture made SIDE times smaller; some pixels of each square are enough."""
    size = max(1, image.shape[1] // SIDE), max(1, image.shape[0] // SIDE)
    some = cv2.resize(image, (4 * size[0], 4 * size[1]), interpolation=cv2.INTER_NEAREST)
    return np.asarray(cv2.resize(some, size, interpolation=cv2.INTER_AREA), np.uint8)


def _shown(image: Image, curve: Curve) -> Image:
    return np.asarray(cv2.LUT(image, np.ascontiguousarray(curve.T[None])), np.uint8)


def _left(now: Levels, then: Levels, curve: Curve | None) -> float:
    """Return by how much pixels usually differ once ``curve``, and then a light that is even, are
    taken out of them: as a share of how much they differ among themselves, for a curve that levels
    all would leave nothing."""
    plain = now if curve is None else np.take_along_axis(curve, now, 1)
    shown, before = (levels.astype(np.float32) for levels in (plain, then))
    even = shown * middle((before + 2) / (shown + 2))[:, None]
    spread = float(np.abs(even - middle(even)[:, None]).mean())
    off, rank = np.abs(even - before).max(0), int(MOST * now.shape[1])
    return float(np.partition(off, rank)[rank]) / max(spread, 1.0)


def _curves(now: Levels, then: Levels) -> list[Curve]:
    """Return the best curve of a light that multiplies and adds by which pixels show ``now`` what
    they showed ``then``, and the best of all; none where too little is seen."""
    found = [_of_channel(*levels) for levels in zip(now, then, strict=True)]
    every = [np.stack(kind) for kind in zip(*found, strict=True)] if all(found) else []
    return [np.round(np.clip(curve, 0, 255)).astype(np.uint8) for curve in every]


def _of_channel(now: NDArray[np.uint8], then: NDArray[np.uint8]) -> list[NDArray[np.float64]]:
    """Return these curves of one channel (256,)."""
    parts = [part for part in np.array_split(np.argsort(now, kind="stable"), BINS) if part.size]
    levels, middles = (np.array([np.median(p[part]) for part in parts]) for p in (now, then))
    levels, first = np.unique(levels, return_index=True)
    if len(levels) < 4:
        return []
    middles, every = np.maximum.accumulate(middles[first]), np.arange(256.0)
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
