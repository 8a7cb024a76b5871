"""Small pictures of spots seen from straight above (patches), and the shifted and turned copies by
which they are compared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.rules import Point
from vision.board.calibrate import Camera, Points
from vision.board.raster import Floats, across, halved
from vision.frames import Image

PER_PITCH = 24
"""Pixels to a pitch in a patch: details of a fortieth of a spot still show, and comparing stays
cheap."""
HALF = 20
"""A patch is ``2 * HALF + 1`` pixels wide: a spot and a third of its neighbours."""
CORE = 11
SIDE = 2 * CORE + 1
"""Faces are compared over a core of SIDE pixels: what a piece of 0.9 pitch covers."""
REACH = HALF - CORE - 2
"""How far a piece is looked for off the middle of its spot, in patch pixels (0.29 pitch)."""


def shrinking(pixels_per_pitch: float) -> int:
    """Return how often a picture is made smaller, as long as a pitch keeps PER_PITCH pixels."""
    shrink = 1
    while pixels_per_pitch / (2 * shrink) >= PER_PITCH * 0.9:
        shrink *= 2
    return shrink


FEW = 24
"""Up to so many patches are each cut from a window of the picture; for more the whole picture is
prepared."""


def cut(image: Image, camera: Camera, pitch: float, centres: Sequence[Point]) -> Floats:
    """Cut flat patches round ``centres`` (millimetres): (n, 2 HALF + 1, 2 HALF + 1, 3).

    The projection is exact on a grid of five by five points and linear between.
    """
    width = 2 * HALF + 1
    if not centres:
        return np.zeros((0, width, width, 3), np.float32)
    shrink = shrinking(camera.pixels_per_mm() * pitch)
    knots, spread = _knots()
    middle = np.asarray(centres, np.float64)[:, None]
    points = middle + knots * (pitch / PER_PITCH)
    pixels = (camera.project(points.reshape(-1, 2)) + 0.5) / shrink - 0.5
    grid = pixels.astype(np.float32).reshape(-1, 5, 5, 2).transpose(3, 0, 1, 2)
    maps = spread @ np.ascontiguousarray(grid) @ spread.T
    if len(centres) > FEW:
        small, flat = halved(image, shrink), maps.reshape(2, -1, width)
        # remap takes at most 32767 rows at a time: 181 spots are 7421.
        return _taken(small, flat[0], flat[1]).reshape(-1, width, width, 3)
    return np.stack([_cut_one(image, shrink, x, y) for x, y in zip(*maps, strict=True)])


def _cut_one(image: Image, shrink: int, x: Floats, y: Floats) -> Floats:
    """Cut one patch from the window of ``image`` that it needs; the maps are of the small one."""
    left, right = _window(x, image.shape[1] // shrink)
    top, bottom = _window(y, image.shape[0] // shrink)
    window = image[top * shrink : bottom * shrink, left * shrink : right * shrink]
    return _taken(halved(window, shrink), x - left, y - top)


def _window(at: Floats, size: int) -> tuple[int, int]:
    """Return the first pixel that is needed to look at ``at``, and the one after the last."""
    first = min(max(int(at.min()) - 1, 0), size - 1)
    return first, max(first + 1, min(int(at.max()) + 3, size))


def _taken(small: Image, x: Floats, y: Floats) -> Floats:
    flat = cv2.remap(small, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(flat, np.float32)


def soften(patches: Floats) -> Floats:
    """Blur patches slightly, so that noise and half a pixel of shift count for little.

    All at once, one above the other: two rows at the rim of a patch mix with the next, which no
    core reaches.
    """
    if not len(patches):
        return patches
    tall = patches.reshape(-1, *patches.shape[2:])
    return np.asarray(cv2.GaussianBlur(tall, (0, 0), 0.8), np.float32).reshape(patches.shape)


def laid(layer: Floats, shift: tuple[float, float], angle: float, factor: float = 1.0) -> Floats:
    """Return ``layer`` turned by ``angle`` degrees clockwise, made ``factor`` times as large and
    shifted, blank beyond."""
    matrix = cv2.getRotationMatrix2D((HALF, HALF), -angle, factor)
    matrix[:, 2] += np.array(shift)
    size = (2 * HALF + 1, 2 * HALF + 1)
    return np.asarray(cv2.warpAffine(layer, matrix, size, flags=cv2.INTER_LINEAR), np.float32)


def cores(
    patch: Floats, shifts: Sequence[tuple[float, float]], angles: Sequence[float], step: int = 1
) -> Floats:
    """Return cores of ``patch``, shifted and then turned: (n, side, side, channels).

    A shift is in patch pixels, x before y. An angle is how far, in degrees clockwise, the core
    shows the patch turned. Of a ``step`` of two every second pixel is returned.
    """
    x, y = np.asarray(shifts, np.float32).T + np.float32(HALF)
    turns = np.radians(angles)
    cosine, sine = np.cos(turns), np.sin(turns)
    ways = np.array([(cosine, sine, x), (-sine, cosine, y)], np.float32)
    columns, rows = ways.transpose(0, 2, 1) @ _core_grid(step)
    side = len(range(-CORE, CORE + 1, step))
    taken = cv2.remap(
        patch,
        columns.reshape(-1, side),
        rows.reshape(-1, side),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(taken, np.float32).reshape(len(shifts), side, side, -1)


def windows(patch: Floats) -> tuple[Floats, NDArray[np.int64]]:
    """Return every second pixel of all cores of ``patch`` whose shifts are even.

    The result is flat (n, d), and the shifts (n, 2) in patch pixels, x before y.
    """
    values, shifts = _windows()
    return patch.ravel()[values], shifts


@dataclass(frozen=True, slots=True, eq=False)
class Span:
    """What a patch (height, width, 3) may be in the light of the first picture, where the edge of a
    light runs through it: between the ``darkest`` and the ``brightest``; what is ``blown`` (1, else
    0) is too bright for the camera, and may be brighter still."""

    darkest: Floats
    brightest: Floats
    blown: Floats

    def nearest(self, picture: Floats) -> Floats:
        """Return what is likest to ``picture``: how much light there is, is alike in all colours
        and all over three pixels."""
        ways = self.brightest - self.darkest
        along, all_of = (across(np.add, a * ways) for a in (picture - self.darkest, ways))
        share = cv2.blur(along, (3, 3)) / (cv2.blur(all_of, (3, 3)) + 1e-3)
        seen = self.darkest + np.clip(share, 0, 1)[..., None] * ways
        return np.asarray(np.where(self.blown > 0.5, np.maximum(seen, picture), seen), np.float32)

    def seen_by(self, light: Callable[[Floats], Floats]) -> Span:
        """Return it as what ``light`` makes of its ends."""
        return Span(light(self.darkest), light(self.brightest), self.blown)

    def core(self, shift: tuple[float, float], angle: float) -> Span:
        """Return the core of it, as :func:`cores` does."""
        ends = (self.darkest, self.brightest, self.blown)
        return Span(*(cores(end, [shift], [angle])[0] for end in ends))


@cache
def _windows() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return where in a flat patch the values of :func:`windows` are, and the shifts."""
    offsets, core = np.arange(-(REACH // 2 * 2), REACH + 1, 2), np.arange(-CORE, CORE + 1, 2)
    y, x = (a.ravel()[:, None] for a in np.meshgrid(offsets, offsets, indexing="ij"))
    down, right = (a.ravel() for a in np.meshgrid(core, core, indexing="ij"))
    pixels = (2 * HALF + 1) * (HALF + y + down) + HALF + x + right
    values = 3 * pixels[..., None] + np.arange(3)
    return values.reshape(len(pixels), -1), np.concatenate([x, y], 1)


@cache
def disc(radius: float, soft: float) -> Floats:
    """Return a mask over a patch: 1 to ``radius`` pitches, 0 from ``radius + soft``."""
    y, x = np.mgrid[-HALF : HALF + 1, -HALF : HALF + 1] / PER_PITCH
    return np.asarray(np.clip((radius + soft - np.hypot(x, y)) / soft, 0, 1), np.float32)


@cache
def _core_grid(step: int) -> Floats:
    """Return the column and the row of each pixel of a core, and 1: (3, n)."""
    rows, columns = np.mgrid[-CORE : CORE + 1 : step, -CORE : CORE + 1 : step]
    ones = np.ones(rows.size)
    return np.asarray(np.stack([columns.ravel(), rows.ravel(), ones]), np.float32)


@cache
def _knots() -> tuple[Points, Floats]:
    """Return the 25 knots in patch pixels and the matrix that spreads five over a patch's side."""
    at = np.linspace(-HALF, HALF, 5)
    y, x = np.meshgrid(at, at, indexing="ij")
    spread = np.stack([np.interp(np.arange(-HALF, HALF + 1), at, unit) for unit in np.eye(5)], 1)
    return np.stack([x.ravel(), y.ravel()], 1), spread.astype(np.float32)
