"""A board seen from above as logarithms of light on a small raster, so that it can be compared in
any light.

The change of light is the local median of the difference between two pictures: what is put down or
taken away covers less than half of any neighbourhood.
"""

from __future__ import annotations

from collections.abc import Collection

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.rules import Board
from vision.board.calibrate import Camera
from vision.board.fit import match, rectify
from vision.board.raster import Floats, Raster, in_view, raster_over
from vision.board.refind import moved_cameras
from vision.frames import Image

PER_PITCH = 10
"""Raster points a pitch."""
MARGIN = 1.0
"""Pitches watched round the board: what reaches in from outside is a hand."""
NEAR = 2.5
"""Pitches: the side of the neighbourhood over which that median is taken."""
DARK = 6.0
"""Added to every value (0 to 255) before its logarithm is taken, so that the noise of dark pixels
counts little."""
INNER = 0.4
"""Pitches: half the side of the square over which the change of a spot is measured."""
CORE = 0.26
"""Pitches: the radius of the disc in the middle of a spot that shows the colour of its man."""
PUSHED = 0.32
"""Pitches: the radius of the disc by which a man is recognised that was pushed aside."""
ELSEWHERE = 0.02
"""Pitches by which a board must have moved to be followed."""
FARTHER = 2.0
"""Pitches beyond the watched margin in which a board is searched for after a kick."""
ROUGHLY, EXACTLY, LIKE = (0.25, 0.06), (0.55, 0.03), 0.6
"""For the first and the last pass of following a board: the share of patches that must agree, and
their error in pitches at most; and the correlation that they must have (LIKE). A hand leaves fewer
patches, at their old place; a board fitted two squares off has larger errors."""
ARM = 1.6
"""Factor on the area of what reaches in from outside; it then counts for more than a man beside the
board does."""
LEAST = 0.10
"""Change of the logarithm of light that is never taken for an object."""


