"""A hand with a sleeve over a simulated table, with or without a token between its fingers."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.rules import Point
from companion.simulation.troubles import Troubles
from vision.board.optics import Array, Optics
from vision.frames import Image

_ROUNDS = 7
"""Strips from a limb's rim to its middle that shade it as a cylinder."""

_FINGERS = ((-27.0, 62.0, 8.5), (-9.0, 76.0, 9.5), (9.0, 74.0, 9.5), (26.0, 58.0, 8.0))
"""Each finger: across from the middle, how far it reaches beyond the knuckles, its radius; mm."""

Mask = NDArray[np.uint8]
FINGERTIP = 200.0
"""Square millimetres that a fingertip covers; with less of it in view nobody can tell a hand."""


@dataclass(frozen=True, slots=True)
class Limb:
    """A tapered cylinder from ``start`` to ``end``: x, y, height and radius, in millimetres."""

    start: tuple[float, float, float, float]
    end: tuple[float, float, float, float]
    sleeve: bool


def limbs(tip: Point, arm: Point, lift: float) -> Iterator[Limb]:
    """Yield forearm, sleeve, palm, thumb and fingers of a hand whose fingertips are at ``tip``.

    ``arm`` is the unit vector from the fingertips to the elbow; ``lift`` the height of the tips.
    """

    def at(back: float, across: float, height: float, radius: float) -> tuple[float, ...]:
        x = tip[0] + arm[0] * back - arm[1] * across
        y = tip[1] + arm[1] * back + arm[0] * across
        return x, y, height + lift, radius

    def limb(start: tuple[float, ...], end: tuple[float, ...], sleeve: bool = False) -> Limb:
        return Limb((*start,), (*end,), sleeve)  # type: ignore[arg-type]

    yield limb(at(165, 0, 48, 26), at(330, 0, 70, 36))
    yield limb(at(225, 0, 58, 43), at(900, 0, 95, 60), sleeve=True)
    yield limb(at(95, -34, 34, 12), at(30, -44, 14, 9))
    yield limb(at(105, 0, 38, 40), at(160, 0, 46, 29))
    for across, reach, radius in _FINGERS:
        yield limb(at(82, across, 36, radius + 2), at(82 - reach, across * 0.55, 6, radius))


def draw_hand(
    image: Image,
    optics: Optics,
    tip: Point,
    arm: Point,
    lift: float,
    troubles: Troubles,
    light: NDArray[np.float32],
) -> bool:
    """Draw a hand into ``image`` and darken what its shadow falls on. Return whether at least
    :data:`FINGERTIP` of it is in the picture.

    ``light`` is what falls on the hand: blue, green, red, 1 where white is 255.
    """
    parts = [(limb, _solid(limb, optics)) for limb in limbs(tip, arm, lift)]
    mask = np.zeros(image.shape[:2], np.uint8)
    for _, (centres, radii) in parts:
        _capsule(mask, centres, radii, 255)
    _cast(image, mask, optics, tip)
    layer = np.zeros_like(image)
    for limb, (centres, radii) in parts:
        base = np.array((troubles.sleeve if limb.sleeve else troubles.skin)[::-1]) * light
        for ring in range(_ROUNDS):
            bulge = ring / _ROUNDS
            bright = 0.66 + 0.42 * math.sqrt(bulge)
            # The lamp stands to the upper left: the light strip lies off the middle.
            moved = centres - np.array([0.22, 0.28]) * radii[:, None] * bulge
            _capsule(layer, moved, radii * (1 - 0.85 * bulge), base * bright)
    box = cv2.boundingRect(mask)
    x, y, w, h = box
    if w == 0 or h == 0:
        return False
    cut = np.s_[y : y + h, x : x + w]
    soft = cv2.GaussianBlur(layer[cut], (0, 0), max(0.8, 1.2 * optics.scale(tip)))
    grain = np.random.default_rng(7).integers(-7, 8, (h, w, 1), dtype=np.int16)
    grained = np.asarray(cv2.add(soft, cv2.merge([grain] * 3), dtype=cv2.CV_8U), np.uint8)
    _cover(image[cut], grained, mask[cut])
    return int(np.count_nonzero(mask[cut])) >= FINGERTIP * optics.scale(tip) ** 2


def _cover(image: Image, layer: Image, mask: Mask) -> None:
    """Put ``layer`` over ``image`` where ``mask`` says, mixed along its rim."""
    rim = np.nonzero((mask > 0) & (mask < 255))
    cover = mask[rim][:, None].astype(np.float32) / 255
    mixed = (image[rim] * (1 - cover) + layer[rim] * cover).astype(np.uint8)
    cv2.copyTo(layer, mask, image)
    image[rim] = mixed


def _solid(limb: Limb, optics: Optics) -> tuple[Array, Array]:
    """Return the two ends in pixels (2, 2) and their radii (2,) in pixels."""
    centres, radii = [], []
    for x, y, height, radius in (limb.start, limb.end):
        reach = min(height, 0.5 * optics.view.distance)
        centres.append(optics.project([(x, y)], reach)[0])
        radii.append(radius * optics.scale((x, y), reach))
    return np.array(centres), np.array(radii)


def _capsule(canvas: NDArray[np.uint8], centres: Array, radii: Array, colour: object) -> None:
    """Fill the hull of two discs with a smooth edge."""
    turns = np.linspace(0, 2 * math.pi, 24, endpoint=False)
    ring = np.column_stack([np.cos(turns), np.sin(turns)])
    points = np.vstack(
        [centre + radius * ring for centre, radius in zip(centres, radii, strict=True)]
    )
    hull = cv2.convexHull(np.round(np.clip(points, -8000, 8000) * 16).astype(np.int32))
    filled = (int(colour),) * 3 if isinstance(colour, int) else _clipped(colour)
    cv2.fillConvexPoly(canvas, hull, filled, cv2.LINE_AA, 4)


def _clipped(colour: object) -> tuple[int, int, int]:
    blue, green, red = np.clip(np.asarray(colour), 0, 255).astype(int)
    return int(blue), int(green), int(red)


def _cast(image: Image, mask: Mask, optics: Optics, tip: Point) -> None:
    """Darken the table where the hand's shadow falls, seen at an eighth of the size."""
    height, width = mask.shape
    small = np.asarray(cv2.resize(mask, (width // 8, height // 8), interpolation=cv2.INTER_AREA))
    move = 22 * optics.scale(tip) / 8
    matrix = np.array([[1, 0, move], [0, 1, 0.8 * move]], np.float32)
    fallen = cv2.warpAffine(small, matrix, (width // 8, height // 8))
    soft = cv2.GaussianBlur(fallen, (0, 0), max(1.0, 1.5 * optics.scale(tip)))
    dark = np.asarray(cv2.resize(255 - np.asarray(soft) // 2, (width, height)))
    x, y, w, h = cv2.boundingRect(255 - dark)
    cut = np.s_[y : y + h, x : x + w]
    if w and h:
        image[cut] = cv2.multiply(image[cut], cv2.merge([dark[cut]] * 3), scale=1 / 255.0)
