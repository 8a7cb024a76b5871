"""Dice drawn by tracing rays: rounded cubes with pips, seen from any side, any way up.

A sprite holds what does not depend on colours: where the die is, its normals and its pips. Scenes
colour it, light it and lay it down, so that a few hundred sprites give any number of pictures.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

SIDE = 72
"""Side of a sprite in pixels; the die's edge is about half of it."""
ASIDE = 0.45
"""Radians off the upright from which on a die is seen aslant: which of its faces is on top is then
told by which is farthest up in the picture."""
UNSURE = 0
"""Value of a die that shows no top: on edge, or nearly."""

_PLACES = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, -1), (1, 1), (-1, 1)],
    5: [(-1, -1), (1, -1), (1, 1), (-1, 1), (0, 0)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}
_AXES = {(2, 1): 0, (2, -1): 1, (0, 1): 2, (0, -1): 3, (1, 1): 4, (1, -1): 5}


@dataclass(frozen=True, eq=False)
class Sprite:
    """A die: ``alpha`` and ``ink`` (h, w) 0 to 1, ``normal`` (h, w, 3) with z to the camera,
    ``place`` (h, w, 3) where on the die, for marbling; ``value`` of its top, ``box`` the middle
    x, y and the longer side of what is seen, in pixels; ``up`` (3,) where its top faces, and
    ``beside`` (2, 3) how far off a die lies that touches this one and is turned alike: x, y and z
    to the camera."""

    alpha: Floats
    ink: Floats
    normal: Floats
    place: Floats
    value: int
    box: tuple[float, float, float]
    up: Floats
    beside: Floats

    @property
    def aslant(self) -> bool:
        """Return whether the camera looked from so far aside that the die has a way up."""
        return bool(self.up[2] < np.cos(ASIDE))


def turn(axis: int, angle: float) -> Floats:
    """Return the matrix that turns by ``angle`` radians about x, y or z (0, 1, 2)."""
    c, s = np.cos(angle), np.sin(angle)
    matrix = np.eye(3)
    i, j = [k for k in range(3) if k != axis]
    matrix[i, i], matrix[i, j], matrix[j, i], matrix[j, j] = c, -s, s, c
    return np.asarray(matrix, np.float32)


def sprite(chance: np.random.Generator, cocked: bool = False) -> Sprite:
    """Draw one die; ``cocked`` leans on an edge so that no face is the top."""
    (one,) = sprites(chance, 1, cocked)
    return one


def sprites(chance: np.random.Generator, count: int, cocked: bool = False) -> list[Sprite]:
    """Draw dice of one make that are turned alike, as those are that touch with a whole side."""
    lean = turn(0, 0.0)
    if cocked:
        lean = turn(int(chance.integers(0, 2)), float(chance.uniform(0.5, 1.07)))
    stand = turn(2, float(chance.uniform(0, 2 * np.pi))) @ lean
    # Half of the cameras look down, half from aside, up to where sides show more than the top.
    tilt = abs(chance.normal(0, 0.28)) if chance.random() < 0.5 else chance.uniform(ASIDE, 1.2)
    look = turn(0, float(tilt))
    spread = float(chance.uniform(0.21, 0.29))
    make = Make(
        pip=min(float(chance.uniform(0.075, 0.15)), 0.47 * spread),
        spread=spread,
        narrow=float(chance.choice((1.0, 1.0, 0.72))),
        big_one=float(chance.choice((1.0, 1.0, 1.5, 2.0))),
        rounding=float(chance.uniform(0.04, 0.3)),
        drilled=float(chance.choice((0.0, 0.5, 0.9))),
        hollow=float(chance.choice((0.0, 0.0, 0.0, 0.0, 0.6))),
    )
    pose = look @ stand
    seen = _trace(pose, make.rounding)
    drawn = []
    for _ in range(count):
        value = int(chance.integers(1, 7))
        ink, normal = _inked(seen, _faces(value, chance), pose, make)
        shows = UNSURE if cocked else value
        drawn.append(_shrunk(seen[0], ink, normal, seen[1], shows, look[:, 2], pose))
    return drawn


@dataclass(frozen=True, slots=True)
class Make:
    """How dice are made, lengths in edges: radius of a pip, how far pips lie off the middle, how
    much closer the rows of a six lie together, how much larger the pip of a one is, radius of the
    corners, how deep pips are, and the part of their radius from which on they are painted."""

    pip: float
    spread: float
    narrow: float
    big_one: float
    rounding: float
    drilled: float
    hollow: float


