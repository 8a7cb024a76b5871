"""Reflections of a lamp: on one spot, as a veil, and on cards that lie in sleeves."""

from __future__ import annotations

import math
from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.rules import Point
from vision.board.optics import Array, Optics
from vision.frames import Image

_GLARE = 230.0
"""Grey levels that a lamp's reflection adds in its middle: paper is burnt out to white."""
_GLARE_MM = (17.0, 11.0)
_FILM_MM = 2.5
"""Millimetres by which a sleeve reaches beyond its card."""
_HAZE, _RIM, _STREAK = 12.0, 34.0, 120.0
"""Grey levels that a sleeve of full gloss adds: everywhere, at its rim, in its streak of light."""
_STREAK_MM = 6.0
_LEAN = math.radians(35)
"""Which way streaks run: all reflect the same lamp."""


def add_glare(image: Image, optics: Optics, centre: Point, lamp: float) -> None:
    """Let the reflection of a lamp lie at ``centre``, in millimetres of the board."""
    u, v = optics.project([centre])[0]
    scale = optics.scale(centre)
    axes = tuple(round(side * scale) for side in _GLARE_MM)
    box = _around(np.array([[u, v]]), 2.5 * max(axes), image)
    if box is None:
        return
    x0, y0, x1, y1 = box
    shine = np.zeros((y1 - y0, x1 - x0), np.float32)
    middle = (round(u) - x0, round(v) - y0)
    cv2.ellipse(shine, middle, axes, math.degrees(_LEAN), 0, 360, _GLARE * lamp, -1)
    _add(image, box, np.asarray(cv2.GaussianBlur(shine, (0, 0), 0.3 * max(axes)), np.float32))


def add_veil(image: Image, optics: Optics, centre: Point, radius: float, levels: float) -> None:
    """Let a lamp be mirrored softly about ``centre``, within some ``radius`` (both millimetres):
    that adds up to ``levels`` grey levels to whatever is seen there."""
    u, v = optics.project([centre])[0]
    reach = radius * optics.scale(centre)
    box = _around(np.array([[u, v]]), 3 * reach, image)
    if box is None:
        return
    x0, y0, x1, y1 = box
    ys, xs = np.ogrid[y0:y1, x0:x1]
    far = ((xs - u) ** 2 + (ys - v) ** 2) / reach**2
    _add(image, box, np.asarray(levels * np.exp(-far), np.float32))


def add_sleeves(
    image: Image, optics: Optics, outlines: Iterable[Array], gloss: float, lamp: float
) -> None:
    """Put cards into sleeves that shine by ``gloss``, 0 to 1. ``outlines`` are the cards' corners
    (n, 2) in millimetres of the board. No sleeve lies quite flat: streaks fall where they may."""
    for outline in outlines:
        middle = outline.mean(axis=0)
        apart = np.linalg.norm(outline - middle, axis=1, keepdims=True)
        film = outline + (outline - middle) / np.maximum(apart, 1.0) * _FILM_MM * math.sqrt(2)
        pixels = optics.project(film)
        box = _around(pixels, 2, image)
        if box is None:
            continue
        x0, y0, x1, y1 = box
        inside = np.zeros((y1 - y0, x1 - x0), np.uint8)
        at = np.round((pixels - (x0, y0)) * 16).astype(np.int32)
        cv2.fillConvexPoly(inside, cv2.convexHull(at), 255, cv2.LINE_AA, 4)
        rim = np.zeros_like(inside)
        cv2.polylines(rim, [at], True, 255, 1, cv2.LINE_AA, 4)
        scale = optics.scale((float(middle[0]), float(middle[1])))
        chance = np.random.default_rng(np.abs(np.round(10 * outline[0])).astype(np.int64))
        off = optics.project([middle])[0] + chance.uniform(-28, 28, 2) * scale - (x0, y0)
        ys, xs = np.ogrid[: y1 - y0, : x1 - x0]
        across = (xs - off[0]) * math.cos(_LEAN) + (ys - off[1]) * math.sin(_LEAN)
        streak = np.exp(-((across / (_STREAK_MM * scale)) ** 2)).astype(np.float32)
        shine = inside.astype(np.float32) / 255 * (_HAZE + _STREAK * streak)
        _add(image, box, gloss * lamp * (shine + rim.astype(np.float32) / 255 * _RIM))


def _around(pixels: Array, margin: float, image: Image) -> tuple[int, int, int, int] | None:
    """Return left, top, right, bottom about ``pixels`` within the picture, None outside it."""
    height, width = image.shape[:2]
    low = np.maximum(np.floor(pixels.min(axis=0) - margin), 0).astype(int)
    high = np.minimum(np.ceil(pixels.max(axis=0) + margin), (width, height)).astype(int)
    if (high <= low).any():
        return None
    return int(low[0]), int(low[1]), int(high[0]), int(high[1])


def _add(image: Image, box: tuple[int, int, int, int], shine: NDArray[np.float32]) -> None:
    x0, y0, x1, y1 = box
    lit = image[y0:y1, x0:x1] + shine[:, :, None]
    image[y0:y1, x0:x1] = np.minimum(lit, 255).astype(np.uint8)
