"""Round blobs of another colour than what is round them: the pips of dice."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Image

Floats = NDArray[np.float64]

SIZE = 64
"""Side of the patches that blobs are looked for in, in pixels."""
RADII = (1.8, 2.4, 3.2)
"""Radii of pips looked for, in pixels."""
KEEP = 18
"""So many blobs at most, the clearest: a face has six pips, its neighbours show some more."""
_NOISE = (5.0, 3.5, 3.5)
"""Deviations of grey, red-green and yellow-blue that mean nothing in a compressed picture."""
_RING = np.array([(np.cos(k * np.pi / 6), np.sin(k * np.pi / 6)) for k in range(12)])


@dataclass(frozen=True, slots=True, eq=False)
class Blobs:
    """Blobs, the clearest first: ``at`` (n, 2) x and y in pixels, ``radius`` (n,), ``round``
    (n,), 1 where all round is equally different, near 0 on an edge, and ``colour`` (n, 3), the
    difference from what is round it (grey, red-green, yellow-blue) in units of the noise."""

    at: Floats
    radius: Floats
    round: Floats
    colour: Floats


def opponent(picture: Image) -> NDArray[np.float32]:
    """Return grey, red-green and yellow-blue of a BGR picture, in units of the noise."""
    blue, green, red = (channel.astype(np.float32) for channel in cv2.split(picture))
    grey, warm, yellow = (blue + green + red) / 3, red - green, (red + green) / 2 - blue
    return np.dstack(
        [part / noise for part, noise in zip((grey, warm, yellow), _NOISE, strict=True)]
    )


def find_blobs(picture: NDArray[np.float32]) -> Blobs:
    """Find round blobs in ``picture`` (SIZE, SIZE, 3), of :func:`opponent` colours, by
    differences of Gaussians."""
    found = np.concatenate([_blobs_of(picture, radius) for radius in RADII])
    strength = np.sqrt((found[:, 4:] ** 2).sum(1))
    fair = (found[:, 3] > 0.15) & (strength > 2.0)
    found, clear = found[fair], strength[fair] * np.clip(found[fair, 3], 0, 1)
    found = found[np.argsort(-clear, kind="stable")]
    apart = np.hypot(*(found[:, None, :2] - found[None, :, :2]).transpose(2, 0, 1))
    touch = apart <= 0.9 * np.maximum(found[:, None, 2], found[None, :, 2])
    kept: list[int] = []
    for k in range(len(found)):
        if not touch[k, kept].any():
            kept.append(k)
        if len(kept) == KEEP:
            break
    some = found[kept]
    return Blobs(some[:, :2], some[:, 2], some[:, 3], some[:, 4:])


def _blobs_of(picture: NDArray[np.float32], radius: float) -> Floats:
    """Return blobs of one radius as rows: x, y, radius, roundness, difference (3)."""
    core = cv2.GaussianBlur(picture, (0, 0), 0.55 * radius)
    around = cv2.GaussianBlur(picture, (0, 0), 1.3 * radius)
    energy = ((core - around) ** 2).sum(2)
    peak = (energy >= cv2.dilate(energy, np.ones((3, 3), np.uint8))) & (energy > 1)
    y, x = np.nonzero(peak)
    if not len(x):
        return np.zeros((0, 7))
    points = (np.c_[x, y][:, None] + 1.7 * radius * _RING).astype(np.float32)
    ring = cv2.remap(
        cv2.GaussianBlur(picture, (0, 0), 0.3 * radius),
        points[..., 0],
        points[..., 1],
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    colour = core[y, x] - np.median(ring, axis=1)
    power = (colour**2).sum(1, keepdims=True) + 1e-6
    differs = ((core[y, x][:, None] - ring) * colour[:, None]).sum(2) / power
    roundness = np.partition(differs, 1, axis=1)[:, 1]
    return np.asarray(
        np.column_stack([x, y, np.full(len(x), radius), roundness, colour]), np.float64
    )
