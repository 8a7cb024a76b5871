"""Finds a board again that was bumped too far for its spots to be followed one by one: a small
picture of the whole board is searched for in the new picture, shifted and turned."""

from __future__ import annotations

import cv2
import numpy as np

from companion.rules import Board
from vision.board.calibrate import Camera, Points
from vision.board.raster import Floats, Raster

COARSE = 2
"""Only every COARSE-th raster point is used in the search."""
TURNS = tuple(range(-16, 17, 4))
"""Turns in degrees that are tried. The finer fit afterwards bridges the steps between them."""
BEST = 3
"""Candidates that are returned."""


def moved_cameras(
    model: Floats, seen: Floats, raster: Raster, board: Board, camera: Camera
) -> list[Camera]:
    """Return where the board may lie in the picture now, the likeliest place first.

    ``model`` is the lightness of the settled picture on ``raster``, ``seen`` that of the new one
    as ``camera`` laid it there.
    """
    size = (raster.width // COARSE, raster.height // COARSE)
    small = np.asarray(cv2.resize(model, size, interpolation=cv2.INTER_AREA), np.float32)
    new = np.asarray(cv2.resize(seen, size, interpolation=cv2.INTER_AREA), np.float32)
    left, top, right, bottom = board.bounds
    corners = raster.to_pixels(np.array([(left, top), (right, bottom)])) / COARSE
    (x0, y0), (x1, y1) = np.round(corners).astype(int)
    board_only = small[y0 : y1 + 1, x0 : x1 + 1]
    middle = ((x0 + x1) / 2, (y0 + y1) / 2)
    found: list[tuple[float, Camera]] = []
    for turn in TURNS:
        matrix = cv2.getRotationMatrix2D(middle, turn, 1.0)
        turned = cv2.warpAffine(new, matrix, size, borderMode=cv2.BORDER_REPLICATE)
        score = cv2.matchTemplate(turned, board_only, cv2.TM_CCOEFF_NORMED)
        _, best, _, (x, y) = cv2.minMaxLoc(score)
        back = np.asarray(cv2.invertAffineTransform(matrix), np.float64)
        shift = back @ np.array([x - x0, y - y0, 1.0])
        found.append((best, _moved(camera, raster, back[:, :2], shift)))
    found.sort(key=lambda pair: -pair[0])
    return [place for _, place in found[:BEST]]


def _moved(camera: Camera, raster: Raster, turn: Points, shift: Points) -> Camera:
    """Return the camera that sees the board where raster point p was: ``turn`` p + ``shift``, in
    coarse raster points."""
    unit = raster.step * COARSE
    # A coarse point's middle lies half a step off that of the first point it covers.
    start = np.array([raster.left, raster.top]) + (COARSE - 1) / 2 * raster.step
    return camera.moved(turn, start + unit * shift - turn @ start)
