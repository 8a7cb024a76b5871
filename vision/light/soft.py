"""Light without edges: a shadow, or what a lamp adds softly."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.raster import DARK, Floats, across, grey, worst
from vision.light.changes import LightChange, levels, light_of, linear
from vision.light.shade import quiet
from vision.light.tone import GAMMA

SHADE = (-0.8, 0.5)
"""Natural logarithms of the factor of a light without edges: how dark a shadow and how bright a
patch of light can be."""
NEAR = 2.5
"""Pitches: the width of the square over which the median of how the light changed is taken. Tokens
cover less than half of any."""
FINE = 400
"""Steps between no light and white in which that median is taken of linear light."""
SIDES, TAIL = (0.75, 1.5, 3.0), 0.1
"""Pitches: the widths of the squares over which means are taken for what is added, and how much
less each counts than the one before: what is farther counts where nothing near does."""
ROUNDS = 4
"""Rounds of weighted means, in which what differs by more than noise explains counts not."""
PLAIN = 1e-4
"""Variance of linear light of what is so plain that nothing tells a gain from what was added."""


def _steepness(shown: Floats) -> Floats:
    """Return how much linear light is a level of what is ``shown``."""
    return np.asarray(GAMMA / 255 * (grey(shown) / 255 + 0.1) ** (GAMMA - 1), np.float32)


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


def soft_light(
    now: Floats, then: Floats, known: NDArray[np.bool_], pitch: int, white: Floats
) -> LightChange:
    """Return the light of the picture ``now`` (height, width, 3) against ``then`` if it has no
    edges, as a shadow or what a lamp adds that the board mirrors: in linear light, a gain times
    what was there, and something added.

    Tokens that came or went cover less than half of any neighbourhood: what two local medians, of
    a gain alone and of an added light alone, leave both is at first taken for one, and then what
    the weighted means of gain and added light leave. Only points that are ``known`` count;
    ``pitch`` in points.
    """
    before, lit = linear(then), linear(now)
    told = known & across(np.logical_and, (now < white) & (then < white))
    off = _left_by_medians(now, then, known, pitch)
    most = 4 * quiet(off[known]) + 0.05 * grey(then) + 2
    steep = _steepness(np.maximum(now, then))
    for _ in range(ROUNDS):
        alike = np.maximum(1 - (off / most) ** 2, 0) ** 2
        weight = (alike * told + 1e-4) / steep**2
        gain, added, colours = _fitted(before, lit, np.asarray(weight, np.float32), pitch)
        off = worst(gain[..., None] * before + added - lit) / steep
    factor = np.repeat(cv2.pow(gain, 1 / GAMMA)[..., None], 3, 2)
    return light_of(now, then, white, np.asarray(factor, np.float32), None, added, colours)


def added_light(now: Floats, then: Floats, known: NDArray[np.bool_], pitch: int) -> Floats:
    """Return how much linear light was added round every point (height, width, 3), if nothing but
    that changed where tokens did not; see :func:`soft_light`."""
    added = np.zeros_like(now)
    more = FINE * (linear(now) - linear(then))
    for _ in range(2):
        # A median flattens the middle of a small light: the median of what that leaves is added.
        added += local_median(more - added, known, pitch)
    return np.asarray(added / FINE, np.float32)


def local_gain(now: Floats, then: Floats, known: NDArray[np.bool_], pitch: int) -> Floats:
    """Return the factor of the light round every point (height, width), if it has no colour and
    nothing but that changed where tokens did not; see :func:`soft_light`."""
    one, other = (np.log(grey(picture) + DARK) for picture in (now, then))
    median = cv2.blur(local_median(100 * (one - other), known, pitch), (5, 5))
    return np.asarray(np.exp(np.clip(median / 100, *SHADE)), np.float32)


def _left_by_medians(now: Floats, then: Floats, known: NDArray[np.bool_], pitch: int) -> Floats:
    """Return how much points differ where a local gain is taken out, or a local added light,
    whichever leaves less."""
    shaded = local_gain(now, then, known, pitch)[..., None] * then
    added = np.asarray(cv2.blur(added_light(now, then, known, pitch), (5, 5)), np.float32)
    left = (worst(now - lit) for lit in (shaded, levels(linear(then) + added)))
    return np.minimum(*left)


def _fitted(
    before: Floats, lit: Floats, weight: Floats, pitch: int
) -> tuple[Floats, Floats, Floats]:
    """Return the gain (height, width), the added light (height, width, 3), and the natural
    logarithms of how much brighter it became."""
    sides, wide = [int(side * pitch) | 1 for side in SIDES], int(NEAR * pitch) | 1

    def near(values: Floats) -> Floats:
        """Return means near every point, of what is farther the more the less there is near."""
        means = [cv2.blur(values, (side, side)) for side in sides]
        return np.asarray(sum(TAIL**k * mean for k, mean in enumerate(means)), np.float32)

    every, total = weight[..., None], near(weight)[..., None]
    was, is_ = near(every * before) / total, near(every * lit) / total
    old, new = before - was, lit - is_
    both, own = (
        np.asarray(cv2.blur(weight * across(np.add, old * other), (wide, wide)))
        for other in (new, old)
    )
    # On no print, less light is a shadow, and more is added; what adds takes none away.
    least = np.minimum(across(np.add, is_) / (across(np.add, was) + 1e-4), 1)
    prior = PLAIN * np.asarray(cv2.blur(weight, (wide, wide)))
    gain = np.clip((both + prior * least) / (own + prior), least, None)
    gain = np.clip(gain, *np.exp(GAMMA * np.array(SHADE)))
    colours = np.log((levels(is_) + DARK) / (levels(was) + DARK))
    added = is_ - gain[..., None] * was
    return np.float32(1) * gain, np.float32(1) * added, np.asarray(colours, np.float32)
