"""The room's light, and what sensor and cable make of a picture."""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.simulation.troubles import Troubles
from vision.frames import Image
from vision.pictures import to_jpeg

Levels = NDArray[np.float32]

_EXPOSURE = 0.97
_SPARE = 61
"""How far the stored noise reaches beyond the picture, so that every frame takes another cut."""
_ROWS = 96
"""Rows of noise made in one go, to spare memory."""


class RoomLight:
    """What falls on every pixel of a picture: its ``tint`` (blue, green, red), and how bright it
    is, 1 where white paper is 255. Worked out where somebody asks for it, and not kept: it takes as
    much room as a picture."""

    def __init__(self, size: tuple[int, int], troubles: Troubles) -> None:
        self._size, self._troubles = size, troubles
        warmth = troubles.warmth
        self.tint: Levels = np.array([1 - 0.42 * warmth, 1 - 0.1 * warmth, 1.0], np.float32)

    def grey(self, box: tuple[int, int, int, int] | None = None) -> Levels:
        """Return how bright it is (height, width) on the pixels of left, top, right, bottom of
        ``box``, on all of them without one."""
        width, height = self._size
        x0, y0, x1, y1 = box or (0, 0, width, height)
        t = self._troubles
        ys = np.linspace(-1, 1, height, dtype=np.float32)[y0:y1, None] * height / width
        xs = np.linspace(-1, 1, width, dtype=np.float32)[None, x0:x1]
        grey = _EXPOSURE * t.lamp * (1 - t.vignette * (xs**2 + ys**2) / (1 + (height / width) ** 2))
        grey = grey * (1 - t.gradient * (1 + 0.6 * xs - ys) / 2)
        if t.shadow:
            distance = ((xs + 0.55) / 0.5) ** 2 + ((ys - 0.35) / 0.4) ** 2
            grey = grey * (1 - t.shadow / (1 + np.exp(np.minimum(8 * (distance - 1), 60))))
        if t.sun:
            # A beam through a window: as wide as half the picture, its rim is sharp.
            across = xs * 0.8 + ys * 0.6 - 0.1
            grey = grey * (1 + t.sun / (1 + np.exp(np.clip(40 * (np.abs(across) - 0.28), -60, 60))))
        return np.asarray(grey, np.float32)

    def over(self, box: tuple[int, int, int, int]) -> Levels:
        """Return the light (height, width, 3) on the pixels of left, top, right, bottom."""
        return np.asarray(self.grey(box)[:, :, None] * self.tint, np.float32)


class SimulatedRoom:
    """The light of a room, another one only when a switch that concerns it changes."""

    def __init__(self, size: tuple[int, int]) -> None:
        self._size = size
        self._key: tuple[float, ...] | None = None

    def light(self, troubles: Troubles) -> RoomLight:
        """Return the light on a picture of this room; the same object while unchanged."""
        t = troubles
        key = (t.lamp, t.warmth, t.gradient, t.vignette, t.shadow, t.sun)
        if key != self._key:
            self._key, self._light = key, RoomLight(self._size, t)
        return self._light


class Sensor:
    """Turns a clean picture into a camera's frame."""

    def __init__(self, size: tuple[int, int], chance: np.random.Generator) -> None:
        self._size = size
        self._chance = chance
        self._strength = -1.0
        self._noise: NDArray[np.int8] = np.zeros((1, 1, 3), np.int8)
        self._last: Image | None = None

    def expose(self, clean: Image, troubles: Troubles) -> Image:
        """Return the frame: flicker, noise, a tear, the round trip through JPEG."""
        image = self._flicker(clean, troubles.flicker) if troubles.flicker else clean
        if troubles.noise:
            image = np.asarray(cv2.add(image, self._cut(troubles.noise), dtype=cv2.CV_8U), np.uint8)
        elif image is clean:
            image = clean.copy()
        whole = image
        if troubles.torn and self._chance.random() < troubles.torn:
            image = self._tear(image)
        self._last = whole if troubles.torn else None
        if troubles.jpeg:
            image = through_jpeg(image, troubles.jpeg)
        return image

    def _cut(self, strength: float) -> NDArray[np.int8]:
        """Return noise of that standard deviation, a little smeared as by a camera's own filter."""
        width, height = self._size
        if strength != self._strength:
            self._strength = strength
            self._noise = np.empty((height + _SPARE, width + _SPARE, 3), np.int8)
            for row in range(0, len(self._noise), _ROWS):
                part = self._noise[row : row + _ROWS]
                part[:] = self._fresh(part.shape, strength)
        x, y = self._chance.integers(0, _SPARE, 2)
        return self._noise[y : y + height, x : x + width]

    def _fresh(self, shape: tuple[int, ...], strength: float) -> NDArray[np.int8]:
        raw = self._chance.standard_normal(shape, dtype=np.float32)
        grey = raw.mean(axis=2, keepdims=True) * math.sqrt(3)
        mixed = np.asarray(cv2.GaussianBlur(0.8 * grey + 0.6 * raw, (0, 0), 0.6))
        mixed *= strength / float(mixed.std())
        return np.asarray(np.clip(np.rint(mixed), -127, 127), np.int8)

    def _flicker(self, image: Image, amplitude: float) -> Image:
        """Darken bands of rows, as a rolling shutter sees a lamp on the mains."""
        rows = np.arange(self._size[1]) / self._size[1]
        phase = self._chance.uniform(0, 2 * math.pi)
        factor = 1 - amplitude * (0.5 + 0.5 * np.sin(2 * math.pi * 1.7 * rows + phase))
        return (image * factor[:, None, None].astype(np.float32)).astype(np.uint8)

    def _tear(self, image: Image) -> Image:
        """Return a frame whose lower part belongs to another one, or was never received."""
        torn = image.copy()
        row = int(self._chance.uniform(0.3, 0.8) * self._size[1])
        if self._last is not None and self._chance.random() < 0.5:
            torn[row:] = np.roll(self._last[row:], self._size[0] // 7, axis=1)
        else:
            torn[row:] = 128
        return torn


def through_jpeg(image: Image, quality: int) -> Image:
    """Return what is left of ``image`` after JPEG compression of that quality."""
    return np.asarray(cv2.imdecode(np.frombuffer(to_jpeg(image, quality), np.uint8), 1), np.uint8)


def blurred(image: Image, sigma: float) -> Image:
    """Return ``image`` out of focus by ``sigma`` pixels."""
    return np.asarray(cv2.GaussianBlur(image, (0, 0), sigma), np.uint8) if sigma else image


def unspoilt() -> Troubles:
    """Return the troubles of a perfect camera: no noise, no blur, even light, no JPEG."""
    return replace(Troubles(), noise=0.0, blur=0.0, warmth=0.0, gradient=0.0, vignette=0.0, jpeg=0)
