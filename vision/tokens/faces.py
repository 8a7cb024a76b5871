"""How well a known face fits a patch: compared coarsely over shifts and turns first, then fitted
exactly.

A spot's picture is taken for two layers: the printed board, and a face that lies on it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.raster import Floats
from vision.tokens.patches import CORE, HALF, PER_PITCH, Span, cores, disc, laid, windows

JITTER = (-42.0, -31.5, -21.0, -10.5, 0.0, 10.5, 21.0, 31.5, 42.0)
"""Degrees by which a token may be turned against how it was enrolled: two careless hands, each up
to 20 degrees off, in steps that the exact fit bridges."""
WHITE = 220.0
"""Grey levels of what is white in even light: a veil that adds to the darkest leaves white white,
for the light was evened out by what is bare round it."""
UNEVEN, VEILED, FAINT = 1350.0, 135.0, 0.3
"""Priors on light, after it was evened out, in units of contrast summed over the values that are
compared: what it costs that white is off by all of WHITE, and that a veil adds all of WHITE. FAINT
is the least contrast that a veil leaves.

``training/fit_light.py --evenings 15 --seed 300`` (November 2026; 893 spots, the last five evenings
kept out): on those the log loss is 0.111, and 0.215 where light only multiplies; on 2.0 and 1.7 %
of their spots another token fits better. A third or three times of either prior changes the loss by
less than 0.03."""

SOFT = 1.2
"""Blur of the coarse comparison, in patch pixels, because it is up to a pixel and some degrees
off."""

LEAST = 0.02
"""Square pitches that a face must cover at least; one of a few pixels would be found everywhere."""

_MIDDLE = slice(HALF - CORE, HALF + CORE + 1)

Shift = tuple[float, float]
Outline = tuple[Floats, Shift]
"""A mask over a patch, and where its middle is off that of the patch."""


@dataclass(frozen=True, slots=True, eq=False)
class FaceLikeness:
    """How a face fits a patch: ``error`` is the mean square left over the middle of the spot in the
    likeliest light, in units of contrast, 0 for a perfect fit. ``shift`` (patch pixels) and
    ``angle`` (degrees clockwise) say how the face lies, from the middle of the spot and from how it
    was enrolled."""

    error: float
    shift: Shift
    angle: float


class Face:
    """What a token looks like: its picture, moved to the middle of a patch, and its outline."""

    def __init__(self, patch: Floats, outline: Floats, middle: Shift) -> None:
        back = (-middle[0], -middle[1])
        self.middle = middle
        self.picture = laid(patch, back, 0.0)
        self.outline = laid(outline, back, 0.0)
        self._turned: dict[float, tuple[Floats, Floats]] = {}
        weight = self.outline[_MIDDLE, _MIDDLE, None]
        self.weight = weight / max(float(weight.sum()) * 3, 1e-6)
        self.core = self.picture[_MIDDLE, _MIDDLE].reshape(-1)
        self.pixel_weight = np.repeat(self.weight.reshape(-1), 3)
        self._heavy = self.core * self.pixel_weight
        own = float(self._heavy.sum()), float(self._heavy @ self.core)
        self._known = float(self.pixel_weight @ self.pixel_weight), *own
        self._solver: Floats | None = None

    def turned(self, turn: float) -> tuple[Floats, Floats]:
        """Return every second pixel of the cores turned by ``turn`` and each angle of JITTER, and
        their weights, which add up to one: both (n, d)."""
        if turn not in self._turned:
            upright = self._turned.get((turn + 180.0) % 360.0)
            self._turned[turn] = _half_round(upright) if upright else self._templates(turn)
        return self._turned[turn]

    def _templates(self, turn: float) -> tuple[Floats, Floats]:
        angles = [turn + extra for extra in JITTER]
        layers = np.dstack([cv2.GaussianBlur(self.picture, (0, 0), SOFT), self.outline])
        taken = cores(layers, [(0.0, 0.0)] * len(angles), angles, 2)
        weight = np.repeat(taken[..., 3:], 3, -1).reshape(len(angles), -1)
        weight /= np.maximum(weight.sum(1, keepdims=True), 1e-6)
        return taken[..., :3].reshape(len(angles), -1), weight

    @property
    def solver(self) -> Floats:
        """Return the matrix that turns what is left into shift x, shift y, angle: (3, d)."""
        if self._solver is None:
            around = cores(
                self.picture,
                [(1, 0), (-1, 0), (0, 1), (0, -1), (0, 0), (0, 0)],
                [0, 0, 0, 0, 3, -3],
            ).reshape(6, -1)
            slopes = [
                (around[0] - around[1]) / 2,
                (around[2] - around[3]) / 2,
                (around[4] - around[5]) / 6,
                self.core,
                np.ones_like(self.core),
            ]
            basis = np.stack(slopes, 1)
            heavy = basis * self.pixel_weight[:, None]
            normal = heavy.T @ basis
            damping = 1e-3 * np.diag(np.diag(normal)) + 1e-6 * np.eye(5)
            self._solver = np.asarray(np.linalg.solve(normal + damping, heavy.T)[:3], np.float32)
        return self._solver

    def contrast(self) -> float:
        """Return the variance over all pixels and channels of the face."""
        return float((self.core - self._known[1]) ** 2 @ self.pixel_weight)

    def lit(self, seen: Floats, unit: float) -> tuple[float, float, float]:
        """Return the likeliest :func:`light` in which a core is ``seen`` (d,), and the error in
        units."""
        weight, mean, own = self._known
        heavy = seen * self.pixel_weight
        shown = float(heavy.sum()), float(heavy @ seen), float(self._heavy @ seen)
        veil, gain, error = light(unit * weight, mean, own, *shown)
        return veil, gain, max(error, 0.0) / unit


def _half_round(templates: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    """Return templates turned by half a turn: their pixels in the opposite order."""
    picture, weight = (t.reshape(len(t), -1, 3)[:, ::-1].reshape(len(t), -1) for t in templates)
    return picture, weight


def strangeness(patches: Floats, prints: Floats, shadows: bool = True) -> Floats:
    """Return how far each pixel of ``patches`` (n, side, side, 3) is from the ``prints``, or with
    ``shadows`` from the prints in any shadow; 0 beside the spot."""
    # One channel after the other: NumPy is slow where the innermost axis has three values.
    seen, bare = (
        np.ascontiguousarray(np.moveaxis(p[:, _MIDDLE, _MIDDLE], -1, 0)) for p in (patches, prints)
    )
    if shadows:
        power = np.maximum((bare * bare).sum(0), 1.0)
        bare = np.clip((seen * bare).sum(0) / power, 0.6, 1.1) * bare
    strange = np.zeros(patches.shape[:3], np.float32)
    spot = disc(0.46, 0.02)[_MIDDLE, _MIDDLE] > 0.5
    strange[:, _MIDDLE, _MIDDLE] = np.abs(seen - bare).max(0) * spot
    return strange


def outlines_of(
    strange: Floats, thresholds: Floats, leans: Sequence[Shift]
) -> list[Outline | None]:
    """Find what lies on printed spots, of each as :func:`strangeness` tells: the outline of its top
    as a mask and where its middle is.

    ``leans`` tell how far a top may be off its foot, in patch pixels: what is seen between them is
    its side, which does not turn with the token. None where nothing is stranger than its one of
    ``thresholds`` on a fair area, or hardly anything of it is the top.
    """
    kernel, side = np.ones((3, 3), np.uint8), strange.shape[-1]
    # One above the other, for what is strange lies in the middle of each.
    marked = (strange > thresholds[:, None, None]).view(np.uint8).reshape(-1, side)
    closed = cv2.morphologyEx(marked, cv2.MORPH_CLOSE, kernel)
    opened = cv2.morphologyEx(closed, cv2.MORPH_OPEN, kernel)
    large = opened.reshape(len(strange), -1).sum(1) >= 0.05 * PER_PITCH**2
    # Its rim has the same hull, of fewer points.
    rims = (opened - cv2.erode(opened, kernel)).reshape(strange.shape)
    hulls = np.zeros(strange.shape, np.uint8)
    for enough, rim, hull, lean in zip(large, rims, hulls, leans, strict=True):
        if enough:
            cv2.fillConvexPoly(hull, cv2.convexHull(cv2.findNonZero(rim)), (1,))
            # The hull is the foot swept to the top: where it and its own shift meet is the top.
            hull &= (laid(hull.astype(np.float32), lean, 0.0) > 0.5).view(np.uint8)
    at, areas = np.arange(side) - HALF, np.maximum(hulls.sum((1, 2)), 1)
    right, down = (hulls.sum(axis) @ at / areas for axis in (1, 2))
    middles = list(zip(right.tolist(), down.tolist(), strict=True))
    # The rim shows print, shadow and side, which do not turn with the token.
    wide = cv2.erode(hulls.reshape(-1, side), kernel).astype(np.float32)
    masks = cv2.GaussianBlur(wide, (0, 0), 0.7).reshape(strange.shape)
    spots = [laid(disc(0.36, 0.05), middle, 0.0) for middle in middles]
    found = [mask * spot for mask, spot in zip(masks, spots, strict=True)]
    return [
        (mask, middle) if mask.sum() >= LEAST * PER_PITCH**2 else None
        for mask, middle in zip(found, middles, strict=True)
    ]


_Value = Any
"""A number, or an array of them."""
_Lights = tuple[_Value, _Value, _Value]
Windows = tuple[Floats, Floats, NDArray[np.int64]]


def view(patch: Floats) -> Windows:
    """Return what :func:`coarse` compares: the patch at every second shift, its squares, and the
    shifts."""
    seen, shifts = windows(np.asarray(cv2.GaussianBlur(patch, (0, 0), SOFT), np.float32))
    return seen, seen * seen, shifts


def coarse(
    seen: Windows, templates: Floats, weights: Floats, unit: float
) -> tuple[Floats, NDArray[np.int64]]:
    """Compare a patch at every second shift with ``templates`` under ``weights``, both (n, d).

    Returns the least mean square of each template (n,), in units, and the shift where it is (n, 2).
    Every second pixel is enough, and keeps the products below the size at which a linear
    algebra library would wake its threads.
    """
    flat, squares, shifts = seen
    heavy = templates * weights
    mean, own = heavy.sum(1), (heavy * templates).sum(1)
    # Every second pixel each way stands for four.
    prior = (weights * weights).sum(1) * (unit / 4)
    _, _, error = light(prior, mean, own, flat @ weights.T, squares @ weights.T, flat @ heavy.T)
    best = error.argmin(0)
    return error[best, np.arange(len(templates))] / unit, shifts[best]


def fine(
    patch: Floats, face: Face, shift: Shift, angle: float, unit: float, span: Span | None = None
) -> FaceLikeness:
    """Fit shift, angle and light of ``face`` to ``patch``, or to what is likeliest within its
    ``span``, from a coarse start.

    Gauss-Newton on the face's own slopes (inverse compositional, Baker and Matthews 2004).
    """
    best = FaceLikeness(np.inf, shift, angle)
    x, y = shift
    for _ in range(6):
        seen = cores(patch, [(x, y)], [-angle]).reshape(-1)
        veil, gain, error = face.lit(seen, unit)
        if span:
            may = span.core((x, y), -angle)
            for _ in range(2):
                likely = (veil + gain * face.core).reshape(may.darkest.shape)
                seen = may.nearest(likely).reshape(-1)
                veil, gain, error = face.lit(seen, unit)
        if error >= best.error * 0.99:
            break
        best = FaceLikeness(error, (x, y), angle)
        move = face.solver @ (seen - veil - gain * face.core) / gain
        dx, dy, turn = np.clip(move, -_STEP, _STEP).tolist()
        cosine, sine = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        # The step was found in the face's own frame: turn it into the patch's.
        x -= cosine * dx - sine * dy
        y -= sine * dx + cosine * dy
        angle += turn
        if abs(x) > CORE or abs(y) > CORE:
            break
    return best


_STEP = np.array((2.0, 2.0, 6.0), np.float32)
"""How far a fit goes at once: patch pixels right and down, and degrees."""


PRINTED, INNER = 0.38, 0.25
"""Pitches: the radius over which prints are compared, and the same where a rim may be printed
otherwise. On simulated evenings of HexiMeros another candidate then fits better on 0.6 % of 840
homes that were left, and not on 5.0 %; on 0 % of 504 of evenings that were not looked at before."""


@cache
def _printed(radius: float) -> Floats:
    """Return the weights of :func:`print_error` over a core, which add up to one."""
    weight = np.repeat((disc(radius, 0.05)[_MIDDLE, _MIDDLE] ** 2).ravel(), 3)
    return np.asarray(weight / weight.sum(), np.float32)


def print_error(patches: Floats, prints: Floats, unit: float, inner: bool = False) -> Floats:
    """Return the mean square between the middles of ``patches`` (n, side, side, 3) and of the bare
    ``prints``, each in the likeliest light and in units of contrast (n,); ``inner`` leaves out what
    may be printed along the rims of their spots."""
    weight = _printed(INNER if inner else PRINTED)
    seen, bare = (p[:, _MIDDLE, _MIDDLE].reshape(len(p), -1) for p in (patches, prints))
    heavy = bare * weight
    own, product = (np.einsum("nd,nd->n", heavy, p) for p in (bare, seen))
    prior = unit * float(weight @ weight)
    error = light(prior, bare @ weight, own, seen @ weight, (seen * seen) @ weight, product)[2]
    return np.asarray(np.maximum(error, 0.0) / unit, np.float32)


def light(
    prior: _Value, mean: _Value, own: _Value, seen: _Value, power: _Value, product: _Value
) -> _Lights:
    """Return the likeliest light in which a face is seen: what it adds (``veil``), by what it
    multiplies (``gain``), and the mean square left with what so much of both costs.

    ``prior`` is how much the prior weighs against what is seen: a unit of contrast times the sum of
    the squared weights, for a small face tells little of the light. ``mean`` and ``own`` are the
    means of the face and of its squares, ``seen`` and ``power`` those of what is seen, ``product``
    of one times the other; numbers, or arrays that fit.
    """
    uneven, veiled = UNEVEN * prior, VEILED * prior
    even = uneven / WHITE
    a, b, c = 1 + (even + veiled / WHITE) / WHITE, mean + even, own + uneven
    r, s = seen + even, product + uneven
    gain = np.maximum((a * s - b * r) / (a * c - b * b), FAINT)
    veil = (r - b * gain) / a
    return veil, gain, power + uneven + gain * (gain * c - 2 * s) - a * veil * veil
