"""How the light changed round every point of a picture: what was there, times something, plus
something.

A shadow or a sunbeam multiplies, a lamp's mirror image adds. Both are alike all over a window of
about a spot, except where the edge of a sunbeam crosses it: there a neighbouring window explains
the point, or what lies between two of them. A token that came or went, or a hand, changes what
light leaves alone: the structure of what was there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.calibrate import Points
from vision.board.evenness import middle
from vision.board.raster import Floats
from vision.watching.flat import worst_channel

SHADE = (-0.8, 0.5)
"""Natural logarithms of the factor of a light without edges: how dark a shadow and how bright a
patch of light can be."""
FACTOR = 0.4, 2.5
"""How dark a shadow and how bright a patch of light can be. What shows less of the print's contrast
than the first shows no print."""
PLAIN = 8.0
"""Grey levels. Where the print varies by less, how much light is added is not told from how much it
is multiplied by: then it is taken to multiply."""
ROUNDS = 2
MOST = 60.0
"""Grey levels by which a point counts at most as not explained."""
GREY = 90.0
"""Grey levels of what is neither bright nor dark."""
OWN, FAR = 0.25, 20.0
"""What a point itself counts beside a window that may lend it its light, and the grey levels beyond
which it shows something else."""
CLOSE = 6.0
"""Grey levels up to which a window explains what lies in it well enough to lend its light."""
_GREY = np.full((1, 3), 1 / 3, np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class LightChange:
    """A change of light over a raster: ``factor`` times what was there, plus what was ``added``
    (height, width, 3). ``off`` is how much points differ in the worst channel once it is taken
    out. ``least`` and ``most`` bound the factor where an edge of the light may run; None where it
    has none."""

    factor: Floats
    added: Floats
    off: Floats
    least: Floats | None = None
    most: Floats | None = None

    def removed(self, picture: Floats, then: Floats, white: Floats) -> Floats:
        """Return the ``picture``, on the same raster, as it would be without the change; what an
        edge of the light leaves open, or the camera shows as ``white``, is as ``then`` if it can
        be."""
        least, most = (self.factor if f is None else f for f in (self.least, self.most))
        bare = picture - self.added
        even = np.minimum(np.maximum(then, bare / most), bare / least)
        even = np.where(picture >= white, np.maximum(even, then), even)
        return np.asarray(np.clip(even, 0, 255), np.float32)

    def round_tokens(self, pitch: int) -> LightChange:
        """Return the light that those round a spot tell: a token that came or went spoils its own
        windows, of a ``pitch`` in points. One with edges is told apart from tokens already."""
        if self.least is not None:
            return self
        wide = int(2.5 * pitch) | 1
        factor, added = _median(self.factor, 100, 0, wide), _median(self.added, 1, 64, wide)
        return replace(self, factor=factor, added=added)

    @property
    def edges(self) -> NDArray[np.bool_]:
        """Return the mask of the points that an edge of the light leaves open."""
        if self.least is None or self.most is None:
            return np.zeros(self.factor.shape[:2], np.bool_)
        return np.asarray((self.most > self.least).any(-1), np.bool_)

    @property
    def colours(self) -> Floats:
        """Return the natural logarithms of how much brighter what is grey became at each point, for
        each colour channel (height, width, 3)."""
        return np.asarray(np.log(np.maximum(self.factor + self.added / GREY, 0.05)), np.float32)

    def gains(self, points: Points) -> Floats:
        """Return by how much brighter what is grey became at raster ``points`` (n, 2), one factor a
        colour channel: (n, 3)."""
        x, y = np.round(points).astype(int).T
        return np.asarray(self.factor[y, x] + self.added[y, x] / GREY, np.float32)

    def out_of(self, patch: Floats, middle: Points, finer: float) -> Floats:
        """Return a square ``patch`` round the raster point ``middle`` without the change; its
        pixels are ``finer`` than the raster."""
        factor, added = (_under(patch, layer, middle, finer) for layer in (self.factor, self.added))
        return np.asarray((patch - added) / factor, np.float32)

    def span(self, patch: Floats, middle: Points, finer: float) -> tuple[Floats, Floats] | None:
        """Return the darkest and the brightest that the ``patch`` may be without the change, for
        edges of the light run through it; None where none does."""
        if self.least is None or self.most is None:
            return None
        least, most = (_under(patch, layer, middle, finer) for layer in (self.least, self.most))
        return None if (most <= least * 1.01).all() else (patch / most, patch / least)


def _median(layers: Floats, steps: float, zero: float, side: int) -> Floats:
    """Return the local median of ``layers`` over windows of ``side`` points, in so many ``steps``
    to one, from ``zero`` of them below it on."""
    whole = np.clip(np.round(layers * steps) + zero, 0, 255).astype(np.uint8)
    found = np.dstack([cv2.medianBlur(layer, side) for layer in cv2.split(whole)])
    return np.asarray((found - np.float32(zero)) / steps, np.float32)


def _under(patch: Floats, layer: Floats, middle: Points, finer: float) -> Floats:
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
"""What finds a change of light: :func:`smooth_light`, :func:`local_light` or
:func:`vision.watching.hard_light.hard_light`. The last argument is the brightest that the camera
shows at each point."""


def light_of(
    now: Floats,
    then: Floats,
    white: Floats,
    factor: Floats,
    added: Floats | None = None,
    bounds: tuple[Floats, Floats] | tuple[None, None] = (None, None),
) -> LightChange:
    """Return the change of light by ``factor``, ``added`` (none if not given) and the ``bounds`` of
    the factor, with what it leaves of the picture ``now``."""
    more = np.zeros_like(factor) if added is None else added
    light = LightChange(factor, more, np.zeros(factor.shape[:2], np.float32), *bounds)
    return replace(light, off=worst_channel(light.removed(now, then, white), then))


def smooth_light(
    now: Floats, then: Floats, known: NDArray[np.bool_], pitch: int, white: Floats
) -> LightChange:
    """Return the light of the picture ``now`` (height, width, 3) against ``then`` if it is a shadow
    without colour and without edges, which tokens that came or went cannot look like.

    It is the local median of how the light changed, for tokens cover less than half of any
    neighbourhood; ``pitch`` in points. What a hand covers is of another colour, or too dark for a
    shadow. Only points that are ``known`` count.
    """
    one, other = (np.log(cv2.transform(p, _GREY) + 6) for p in (now, then))
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


def local_light(
    now: Floats, then: Floats, known: NDArray[np.bool_], pitch: int, white: Floats
) -> LightChange:
    """Return the light of the picture ``now`` (height, width, 3) against ``then`` if it may have
    any colour and hard edges, in windows of a ``pitch`` (in points); only points that are ``known``
    count."""
    light = _Windows(now, then, known, pitch).light()
    plain = light_of(now, then, white, light.factor, light.added)
    return replace(light, off=np.minimum(light.off, plain.off))


class _Windows:
    """Factor and addend of every window of ``side`` points."""

    def __init__(self, now: Floats, then: Floats, known: NDArray[np.bool_], side: int) -> None:
        self._side = side | 1
        self._now, self._then = now, then
        weight = inside = known.astype(np.float32)[..., None]
        for _ in range(ROUNDS):
            self._factor, self._added = self._regression(weight)
            off = worst_channel(now, self._factor * then + self._added)[..., None] * inside
            weight = inside / (1 + (off / (self._mean(off) + 2)) ** 2) ** 2
        self._off, self._left = off[..., 0], self._mean(np.minimum(off, MOST))[..., 0]

    def _regression(self, weight: Floats) -> tuple[Floats, Floats]:
        now, then = self._now, self._then
        heavy = weight * then
        share = self._mean(weight) + 1e-4
        x, y = self._mean(heavy) / share, self._mean(weight * now) / share
        varied = np.maximum(self._mean(heavy * then) / share - x * x, 0)
        together = self._mean(heavy * now) / share - x * y
        factor = (together + PLAIN**2 * (y + 2) / (x + 2)) / (varied + PLAIN**2)
        factor = np.clip(factor, *FACTOR)
        return factor, y - factor * x

    def light(self) -> LightChange:
        """Return the light of every point: that of its window, or where much is left of that, the
        light of a window near that explains more and fits the point, too. Off the soft edge of a
        sunbeam is only what does not lie between the lights on its sides."""
        every, off = self._left.ravel(), self._off.copy()
        factor, added = (layer.reshape(-1, 3) for layer in (self._factor, self._added))
        at = np.flatnonzero(every > 2 * middle(every[::7]) + 1)
        seen, was = self._now.reshape(-1, 3)[at], self._then.reshape(-1, 3)[at]
        low, high, least, best = seen + MOST, seen - MOST, np.full(len(at), np.inf), at
        for window in self._near(at):
            there = factor[window] * was + added[window]
            score = every[window] + OWN * np.minimum(np.abs(seen - there).max(-1), FAR)
            best, least = np.where(score < least, window, best), np.minimum(score, least)
            fair = (every[window] < CLOSE)[:, None]
            low = np.where(fair, np.minimum(low, there), low)
            high = np.where(fair, np.maximum(high, there), high)
        there = factor[best] * was + added[best]
        low, high = np.minimum(low, there), np.maximum(high, there)
        off.ravel()[at] = np.maximum(np.maximum(low - seen, seen - high), 0).max(-1)
        factor[at], added[at] = factor[best], added[best]
        factor, added = self._factor, self._added
        return LightChange(factor, added, np.asarray(off / factor.mean(-1), np.float32))

    def _near(self, at: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
        """Yield the windows round the points ``at``, and those beside them that hold little of what
        lies there."""
        height, width = self._left.shape
        rows, columns = np.divmod(at, width)
        reach = round(0.7 * self._side)
        for down in (0, -reach, reach):
            for right in (0, -reach, reach):
                row, column = rows + down, columns + right
                yield np.clip(row, 0, height - 1) * width + np.clip(column, 0, width - 1)

    def _mean(self, layers: Floats) -> Floats:
        found = np.asarray(cv2.blur(layers, (self._side, self._side)), np.float32)
        return found if found.ndim == 3 else found[..., None]
