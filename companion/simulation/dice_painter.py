"""Dice as a camera sees them: rays traced onto rounded cubes with pips or symbols."""

from __future__ import annotations

import math
import random
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.rules import Stroke
from companion.simulation.ink import draw_ink, inks
from vision.board.optics import Optics
from vision.board.printing import shade
from vision.frames import Image

Array = NDArray[np.float64]
Picture = NDArray[np.float32]
Colour = tuple[int, int, int]

_PIPS = {1: [(0, 0)], 2: [(-1, -1), (1, 1)], 3: [(-1, -1), (0, 0), (1, 1)],
         4: [(-1, -1), (1, -1), (1, 1), (-1, 1)], 5: [(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)],
         6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)]}  # fmt: skip
_TEXTURE = 96
SHAPES = 6
"""How many symbols can be drawn."""


@dataclass(frozen=True)
class DiceStyle:
    """How the dice of one table look: side in millimetres and rounding (of a side), the shape of
    the symbol for each side that has one, colours of bodies and inks (red, green, blue), how much
    they shine and glitter; what the six ``sides`` of a colour's die show; and where the lamp
    stands (``sun``, millimetres of shadow for each of height) and how ``dark`` its shadows are."""

    side: float
    rounding: float
    symbols: Mapping[str, int]
    bodies: Mapping[str, Colour]
    inks: Mapping[str, Colour]
    sides: Mapping[str, tuple[str, ...]]
    gloss: float = 0.0
    glitter: float = 0.0
    sun: tuple[float, float] = (0.3, -0.2)
    dark: float = 0.25


@dataclass(frozen=True)
class Die:
    """A die on the mat: ``shows`` is ``yellow hit`` or ``white 3``; its middle and ``turn`` in
    millimetres and degrees; ``lean`` in degrees is 0 for one that lies flat, ``rise`` how high
    its lowest point is in millimetres."""

    shows: str
    x: float
    y: float
    turn: float
    lean: float = 0.0
    rise: float = 0.0

    @property
    def doubtful(self) -> bool:
        """Tell whether a reader has to ask about this die, because it leans or lies on another
        one."""
        return bool(self.lean or self.rise)


@cache
def texture(value: str, shape: int) -> Picture:
    """Return the ink of a face, 0 to 1: pips for a number, else the symbol ``shape``, -1 for
    none."""
    fine = 4 * _TEXTURE
    canvas = np.zeros((fine, fine), np.uint8)
    middle = fine / 2
    if value.isdecimal():
        for x, y in _PIPS[int(value)]:
            at = (round(middle + x * 0.25 * fine), round(middle + y * 0.25 * fine))
            cv2.circle(canvas, at, round(0.1 * fine), (255,), -1)
    elif shape >= 0:
        _symbol(canvas, shape, middle, 0.33 * fine)
    small = cv2.resize(canvas, (_TEXTURE, _TEXTURE), interpolation=cv2.INTER_AREA)
    return np.asarray(np.asarray(small, np.float32) / 255, np.float32)


def _symbol(canvas: NDArray[np.uint8], shape: int, middle: float, radius: float) -> None:
    def spiky(count: int, inner: float, size: float = 1.0) -> NDArray[np.int32]:
        turns = np.arange(2 * count) * np.pi / count - np.pi / 2
        far = np.where(np.arange(2 * count) % 2, inner, 1.0) * radius * size
        points = np.c_[np.cos(turns), np.sin(turns)] * far[:, None] + middle
        return np.asarray(np.round(points), np.int32)

    thick, at = round(0.28 * radius), (round(middle), round(middle))
    if shape == 0:
        cv2.fillPoly(canvas, [spiky(5, 0.42)], (255,))
    elif shape == 1:
        cv2.fillPoly(canvas, [spiky(8, 0.55)], (255,))
        cv2.circle(canvas, at, round(0.28 * radius), (0,), -1)
    elif shape == 2:
        for sign in (-1, 1):
            ends = [
                (round(middle + k * 0.8 * radius), round(middle + k * sign * 0.8 * radius))
                for k in (-1, 1)
            ]
            cv2.line(canvas, ends[0], ends[1], (255,), thick)
    elif shape == 3:
        cv2.circle(canvas, at, round(0.8 * radius), (255,), thick)
        cv2.circle(canvas, at, round(0.25 * radius), (255,), -1)
    elif shape == 4:
        cv2.fillPoly(canvas, [spiky(2, 0.35)], (255,))
    else:
        cv2.fillPoly(canvas, [spiky(4, 0.3)], (255,))
        cv2.fillPoly(canvas, [spiky(4, 0.7, 0.5)], (0,))


