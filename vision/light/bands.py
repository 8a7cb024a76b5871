"""Dark and bright bands across a picture: a camera that reads row by row sees a lamp that flickers
with the mains at another moment in every row."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.board.calibrate import Camera, Points
from vision.board.raster import Floats

SAMPLE = 32
"""Points of a row that are looked at."""
PEAK = 2.0
"""Bands are alike all over the picture: none is stronger than so many usual ones, as an arm would
be. The peak of a sine is 1.4 times its median."""


class Bands:
    """Finds bands in what a raster shows of a picture.

    ``places`` (n, 2) in millimetres are the raster's points, as ``camera`` sees them; those of
    ``where`` (n,) count. Rows are ``height`` millimetres high.
    """

    def __init__(
        self, camera: Camera, places: Points, where: NDArray[np.bool_], height: float
    ) -> None:
        rows = camera.project(places)[:, 1] / (height * camera.pixels_per_mm())
        rows = np.round(rows).astype(np.int64)
        known = np.flatnonzero(where)
        known = known[np.argsort(rows[known], kind="stable")]
        numbers, first, many = np.unique(rows[known], return_index=True, return_counts=True)
        spread = np.linspace(0, 1, SAMPLE)
        self._sample = known[first[:, None] + (spread * (many[:, None] - 1)).astype(np.int64)]
        # Rows of which nothing counts are as bright as the next one of which something does.
        self._row = np.clip(np.searchsorted(numbers, rows), 0, len(numbers) - 1)

    def of(self, change: Floats) -> Floats:
        """Return what bands add to the ``change`` (height, width, 3), in logarithms of light."""
        colours = change.reshape(-1, 3)
        rows = np.median(colours[self._sample], 1)
        rows -= np.median(rows, 0)
        most = PEAK * np.median(np.abs(rows), 0)
        return np.asarray(np.clip(rows, -most, most)[self._row].reshape(change.shape), np.float32)
