"""How the light changed round every point of a picture, and what that leaves of it. A token that
came or went, or a hand, changes what light leaves alone: the structure of what was there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.calibrate import Points
from vision.board.raster import Floats, across, worst
from vision.frames import Image
from vision.light.tone import GAMMA

SHARES = 5
"""Shares of a light in which something at its edge may lie: what is seen there mixes both sides."""


@dataclass(frozen=True, slots=True, eq=False)
class Ends:
    """Where a light with hard edges ends: its factor lies between ``least`` and ``most`` (height,
    width, 3). At the points ``unknown`` (height, width) it ends across something new, or what seems
    lit may be a thing of its own."""

    least: Floats
    most: Floats
    unknown: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class LightChange:
    """A change of light over a raster: ``factor`` times what was there (height, width, 3), and
    ``added`` so much linear light, 0 to 1 (None for none). ``off`` is how much points differ in the
    worst channel once it is taken out, ``colours`` the natural logarithms of how much brighter it
    became round each point, for each colour channel; ``ends`` is None where the light has no hard
    edges."""

    factor: Floats
    off: Floats
    colours: Floats
    ends: Ends | None = None
    added: Floats | None = None

    def removed(self, picture: Floats, then: Floats, white: Floats) -> Floats:
        """Return the ``picture``, on the same raster, as it would be without the change; what an
        edge of the light leaves open, or the camera shows as ``white``, is as ``then`` if it can
        be."""
        ends = self.ends
        least, most = (ends.least, ends.most) if ends else (self.factor, self.factor)
        own = self._own(picture, self.added)
        even = np.minimum(np.maximum(then, own / most), own / least)
        even = np.where(picture >= white, np.maximum(even, then), even)
        return np.asarray(np.clip(even, 0, 255), np.float32)

    @property
    def edges(self) -> NDArray[np.bool_]:
        """Return the mask of the points that an edge of the light leaves open."""
        if self.ends is None:
            return np.zeros(self.factor.shape[:2], np.bool_)
        return across(np.logical_or, self.ends.most > self.ends.least)

    def in_one(self, now: Floats, then: Floats, white: Floats) -> tuple[Floats, Floats]:
        """Return the picture ``now`` and what was there ``then`` in one light: with whatever is
        added, and in any shadow, for noise grows where a light is taken away and a shadow is lit.
        See :meth:`removed`."""
        shade = np.minimum(self.factor, 1)
        if self.added is None:
            return shade * self.removed(now, then, white), shade * then
        bright, more = np.maximum(self.factor, 1), self.added / np.maximum(self.factor, 1) ** GAMMA
        one = levels(linear(np.asarray(now / bright, np.float32)) + np.maximum(-more, 0))
        other = levels(linear(shade * then) + np.maximum(more, 0))
        one = np.where(now >= white, np.maximum(one, other), one)
        return one, np.where(then >= white, np.maximum(one, other), other)

    @staticmethod
    def _own(seen: Floats, added: Floats | None) -> Floats:
        """Return what is ``seen`` without what was ``added``."""
        return seen if added is None else without(seen, added)

    def on(self, points: Points) -> SpotLight:
        """Return how the light changed on what reaches over the raster ``points`` (n, 2)."""
        x, y = np.round(points).astype(int).T
        factor = self.factor[y, x]
        added = np.zeros(3, np.float32) if self.added is None else self.added[y, x].mean(0)
        return SpotLight(factor.min(0), factor.max(0), np.asarray(added, np.float32))

    def out_of(self, patch: Floats, middle: Points, finer: float) -> Floats:
        """Return a square ``patch`` round the raster point ``middle`` without the change; its
        pixels are ``finer`` than the raster."""
        added = None if self.added is None else under(patch, self.added, middle, finer)
        factor = under(patch, self.factor, middle, finer)
        return np.asarray(self._own(patch, added) / factor, np.float32)

    def span(self, patch: Floats, middle: Points, finer: float) -> tuple[Floats, Floats] | None:
        """Return the darkest and the brightest that the ``patch`` may be without the change, for
        edges of the light run through it; None where none does."""
        if self.ends is None:
            return None
        layers = self.ends.least, self.ends.most
        least, most = (under(patch, layer, middle, finer) for layer in layers)
        return None if (most <= least * 1.01).all() else (patch / most, patch / least)


@dataclass(frozen=True, slots=True, eq=False)
class SpotLight:
    """How the light changed on one spot: between ``least`` and ``most`` times as much, for an edge
    of it may run across, and so much of linear light ``added``, one number a channel each."""

    least: Floats
    most: Floats
    added: Floats

    def brighter(self, gain: Floats) -> SpotLight:
        """Return this change after one by ``gain``."""
        return SpotLight(gain * self.least, gain * self.most, gain**GAMMA * self.added)

    def unveiled(self, patch: Image) -> Image:
        """Return a ``patch`` of the spot (height, width, 3) without what was added."""
        if not self.added.any():
            return patch
        return np.asarray(without(patch.astype(np.float32), self.added), np.uint8)

    def out_of(self, colour: Floats) -> Floats:
        """Return what a ``colour`` (3,), :meth:`unveiled`, may have been before the change:
        (n, 3)."""
        alike = np.allclose(self.least, self.most, 0.02)
        shares = np.linspace(0, 1, 1 if alike else SHARES)[:, None]
        factors = np.maximum(self.least + shares * (self.most - self.least), 0.05)
        return np.asarray(colour / factors, np.float32)


def under(patch: Floats, layer: Floats, middle: Points, finer: float) -> Floats:
    """Return what of the raster's ``layer`` lies under a square ``patch`` round the raster point
    ``middle``; its pixels are ``finer`` than the raster."""
    scale, side = 1 / finer, patch.shape[0]
    x, y = (float(v) - side // 2 * scale for v in middle)
    matrix = np.array([[scale, 0, x], [0, scale, y]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    mode = cv2.BORDER_REPLICATE
    taken = cv2.warpAffine(layer, matrix, (side, side), flags=flags, borderMode=mode)
    return np.asarray(taken, np.float32)


Finder = Callable[[Floats, Floats, NDArray[np.bool_], int, Floats], LightChange]
"""What finds a change of light: :func:`vision.light.soft.soft_light` or
:func:`vision.light.hard.hard_light`. The last argument is the brightest that the camera
shows at each point."""


def light_of(
    now: Floats,
    then: Floats,
    white: Floats,
    factor: Floats,
    ends: Ends | None = None,
    added: Floats | None = None,
    colours: Floats | None = None,
) -> LightChange:
    """Return the change of light by ``factor``, its ``colours``, with its ``ends`` and what it
    ``added``, and what ``now`` keeps of it."""
    if colours is None:
        colours = np.asarray(np.log(factor), np.float32)
    light = LightChange(factor, np.zeros(factor.shape[:2], np.float32), colours, ends, added)
    one, other = light.in_one(now, then, white)
    return replace(light, off=worst(one - other))


def linear(levels: Floats) -> Floats:
    """Return the linear light, 0 to 1, that a camera shows as ``levels``."""
    return np.asarray(cv2.pow(np.maximum(levels, 0) / np.float32(255), GAMMA), np.float32)


def levels(light: Floats) -> Floats:
    """Return as what a camera shows linear ``light``."""
    return np.asarray(255 * cv2.pow(np.clip(light, 0, 1), 1 / GAMMA), np.float32)


def without(seen: Floats, added: Floats) -> Floats:
    """Return the levels that are ``seen`` as they were before so much linear light was
    ``added``."""
    return levels(linear(seen) - added)
