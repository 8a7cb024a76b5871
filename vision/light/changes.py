"""How the light changed round every point of a picture, and what that leaves of it. A token that
came or went, or a hand, changes what light leaves alone: the structure of what was there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.calibrate import Points
from vision.board.raster import DARK, Floats, across, grey, worst
from vision.frames import Image

GAMMA = 2.2
"""Power by which a camera's levels follow linear light, near enough (sRGB)."""
SHADE = (-0.8, 0.5)
"""Natural logarithms of the factor of a light without edges: how dark a shadow and how bright a
patch of light can be."""
NEAR = 2.5
"""Pitches: the width of the square over which the median of how the light changed is taken. Tokens
cover less than half of any."""
FINE = 400
"""Steps between no light and white in which that median is taken of linear light."""


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
    """A change of light over a raster: ``factor`` times what was there (height, width, 3). ``off``
    is how much points differ in the worst channel once it is taken out; ``ends`` is None where the
    light has no hard edges. A light that adds, as a lamp's that the board mirrors, ``added`` so
    much of linear light, 0 to 1; the factor is then that of the whole neighbourhood."""

    factor: Floats
    off: Floats
    ends: Ends | None = None
    added: Floats | None = None

    def removed(self, picture: Floats, then: Floats, white: Floats) -> Floats:
        """Return the ``picture``, on the same raster, as it would be without the change; what an
        edge of the light leaves open, or the camera shows as ``white``, is as ``then`` if it can
        be."""
        if self.added is not None:
            even = without(picture, self.added)
        else:
            ends = self.ends
            least, most = (ends.least, ends.most) if ends else (self.factor, self.factor)
            even = np.minimum(np.maximum(then, picture / most), picture / least)
        even = np.where(picture >= white, np.maximum(even, then), even)
        return np.asarray(np.clip(even, 0, 255), np.float32)

    @property
    def edges(self) -> NDArray[np.bool_]:
        """Return the mask of the points that an edge of the light leaves open."""
        if self.ends is None:
            return np.zeros(self.factor.shape[:2], np.bool_)
        return across(np.logical_or, self.ends.most > self.ends.least)

    @property
    def colours(self) -> Floats:
        """Return the natural logarithms of how much brighter it became at each point, for
        each colour channel (height, width, 3)."""
        return np.asarray(np.log(self.factor), np.float32)

    def on(self, points: Points) -> SpotLight:
        """Return how the light changed on what reaches over the raster ``points`` (n, 2)."""
        x, y = np.round(points).astype(int).T
        if self.added is not None:
            one = np.ones(3, np.float32)
            return SpotLight(one, one, np.asarray(self.added[y, x].mean(0), np.float32))
        factor = self.factor[y, x]
        return SpotLight(factor.min(0), factor.max(0), np.zeros(3, np.float32))

    def out_of(self, patch: Floats, middle: Points, finer: float) -> Floats:
        """Return a square ``patch`` round the raster point ``middle`` without the change; its
        pixels are ``finer`` than the raster."""
        if self.added is not None:
            return without(patch, under(patch, self.added, middle, finer))
        return np.asarray(patch / under(patch, self.factor, middle, finer), np.float32)

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
        return replace(self, least=gain * self.least, most=gain * self.most)

    def unveiled(self, patch: Image) -> Image:
        """Return a ``patch`` of the spot (height, width, 3) without what was added."""
        if not self.added.any():
            return patch
        gain = np.sqrt(self.least * self.most)
        even = without(np.asarray(patch / gain, np.float32), self.added)
        return np.asarray(np.clip(gain * even, 0, 255), np.uint8)

    def out_of(self, colour: Floats) -> Floats:
        """Return what a ``colour`` (3,), :meth:`unveiled`, may have been before the change, in the
        light and beside it: (2, 3)."""
        return np.asarray(colour / np.maximum((self.least, self.most), 0.05), np.float32)


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
"""What finds a change of light: :func:`smooth_light` or
:func:`vision.light.hard.hard_light`. The last argument is the brightest that the camera
shows at each point."""


