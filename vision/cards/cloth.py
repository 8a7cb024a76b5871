"""Which places of a card table are bare, in whatever light: what lies there has edges or another
colour than the cloth, and light has neither.

Light changes from place to place, and smoothly over one (a lamp, a shadow, sun through a window
beside its edge); a camera that exposes anew, or a lens that mists over, changes all places by one
curve for each channel. Both are taken out before a place is compared with how it looked bare.
Everything is in natural logarithms of light.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from vision.board.raster import Floats
from vision.light.evenness import bends

PLAIN = 0.10
"""Greatest deviation of an empty place's brightness as long as none was seen empty."""
LIKE = 0.22
"""By how much a point of an empty place may differ from how it looked before."""
COVERED = 0.1
"""Share of differing points, or of darker ones beside a light that shines under a place, from which
on something lies there. In cards-1 in 24 rooms and 26 others (November 2026) bare places came to
0.06 and cards to 0.2."""
TINTED = 0.14
"""By how much the channels of a bare place may differ otherwise than those of the others do: to
0.10 there, and 0.18 and more where a black thing covers one."""
SPREAD = 0.05
"""Weight, in squared logarithms, of the belief that all places change alike; what they differ by
in brightness has to outweigh it before a curve is believed."""
ROUNDS = 4
"""How often a fit leaves out more of what it does not explain."""


class Cloth:
    """What the bare places of one board look like, each a small picture (height, width, 3)."""

    def __init__(self) -> None:
        self._bare: dict[str, Floats] = {}

    def bare(self, places: Mapping[str, Floats]) -> frozenset[str]:
        """Return those of ``places`` that look as they did when nothing lay there."""
        spots = [spot for spot in places if spot in self._bare]
        if not spots:
            return frozenset()
        known = np.stack([self._bare[spot] for spot in spots])
        share, light = _by_light(np.stack([places[spot] for spot in spots]) - known)
        smooth = share < COVERED
        tints = light - np.median(light, 1, keepdims=True)
        off = _apart(tints, known.mean((1, 2, 3)), smooth)
        return frozenset(s for s, so in zip(spots, smooth & (off < TINTED), strict=True) if so)

    def learns(self, spot: str, place: Floats) -> bool:
        """Tell whether ``spot`` was never seen bare and is plain: then it is, and is known now."""
        if spot in self._bare or float(place.std(axis=(0, 1)).max()) > PLAIN:
            return False
        self._bare[spot] = place
        return True

    def shines(self, spot: str, place: Floats) -> bool:
        """Tell whether nothing but a light is seen on an empty place: it is brighter in the middle
        and nowhere darker."""
        rim = np.ones(place.shape[:2], bool)
        rim[2:-2, 2:-2] = False
        off = place - self._bare.get(spot, np.float32(0.0))
        off = off - np.median(off[rim], axis=0)
        middle = place.shape[0] // 2
        core = off[middle - 1 : middle + 2, middle - 1 : middle + 2].max(axis=2).min()
        return bool(core > LIKE and (off.min(axis=2) < -LIKE).mean() < COVERED)


def _by_light(off: Floats) -> tuple[Floats, Floats]:
    """Fit a smooth light to the differences of places (n, height, width, 3). Return the share of
    each that it does not explain (n,), and the light in its middle (n, 3)."""
    count, height, width, _ = off.shape
    shapes = bends(height, width).reshape(6, -1).T
    pairs = (shapes[:, :, None] * shapes[:, None, :]).reshape(len(shapes), -1)
    points = off.reshape(count, -1, 3)
    weight = np.ones(points.shape[:2], np.float32)
    for _ in range(ROUNDS):
        normal = (weight @ pairs).reshape(count, 6, 6)
        fit = np.linalg.solve(normal, shapes.T @ (weight[..., None] * points))
        left = np.abs(points - shapes @ fit).max(2)
        weight = 1 / (1 + (2 * left / LIKE) ** 2)
    return np.asarray((left > LIKE).mean(1), np.float32), np.asarray(fit[:, 0], np.float32)


def _apart(tints: Floats, bright: Floats, smooth: NDArray[np.bool_]) -> Floats:
    """Return how far each of ``tints`` (n, 3) is from what the ``smooth`` places agree on for
    places so ``bright`` (n,)."""
    if not smooth.any():
        return np.zeros(len(tints), np.float32)
    usual, level = np.median(tints[smooth], 0), np.median(bright[smooth])
    off, along = tints - usual, bright - level
    rest, slope = off, np.zeros(3)
    for _ in range(ROUNDS):
        weight = smooth / (1 + (2 * np.abs(rest).max(1) / TINTED) ** 2)
        slope = (weight * along) @ off / ((weight * along**2).sum() + SPREAD)
        rest = off - along[:, None] * slope
    return np.asarray(np.abs(rest).max(1), np.float32)
