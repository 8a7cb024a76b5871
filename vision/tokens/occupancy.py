"""Whether anything stands on a spot, told from one picture alone: bare print is even, whatever
stands there is not.

No earlier picture, enrolled face or even light is needed: each spot is compared with bare spots of
the same shade in the same picture.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import cv2
import numpy as np

from companion.rules import Board
from vision.board.calibrate import Camera
from vision.board.raster import Floats
from vision.frames import Image
from vision.tokens.patches import HALF, PER_PITCH, cut

INNER = 0.3
"""Pitches: half the side of the square that is examined. Tapped points may be a little off, and a
neighbour that leans over must not count."""
STANDS = 3.2
"""Factor: something on a spot makes it so many times as uneven as a bare one."""


def unevenness(image: Image, camera: Camera, board: Board) -> dict[str, float]:
    """Return how uneven every spot is: the deviation of log lightness from a slanted plane,
    root mean square over the channels. A shadow or lamp that changes slowly counts nothing."""
    patches = cut(image, camera, board.pitch, [s.centre for s in board.spots.values()])
    inner = round(INNER * PER_PITCH)
    window = slice(HALF - inner, HALF + inner + 1)
    plane = _plane(2 * inner + 1)
    found = {}
    for name, patch in zip(board.spots, patches, strict=True):
        light = np.log(np.asarray(cv2.GaussianBlur(patch, (0, 0), 1.0)) + 8)
        pixels = light[window, window].reshape(-1, 3)
        rest = pixels - plane @ (plane.T @ pixels)
        found[name] = float(np.sqrt((rest * rest).mean()))
    return found


def presence(board: Board, uneven: Mapping[str, float], bare: Iterable[str]) -> dict[str, float]:
    """Return how surely something stands on each spot: 1 or more where it does, in units of the
    logarithm of STANDS. ``bare`` are spots known to be empty, the measure of their shades."""
    shades: dict[str, list[float]] = {}
    for spot in bare:
        shades.setdefault(board[spot].shade, []).append(uneven[spot])
    every = [value for some in shades.values() for value in some]
    usual = {shade: float(np.median(some)) for shade, some in shades.items()}
    fallback = float(np.median(every)) if every else float(min(uneven.values()))
    return {
        spot: float(np.log((value + 1e-3) / (usual.get(board[spot].shade, fallback) + 1e-3)))
        / np.log(STANDS)
        for spot, value in uneven.items()
    }


def _plane(side: int) -> Floats:
    """Return an orthonormal basis (side², 3) of planes over a square of pixels."""
    y, x = np.mgrid[-1 : 1 : side * 1j, -1 : 1 : side * 1j]
    basis = np.stack([np.ones(side * side), y.ravel(), x.ravel()], 1)
    return np.asarray(basis / np.linalg.norm(basis, axis=0), np.float32)
