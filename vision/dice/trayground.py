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
from vision.light.changes import smooth_light
from vision.light.evenness import Evenness

Mask = NDArray[np.uint8]

OFF, DARKER = 0.13, 0.55
"""Differences of logarithms from which the mat is hidden: of two channels or of all to more light
(OFF), and of all to less, which shadows may not be (DARKER)."""
NOISY = 5.0
"""The same as multiples of the noise's deviation, where that is more."""
SPECK, NICK = 1.6, 3.5
"""Millimetres: what is thinner is a printed line that moved, what is narrower no gap but a pip or
a symbol on a die's side."""
HOLE = 320.0
"""Square millimetres up to which an enclosed piece of mat is a part of a die."""
COARSE = 3.0
"""Millimetres between the points by which light is told from dice."""
SHADOW = 28.0
"""Millimetres of a pitch (:func:`smooth_light`): dice cover less than half of any neighbourhood of
two and a half."""


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

    def __init__(self, raster: Raster, areas: NDArray[np.int32]) -> None:
        self._raster, self._areas = raster, areas
        self.bare: Floats | None = None

    def learn(self, image: Image, camera: Camera) -> None:
        """Take ``image`` for one of the empty mat."""
        self.bare = np.maximum(rectify(image, camera, self._raster), 0)

    def look(self, image: Image, camera: Camera) -> MatSeen:
        """Return what hides the mat in ``image``."""
        flat = np.maximum(rectify(image, camera, self._raster), 0)
        now = np.asarray(cv2.GaussianBlur(flat, (0, 0), 0.9), np.float32)
        print_ = self._guessed(now) if self.bare is None else self.bare
        light = self._light(now, print_)
        rest = np.log((now / light + DARK) / (print_ + DARK))
        hue = np.stack([rest[..., 2] - rest[..., 1], rest[..., 1] - rest[..., 0]], -1)
        grey = rest.mean(2)
        noise = 1.48 * float(np.median(np.abs(grey[::4, ::4] - np.median(grey[::4, ::4]))))
        limit = max(1.0, NOISY * noise / OFF)
        hidden = (np.abs(hue).max(2) > limit * OFF) | (grey > limit * OFF)
        hidden |= grey < -max(DARKER, limit * OFF)
        mask = hidden.astype(np.uint8)
        for way, size in ((cv2.MORPH_OPEN, SPECK), (cv2.MORPH_CLOSE, NICK)):
            wide = max(3, round(size / self._raster.step) | 1)
            disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (wide, wide))
            mask = np.asarray(cv2.morphologyEx(mask, way, disc), np.uint8)
        mask = _without_holes(mask, HOLE / self._raster.step**2)
        mask[self._areas < 0] = 0
        shown = np.clip(flat, 0, 255).astype(np.uint8)
        return MatSeen(mask, np.log(light), hue, shown)

    def _light(self, now: Floats, then: Floats) -> Floats:
        """Return by how much a picture of the mat is lighter than another (raster points, 3): the
        light changes slowly, and somebody may throw a shadow."""
        every = COARSE / self._raster.step
        size = round(now.shape[1] / every), round(now.shape[0] / every)
        small, before = (
            np.asarray(cv2.resize(p, size, interpolation=cv2.INTER_AREA), np.float32)
            for p in (now, then)
        )
        known = np.ones(small.shape[:2], np.bool_)
        slow = Evenness().fit(small, before, known)
        white = np.full_like(small, 255)
        shade = smooth_light(small / slow, before, known, round(SHADOW / COARSE), white)
        light = cv2.resize(slow * shade.factor, now.shape[1::-1], interpolation=cv2.INTER_LINEAR)
        return np.asarray(light, np.float32)

    def _guessed(self, now: Floats) -> Floats:
        """Return the print of a mat never seen bare: one colour for each area."""
        even = now
        for _ in range(3):
            print_ = np.zeros_like(now)
            for area in range(int(self._areas.max()) + 1):
                inside = self._areas == area
                if inside.any():
                    print_[inside] = np.median(even[inside], 0)
            even = now / self._light(now, print_)
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
