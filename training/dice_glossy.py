"""Glossy, patterned and embossed things that are no dice, drawn: lamps and windows mirrored in
glaze, a dot in each field of a pattern, and the relief of a coin look like pips."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
Floats = NDArray[np.float32]
Colour = tuple[float, float, float]
SIDE = 144
"""Pixels of a drawing; things are about two thirds of it."""
MIDDLE = SIDE // 2


def glossy(drawn: Pixels, chance: np.random.Generator, body: Colour, ink: Colour) -> None:
    """Draw a ball, a bead, a knob, a handle, a cap or a ring of glaze, enamel or lacquer, with
    lamps mirrored in it: alone, in rows or in crosses; now and then with spots."""
    shape = _shape(chance)
    far = cv2.distanceTransform(shape, cv2.DIST_L2, 5).astype(np.float32)
    bend = float(far.max() * chance.uniform(0.25, 1.05)) + 1
    height = np.sqrt(np.maximum(0, 1 - np.maximum(0, 1 - far / bend) ** 2)) * bend
    height += chance.uniform(0, 0.012) * -((np.indices(far.shape) - MIDDLE) ** 2).sum(0)
    height = cv2.GaussianBlur(height.astype(np.float32), (0, 0), chance.uniform(1.5, 4))
    slope = np.stack([cv2.Sobel(height, cv2.CV_32F, *way) / 8 for way in ((1, 0), (0, 1))], -1)
    normal = np.dstack([-slope, np.ones(far.shape, np.float32)])
    normal /= np.linalg.norm(normal, axis=2, keepdims=True)
    colour = np.full((SIDE, SIDE, 3), body, np.float32)
    if chance.random() < 0.3:
        spots = _spots(chance)[..., None]
        colour = colour * (1 - spots) + np.array(ink, np.float32) * spots
    light = _way(chance, 0.7)
    shade = chance.uniform(0.25, 0.7) + chance.uniform(0.3, 0.8) * np.clip(normal @ light, 0, 1)
    shade *= 1 - chance.uniform(0, 0.5) * (normal[..., 1] > chance.uniform(0, 0.6))
    lit = colour * shade[..., None] + _mirrored(normal, chance)[..., None]
    drawn[..., :3] = np.clip(lit, 0, 255)
    drawn[..., 3] = cv2.GaussianBlur(shape * 255, (0, 0), 0.8)


def lattice(drawn: Pixels, chance: np.random.Generator, body: Colour, ink: Colour) -> None:
    """Draw tiles, quilted cloth or a printed pattern: fields, mostly askew, with a dot or two in
    the middle of each and lines between them."""
    wide, lean = chance.uniform(26, 90), chance.uniform(-0.9, 0.9, 2)
    ways = np.array([(1, lean[0]), (lean[1] - lean[0], 1)]) * wide
    ways *= np.exp(chance.normal(0, 0.3, (2, 1)))
    drawn[:] = (*body, 255)
    thick, shade = int(chance.integers(1, 6)), (*ink, 255)
    dot, off = chance.uniform(0.04, 0.14) * wide, chance.uniform(0.1, 0.25, 2)
    sites = [off, -off] if chance.random() < 0.25 else [np.zeros(2)]
    shift = chance.uniform(0, SIDE, 2)
    for row in range(-9, 10):
        for column in range(-9, 10):
            for site in sites:
                at = tuple(int(v) for v in shift + (site + np.array((column, row))) @ ways)
                cv2.circle(drawn, at, max(1, int(dot)), shade, -1, cv2.LINE_AA)
        for one, other in (ways, ways[::-1]):
            start = shift + (row + 0.5) * one
            ends = [tuple(int(v) for v in start + far * other) for far in (-12, 12)]
            cv2.line(drawn, *ends, shade, thick, cv2.LINE_AA)


def relief(drawn: Pixels, chance: np.random.Generator, body: Colour, ink: Colour) -> None:
    """Draw a coin, a medal or a seed: round, with bumps and furrows that the light picks out."""
    axes = tuple(int(v) for v in chance.uniform(34, 54, 2))
    shape = np.zeros((SIDE, SIDE), np.uint8)
    cv2.ellipse(shape, (MIDDLE, MIDDLE), axes, chance.uniform(0, 180), 0, 360, 1, -1, cv2.LINE_AA)
    height = np.zeros((SIDE, SIDE), np.float32)
    for _ in range(chance.integers(4, 16)):
        x, y = (int(v) for v in MIDDLE + chance.normal(0, 18, 2))
        bump = tuple(int(v) for v in chance.uniform(2, 14, 2))
        turn, high = chance.uniform(0, 180), float(chance.uniform(-1, 1))
        cv2.ellipse(height, (x, y), bump, turn, 0, 360, high, -1, cv2.LINE_AA)
    height = cv2.GaussianBlur(height, (0, 0), chance.uniform(1, 3))
    angle = chance.uniform(0, 2 * np.pi)
    ramp = [cv2.Sobel(height, cv2.CV_32F, *way) for way in ((1, 0), (0, 1))]
    lit = chance.uniform(20, 90) * (np.cos(angle) * ramp[0] + np.sin(angle) * ramp[1])
    worn = (np.array(ink) - body) * chance.uniform(0, 0.6) * (height > 0.3)[..., None]
    drawn[..., :3] = np.clip(np.array(body) + worn + lit[..., None], 0, 255)
    drawn[..., 3] = 255 * shape


GLOSSY: tuple[Callable[[Pixels, np.random.Generator, Colour, Colour], None], ...] = (
    glossy,
    lattice,
    relief,
)


def _shape(chance: np.random.Generator) -> Pixels:
    """Return where a rounded thing is, 0 or 1: an ellipse, a ring or a part of one, a bar, a
    string of beads, a box with round corners, a pear."""
    shape = np.zeros((SIDE, SIDE), np.uint8)
    kind, turn, at = chance.integers(6), chance.uniform(0, 360), (MIDDLE, MIDDLE)
    if kind == 0:
        axes = tuple(int(v) for v in chance.uniform(28, 54, 2))
        cv2.ellipse(shape, at, axes, turn, 0, 360, 1, -1)
    elif kind == 1:
        axes = tuple(int(v) for v in chance.uniform(24, 48, 2))
        thick = int(chance.uniform(10, 36))
        cv2.ellipse(shape, at, axes, turn, 0, float(chance.choice((90, 180, 240, 360))), 1, thick)
    elif kind == 2:
        far = chance.uniform(15, 50) * np.array((np.cos(turn), np.sin(turn)))
        ends = [tuple(int(v) for v in MIDDLE + way * far) for way in (-1, 1)]
        cv2.line(shape, *ends, 1, int(chance.uniform(24, 70)))
    elif kind == 3:
        size, bent = chance.uniform(8, 22), chance.uniform(-0.02, 0.02)
        for k in range(-4, 5):
            far = 2.1 * size * k
            x, y = far * np.cos(turn), far * np.sin(turn) + bent * far**2
            cv2.circle(shape, (int(MIDDLE + x), int(MIDDLE + y)), int(size), 1, -1)
    elif kind == 4:
        box = ((MIDDLE, MIDDLE), tuple(chance.uniform(36, 80, 2)), turn)
        corners = [np.round(cv2.boxPoints(box)).astype(np.int32)]
        cv2.fillPoly(shape, corners, 1)
        cv2.polylines(shape, corners, True, 1, int(chance.uniform(8, 28)))
    else:
        for k in range(8):
            off = (k - 4) * 9 * np.array((np.cos(turn), np.sin(turn)))
            size = chance.uniform(10, 16) + 16 * (k / 8) ** 2
            cv2.circle(shape, tuple(int(v) for v in MIDDLE + off), int(size), 1, -1)
    return shape


def _way(chance: np.random.Generator, wide: float) -> Floats:
    """Return a way towards the camera's side."""
    way = np.append(chance.normal(0, wide, 2), 1.0)
    return np.asarray(way / np.linalg.norm(way), np.float32)


