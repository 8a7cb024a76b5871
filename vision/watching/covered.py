"""What lay under a cup or a phone before it was put down, so that taking it away is not seen as a
change."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.raster import Floats, grey, worst

ROUND = 17
"""Raster points over which light may change."""
NEARER = 0.5
"""A point shows again what was there before, if it differs from that by less than this part of how
it differs from the thing that covered it."""
MOST = 0.5
"""Share of what was covered of a spot that must show again for the spot to be looked at."""


class Covered:
    """Remembers, for each raster point that something was put down on, what the settled picture
    (height, width, 3) showed there before."""

    def __init__(self) -> None:
        self._before: Floats | None = None
        self._at = np.zeros((0, 0), np.bool_)

    def lay(self, where: NDArray[np.bool_], before: Floats) -> None:
        """Note that something came to lie ``where`` (a mask of raster points); the settled picture
        showed ``before`` there."""
        if self._before is None:
            self._before, self._at = before.copy(), where.copy()
            return
        first = where & ~self._at
        self._before[first] = before[first]
        self._at |= first

    def bared(self, even: Floats, reference: Floats) -> tuple[NDArray[np.bool_] | None, Floats]:
        """Return the mask of raster points at which ``even`` shows again what was covered in
        ``reference``, None if there is none; and ``reference`` with that at these points."""
        if self._before is None:
            return None, reference
        lit = self._before * self._lighter(even)
        then, now = (_off(even, picture) for picture in (lit, reference))
        # What fits both was in a shadow that came with the thing, and is to be seen without it.
        noise = 2 * float(np.median(now[::3, ::3]))
        bare: NDArray[np.bool_] = self._at & (then < np.maximum(NEARER * now, noise))
        if not bare.any():
            return None, reference
        return bare, np.where(bare[..., None], self._before, reference)

    def uncovered(
        self, bare: NDArray[np.bool_] | None, discs: NDArray[np.int64]
    ) -> NDArray[np.bool_]:
        """Tell of which spots most of what was covered is ``bare`` again: also where that was
        little, for what changed there may be no thing, but a token that another took the place of.
        ``discs`` holds the raster points of every spot (n, m)."""
        if bare is None:
            return np.zeros(len(discs), np.bool_)
        shown, covered = (points.ravel()[discs].sum(1) for points in (bare, self._at))
        return np.asarray(shown > MOST * covered, np.bool_)

    def _lighter(self, even: Floats) -> Floats:
        """Return by which factor ``even`` is lighter round every point than what was covered there:
        the light may have changed meanwhile, or a shadow have come."""
        assert self._before is not None
        there = self._at.astype(np.float32)
        now, then = (cv2.blur(grey(p) * there, (ROUND, ROUND)) for p in (even, self._before))
        return np.asarray((now + 1) / (then + 1), np.float32)[..., None]

    def take_away(self, bare: NDArray[np.bool_]) -> None:
        """Forget what was remembered at the points that are ``bare`` again."""
        self._at = self._at & ~bare
        if not self._at.any():
            self._before = None


def _off(picture: Floats, other: Floats) -> Floats:
    """Return how far two pictures differ round every point."""
    return np.asarray(cv2.blur(worst(picture - other), (3, 3)), np.float32)
