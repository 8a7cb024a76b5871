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

SHADE = (-0.8, 0.5)
"""Natural logarithms of the factor of a light without edges: how dark a shadow and how bright a
patch of light can be."""


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
    light has no hard edges."""

    factor: Floats
    off: Floats
    ends: Ends | None = None

    def removed(self, picture: Floats, then: Floats, white: Floats) -> Floats:
        """Return the ``picture``, on the same raster, as it would be without the change; what an
        edge of the light leaves open, or the camera shows as ``white``, is as ``then`` if it can
        be."""
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

    def gains(self, points: Points) -> Floats:
        """Return by how much brighter it became at raster ``points`` (n, 2), one factor a
        colour channel: (n, 3)."""
        x, y = np.round(points).astype(int).T
        return np.asarray(self.factor[y, x])

    def out_of(self, patch: Floats, middle: Points, finer: float) -> Floats:
        """Return a square ``patch`` round the raster point ``middle`` without the change; its
        pixels are ``finer`` than the raster."""
        return np.asarray(patch / under(patch, self.factor, middle, finer), np.float32)

    def span(self, patch: Floats, middle: Points, finer: float) -> tuple[Floats, Floats] | None:
        """Return the darkest and the brightest that the ``patch`` may be without the change, for
        edges of the light run through it; None where none does."""
        if self.ends is None:
            return None
        layers = self.ends.least, self.ends.most
        least, most = (under(patch, layer, middle, finer) for layer in layers)
        return None if (most <= least * 1.01).all() else (patch / most, patch / least)


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
    steps = np.clip((one - other) * 100 + 128, 0, 255).astype(np.uint8)
    side = int(2.5 * pitch) | 1
    # Beyond the picture it is as dark as beside: else the rim would look like something else.
    inside = known.astype(np.float32)
    share = np.asarray(cv2.blur(inside, (side, side)))
    near = cv2.blur(steps * inside, (side, side)) / np.maximum(share, 1e-3)
    near = np.where(share > 1e-3, near, 128)
    steps[~known] = np.round(near[~known]).astype(np.uint8)
    median = np.asarray(cv2.medianBlur(steps, side), np.float32)
    field = np.exp(np.clip((cv2.blur(median, (5, 5)) - 128) / 100, *SHADE)).astype(np.float32)
    return light_of(now, then, white, np.repeat(field[..., None], 3, 2))
