"""Round blobs of another colour than what is round them: the pips of dice."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]

SIZE = 64
"""Side of the patches that blobs are looked for in, in pixels."""
RADII = (1.8, 2.4, 3.2)
"""Radii of pips looked for, in pixels."""
SOFT = 0.7
"""Deviation in pixels of the blur in which what lies round blobs is looked at."""
CORE, AROUND = 0.55, 1.3
"""Deviations of the blurs whose difference shows blobs, in radii."""
_SIGMAS = sorted([SOFT, *(part * radius for part in (CORE, AROUND) for radius in RADII)])
KEEP = 18
"""Blobs kept of each patch, the clearest: a face has six pips at most, its neighbours show some
more."""
_NOISE = (5.0, 3.5, 3.5)
"""Deviations of grey, red-green and yellow-blue that mean nothing in a compressed picture."""
_OPPONENT = np.array([(1 / 3, 0, -1), (1 / 3, -1, 0.5), (1 / 3, 1, 0.5)], np.float32) / np.array(
    _NOISE, np.float32
)
_RING = np.array([(np.cos(k * np.pi / 6), np.sin(k * np.pi / 6)) for k in range(12)])


@dataclass(frozen=True, slots=True, eq=False)
class Blobs:
    """Blobs of n patches, KEEP of each, the clearest first: ``at`` (n, KEEP, 2) x and y in pixels,
    ``radius`` (n, KEEP), ``round`` (n, KEEP), 1 where all round is equally different, near 0 on an
    edge, and ``colour`` (n, KEEP, 3), the difference from what is round it (grey, red-green,
    yellow-blue) in units of the noise. Where a patch has fewer, ``real`` (n, KEEP) is False, and
    ``round`` and ``colour`` are nothing."""

    at: Floats
    radius: Floats
    round: Floats
    colour: Floats
    real: NDArray[np.bool_]


def opponent(pictures: NDArray[np.uint8]) -> Singles:
    """Return grey, red-green and yellow-blue of BGR pictures (…, 3), in units of the noise."""
    return np.asarray(pictures.astype(np.float32) @ _OPPONENT, np.float32)


def find_blobs(pictures: Singles) -> Blobs:
    """Find round blobs in ``pictures`` (n, SIZE, SIZE, 3), of :func:`opponent` colours, by
    differences of Gaussians."""
    blurred = _blurred(pictures)
    peaks = [_peaks(blurred[CORE * radius], blurred[AROUND * radius], radius) for radius in RADII]
    which, x, y, radius, middle = (np.concatenate(parts) for parts in zip(*peaks, strict=True))
    around = np.stack([x, y], -1)[:, None] + 1.7 * radius[:, None, None] * _RING
    ring = sampled(blurred[SOFT], which, around)
    ordered = np.sort(ring, axis=1)
    colour = middle - (ordered[:, 5] + ordered[:, 6]) / 2
    power = (colour**2).sum(1, keepdims=True) + 1e-6
    differs = ((middle[:, None] - ring) @ (colour / power)[:, :, None])[:, :, 0]
    roundness = np.partition(differs, 1, axis=1)[:, 1]
    found = np.column_stack([which, x, y, radius, roundness, colour]).astype(np.float64)
    strength = np.sqrt((found[:, 5:] ** 2).sum(1))
    fair = (found[:, 4] > 0.15) & (strength > 2.0)
    found, clear = found[fair], strength[fair] * np.clip(found[fair, 4], 0, 1)
    order = np.lexsort((-clear, found[:, 0]))
    found = found[order]
    ends = np.searchsorted(found[:, 0], np.arange(len(pictures) + 1))
    blobs = np.zeros((len(pictures), KEEP, 7))
    blobs[:, :, 2] = 1.0
    real = np.zeros((len(pictures), KEEP), bool)
    for picture, (start, end) in enumerate(pairwise(ends)):
        kept = _apart(found[start:end, 1:4])
        blobs[picture, : len(kept)] = found[start:end, 1:][kept]
        real[picture, : len(kept)] = True
    return Blobs(blobs[..., :2], blobs[..., 2], blobs[..., 3], blobs[..., 4:], real)


def _apart(found: Floats) -> list[int]:
    """Return which of blobs (x, y, radius) are kept: each that touches none kept before."""
    off = np.hypot(*(found[:, None, :2] - found[None, :, :2]).transpose(2, 0, 1))
    touch = off <= 0.9 * np.maximum(found[:, None, 2], found[None, :, 2])
    free = np.ones(len(found), bool)
    kept: list[int] = []
    while len(kept) < KEEP and free.any():
        kept.append(int(free.argmax()))
        free &= ~touch[kept[-1]]
    return kept


def _peaks(core: Singles, around: Singles, radius: float) -> tuple[NDArray[np.generic], ...]:
    """Return where blobs of one radius may be, in pictures blurred by what a blob measures and by
    what is round it: picture, x, y, radius (m,) and colour (m, 3)."""
    off = (core - around).reshape(-1, SIZE, 3)
    energy = np.einsum("...k,...k", off, off).reshape(-1, SIZE, SIZE)
    near = np.stack([cv2.dilate(some, np.ones((3, 3), np.uint8)) for some in energy])
    which, at = divmod(np.flatnonzero((energy >= near) & (energy > 1)), SIZE * SIZE)
    y, x = divmod(at, SIZE)
    return which, x, y, np.full(len(x), radius), core[which, y, x]


def _blurred(pictures: Singles) -> dict[float, Singles]:
    """Return the pictures blurred by each deviation, each on its own: what is blurred already needs
    less to be blurred more."""
    found, last = {}, 0.0
    for sigma in _SIGMAS:
        more = math.sqrt(sigma * sigma - last * last)
        side, last = 2 * math.ceil(2.5 * more) + 1, sigma
        blurred = [cv2.GaussianBlur(picture, (side, side), more) for picture in pictures]
        found[sigma] = pictures = np.asarray(np.stack(blurred), np.float32)
    return found


def sampled(pictures: Singles, which: NDArray[np.intp], points: Floats) -> Singles:
    """Return the colours (m, k, 3) of ``points`` (m, k, 2), x before y, in the pictures ``which``
    (m,) of a stack (n, SIZE, SIZE, 3); beyond its edge a picture goes on as it ends."""
    if not len(points):
        return np.zeros((*points.shape[:2], 3), np.float32)
    at = np.clip(points, 0, SIZE - 1).astype(np.float32)
    at[..., 1] += SIZE * which[:, None]
    tall = pictures.reshape(-1, SIZE, 3)
    return np.asarray(cv2.remap(tall, at[..., 0], at[..., 1], cv2.INTER_LINEAR), np.float32)