def _inked(
    seen: tuple[NDArray[np.bool_], Floats, Floats],
    faces: dict[tuple[int, int], int],
    pose: Floats,
    make: Make,
) -> tuple[Floats, Floats]:
    """Return where the pips are of a die with these ``faces``, and its normals with them."""
    hit, point, normal = seen
    ink = np.zeros(hit.shape, np.float32)
    for (axis, sign), face in faces.items():
        across = [k for k in range(3) if k != axis]
        flat = point[..., across]
        on = (sign * point[..., axis] > 0.5 - make.rounding * 0.6) & hit
        size = make.pip * (make.big_one if face == 1 else 1.0)
        for x, y in _PLACES[face]:
            place = np.array((x * (make.narrow if face == 6 else 1.0), y)) * make.spread
            far = np.hypot(*(flat - place).transpose(2, 0, 1))
            own = np.where(on, np.clip((size - far) / 0.03 + 0.5, 0, 1), 0)
            bare = np.clip((make.hollow * size - far) / 0.03 + 0.5 * (make.hollow > 0), 0, 1)
            ink = np.maximum(ink, own * (1 - bare))
            # A drilled pip is a hollow: its wall leans towards its middle.
            hollow = np.zeros((*far.shape, 3), np.float32)
            hollow[..., across] = (place - flat) / size * make.drilled * own[..., None]
            normal = normal + hollow @ pose.T
    return ink, normal / np.maximum(np.linalg.norm(normal, axis=-1, keepdims=True), 1e-6)


def _faces(value: int, chance: np.random.Generator) -> dict[tuple[int, int], int]:
    """Return the value on each side, opposite ones making seven, ``value`` on top."""
    first = int(chance.choice([v for v in range(1, 7) if v not in (value, 7 - value)]))
    second = int(
        chance.choice([v for v in range(1, 7) if v not in (value, 7 - value, first, 7 - first)])
    )
    shown = {(2, 1): value, (0, 1): first, (1, 1): second}
    return shown | {(axis, -1): 7 - face for (axis, _), face in shown.items()}


def _trace(pose: Floats, rounding: float) -> tuple[NDArray[np.bool_], Floats, Floats]:
    """March parallel rays down on a rounded cube of edge 1 turned by ``pose``."""
    n = SIDE * 2
    line = (np.arange(n, dtype=np.float32) + 0.5) / n * 2.0 - 1.0
    x, y = np.meshgrid(line, line)
    origin = np.stack([x, y, np.full_like(x, 1.2)], -1) @ pose
    way = np.array([0, 0, -1], np.float32) @ pose
    far = np.zeros((n, n), np.float32)
    inner = 0.5 - rounding
    for _ in range(26):
        far += _distance(origin + far[..., None] * way, inner, rounding)
    point = origin + far[..., None] * way
    hit = far < 2.3
    outside = np.sign(point) * np.maximum(np.abs(point) - inner, 0) + 1e-6 * point
    length = np.linalg.norm(outside, axis=-1, keepdims=True)
    return hit, point, np.asarray(outside / length @ pose.T, np.float32)


def _distance(point: Floats, inner: float, rounding: float) -> Floats:
    off = np.abs(point) - inner
    away = np.linalg.norm(np.maximum(off, 0), axis=-1)
    return np.asarray(away + np.minimum(off.max(-1), 0) - rounding, np.float32)


def _shrunk(
    hit: NDArray[np.bool_],
    ink: Floats,
    normal: Floats,
    point: Floats,
    value: int,
    up: Floats,
    pose: Floats,
) -> Sprite:
    def half(picture: Floats) -> Floats:
        parts = picture.reshape(SIDE, 2, SIDE, 2, -1).mean((1, 3))
        return np.asarray(parts.squeeze(-1) if picture.ndim == 2 else parts, np.float32)

    alpha = half(hit.astype(np.float32))
    weight = np.maximum(alpha, 1e-3)
    normal, point = (half(part * hit[..., None]) / weight[..., None] for part in (normal, point))
    ys, xs = np.nonzero(alpha > 0.5)
    box = (xs.min() + xs.max()) / 2, (ys.min() + ys.max()) / 2
    size = max(xs.max() - xs.min(), ys.max() - ys.min()) + 1
    return Sprite(
        alpha, half(ink * hit) / weight, normal, point, value, (*map(float, box), float(size)), up,
        pose[:, :2].T * (SIDE / 2),
    )  # fmt: skip