def _mirrored(normal: Floats, chance: np.random.Generator) -> Floats:
    """Return the light of mirrored lamps: some alone, a row of them, or a window's cross; and
    glints that bumps of the surface throw, in rows."""
    sharp = float(np.exp(chance.uniform(np.log(30), np.log(1500))))
    found = np.zeros(normal.shape[:2], np.float32)
    first, step = chance.normal(0, 0.5, 2), chance.normal(0, 0.25, (2, 2))
    rows, columns = ((1, 1), (1, 3), (2, 2), (2, 3), (1, 5))[chance.integers(5)]
    for row in range(rows):
        for column in range(columns):
            x, y = first + row * step[0] + column * step[1]
            way = np.array((x, y, 1.0)) / np.sqrt(x * x + y * y + 1)
            found += np.clip(normal @ way.astype(np.float32), 0, 1) ** sharp
    for _ in range(chance.integers(0, 3)):
        start, along = chance.uniform(40, 104, 2), chance.normal(0, 11, 2)
        for k in range(chance.integers(1, 5)):
            at = tuple(int(v) for v in start + k * along + chance.normal(0, 1.5, 2))
            size = tuple(max(1, int(v)) for v in chance.uniform(1, 7, 2))
            cv2.ellipse(found, at, size, chance.uniform(0, 180), 0, 360, 1.0, -1, cv2.LINE_AA)
    found = cv2.GaussianBlur(found, (0, 0), chance.uniform(0.6, 2.5))
    return np.asarray(found * chance.uniform(90, 255), np.float32)


def _spots(chance: np.random.Generator) -> Floats:
    """Return where spots are, 0 to 1, in no order: of a ladybird, a mushroom, a pebble."""
    spots = np.zeros((SIDE, SIDE), np.float32)
    for _ in range(chance.integers(3, 14)):
        at = tuple(int(v) for v in chance.uniform(20, SIDE - 20, 2))
        size = tuple(int(v) for v in chance.uniform(3, 11, 2))
        cv2.ellipse(spots, at, size, chance.uniform(0, 180), 0, 360, 1.0, -1, cv2.LINE_AA)
    return spots
