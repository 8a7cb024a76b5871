"""What drawn dice are made of, and how light falls on them: plain, marbled, speckled or clear
bodies, and pips that are painted, sunken, rimmed, soft or worn."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from dice_sprites import Sprite
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Pixels = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Paint:
    """The colours of body, marbling, pips and speckles (3,), BGR; and how much of the body is
    ``speckled``, how ``clear`` it is, how ``worn`` the pips are, how ``soft`` their edges (pixels)
    and how much lighter or darker (negative) their rims: each 0 if not at all."""

    body: Floats
    marble: Floats
    ink: Floats
    speckle: Floats
    speckled: float
    clear: float
    worn: float
    soft: float
    rim: float


def paint(chance: np.random.Generator) -> Paint:
    """Return what dice may be made of; pips can be told from bodies, some but just."""
    least = 90 if chance.random() < 0.75 else 45
    while True:
        body, ink = chance.uniform(5, 255, (2, 3))
        if chance.random() < 0.4:
            body = np.full(3, float(chance.choice((20, 35, 235, 250)))) + chance.normal(0, 8, 3)
        if chance.random() < 0.7:
            ink = np.full(3, float(chance.choice((10, 25, 240, 252))))
        if np.abs(body - ink).max() > least:
            break

    def now_and_then(often: float, low: float, high: float) -> float:
        return float(chance.uniform(low, high)) if chance.random() < often else 0.0

    return Paint(
        body,
        body + chance.normal(0, 70, 3) * (chance.random() < 0.5),
        ink,
        body + chance.normal(0, 90, 3),
        now_and_then(0.15, 0.05, 0.4),
        now_and_then(0.2, 0.3, 1.0),
        now_and_then(0.15, 0.2, 0.9),
        now_and_then(0.2, 0.5, 1.6),
        now_and_then(0.25, -0.6, 0.6),
    )


def lit(one: Sprite, light: Floats, made: Paint, chance: np.random.Generator) -> Pixels:
    """Return a picture of a die, blue-green-red and cover."""
    veins = np.sin(
        (one.place @ chance.normal(0, 7, 3)) + 2 * np.sin(one.place @ chance.normal(0, 6, 3))
    )
    body = np.where(veins[..., None] > 0.3, made.marble, made.body)
    shape = one.ink.shape
    if made.speckled:
        grain = smooth(chance, shape, chance.uniform(0.5, 1.2))
        body = np.where((grain > np.quantile(grain, 1 - made.speckled))[..., None],
                        made.speckle, body)  # fmt: skip
    if made.clear:
        body = _cleared(body, one, made, chance)
    ink = one.ink
    if made.soft:
        ink = cv2.GaussianBlur(ink, (0, 0), made.soft)
    if made.worn:
        ink = ink * (1 - made.worn * (smooth(chance, shape, 3.0) > 0.3))
    colour = body * (1 - ink[..., None]) + made.ink * ink[..., None]
    if made.rim:
        round_it = np.clip(4 * (cv2.GaussianBlur(one.ink, (0, 0), 1.0) - one.ink), 0, 1)
        colour = colour * (1 + made.rim * round_it[..., None])
    shade = chance.uniform(0.3, 0.75) + 0.6 * np.clip(one.normal @ light, 0, 1)
    half = light + np.array((0, 0, 1))
    half /= np.linalg.norm(half)
    gloss = np.clip(one.normal @ half, 0, 1) ** chance.choice((12, 30, 80))
    seen = colour * shade[..., None] + chance.uniform(0, 200) * gloss[..., None]
    if chance.random() < 0.15:
        seen = seen + _window(one, chance)[..., None]
    return np.dstack([np.clip(seen, 0, 255), 255 * one.alpha]).astype(np.uint8)


def smooth(chance: np.random.Generator, shape: tuple[int, ...], wide: float) -> Floats:
    """Return noise with a deviation of 1 whose spots are so many pixels wide."""
    noise = cv2.GaussianBlur(chance.normal(0, 1, shape).astype(np.float32), (0, 0), wide)
    return np.asarray(noise / noise.std(), np.float32)


def _cleared(body: Floats, one: Sprite, made: Paint, chance: np.random.Generator) -> Floats:
    """Return the colours of a body that light passes through: brighter away from the light,
    uneven, and with the pips of the far sides shining through."""
    way = chance.normal(0, 1, 2)
    ys, xs = np.indices(one.ink.shape) / len(one.ink) - 0.5
    bright = 1 + made.clear * (1.2 * (way[0] * xs + way[1] * ys))
    bright += made.clear * 0.35 * smooth(chance, one.ink.shape, 5.0)
    behind = cv2.GaussianBlur(one.ink[::-1, ::-1], (0, 0), 1.5) * 0.4 * made.clear
    seen = body * np.clip(bright, 0.2, 2.2)[..., None]
    return np.asarray(seen * (1 - behind[..., None]) + made.ink * behind[..., None])


def _window(one: Sprite, chance: np.random.Generator) -> Floats:
    """Return the light of a window or a lamp that is mirrored in one side of a die: a band."""
    side = one.normal[tuple(chance.integers(len(one.ink) // 4, 3 * len(one.ink) // 4, 2))]
    along = one.place @ chance.normal(0, 1, 3)
    band = np.clip(1.5 - np.abs(along - chance.normal(0, 0.3)) / chance.uniform(0.08, 0.3), 0, 1)
    flat = np.clip((one.normal @ side - 0.85) / 0.1, 0, 1)
    return np.asarray(chance.uniform(20, 140) * band * flat)
