"""Pictures of cards on a table, drawn: any turn, seen aslant, in uneven light, with trouble.

Used by the short tests (vision/test_cards.py) and to measure.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games import find_game
from companion.rules import Drawing

Image = NDArray[np.uint8]

FINE = 6
GAME = find_game("victory_honor")
SETUP = GAME.setup()
CARDS = GAME.start(SETUP).terms.deck.tokens[:40]
CODES = dict(enumerate(CARDS))


def bgr(text: str) -> tuple[int, int, int]:
    """Return a hexadecimal colour as blue, green, red."""
    red, green, blue = (int(text[k : k + 2], 16) for k in (1, 3, 5))
    return blue, green, red


def flat(drawing: Drawing, size: tuple[float, float] = (63.0, 88.0)) -> Image:
    """Return a card's drawing with ``FINE`` pixels a millimetre, on a grey that is cut away."""
    width, height = (round(side * FINE) for side in size)
    canvas = np.full((height, width, 3), 90, np.uint8)
    for stroke in drawing:
        points = np.array(stroke.points, float) * FINE + (width / 2, height / 2)
        fixed = np.round(points * 16).astype(np.int32)
        if stroke.fill:
            cv2.fillPoly(canvas, [fixed], bgr(stroke.fill), cv2.LINE_AA, 4)
        if stroke.colour and stroke.width:
            thick = max(1, round(stroke.width * FINE))
            cv2.polylines(canvas, [fixed], stroke.closed, bgr(stroke.colour), thick, cv2.LINE_AA, 4)
    return canvas


def picture(token: str) -> Image:
    """Return a card of our own deck, flat."""
    return flat(GAME.draw(SETUP, token))


def foreign(number: int) -> Image:
    """Return a card of an invented deck without a code: an index in two corners, a pattern."""
    rng = np.random.default_rng(number)
    canvas = np.full((round(88 * FINE), round(63 * FINE), 3), (236, 240, 244), np.uint8)
    shade = tuple(int(v) for v in rng.integers(20, 170, 3))
    for _ in range(6):
        x, y = rng.integers(90, 300), rng.integers(120, 410)
        radius = int(rng.integers(15, 60))
        cv2.circle(canvas, (int(x), int(y)), radius, shade, -1, cv2.LINE_AA)
    for _ in range(2):
        cv2.putText(canvas, f"{number}", (14, 62), 0, 1.8, shade, 5, cv2.LINE_AA)
        canvas = np.ascontiguousarray(canvas[::-1, ::-1])
    return canvas


@dataclass
class Scene:
    """A picture and where each card's corners are in it."""

    image: Image
    corners: list[NDArray[np.float64]]


def scene(faces: Sequence[Image], seed: int, per_mm: float = 2.4, trouble: bool = False) -> Scene:
    """Lay up to nine cards on a table of 390 by 330 mm, each turned as it happens."""
    rng, chance = np.random.default_rng(seed), random.Random(seed)
    height, width = round(330 * per_mm), round(390 * per_mm)
    image = _ground(rng, height, width)
    tilt = _tilt(chance, width, height)
    places = [(65 + 130 * x, 55 + 110 * y) for y in range(3) for x in range(3)]
    corners = []
    for face, (x, y) in zip(faces, chance.sample(places, len(faces)), strict=True):
        middle = np.array([x + chance.uniform(-8, 8), y + chance.uniform(-1, 1)]) * per_mm
        there = _corners(middle, chance.uniform(0, 2 * math.pi), per_mm)
        there = cv2.perspectiveTransform(there[None].astype(np.float32), tilt)[0]
        _lay(image, face, there)
        corners.append(there.astype(np.float64))
    light = _light(rng, height, width)
    lit = image.astype(np.float32) * light[..., None]
    if trouble:
        lit = _glare(lit, chance, corners)
    lit = cv2.GaussianBlur(lit, (0, 0), 0.7) + rng.normal(0, 4, lit.shape)
    return Scene(np.clip(lit, 0, 255).astype(np.uint8), corners)


def _ground(rng: np.random.Generator, height: int, width: int) -> Image:
    """Return a table: wood or cloth of some colour, light or dark."""
    colour = rng.uniform(30, 150, 3)
    rough = cv2.resize(rng.normal(0, 14, (height // 24, width // 6, 1)), (width, height))
    return np.clip(colour + rough[..., None], 0, 255).astype(np.uint8)


def _tilt(chance: random.Random, width: int, height: int) -> NDArray[np.float64]:
    square = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    moved = square + np.array(
        [[chance.uniform(-0.03, 0.03) * width for _ in range(2)] for _ in range(4)], np.float32
    )
    return np.asarray(cv2.getPerspectiveTransform(square, moved), np.float64)


def _corners(middle: NDArray[np.float64], turn: float, per_mm: float) -> NDArray[np.float64]:
    x, y = 31.5 * per_mm, 44 * per_mm
    cos, sin = math.cos(turn), math.sin(turn)
    around = ((-x, -y), (x, -y), (x, y), (-x, y))
    return middle + np.array([(cos * u - sin * v, sin * u + cos * v) for u, v in around])


def _lay(image: Image, face: Image, corners: NDArray[np.float64]) -> None:
    high, wide = face.shape[:2]
    edges = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32)
    matrix = cv2.getPerspectiveTransform(edges, corners.astype(np.float32))
    size = (image.shape[1], image.shape[0])
    mask = np.zeros((high, wide), np.uint8)
    radius = 4 * FINE
    cv2.rectangle(mask, (radius, 0), (wide - radius, high), 255, -1)
    cv2.rectangle(mask, (0, radius), (wide, high - radius), 255, -1)
    for x in (radius, wide - radius):
        for y in (radius, high - radius):
            cv2.circle(mask, (x, y), radius, 255, -1)
    laid = cv2.warpPerspective(cv2.GaussianBlur(face, (0, 0), 1.2), matrix, size)
    over = cv2.warpPerspective(mask, matrix, size).astype(np.float32)[..., None] / 255
    image[:] = (laid * over + image * (1 - over)).astype(np.uint8)


def _light(rng: np.random.Generator, height: int, width: int) -> NDArray[np.float32]:
    coarse = rng.uniform(0.65, 1.05, (3, 3)).astype(np.float32)
    return np.asarray(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC))


def _glare(
    lit: NDArray[np.float32], chance: random.Random, corners: Sequence[NDArray[np.float64]]
) -> NDArray[np.float32]:
    """Add a lamp's reflection on about every second card."""
    shine = np.zeros(lit.shape[:2], np.float32)
    for card in corners:
        if chance.random() < 0.5:
            x, y = (at + chance.uniform(-30, 30) for at in card.mean(axis=0))
            axes = (chance.randint(10, 30), chance.randint(8, 16))
            cv2.ellipse(shine, (int(x), int(y)), axes, chance.uniform(0, 180), 0, 360, 255, -1)
    return lit + cv2.GaussianBlur(shine, (0, 0), 6)[..., None]