class Ground:
    """Lays pictures of one board on the raster and compares them in any light."""

    def __init__(self, board: Board, camera: Camera) -> None:
        self._board = board
        self.names = tuple(board.spots)
        self._raster = raster_over(board, PER_PITCH, MARGIN)
        middles = self._raster.to_pixels(np.array([s.centre for s in board.spots.values()]))
        self._middles = np.round(middles).astype(np.int64)
        reach = int(INNER * PER_PITCH)
        y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1]
        self._squares = self._around(x.ravel(), y.ravel())
        inside = np.hypot(x, y).ravel() <= CORE * PER_PITCH
        self._discs = self._squares[:, inside]
        left, top, right, bottom = board.bounds
        corners = self._raster.to_pixels(np.array([(left, top), (right, bottom)]))
        (x0, y0), (x1, y1) = np.round(corners).astype(int)
        self._on_board = np.zeros((self._raster.height, self._raster.width), np.uint8)
        self._on_board[y0 : y1 + 1, x0 : x1 + 1] = 1
        self.look_through(camera)

    def look_through(self, camera: Camera) -> None:
        """Lay pictures through ``camera`` from now on."""
        self.camera = camera
        self.valid = in_view(camera, self._raster, 0)
        inside = cv2.erode(self.valid.view(np.uint8), np.ones((5, 5), np.uint8),
                           borderType=cv2.BORDER_CONSTANT, borderValue=0)  # fmt: skip
        beside = cv2.dilate(self._on_board, np.ones((5, 5), np.uint8)) == 0
        self._rim = self.valid & (np.asarray(inside) == 0) & beside

    def follow(self, image: Image, before: Floats) -> float:
        """Find the board after a bump; ``before`` is how it was laid on the raster before.

        Return how far it moved in pitches, 0 if it lies where it lay. Pictures are laid through its
        new place from then on.
        """
        keep, model = self.camera, np.ascontiguousarray(before[..., 1])
        found = self._refined(image, model, keep) or self._found_anew(image, model, keep) or keep
        middles = np.array([spot.centre for spot in self._board.spots.values()])
        moved = np.linalg.norm(found.project(middles) - keep.project(middles), axis=1).max()
        self.look_through(found)
        far = float(moved) / (keep.pixels_per_mm() * self._board.pitch)
        return far if far > ELSEWHERE else 0.0

    def _found_anew(self, image: Image, model: Floats, camera: Camera) -> Camera | None:
        """Look for the whole board farther away than it is watched; None where it is not."""
        wide = raster_over(self._board, PER_PITCH, MARGIN + FARTHER)
        rim = round(FARTHER * PER_PITCH)
        spare = (
            (rim, wide.height - model.shape[0] - rim),
            (rim, wide.width - model.shape[1] - rim),
        )
        padded = np.pad(model, spare, mode="edge")
        flat = np.ascontiguousarray(self._flat(image, camera, wide)[..., 1])
        starts = moved_cameras(padded, flat, wide, self._board, camera)
        return next((c for c in (self._refined(image, model, s) for s in starts) if c), None)

    def _refined(self, image: Image, model: Floats, camera: Camera) -> Camera | None:
        """Refine ``camera`` to a picture laid before; None where that does not fit."""
        for reach, agree, close in ((0.75, *ROUGHLY), (0.3, *EXACTLY)):
            seen = np.ascontiguousarray(self._flat(image, camera, self._raster)[..., 1])
            fit = match(model, seen, self._raster, self._board, camera, 1.0, reach, 0)
            if not (fit.share > agree and fit.error < close and fit.likeness > LIKE):
                return None
            camera = fit.camera
        return camera

    def lay(self, image: Image) -> Floats:
        """Return the picture on the raster, in logarithms of light (height, width, 3)."""
        return self._flat(image, self.camera, self._raster)

    @staticmethod
    def _flat(image: Image, camera: Camera, raster: Raster) -> Floats:
        flat = rectify(image, camera, raster)
        return np.asarray(np.log(cv2.GaussianBlur(flat, (0, 0), 0.6) + DARK), np.float32)

    def difference(self, now: Floats, then: Floats) -> Floats:
        """Return the difference of two pictures on the raster with the change of light taken out,
        (height, width, 3)."""
        rest = now - then
        # medianBlur wants whole numbers; a step of 0.01 is below the noise.
        steps = np.clip(np.round(rest * 100) + 128, 0, 255).astype(np.uint8)
        steps[~self.valid] = 128
        light = np.asarray(cv2.medianBlur(steps, int(NEAR * PER_PITCH) | 1), np.float32)
        return np.asarray(rest - (light - 128) / 100, np.float32) * self.valid[..., None]

    def spots(self, picture: Floats) -> Floats:
        """Return the pixels of every spot (n, m, …), in the order of ``names``."""
        return np.asarray(picture.reshape(-1, *picture.shape[2:])[self._squares], np.float32)

    def windows(self, picture: Floats, index: int, reach: int) -> Floats:
        """Return what the middle of a spot shows if ``picture`` is shifted under it by up to
        ``reach`` raster points along both axes, in steps of half a point: (n, m, 3)."""
        column, row = (int(value) for value in self._middles[index])
        half = int(PUSHED * PER_PITCH)
        far = half + reach
        part = picture[row - far : row + far + 1, column - far : column + far + 1]
        fine = np.arange(4 * far + 1, dtype=np.float32) / 2
        x, y = np.meshgrid(fine, fine)
        dense = np.asarray(cv2.remap(np.ascontiguousarray(part), x, y, cv2.INTER_LINEAR))
        side = 4 * half + 1
        views = np.lib.stride_tricks.sliding_window_view(dense, (side, side), axis=(0, 1))
        y, x = np.mgrid[-half : half + 1, -half : half + 1]
        inside = np.hypot(x, y) <= PUSHED * PER_PITCH
        views = views[..., ::2, ::2][..., inside]
        return np.asarray(views.reshape(-1, 3, int(inside.sum())).transpose(0, 2, 1))

    def amounts(self, difference: Floats) -> Floats:
        """Return the change of each spot: the mean over its square of the channel that changed
        most."""
        return np.asarray(self.spots(worst(difference)).mean(1), np.float32)

    def cores(self, difference: Floats) -> Floats:
        """Return the change of the middle of each spot, where a neighbour that leans over, or its
        shadow, hardly reaches."""
        return np.asarray(worst(difference).ravel()[self._discs].mean(1), np.float32)

    def tones(self, picture: Floats) -> Floats:
        """Return the colour in the middle of every spot (n, 3), in logarithms of light."""
        return np.asarray(picture.reshape(-1, 3)[self._discs].mean(1), np.float32)

    def put(self, picture: Floats, index: int, pixels: Floats) -> None:
        """Write the pixels (m, 3) of one spot into ``picture``."""
        picture.reshape(-1, 3)[self._squares[index]] = pixels

    def largest(self, difference: Floats, shoved: bool = False) -> float:
        """Return the area in square pitches of the largest connected thing in ``difference``; what
        reaches in from outside counts ARM times. Round a board that was ``shoved`` everything looks
        new and is not counted."""
        off = worst(difference)
        limit = max(LEAST, 4 * float(np.median(off[self.valid])))
        mask = cv2.morphologyEx((off > limit).astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3)))
        mask = np.asarray(mask, np.uint8)
        if shoved:
            mask = mask * self._on_board
        _, labels, stats, _ = cv2.connectedComponentsWithStats(mask)
        areas = np.asarray(stats)[:, cv2.CC_STAT_AREA].astype(np.float64)
        areas[0] = 0.0
        reach = np.unique(np.asarray(labels)[self._rim])
        areas[reach] *= ARM
        return float(areas.max()) / PER_PITCH**2

    def _around(self, x: NDArray[np.int64], y: NDArray[np.int64]) -> NDArray[np.int64]:
        columns, rows = self._middles[:, :1] + x, self._middles[:, 1:] + y
        return np.asarray(rows * self._raster.width + columns)


def worst(difference: Floats) -> Floats:
    """Return the largest absolute value over the channels of ``difference`` (…, 3)."""
    size = np.abs(difference)
    return np.asarray(np.maximum(np.maximum(size[..., 0], size[..., 1]), size[..., 2]), np.float32)


def bare_ground(
    board: Board, ground: Ground, picture: Floats, covered: Collection[str], own: bool = True
) -> Floats:
    """Return ``picture`` with bare spots in place of the ``covered`` ones: the median pattern of
    bare spots of their shade, as bright as a plane fitted to those says. Bare spots keep what they
    show, unless they no longer match their ``own`` earlier picture."""
    pixels, result = ground.spots(picture), picture.copy()
    left, _, right, _ = board.bounds
    places = np.array([(1.0, *board[n].centre) for n in ground.names])
    places[:, 1:] *= 2 / (right - left)
    bare = np.array([name not in covered for name in ground.names])
    shades = np.array([board[name].shade for name in ground.names])
    for shade in dict.fromkeys(shades):
        here = np.flatnonzero(bare & (shades == shade))
        if len(here) < 4:
            here = np.flatnonzero(bare) if bare.any() else np.arange(len(bare))
        level = np.median(pixels[here], 1)
        plane = np.linalg.lstsq(places[here], level, rcond=None)[0]
        pattern = np.median(pixels[here] - level[:, None], 0)
        for index in np.flatnonzero((~bare | (not own)) & (shades == shade)):
            ground.put(result, int(index), pattern + places[index] @ plane)
    return result
