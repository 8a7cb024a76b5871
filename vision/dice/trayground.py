"""The mat under the dice: where it is hidden, whatever the light.

The logarithm of a picture laid flat is what is printed plus the light. The light changes slowly
over the mat and is fitted to it, dice being the exception; what differs from the printed mat by
more than that in colour, or is lighter, or much darker, hides it. Shadows are darker and keep the
colour.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.calibrate import Camera
from vision.board.fit import rectify
from vision.board.raster import DARK, Floats, Raster
from vision.frames import Image

Mask = NDArray[np.uint8]

HUE, LIGHTER, DARKER = 0.13, 0.13, 0.55
"""Differences of logarithms from which the mat is hidden: of two channels, of all to more light,
and of all to less, which shadows may not be."""
NOISY = 5.0
"""The same as multiples of the noise's deviation, where that is more."""
SPECK, NICK = 1.6, 3.5
"""Millimetres: what is thinner is a printed line that moved, what is narrower no gap but a pip or
a symbol on a die's side."""
HOLE = 320.0
"""Square millimetres up to which an enclosed piece of mat is a part of a die."""
_EVERY = 6
"""The light is fitted to every sixth raster point across and down."""
_LOCAL = 70.0
"""Millimetres across which a person's shadow is told from dice: these cover less than half."""


@dataclass(frozen=True, eq=False)
class MatSeen:
    """The mat in one picture: ``hidden`` (raster points) 1 where something lies, ``light``
    (raster points, 3) by how much it is lighter than the mat was, blue-green-red, and ``tone``
    (raster points, 2) the colour of what lies there. ``flat`` is the picture laid flat (raster
    points, 3)."""

    hidden: Mask
    light: Floats
    tone: Floats
    flat: NDArray[np.uint8]


class MatGround:
    """What the mat looks like where nothing lies: ``bare`` (raster points, 3), blue-green-red, or
    None where only the ``areas`` (raster points) of one colour each are known. Where these are
    below 0 nothing is looked for."""

    def __init__(self, raster: Raster, areas: NDArray[np.int32], bare: Floats | None) -> None:
        self._raster, self._areas, self.bare = raster, areas, bare
        rows, columns = np.mgrid[0 : raster.height, 0 : raster.width].astype(np.float32)
        x, y = 2 * columns / raster.width - 1, 2 * rows / raster.height - 1
        self._terms = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], -1)

    def learn(self, image: Image, camera: Camera) -> None:
        """Take ``image`` for one of the empty mat."""
        self.bare = np.maximum(rectify(image, camera, self._raster), 0)

    def look(self, image: Image, camera: Camera) -> MatSeen:
        """Return what hides the mat in ``image``."""
        flat = np.maximum(rectify(image, camera, self._raster), 0)
        now = np.asarray(np.log(cv2.GaussianBlur(flat, (0, 0), 0.9) + DARK), np.float32)
        print_ = self._guessed(now) if self.bare is None else np.log(self.bare + DARK)
        off = now - print_
        light = self._light(off)
        rest = off - light
        grey = rest.mean(2)
        shade = self._shadow(grey)
        rest = rest - shade[..., None]
        hue = np.stack([rest[..., 2] - rest[..., 1], rest[..., 1] - rest[..., 0]], -1)
        grey = rest.mean(2)
        noise = 1.48 * float(np.median(np.abs(grey[::4, ::4] - np.median(grey[::4, ::4]))))
        limit = max(1.0, NOISY * noise / LIGHTER)
        hidden = (np.abs(hue).max(2) > limit * HUE) | (grey > limit * LIGHTER)
        hidden |= grey < -max(DARKER, limit * LIGHTER)
        mask = hidden.astype(np.uint8)
        for way, size in ((cv2.MORPH_OPEN, SPECK), (cv2.MORPH_CLOSE, NICK)):
            wide = max(3, round(size / self._raster.step) | 1)
            disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (wide, wide))
            mask = np.asarray(cv2.morphologyEx(mask, way, disc), np.uint8)
        mask = _without_holes(mask, HOLE / self._raster.step**2)
        mask[self._areas < 0] = 0
        shown = np.clip(flat, 0, 255).astype(np.uint8)
        return MatSeen(mask, np.asarray(light + shade[..., None], np.float32), hue, shown)

    def _light(self, off: Floats) -> Floats:
        """Fit how the light changed: a slow surface for each channel, strays counting little."""
        some = (slice(None, None, _EVERY), slice(None, None, _EVERY))
        terms = self._terms[some].reshape(-1, 6).astype(np.float64)
        values = off[some].reshape(-1, 3).astype(np.float64)
        middle = np.median(values, 0)
        fitted = np.zeros((6, 3))
        fitted[0] = middle
        for _ in range(8):
            left = np.abs(values - terms @ fitted).max(1)
            scale = max(0.03, 1.5 * float(np.median(left)))
            weight = 1 / (1 + (left / scale) ** 2) ** 2
            heavy = terms * weight[:, None]
            hold = np.diag([0, 1, 1, 3, 3, 3]) * 1e-3 * len(values)
            fitted = np.linalg.solve(heavy.T @ terms + hold, heavy.T @ values)
        return np.asarray(self._terms @ fitted.astype(np.float32), np.float32)

    def _shadow(self, grey: Floats) -> Floats:
        """Return how dark somebody's shadow lies on the mat: the local median, for dice cover
        less than half of any neighbourhood."""
        shrink = max(1, round(3.0 / self._raster.step))
        size = (grey.shape[1] // shrink, grey.shape[0] // shrink)
        small = cv2.resize(grey, size, interpolation=cv2.INTER_AREA)
        steps = np.clip(np.asarray(small) * 100 + 128, 0, 255).astype(np.uint8)
        wide = round(_LOCAL / self._raster.step / shrink) | 1
        median = np.asarray(cv2.medianBlur(steps, wide), np.float32)
        soft = cv2.GaussianBlur((median - 128) / 100, (0, 0), 2.0)
        full = cv2.resize(soft, grey.shape[1::-1], interpolation=cv2.INTER_LINEAR)
        return np.asarray(np.clip(full, -0.8, 0.3), np.float32)

    def _guessed(self, now: Floats) -> Floats:
        """Return the print of a mat never seen bare: one colour for each area."""
        light = np.zeros_like(now)
        for _ in range(3):
            print_ = np.zeros_like(now)
            for area in range(int(self._areas.max()) + 1):
                inside = self._areas == area
                if inside.any():
                    print_[inside] = np.median((now - light)[inside], 0)
            light = self._light(now - print_)
        return print_


def _without_holes(mask: Mask, largest: float) -> Mask:
    """Fill what is enclosed, up to so many points: a pip of the mat's own colour is a part of its
    die, what a ring of dice encloses is not."""
    outlines, nested = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    filled = mask.copy()
    for k, outline in enumerate(outlines):
        if np.asarray(nested)[0, k, 3] >= 0 and cv2.contourArea(outline) < largest:
            cv2.drawContours(filled, [outline], -1, (1,), cv2.FILLED)
    return filled
