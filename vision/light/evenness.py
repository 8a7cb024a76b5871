"""How the light on the table changed between two pictures, as a smooth field."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.raster import Floats, quantile

LEAST = 0.015
"""Logarithm of light that noise alone explains."""
_RIDGE = 1e-3 * np.eye(6, dtype=np.float32)


class Evenness:
    """Fits by how much a picture is lighter than a reference: a polynomial of the second degree in
    the logarithm for each channel, robust against what really changed.

    The fit begins with the light of the last settled picture, unless an even light fits better: a
    damaged picture or a hand would otherwise mislead it.
    """

    def __init__(self) -> None:
        self._settled = self._now = np.zeros((3, 6), np.float32)

    def settle(self) -> None:
        """Begin later fits with the light of the last picture."""
        self._settled = self._now

    def fit(self, flat: Floats, reference: Floats, whole: NDArray[np.bool_]) -> Floats:
        """Return the field (height, width, 3); ``whole`` (height, width) tells which cells of its
        grid count."""
        height, width = whole.shape
        now, then = (
            np.ascontiguousarray(
                np.asarray(cv2.resize(p, (width, height), interpolation=cv2.INTER_AREA))
                .reshape(-1, 3)
                .T,
                np.float32,
            )
            for p in (flat, reference)
        )
        basis = bends(height, width).reshape(6, -1)
        use = np.flatnonzero(whole.ravel() & (then.min(0) > 3))
        now, then = now[:, use], then[:, use]
        ratio = np.asarray(cv2.log((now + 2) / (then + 2)), np.float32)
        self._now = self._robust(basis[:, use], ratio, np.minimum(then.mean(0), 60))
        field = np.asarray(cv2.exp(self._now @ basis), np.float32)
        return np.ascontiguousarray(field.T).reshape(height, width, 3)

    def _robust(self, columns: Floats, target: Floats, weight: Floats) -> Floats:
        """Return the coefficients (3, 6) of ``target`` (3, n) in ``columns`` (6, n)."""
        fitted = self._settled
        off = np.abs(target - fitted @ columns).max(0)
        if quantile(off) > LEAST:
            even = np.abs(target - np.median(target, 1, keepdims=True)).max(0)
            if quantile(even) < quantile(off):
                off, fitted = even, np.zeros_like(fitted)
        for _ in range(4):
            scale = max(LEAST, 1.5 * quantile(off))
            heavy = columns * (weight / (1 + (off / scale) ** 2) ** 2)
            fitted = np.linalg.solve(heavy @ columns.T + _RIDGE, heavy @ target.T).T
            off = np.abs(target - fitted @ columns).max(0)
        return fitted


@cache
def bends(height: int, width: int) -> Floats:
    """Return the shapes that a smooth light is a sum of, over a grid from -1 to 1: even, slanted
    across and down, bent across and down, twisted (6, height, width)."""
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
    return np.stack([np.ones_like(x), x, y, x**2 - 1 / 3, y**2 - 1 / 3, x * y])
