"""Where the camera stands above the board, from how it sees the board."""

from __future__ import annotations

import numpy as np

from companion.rules import Point
from vision.board.calibrate import Camera

FOCAL = (0.55, 2.0)
"""Shortest and longest focal length of lenses in use, in widths of the picture."""
USUAL, VARY = 0.95, 0.35
"""The most common focal length, in widths of the picture, and the deviation of its logarithm. It
decides where the board is seen so straight from above that the picture says little about the
lens."""
NOISE = 3e-3
"""By how much the columns of a homography fail to be at right angles because of errors of the
calibration."""


def viewpoint(camera: Camera) -> tuple[float, float, float]:
    """Return the lens in board millimetres: the point of the board under it, and its height.

    Square pixels and a lens in front of the picture's middle are taken for granted; then two
    equations of the homography give the focal length (Zhang 2000), and the rest follows.
    """
    width, height = camera.size
    middle = np.array([[1, 0, -(width - 1) / 2], [0, 1, -(height - 1) / 2], [0, 0, 1.0]])
    seen = middle @ camera.homography
    best, focal = np.inf, USUAL * width
    for trial in np.geomspace(*FOCAL, 60):
        first, second = (seen[:, k] / (trial * width, trial * width, 1.0) for k in (0, 1))
        size = (first @ first + second @ second) / 2
        skew = np.hypot(first @ second, (first @ first - second @ second) / 2) / size
        cost = (skew / NOISE) ** 2 + (np.log(trial / USUAL) / VARY) ** 2
        if cost < best:
            best, focal = cost, trial * width
    columns = seen / np.array([[focal], [focal], [1.0]])
    columns = columns / np.sqrt(np.linalg.norm(columns[:, 0]) * np.linalg.norm(columns[:, 1]))
    first, second, away = columns.T
    turned, _, other = np.linalg.svd(np.stack([first, second, np.cross(first, second)], 1))
    x, y, z = -(turned @ other).T @ away
    return float(x), float(y), abs(float(z))


def leaning(camera: Camera, tall: float) -> tuple[Point, float]:
    """Return the board point (millimetres) under the lens, and the factor by which the tops of
    tokens ``tall`` millimetres high seem to be farther away from that point than their feet are."""
    x, y, height = viewpoint(camera)
    return (x, y), tall / max(height - tall, tall)
