"""Corrects where a camera is said to see the board, by what it shows: the printed board, or an
earlier picture of it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.rules import Board
from vision.board.calibrate import Camera, Points, fit_camera
from vision.board.raster import Floats, Raster, draw_board, halved, raster_over
from vision.frames import Image

SOME = 90
"""Spots that are used for the first, coarse fit of the homography; half of those of a large
board."""
LEAST = 12
"""Spots that must be found for a fit to count."""
AGREES, CLOSE = 0.3, 0.06
"""The share of the spots that agree with the picture at least where it shows the print, and their
error in pitches at most."""


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """A refined camera; ``error`` is the median distance left, in pitches, ``share`` the part of
    the patches that agree with it and ``likeness`` their median correlation."""

    camera: Camera
    error: float = 1.0
    share: float = 0.0
    likeness: float = 0.0

    @property
    def agrees(self) -> bool:
        """Tell whether the picture shows the print there."""
        return self.share > AGREES and self.error < CLOSE


def refine_to_board(
    image: Image, board: Board, camera: Camera, covered: Collection[str], rough: bool = True
) -> Fit:
    """Fit ``camera`` to the printed shades and outlines, coarse to fine.

    ``covered`` are the spots that tokens lie on. The start may be off by about half a pitch, or
    by a tenth where it is not ``rough``.
    """
    gray = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    fit = Fit(camera)
    stages = [(8, 2.0, 0.75, 1), (8, 2.0, 0.4, 2), (16, 0.75, 0.3, 2)]
    for per_pitch, radius, reach, terms in stages if rough else stages[1:]:
        raster = raster_over(board, per_pitch, 1.5)
        print_ = draw_board(board, raster, covered)
        seen = rectify(gray, fit.camera, raster)
        blur = per_pitch / 12
        # Large patches overlap: until the last, small ones, some do.
        some = None if per_pitch > 8 else SOME
        fit = match(
            _soft(print_, blur),
            _soft(seen, blur),
            raster,
            board,
            fit.camera,
            radius,
            reach,
            terms,
            some,
        )
    return fit


def coarse(image: Image, camera: Camera, raster: Raster) -> Image:
    """Return the picture shrunk as far as it can be without being coarser than the raster."""
    finer = camera.pixels_per_mm() * raster.step * image.shape[1] / camera.size[0]
    return halved(image, int(finer))


def rectify(image: Image, camera: Camera, raster: Raster) -> Floats:
    """Lay the picture, which may be shrunk, on the raster, averaging where the raster is coarser
    than the picture."""
    small = coarse(image, camera, raster)
    columns, rows = raster.maps(camera, camera.size[0] / small.shape[1])
    return np.asarray(cv2.remap(small, columns, rows, cv2.INTER_LINEAR), np.float32)


def match(
    model: Floats,
    seen: Floats,
    raster: Raster,
    board: Board,
    camera: Camera,
    radius: float,
    reach: float,
    lens_terms: int,
    some: int | None = None,
) -> Fit:
    """Shift a patch round the spots of ``model`` over ``seen`` and fit the camera to the shifts.

    ``radius`` of the patches and ``reach`` of the search are in pitches. ``seen`` is the picture
    as ``camera`` lays it on ``raster``. About ``some`` spots are taken evenly from all.
    """
    per_pitch = board.pitch / raster.step
    half, search = max(4, round(radius * per_pitch)), max(2, round(reach * per_pitch))
    centres = np.array([spot.centre for spot in board.spots.values()])
    if some is not None:
        centres = centres[:: max(1, len(centres) // some)]
    at = np.round(raster.to_pixels(centres)).astype(int)
    rim = half + search
    inside = ((at >= rim) & (at < (raster.width - rim, raster.height - rim))).all(1)
    scores = [
        cv2.matchTemplate(
            seen[y - rim : y + rim + 1, x - rim : x + rim + 1],
            model[y - half : y + half + 1, x - half : x + half + 1],
            cv2.TM_CCOEFF_NORMED,
        )
        for x, y in at[inside]
    ]
    if len(scores) < LEAST:
        return Fit(camera)
    shifts, likeness, edge = _peaks(np.asarray(np.stack(scores), np.float32), search)
    if np.count_nonzero(~edge) < LEAST:
        return Fit(camera)
    points, moved = centres[inside][~edge], shifts[~edge] * raster.step
    return _robust(points, moved, likeness[~edge], camera, board.pitch, len(centres), lens_terms)


def _robust(
    points: Points,
    shifts: Points,
    likeness: Points,
    camera: Camera,
    pitch: float,
    total: int,
    lens_terms: int,
) -> Fit:
    """Fit the camera to shifted points, giving strays less and less weight (Geman-McClure)."""
    pixels = camera.project(points + shifts)
    per_mm = camera.pixels_per_mm()
    weight = np.clip(likeness, 0.01, None) ** 2
    start = np.median(shifts, 0)
    off = np.linalg.norm(shifts - start, axis=1) / pitch
    scale = max(0.05, float(np.median(off)) * 1.5)
    fitted = camera
    for _ in range(4):
        robust = weight / (1 + (off / scale) ** 2) ** 2
        # One step a round: with the next weights another place is best anyway.
        fitted = fit_camera(points, pixels, camera.size, robust, lens_terms, fitted, steps=1)
        off = np.linalg.norm(fitted.project(points) - pixels, axis=1) / (per_mm * pitch)
        scale = max(0.02, float(np.median(off)) * 1.5)
    good = off < max(0.06, 3 * scale)
    return Fit(
        fitted,
        float(np.median(off)),
        float(good.sum() / total),
        float(np.median(likeness[good])) if good.any() else 0.0,
    )


def _peaks(scores: Floats, search: int) -> tuple[Points, Points, NDArray[np.bool_]]:
    """Return of (n, side, side) scores the shifts of the best ones to a part of a pixel (n, 2),
    these scores, and whether they lie on the edge of the search."""
    side = 2 * search + 1
    row, column = np.divmod(scores.reshape(len(scores), -1).argmax(1), side)
    edge = (row == 0) | (row == side - 1) | (column == 0) | (column == side - 1)
    each, y, x = np.arange(len(scores)), row.clip(1, side - 2), column.clip(1, side - 2)
    across = np.stack([scores[each, y, x + step] for step in (-1, 0, 1)]).astype(np.float64)
    down = np.stack([scores[each, y + step, x] for step in (-1, 0, 1)]).astype(np.float64)
    shifts = np.stack([x + parabola(across), y + parabola(down)], 1) - search
    return shifts, scores[each, row, column].astype(np.float64), edge


def parabola(three: Points) -> Points:
    """Return where parabolas through three values each (3, n) have their tops, -0.5 to 0.5."""
    left, middle, right = three
    bend = np.minimum(left - 2 * middle + right, -1e-9)
    return np.asarray(np.clip(0.5 * (left - right) / bend, -0.5, 0.5), np.float64)


def _soft(picture: Floats, sigma: float) -> Floats:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma), np.float32)
