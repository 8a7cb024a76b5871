"""The tone of a camera's pictures: which level it shows for which light.

A lens that mists over, sun that falls into it, an exposure or a contrast that the camera chooses
anew change every level of a picture by one curve, wherever it is seen; colours that fade mix its
channels. That is put right before anything is compared; light that differs from place to place is
not told by it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

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
PLAINER = 0.7
"""Share of what a simpler change leaves, up to which another one is believed instead: a board has
so few colours that mixing them always explains more. Where they faded 0.2 to 0.6 of it were left,
in mist 0.74."""
MOST, FITS, ALL = 0.8, 0.07, 0.15
"""A change has to leave less than ALL of what the board\'s levels differ among themselves, in MOST
of its places: a hand may lie on the rest, but what lies on a part of the board is no tone. What
leaves no more than FITS is as good as any: noise leaves 0.02 to 0.06. Recordings read as if through
mist, or with another contrast, left 0.05 to 0.11; with a veil over a part of the board 0.2."""
PLAINLY = 6.0
"""A change that leaves so many times less than there was is one, whatever lies on the board: what
covers a part of it does not make all the rest differ."""
STEEPEST = 2.5
"""So many levels may become of one: of those that mist drew together little but noise is seen."""
ROUNDS = 8
"""How often a mixture is fitted to what it explained before."""
STRONG, WEAK = 100.0, 0.0001
"""Weights of the belief that a channel shows nothing of the others, in parts of what pixels say."""

LEAST = 8192
"""The number, of 65536, that stands for no light where the light of pixels is mixed: half of what
their levels squared give, which is near enough. A mixture may give less than none."""
_LIGHT = np.square(np.arange(256, dtype=np.uint16))
_EVERY = 2 * (np.arange(65536, dtype=np.float32) - LEAST)

Levels = NDArray[np.uint8]
"""Some pixels as a picture of one row (1, n, 3)."""
Change = Callable[[Image], Image]
"""Makes of a picture what it would be in another tone."""


class Tone:
    """Puts the tone of later pictures of a ``board`` right by that of the first one.

    Each is given together with a ``small`` one that shows the same."""

    def __init__(self, board: Board, camera: Camera, small: Image) -> None:
        left, top, right, bottom = board.bounds
        self._corners = np.array([(left, top), (right, top), (right, bottom), (left, bottom)])
        self._change: Change | None = None
        self._look_through(camera)
        self._then = self._levels(small)

    def evened(self, image: Image, small: Image) -> Image:
        """Return ``image`` in the tone of the settled ones."""
        self._compare(self._levels(small), self._then)
        return image if self._change is None else self._change(image)

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
        return np.ascontiguousarray(means(small, GRID)[self._on_board][None])

    def _compare(self, now: Levels, then: Levels) -> None:
        """Find the change by which pixels that show ``now`` would show what they showed ``then``:
        the simplest that is good enough."""
        if now.shape[1] < BINS:
            return
        least = as_it_is = _left(now, then)
        found: Change | None = None
        for change in self._changes(now, then):
            if least <= FITS:
                break
            rest = _left(change(now), then)
            if rest < PLAINER * least:
                least, found = rest, change
        if least < max(ALL, as_it_is / PLAINLY):
            self._change = found

    def _changes(self, now: Levels, then: Levels) -> Iterator[Change]:
        """Yield changes that may explain ``now``, the simplest first."""
        if self._change is not None:
            yield self._change
        yield _mixture(now, then, STRONG)
        if (curves := _curves(now, then)) is not None:
            yield curves
        yield _mixture(now, then, WEAK)


def _left(shown: Levels, then: Levels) -> float:
    """Return by how much pixels usually differ from what they showed ``then``, once a light that is
    even is taken out of them: as a share of how much they differ among themselves, for a change
    that levels all would leave nothing."""
    now, before = shown[0].astype(np.float32), then[0].astype(np.float32)
    even = now * quantile(((before + 2) / (now + 2)).T)
    spread = float(np.abs(even - quantile(even.T)).mean())
    return float(quantile(np.abs(even - before).max(1), MOST)) / max(spread, 1.0)


def _curves(now: Levels, then: Levels) -> Change | None:
    """Return the change of each channel by the curve that explains ``now`` best; None where too
    little is seen."""
    found = (_curve(now[0, :, k], then[0, :, k]) for k in range(3))
    curves = [curve for curve in found if curve is not None]
    if len(curves) < 3:
        return None
    return _by_table(np.round(np.clip(np.stack(curves, 1), 0, 255)).astype(np.uint8))


def _by_table(table: NDArray[np.uint8]) -> Change:
    """Return the change of each level of each channel to that in the ``table`` (256, 3)."""
    return lambda image: np.asarray(cv2.LUT(image, table[None]), np.uint8)


def _curve(now: NDArray[np.uint8], then: NDArray[np.uint8]) -> NDArray[np.float64] | None:
    """Return the curve of one channel (256,)."""
    each = len(now) // BINS
    parts = np.argsort(now, kind="stable")[: BINS * each].reshape(BINS, each)
    levels, first = np.unique(quantile(now[parts]).astype(np.float64), return_index=True)
    if len(levels) < 4:
        return None
    middles = np.maximum.accumulate(quantile(then[parts])[first].astype(np.float64))
    every = np.arange(256.0)
    slope, _ = np.polyfit(levels, middles, 1)
    curve = np.interp(every, levels, middles)
    # Beyond what was seen it goes on as the whole of it does.
    below, above = every < levels[0], every > levels[-1]
    curve[below] = middles[0] + slope * (every[below] - levels[0])
    curve[above] = middles[-1] + slope * (every[above] - levels[-1])
    return np.asarray(curve)


def _mixture(now: Levels, then: Levels, pure: float) -> Change:
    """Return the change to a light that multiplies and adds, in which colours are mixed otherwise:
    that by which most pixels show ``now`` what they showed ``then``; what moved between the
    pictures counts for little. The error is that of levels, so that dark ones count as much as
    bright ones."""
    light, wanted = (np.square(some[0], dtype=np.float64) for some in (now, then))
    given = np.column_stack([light, np.ones(len(light))])
    mix = np.empty((3, 4))
    for k in range(3):
        steep = 1 / (then[0, :, k] + 2.0)
        weight = steep**2
        alone = pure * float(weight @ light.mean(1) ** 2)
        # Where all pixels are alike nothing is told of either.
        ridge = np.diag([1e-6 if j in (k, 3) else alone + 1e-6 for j in range(4)])
        for _ in range(ROUNDS):
            normal = (given * weight[:, None]).T
            mix[k] = np.linalg.solve(normal @ given + ridge, normal @ wanted[:, k])
            off = steep * np.abs(wanted[:, k] - given @ mix[k])
            weight = (steep / (1 + (off / (2 * np.median(off) + 1e-9)) ** 2)) ** 2
    if pure == STRONG:
        every = np.repeat(np.arange(256, dtype=np.uint8)[:, None, None], 3, 2)
        return _by_table(_mixed(mix, every)[:, 0])
    return partial(_mixed, mix)


def _mixed(mix: NDArray[np.float64], image: Image) -> Image:
    """Return ``image`` after its light was multiplied by ``mix`` (3, 4), of which the last column
    adds. Where it adds less than none, dark levels are drawn apart by STEEPEST at most."""
    # The root of the light, and below the ``knee`` the straight line that goes on from it.
    knee = np.sqrt(np.maximum(-mix[:, 3] * mix[:, :3].sum(1), 1.0))[:, None] / STEEPEST
    line = np.clip(_EVERY / (2 * knee) + knee / 2, 0, knee)
    levels = np.clip(np.maximum(np.sqrt(np.maximum(_EVERY, 0)), line), 0, 255).round()
    scaled = mix / 2
    scaled[:, 3] += LEAST
    mixed = cv2.split(np.asarray(cv2.transform(cv2.LUT(image, _LIGHT), scaled), np.uint16))
    planes = (np.asarray(plane, np.uint16) for plane in mixed)
    shown = [table[plane] for table, plane in zip(levels.astype(np.uint8), planes, strict=True)]
    return np.asarray(cv2.merge(shown), np.uint8)
