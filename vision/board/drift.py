"""How far a whole picture shifted, by how it differs along its slopes (Lucas and Kanade 1981)."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.calibrate import Points
from vision.board.raster import Floats, quantile


def slopes_of(bright: Floats, valid: NDArray[np.bool_]) -> Floats:
    """Return the slopes of a picture (height, width) along x and y at every second point, (2, n);
    0 where it is not ``valid``."""
    seen = valid.astype(np.float32)
    x = np.asarray(cv2.Sobel(bright, cv2.CV_32F, 1, 0, scale=0.125)) * seen
    y = np.asarray(cv2.Sobel(bright, cv2.CV_32F, 0, 1, scale=0.125)) * seen
    return np.asarray(np.stack([x.ravel()[::2], y.ravel()[::2]]), np.float32)


def drift(slopes: Floats, even: Floats, bright: Floats) -> Points:
    """Return how many points (x, y) the picture ``even`` (height, width, 3) is shifted against the
    green channel ``bright`` of the one with these ``slopes``."""
    # Every second point is enough for so few numbers.
    rest = even.reshape(-1, 3)[::2, 1] - bright.ravel()[::2]
    size = np.abs(rest)
    # What changed more than noise does is no shift.
    calm = slopes * (size < 6 * quantile(size[::16]) + 2).astype(np.float32)
    normal = np.asarray(calm @ slopes.T, np.float64) + np.eye(2)
    return -np.asarray(np.linalg.solve(normal, calm @ rest), np.float64)
