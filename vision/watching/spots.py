"""Where the spots of a board lie on the raster that pictures are compared on, and how much these
differ there."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.rules import Board
from vision.board.calibrate import Camera, Points
from vision.board.raster import Floats, Raster, discs, within

ROUND = 0.44
"""Pitches: the radius of the disc that a token covers."""


class Spots:
    """The spots of ``board`` on a ``raster`` with ``pitch`` points to the distance between two.
    Where tokens are tall, their ``tops`` seem to lie over these board points (n, 2)."""

    def __init__(self, raster: Raster, board: Board, pitch: float, tops: Points | None) -> None:
        self._raster, self._radius, self._pitch = raster, ROUND * pitch, board.pitch
        self.names = tuple(board.spots)
        self.centres: Points = np.array([spot.centre for spot in board.spots.values()])
        self.discs = self._discs(self.centres)
        self.middles = dict(zip(self.names, raster.to_pixels(self.centres), strict=True))
        self._tops = None if tops is None else self._discs(tops)
        self._everywhere = np.ones((raster.height, raster.width), np.bool_)

    def named(self, numbers: Iterable[int]) -> tuple[str, ...]:
        """Return the names of the spots of these ``numbers``."""
        return tuple(self.names[number] for number in numbers)

    def points(self, spot: str) -> Points:
        """Return the raster points (n, 2) that a token on ``spot`` covers."""
        at = np.divmod(self.discs[self.names.index(spot)], self._raster.width)
        return np.stack(at[::-1], -1)

    def moved(self, before: Camera, now: Camera) -> float:
        """Return how far a camera sees a spot from where another saw it ``before``, in pitches."""
        off = now.project(self.centres) - before.project(self.centres)
        pitch = now.pixels_per_mm() * self._pitch
        return float(np.linalg.norm(off, axis=1).max() / pitch)

    def differences(self, off: Floats, bright: Floats) -> tuple[Floats, float]:
        """Return how much each spot differs (n,), and how much one usually does: ``off`` is by how
        much each point does, ``bright`` its light in one channel."""
        spots = _mean(self.discs, off, bright)
        # Half the board may be hidden: the quieter quarter tells what is usual.
        usual = 1.07 * float(np.partition(spots, len(spots) // 4)[len(spots) // 4])
        return spots, usual

    def topped(self, off: Floats, bright: Floats, most: float) -> NDArray[np.bool_]:
        """Tell at which spots the top of a tall token differs by more than ``most``."""
        if self._tops is None:
            return np.zeros(len(self.names), np.bool_)
        return _mean(self._tops, off, bright) > most

    def apart_from(self, some: Collection[str], known: Collection[Points]) -> NDArray[np.bool_]:
        """Return a mask of the raster without ``some`` spots, the ``known`` outlines (n, 2), in
        millimetres, and what is next to these."""
        if not (some or known):
            return self._everywhere
        rows = [number for number, name in enumerate(self.names) if name in some]
        mask = within(self._raster, known)
        mask.ravel()[self.discs[rows]] = 1
        return np.asarray(cv2.dilate(mask, np.ones((5, 5), np.uint8)) == 0, np.bool_)

    def _discs(self, middles: Points) -> NDArray[np.int64]:
        return discs(self._raster, self._raster.to_pixels(middles), self._radius)


def _mean(places: NDArray[np.int64], off: Floats, bright: Floats) -> Floats:
    """Return how much differs at ``places`` (n, m): the points of n discs."""
    # Shot noise grows with the root of the light, so differences count less in bright places.
    noise = np.sqrt(bright.ravel()[places] + 16)
    return np.asarray(10 * (off.ravel()[places] / noise).mean(1), np.float32)