class DicePainter:
    """Paints dice of one style through one camera. Pictures are unlit, blue-green-red."""

    def __init__(self, style: DiceStyle, optics: Optics) -> None:
        self.style, self.optics = style, optics
        self.size = optics.view.image_size

    def ground(self, strokes: Iterable[Stroke], seed: int = 7) -> Image:
        """Return the table with ``strokes`` printed on the mat, unlit."""
        width, height = self.size
        canvas = np.empty((2 * height, 2 * width, 3), np.uint8)
        canvas[:] = shade(self.optics.view.table)
        for ink in inks(strokes, self.optics):
            draw_ink(canvas, ink, (0, 0), 2)
        small = cv2.resize(canvas, self.size, interpolation=cv2.INTER_AREA)
        grain = np.random.default_rng(seed).normal(0, 2.0, (height, width, 1))
        return np.clip(np.asarray(small) + grain, 0, 255).astype(np.uint8)

    def put(self, picture: Picture, dice: Sequence[Die]) -> None:
        """Paint ``dice`` into ``picture``, their shadows first."""
        for die in dice:
            self._cast(picture, die)
        depth = np.full(picture.shape[:2], np.inf, np.float32)
        for die in dice:
            self._paint(picture, depth, die)

    def _pose(self, die: Die) -> tuple[Array, Array]:
        """Return a die's rotation and the middle of it in millimetres, z up."""
        turn, lean = math.radians(die.turn), math.radians(die.lean)
        about = np.array([[1, 0, 0], [0, math.cos(lean), -math.sin(lean)],
                          [0, math.sin(lean), math.cos(lean)]])  # fmt: skip
        stand = np.array([[math.cos(turn), -math.sin(turn), 0],
                          [math.sin(turn), math.cos(turn), 0], [0, 0, 1.0]])  # fmt: skip
        rotation = stand @ about
        half = self.style.side / 2
        lowest = half * np.abs(rotation[2]).sum()
        return rotation, np.array([die.x, die.y, lowest + die.rise])

    def _cast(self, picture: Picture, die: Die) -> None:
        rotation, middle = self._pose(die)
        corners = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
        world = corners * 0.48 * self.style.side @ rotation.T + middle
        shadows = ((self.style.sun, self.style.dark, 1.5), ((0.0, 0.0), 0.12, 4.0))
        for sun, dark, soft in shadows:
            fallen = world[:, :2] + world[:, 2:] * np.array(sun)
            pixels = self.optics.project(fallen).astype(np.float32)
            hull = np.asarray(cv2.convexHull(pixels))[:, 0]
            low = np.floor(hull.min(0)).astype(int) - 14
            high = np.ceil(hull.max(0)).astype(int) + 14
            x0, y0 = np.maximum(low, 0)
            x1, y1 = np.minimum(high, self.size)
            if x1 <= x0 or y1 <= y0:
                continue
            mask = np.zeros((y1 - y0, x1 - x0), np.float32)
            points = np.round((hull - (x0, y0)) * 16).astype(np.int32)
            cv2.fillConvexPoly(mask, points, (1.0,), cv2.LINE_AA, 4)
            soften = cv2.GaussianBlur(mask, (0, 0), soft * self.size[0] / 1640 * 1.6)
            picture[y0:y1, x0:x1] *= 1 - dark * np.asarray(soften)[..., None]

    def _paint(self, picture: Picture, depth: Picture, die: Die) -> None:
        rotation, middle = self._pose(die)
        reach, optics = 0.9 * self.style.side, self.optics
        square = ((-1, -1), (1, -1), (1, 1), (-1, 1))
        around = [(die.x + reach * x, die.y + reach * y) for x, y in square]
        top = float(middle[2]) + reach
        pixels = np.vstack([optics.project(around), optics.project(around, top)])
        x0, y0 = np.maximum(np.floor(pixels.min(0)).astype(int), 0)
        x1, y1 = np.minimum(np.ceil(pixels.max(0)).astype(int), self.size)
        if x1 <= x0 or y1 <= y0:
            return
        fine = 2
        xs, ys = np.meshgrid(
            (np.arange((x1 - x0) * fine) + 0.5) / fine + x0 - 0.5,
            (np.arange((y1 - y0) * fine) + 0.5) / fine + y0 - 0.5,
        )
        back, _ = cv2.findHomography(optics.project(around), np.array(around))
        grid = np.stack([xs, ys], -1).reshape(1, -1, 2)
        on_mat = np.asarray(cv2.perspectiveTransform(grid, np.asarray(back)))[0]
        eye = np.array([optics.eye[0], optics.eye[1], -optics.eye[2]])
        way = np.c_[on_mat, np.zeros(len(on_mat))] - eye
        way /= np.linalg.norm(way, axis=1, keepdims=True)
        far, point = self._trace((eye - middle) @ rotation, way @ rotation)
        hit = np.isfinite(far)
        colour = np.zeros((len(far), 3))
        if hit.any():
            colour[hit] = self._shaded(die, rotation, way[hit], point[hit])
        shape = (ys.shape[0] // fine, fine, ys.shape[1] // fine, fine)
        cover = hit.reshape(shape).mean((1, 3))
        mean = colour.reshape(*shape, 3).sum((1, 3))
        mean /= np.maximum(cover, 1e-6)[..., None] * fine * fine
        near = np.where(hit, far, 1e9).reshape(shape).min((1, 3))
        seen = (cover > 0) & (near < depth[y0:y1, x0:x1])
        part = picture[y0:y1, x0:x1]
        mixed = part * (1 - cover[..., None]) + mean * cover[..., None]
        part[seen] = mixed[seen]
        depth[y0:y1, x0:x1][seen & (cover > 0.5)] = near[seen & (cover > 0.5)]

    def _trace(self, eye: Array, way: Array) -> tuple[Array, Array]:
        """March rays on the rounded cube: how far each goes, infinite past it, and where it hits,
        in sides of the die."""
        side, rounding = self.style.side, self.style.rounding
        inner = 0.5 - rounding
        start = eye / side
        along = -(way @ start)
        gone = np.maximum(along - 1.0, 0.0)
        aside = np.linalg.norm(start + along[:, None] * way, axis=1)
        far = np.where(aside < 0.87, gone, np.inf)
        some = np.isfinite(far)
        at, ray = far[some], way[some]
        step = np.zeros(len(at))
        for _ in range(22):
            off = np.abs(start + at[:, None] * ray) - inner
            step = np.linalg.norm(np.maximum(off, 0), axis=1) + np.minimum(off.max(1), 0) - rounding
            at = at + step
        hits = (step < 0.01) & (at < along[some] + 1.2)
        far[some] = np.where(hits, at, np.inf)
        point = np.zeros((len(way), 3))
        point[some] = start + at[:, None] * ray
        return far * side, point

    def _shaded(self, die: Die, rotation: Array, way: Array, point: Array) -> Array:
        style, inner = self.style, 0.5 - self.style.rounding
        outside = np.sign(point) * np.maximum(np.abs(point) - inner, 0) + 1e-6 * point
        normal = outside / np.linalg.norm(outside, axis=1, keepdims=True) @ rotation.T
        ink = self._inked(die, point)
        colour, _ = die.shows.split()
        body, dye = (np.array(c[colour][::-1], float) for c in (style.bodies, style.inks))
        paint = body * (1 - ink[:, None]) + dye * ink[:, None]
        sun = np.array([-style.sun[0], -style.sun[1], 1.0])
        sun /= np.linalg.norm(sun)
        bright = 0.55 + 0.45 * np.maximum(normal @ sun, 0) / sun[2]
        half = sun - way
        half /= np.linalg.norm(half, axis=1, keepdims=True)
        shine = style.gloss * np.maximum((normal * half).sum(1), 0) ** 60
        lit = paint * bright[:, None] + 255 * shine[:, None]
        if style.glitter:
            named = f"{die.shows} {die.x:.2f} {die.y:.2f}"
            chance = np.random.default_rng(zlib.crc32(named.encode()))
            cells = np.floor((point + 1) * 22).astype(int)
            specks = chance.random((48, 48, 48)) < style.glitter
            lit[specks[tuple(cells.T)]] += 110
        return np.asarray(np.minimum(lit, 255))

    def _inked(self, die: Die, point: Array) -> Array:
        """Return the ink at points of the die; other faces than the top by the colour's sides."""
        axis = np.abs(point).argmax(1)
        ink = np.zeros(len(point))
        for face, value in enumerate(self._around(die)):
            on, sign = (axis == face // 2), 1 if face % 2 == 0 else -1
            side = on & (sign * point[:, face // 2] > 0)
            across = [k for k in range(3) if k != face // 2]
            picture = texture(value, self.style.symbols.get(value, -1))
            at = np.clip(((point[side][:, across] + 0.5) * _TEXTURE).astype(int), 0, _TEXTURE - 1)
            ink[side] = picture[at[:, 1], at[:, 0]]
        return ink

    def _around(self, die: Die) -> list[str]:
        """Return what the six sides show: right, left, near, far, top, bottom."""
        colour, value = die.shows.split()
        if value.isdecimal():
            top = int(value)
            rest = [v for v in (1, 2, 3) if v not in (top, 7 - top)]
            shown = [rest[0], 7 - rest[0], rest[1], 7 - rest[1], top, 7 - top]
            return [str(v) for v in shown]
        faces = list(self.style.sides[colour])
        faces.remove(value)
        order = random.Random(f"{die.shows} {round(die.turn)}").sample(faces, 5)
        return [*order[:4], value, order[4]]
