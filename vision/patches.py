"""Flat little pictures of spots, and the sets of shifted and turned copies they are compared by."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.rules import Point
from vision.calibrate import Camera, Points
from vision.frames import Image
from vision.raster import Floats

PER_PITCH = 24
"""Patch pixels a pitch: art a fortieth of a spot wide still shows, and matching stays cheap."""
HALF = 20
"""A patch is ``2 * HALF + 1`` pixels wide: a spot and a third of its neighbours."""
CORE = 11
SIDE = 2 * CORE + 1
"""Faces are compared over a core of SIDE pixels: what a piece of 0.9 pitch covers."""
REACH = HALF - CORE - 2
"""How far a piece is looked for off the middle of its spot, in patch pixels (0.29 pitch)."""


def halve(image: Image, pixels_per_pitch: float) -> tuple[Image, int]:
    """Return the picture halved as long as a pitch keeps PER_PITCH pixels, and how often 2."""
    shrink, small = 1, image
    while pixels_per_pitch / (2 * shrink) >= PER_PITCH * 0.9:
        size = (small.shape[1] // 2, small.shape[0] // 2)
        small = np.asarray(cv2.resize(small, size, interpolation=cv2.INTER_AREA), np.uint8)
        shrink *= 2
    return small, shrink


def cut(
    small: Image, shrink: int, camera: Camera, pitch: float, centres: Sequence[Point]
) -> Floats:
    """Cut flat patches round ``centres`` (millimetres): (n, 2 HALF + 1, 2 HALF + 1, 3).

    The projection is exact on a grid of five by five points and linear between.
    """
    if not centres:
        return np.zeros((0, 2 * HALF + 1, 2 * HALF + 1, 3), np.float32)
    knots, spread = _knots()
    middle = np.asarray(centres, np.float64)[:, None]
    points = middle + knots * (pitch / PER_PITCH)
    pixels = (camera.project(points.reshape(-1, 2)) + 0.5) / shrink - 0.5
    grid = pixels.reshape(len(middle), 5, 5, 2)
    maps = np.einsum("ai,nijc,bj->nabc", spread, grid, spread, optimize=True).astype(np.float32)
    width = 2 * HALF + 1
    flat = maps.reshape(-1, width, 2)
    # remap takes at most 32767 rows at a time: 181 spots are 7421.
    taken = cv2.remap(
        small, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(taken, np.float32).reshape(-1, width, width, 3)


def soften(patches: Floats) -> Floats:
    """Blur patches slightly, so that noise and half a pixel of shift count for little.

    All at once, one above the other: two rows at the rim of a patch mix with the next, which no
    core reaches.
    """
    if not len(patches):
        return patches
    tall = patches.reshape(-1, *patches.shape[2:])
    return np.asarray(cv2.GaussianBlur(tall, (0, 0), 0.8), np.float32).reshape(patches.shape)


def laid(layer: Floats, shift: tuple[float, float], angle: float) -> Floats:
    """Return ``layer`` turned by ``angle`` degrees clockwise and shifted, blank beyond."""
    matrix = cv2.getRotationMatrix2D((HALF, HALF), -angle, 1.0)
    matrix[:, 2] += np.array(shift)
    size = (2 * HALF + 1, 2 * HALF + 1)
    return np.asarray(cv2.warpAffine(layer, matrix, size, flags=cv2.INTER_LINEAR), np.float32)


def cores(patch: Floats, shifts: Sequence[tuple[float, float]], angles: Sequence[float]) -> Floats:
    """Return cores of ``patch``, shifted and then turned: (n, side, side, channels).

    A shift is in patch pixels, x before y. An angle is how far, in degrees clockwise, the core
    shows the patch turned.
    """
    maps = np.concatenate([_core_map(x, y, a) for (x, y), a in zip(shifts, angles, strict=True)])
    taken = cv2.remap(
        patch, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(taken, np.float32).reshape(len(shifts), SIDE, SIDE, -1)


def windows(patch: Floats, step: int) -> tuple[Floats, NDArray[np.int64]]:
    """Return every second pixel of all cores of ``patch`` whose shifts are multiples of ``step``.

    The result is flat (n, d), and the shifts (n, 2) in patch pixels, x before y.
    """
    view = np.lib.stride_tricks.sliding_window_view(patch, (SIDE, SIDE), axis=(0, 1))
    reach = REACH // step * step
    offsets = np.arange(-reach, reach + 1, step)
    rows = offsets + HALF - CORE
    some = view[np.ix_(rows, rows)][..., ::2, ::2].transpose(0, 1, 3, 4, 2)
    y, x = np.meshgrid(offsets, offsets, indexing="ij")
    return some.reshape(len(offsets) ** 2, -1), np.stack([x.ravel(), y.ravel()], 1)


@cache
def disc(radius: float, soft: float) -> Floats:
    """Return a mask over a patch: 1 to ``radius`` pitches, 0 from ``radius + soft``."""
    y, x = np.mgrid[-HALF : HALF + 1, -HALF : HALF + 1] / PER_PITCH
    return np.asarray(np.clip((radius + soft - np.hypot(x, y)) / soft, 0, 1), np.float32)


def _core_map(x: float, y: float, angle: float) -> Floats:
    turn = np.radians(angle)
    cosine, sine = np.cos(turn), np.sin(turn)
    rows, columns = _core_grid()
    return np.stack(
        [
            HALF + x + cosine * columns + sine * rows,
            HALF + y - sine * columns + cosine * rows,
        ],
        -1,
    ).astype(np.float32)


@cache
def _core_grid() -> tuple[Points, Points]:
    rows, columns = np.mgrid[-CORE : CORE + 1, -CORE : CORE + 1].astype(np.float64)
    return rows, columns


@cache
def _knots() -> tuple[Points, Points]:
    """Return the 25 knots in patch pixels and the matrix that spreads five over a patch's side."""
    at = np.linspace(-HALF, HALF, 5)
    y, x = np.meshgrid(at, at, indexing="ij")
    spread = np.stack([np.interp(np.arange(-HALF, HALF + 1), at, unit) for unit in np.eye(5)], 1)
    return np.stack([x.ravel(), y.ravel()], 1), spread