def light_of(
    now: Floats, then: Floats, white: Floats, factor: Floats, ends: Ends | None = None
) -> LightChange:
    """Return the change of light by ``factor`` with its ``ends``, and what ``now`` keeps of it."""
    light = LightChange(factor, np.zeros(factor.shape[:2], np.float32), ends)
    return replace(light, off=worst(light.removed(now, then, white) - then))


def linear(levels: Floats) -> Floats:
    """Return the linear light, 0 to 1, that a camera shows as ``levels``."""
    return np.asarray((np.maximum(levels, 0) / 255) ** GAMMA, np.float32)


def without(levels: Floats, added: Floats) -> Floats:
    """Return ``levels`` as they were before so much linear light was ``added``."""
    even = np.maximum(linear(levels) - added, 0) ** (1 / GAMMA)
    return np.asarray(np.minimum(255 * even, 255), np.float32)


def local_median(steps: Floats, known: NDArray[np.bool_], pitch: int) -> Floats:
    """Return the median round every point of ``steps`` (height, width, and channels), which are
    rounded; those from -128 to 127 tell. ``pitch`` in points."""
    # medianBlur wants bytes.
    whole = np.clip(np.round(steps) + 128, 0, 255).astype(np.uint8)
    side = int(NEAR * pitch) | 1
    # Beyond the picture it is as dark as beside: else the rim would look like something else.
    inside = known.astype(np.float32)
    share = np.asarray(cv2.blur(inside, (side, side)))
    several = (slice(None), slice(None), *[None] * (steps.ndim - 2))
    near = cv2.blur(whole * inside[several], (side, side)) / np.maximum(share, 1e-3)[several]
    near = np.where(share[several] > 1e-3, near, 128)
    whole[~known] = np.round(near[~known]).astype(np.uint8)
    return np.asarray(cv2.medianBlur(whole, side), np.float32) - 128


def added_light(now: Floats, then: Floats, known: NDArray[np.bool_], pitch: int) -> Floats:
    """Return how much linear light was added round every point, one number a channel, if tokens
    cover less than half of any neighbourhood; ``pitch`` in points."""
    added = np.zeros_like(now)
    more = FINE * (linear(now) - linear(then))
    for _ in range(2):
        # A median flattens the middle of a small light: the median of what that leaves is added.
        added += local_median(more - added, known, pitch)
    return np.asarray(added / FINE, np.float32)


def veil_light(
    now: Floats, then: Floats, known: NDArray[np.bool_], pitch: int, white: Floats
) -> LightChange:
    """Return the light of the picture ``now`` against ``then`` if it adds and has no edges, as a
    lamp's that the board mirrors; see :func:`smooth_light`."""
    steps = 100 * (np.log(now + DARK) - np.log(then + DARK))
    # Its own colours: where a hand is as bright as a veil, it has others, and edges.
    field = np.exp(np.clip(local_median(steps, known, pitch) / 100, *SHADE))
    added = cv2.blur(added_light(now, then, known, pitch), (5, 5))
    light = light_of(now, then, white, np.asarray(field, np.float32))
    light = replace(light, added=np.asarray(added, np.float32))
    return replace(light, off=worst(light.removed(now, then, white) - then))


def smooth_light(
    now: Floats, then: Floats, known: NDArray[np.bool_], pitch: int, white: Floats
) -> LightChange:
    """Return the light of the picture ``now`` (height, width, 3) against ``then`` if it is a shadow
    without colour and without edges, which tokens that came or went cannot look like.

    It is the local median of how the light changed, for tokens cover less than half of any
    neighbourhood; ``pitch`` in points. What a hand covers is of another colour, or too dark for a
    shadow. Only points that are ``known`` count.
    """
    one, other = (np.log(grey(p) + DARK) for p in (now, then))
    median = local_median((one - other) * 100, known, pitch)
    field = np.exp(np.clip(cv2.blur(median, (5, 5)) / 100, *SHADE)).astype(np.float32)
    return light_of(now, then, white, np.repeat(field[..., None], 3, 2))
