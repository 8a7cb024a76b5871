"""A simulated mat with dice: rays traced onto rounded cubes with pips or symbols, with trouble.

Used by the short tests (vision/test_tray.py) and by soak/soak_tray.py to measure.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.rules import Point, Stroke
from vision.board.optics import Optics, View
from vision.board.printing import draw_ink, inks, marker, shade
from vision.dice.tray import Tray
from vision.dice.traymat import MARKER_MM, tray_markers
from vision.frames import Frame
from vision.simulation.hand import draw_hand
from vision.simulation.sensor import Room, Sensor, blurred
from vision.simulation.troubles import Troubles, random_troubles

SIZE = (420.0, 297.0)
"""The mat in millimetres: A3."""
COLOURS = ("yellow", "green", "blue", "purple", "red")
SIDES = {"yellow": (4, 1, 1), "green": (3, 2, 1), "blue": (2, 3, 1), "purple": (1, 4, 1),
         "red": (0, 5, 1)}  # fmt: skip
"""Sides of a die with a blank, a hit, a crit."""
FACES = ("blank", "hit", "crit")
BODIES = {"yellow": (235, 195, 45), "green": (45, 140, 70), "blue": (45, 95, 190),
          "purple": (115, 60, 150), "red": (190, 35, 40), "white": (238, 236, 228),
          "black": (34, 34, 36)}  # fmt: skip
UNIT = tuple(f"{c} {f}" for c in COLOURS for f, n in zip(FACES, SIDES[c], strict=True) if n)
"""The fourteen different faces of unit dice."""
_PIPS = {1: [(0, 0)], 2: [(-1, -1), (1, 1)], 3: [(-1, -1), (0, 0), (1, 1)],
         4: [(-1, -1), (1, -1), (1, 1), (-1, 1)], 5: [(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)],
         6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)]}  # fmt: skip
_TEXTURE = 96
Array = NDArray[np.float64]


def box(left: float, top: float, right: float, bottom: float) -> list[Point]:
    """Return a zone's outline."""
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


ZONES: Mapping[str, list[Point]] = {
    "reserve": box(-170, -140, -65, -10), "active": box(-60, -140, 60, -10),
    "exhausted": box(65, -140, 170, -10), "training": box(-170, 5, -65, 140),
    "banished": box(65, 5, 170, 70), "stats": box(65, 75, 170, 140),
    "enemy 1": box(-60, 5, -2, 70), "enemy 2": box(2, 5, 60, 70),
    "enemy 3": box(-60, 75, -2, 140), "enemy 4": box(2, 75, 60, 140),
}  # fmt: skip


@dataclass(frozen=True)
class Style:
    """How the dice of one evening look: side and rounding (of a side), the shapes of hit and
    crit, colours of bodies and inks, how they shine and glitter."""

    side: float
    rounding: float
    symbols: Mapping[str, int]
    bodies: Mapping[str, tuple[int, int, int]]
    inks: Mapping[str, tuple[int, int, int]]
    gloss: float
    glitter: float


def style(seed: int) -> Style:
    """Return the dice of the evening with this seed."""
    chance = random.Random(f"tray style {seed}")
    hit, crit = chance.sample(range(6), 2)
    light, dark = (240, 238, 230), (22, 22, 24)
    vary = lambda c: tuple(int(np.clip(v * chance.uniform(0.85, 1.12), 0, 255)) for v in c)  # noqa: E731
    pale = {"yellow", "white"}
    return Style(
        chance.uniform(14.0, 17.0), chance.uniform(0.07, 0.2), {"hit": hit, "crit": crit},
        {name: vary(body) for name, body in BODIES.items()},
        {name: dark if name in pale else light for name in BODIES},
        chance.choice((0.0, 0.25, 0.5)), chance.choice((0.0, 0.0, 0.015)),
    )  # fmt: skip


@dataclass(frozen=True)
class Die:
    """A die on the mat: ``shows`` is ``yellow hit`` or ``white 3``; ``lean`` in degrees is 0 for
    one that lies flat, ``rise`` how high its lowest point is in millimetres."""

    shows: str
    x: float
    y: float
    turn: float
    lean: float = 0.0
    rise: float = 0.0

    @property
    def doubtful(self) -> bool:
        """Tell whether it must be asked about."""
        return bool(self.lean or self.rise)


@cache
def texture(shows: str, hit: int, crit: int) -> NDArray[np.float32]:
    """Return the ink of a face, 0 to 1."""
    fine, value = 4 * _TEXTURE, shows.split()[-1]
    canvas = np.zeros((fine, fine), np.uint8)
    middle = fine / 2
    if value.isdecimal():
        for x, y in _PIPS[int(value)]:
            at = (round(middle + x * 0.25 * fine), round(middle + y * 0.25 * fine))
            cv2.circle(canvas, at, round(0.1 * fine), 255, -1)
    elif value != "blank":
        shape = hit if value == "hit" else crit
        _symbol(canvas, shape, middle, 0.33 * fine)
    small = cv2.resize(canvas, (_TEXTURE, _TEXTURE), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32) / 255


def _symbol(canvas: NDArray[np.uint8], shape: int, middle: float, radius: float) -> None:
    def spiky(count: int, inner: float, size: float = 1.0) -> NDArray[np.int32]:
        turns = np.arange(2 * count) * np.pi / count - np.pi / 2
        far = np.where(np.arange(2 * count) % 2, inner, 1.0) * radius * size
        return np.round(np.c_[np.cos(turns), np.sin(turns)] * far[:, None] + middle).astype(int)

    thick, at = round(0.28 * radius), (round(middle), round(middle))
    if shape == 0:
        cv2.fillPoly(canvas, [spiky(5, 0.42)], 255)
    elif shape == 1:
        cv2.fillPoly(canvas, [spiky(8, 0.55)], 255)
        cv2.circle(canvas, at, round(0.28 * radius), 0, -1)
    elif shape == 2:
        for sign in (-1, 1):
            ends = [
                (round(middle + k * 0.8 * radius), round(middle + k * sign * 0.8 * radius))
                for k in (-1, 1)
            ]
            cv2.line(canvas, ends[0], ends[1], 255, thick)
    elif shape == 3:
        cv2.circle(canvas, at, round(0.8 * radius), 255, thick)
        cv2.circle(canvas, at, round(0.25 * radius), 255, -1)
    elif shape == 4:
        cv2.fillPoly(canvas, [spiky(2, 0.35)], 255)
    else:
        cv2.fillPoly(canvas, [spiky(4, 0.3)], 255)
        cv2.fillPoly(canvas, [spiky(4, 0.7, 0.5)], 0)


class Scene:
    """A mat before a camera: ``shot`` draws any dice on it. ``seed`` chooses dice, camera, light
    and the mat's colours."""

    def __init__(self, seed: int, size: tuple[int, int] = (1640, 1232), calm: bool = False) -> None:
        chance = random.Random(f"tray {seed}")
        self.style, self.size = style(seed), size
        self.troubles = Troubles(noise=1.5) if calm else random_troubles(chance)
        blur = max(0.3, self.troubles.blur * size[0] / 1640)
        self.troubles = replace(self.troubles, blur=blur, torn=0.0, lost=0.0)
        view = View(
            image_size=size, tilt=chance.uniform(0, 30), turn=chance.uniform(-20, 20),
            roll=chance.uniform(-4, 4), lens=chance.uniform(0.75, 1.3),
            distortion=chance.uniform(-0.1, 0.03), marker_mm=MARKER_MM,
            mat=chance.choice(("#6d6f70", "#8d897f", "#55645c", "#c9c4b8")),
            table=chance.choice(("#8a5f43", "#d8c8a8", "#3b3a3c")),
        )  # fmt: skip
        self.view = _filling(view)
        grey = chance.uniform(0.8, 1.15)
        self._zones = [_tinted(view.mat, grey * chance.uniform(0.93, 1.07)) for _ in ZONES]
        self._chance = chance
        self._room, self._sensor = Room(size), Sensor(size, np.random.default_rng(seed))
        self._count = 0
        self._sun = (chance.uniform(-0.6, 0.6), chance.uniform(-0.6, 0.6))
        self._dark = chance.uniform(0.15, 0.4)
        self._backs: dict[Any, NDArray[np.uint8]] = {}

    def tray(self, learn: bool = True) -> Tray:
        """Return the tray that reads this mat, its dice's faces enrolled."""
        tray = Tray(ZONES, SIZE)
        if learn:
            tray.bare(self.shot([]))
            tray.enrol(self.shot(showing(UNIT)), UNIT)
        return tray

    def shot(self, dice: Sequence[Die], hand: Point | None = None) -> Frame:
        """Return a picture of the dice, with a hand reaching for ``hand``, if any."""
        optics = Optics(self.view, bump=self.troubles.bump_px)
        picture = self._ground(optics).astype(np.float32)
        for die in dice:
            self._cast(picture, die, optics)
        depth = np.full(picture.shape[:2], np.inf, np.float32)
        for die in dice:
            self._put(picture, depth, die, optics)
        light = self._room.light(self.troubles)
        whole = (0, 0, *self.size)
        lit = np.clip(picture * light.over(whole), 0, 255).astype(np.uint8)
        if hand is not None:
            shine = light.tint * float(light.grey.mean())
            draw_hand(lit, optics, hand, (0.2, 0.98), 20.0, self.troubles, shine)
        self._count += 1
        seen = self._sensor.expose(blurred(lit, self.troubles.blur), self.troubles)
        return Frame(seen, 10.0 * self._count, f"{self._count:04d}")

    def trouble(self) -> str:
        """Let something happen to light or camera; return what."""
        chance, now = self._chance, self.troubles
        what = chance.choice(("lamp", "warm", "sun", "shadow", "no shadow", "bump", "noise"))
        changes: dict[str, Any] = {
            "lamp": {"lamp": chance.uniform(0.55, 1.05)},
            "warm": {"warmth": chance.uniform(0.0, 0.7)},
            "sun": {"gradient": chance.uniform(0.0, 0.4)},
            "shadow": {"shadow": chance.uniform(0.1, 0.4)},
            "no shadow": {"shadow": 0.0},
            "bump": {"bump_px": (chance.uniform(-20, 20), chance.uniform(-20, 20))},
            "noise": {"noise": chance.uniform(1.0, 5.0)},
        }[what]
        self.troubles = replace(now, **changes)
        return what

    def _ground(self, optics: Optics) -> NDArray[np.uint8]:
        """Return the mat with its zones and markers, unlit."""
        key = self.troubles.bump_px
        if key not in self._backs:
            half = SIZE[0] / 2, SIZE[1] / 2
            strokes = [Stroke(tuple(box(-half[0], -half[1], *half)), fill=self.view.mat)]
            for fill, outline in zip(self._zones, ZONES.values(), strict=True):
                strokes.append(Stroke(tuple(outline), fill=fill, colour="#2b2b2b", width=0.6))
            for number, at in tray_markers(SIZE)["markers"]["centres_mm"].items():
                strokes += marker(int(number), tuple(at), MARKER_MM)
            width, height = self.size
            canvas = np.empty((2 * height, 2 * width, 3), np.uint8)
            canvas[:] = shade(self.view.table)
            for ink in inks(strokes, optics):
                draw_ink(canvas, ink, (0, 0), 2)
            small = cv2.resize(canvas, self.size, interpolation=cv2.INTER_AREA)
            grain = np.random.default_rng(7).normal(0, 2.0, (height, width, 1))
            self._backs = {key: np.clip(small + grain, 0, 255).astype(np.uint8)}
        return self._backs[key]

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

    def _cast(self, picture: NDArray[np.float32], die: Die, optics: Optics) -> None:
        rotation, middle = self._pose(die)
        corners = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
        world = corners * 0.48 * self.style.side @ rotation.T + middle
        for sun, dark, soft in ((self._sun, self._dark, 1.5), ((0.0, 0.0), 0.12, 4.0)):
            fallen = world[:, :2] + world[:, 2:] * np.array(sun)
            hull = cv2.convexHull(optics.project(fallen).astype(np.float32))[:, 0]
            low = np.floor(hull.min(0)).astype(int) - 14
            high = np.ceil(hull.max(0)).astype(int) + 14
            x0, y0 = np.maximum(low, 0)
            x1, y1 = np.minimum(high, self.size)
            if x1 <= x0 or y1 <= y0:
                continue
            mask = np.zeros((y1 - y0, x1 - x0), np.float32)
            points = np.round((hull - (x0, y0)) * 16).astype(np.int32)
            cv2.fillConvexPoly(mask, points, 1.0, cv2.LINE_AA, 4)
            soften = cv2.GaussianBlur(mask, (0, 0), soft * self.size[0] / 1640 * 1.6)
            picture[y0:y1, x0:x1] *= 1 - dark * soften[..., None]

    def _put(
        self, picture: NDArray[np.float32], depth: NDArray[np.float32], die: Die, optics: Optics
    ) -> None:
        rotation, middle = self._pose(die)
        reach = 0.9 * self.style.side
        around = [
            (die.x + reach * x, die.y + reach * y) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))
        ]
        pixels = np.vstack([optics.project(around), optics.project(around, middle[2] + reach)])
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
        on_mat = cv2.perspectiveTransform(np.stack([xs, ys], -1).reshape(1, -1, 2), back)[0]
        eye = np.array([optics.eye[0], optics.eye[1], -optics.eye[2]])
        way = np.c_[on_mat, np.zeros(len(on_mat))] - eye
        way /= np.linalg.norm(way, axis=1, keepdims=True)
        far, point = self._trace((eye - middle) @ rotation, way @ rotation)
        shape = ys.shape
        hit = np.isfinite(far)
        colour = np.zeros((len(far), 3))
        if hit.any():
            colour[hit] = self._shaded(die, rotation, way[hit], point[hit])
        cover = hit.reshape(shape[0] // fine, fine, -1, fine).mean((1, 3))
        mean = colour.reshape(shape[0] // fine, fine, shape[1] // fine, fine, 3).sum((1, 3))
        mean /= np.maximum(cover, 1e-6)[..., None] * fine * fine
        near = np.where(hit, far, 1e9).reshape(shape[0] // fine, fine, -1, fine).min((1, 3))
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
        sun = np.array([-self._sun[0], -self._sun[1], 1.0])
        sun /= np.linalg.norm(sun)
        bright = 0.55 + 0.45 * np.maximum(normal @ sun, 0) / sun[2]
        half = sun - way
        half /= np.linalg.norm(half, axis=1, keepdims=True)
        shine = style.gloss * np.maximum((normal * half).sum(1), 0) ** 60
        lit = paint * bright[:, None] + 255 * shine[:, None]
        if style.glitter:
            chance = np.random.default_rng(abs(hash((die.shows, die.x, die.y))) % 2**32)
            cells = np.floor((point + 1) * 22).astype(int)
            specks = chance.random((48, 48, 48)) < style.glitter
            lit[specks[tuple(cells.T)]] += 110
        return np.asarray(np.minimum(lit, 255))

    def _inked(self, die: Die, point: Array) -> Array:
        """Return the ink at points of the die; other faces than the top by the colour's sides."""
        axis = np.abs(point).argmax(1)
        ink = np.zeros(len(point))
        for face, shows in enumerate(self._around(die)):
            on, sign = (axis == face // 2), 1 if face % 2 == 0 else -1
            side = on & (sign * point[:, face // 2] > 0)
            across = [k for k in range(3) if k != face // 2]
            picture = texture(shows, self.style.symbols["hit"], self.style.symbols["crit"])
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
            return [f"{colour} {v}" for v in shown]
        faces = [f for f, n in zip(FACES, SIDES[colour], strict=True) for _ in range(n)]
        faces.remove(value)
        order = random.Random(f"{die.shows} {round(die.turn)}").sample(faces, 5)
        return [f"{colour} {face}" for face in [*order[:4], value, order[4]]]


def _filling(view: View) -> View:
    """Return ``view`` so near that the mat just fills the picture."""
    half = np.array(SIZE) / 2
    corners = [(x * half[0], y * half[1]) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    for distance in range(350, 2500, 10):
        nearer = replace(view, distance=float(distance))
        seen = Optics(nearer).project(corners)
        middle = (seen.min(0) + seen.max(0)) / 2
        nearer = replace(nearer, aim=Optics(nearer).board_point(tuple(map(float, middle))))
        seen = Optics(nearer).project(corners)
        rim = 0.02 * view.image_size[0]
        if (seen > rim).all() and (seen < np.array(view.image_size) - rim).all():
            return nearer
    raise AssertionError("the mat does not fit")


def _tinted(colour: str, by: float) -> str:
    return "#" + bytes(int(np.clip(v * by, 0, 255)) for v in shade(colour)[::-1]).hex()


def showing(names: Sequence[str]) -> list[Die]:
    """Return dice for enrolment: one for each name, row by row, apart and flat."""
    chance = random.Random(len(names))
    return [
        Die(name, -120 + 60 * (k % 5) + chance.uniform(-3, 3),
            -90 + 60 * (k // 5) + chance.uniform(-2, 2), chance.uniform(-20, 20))
        for k, name in enumerate(names)
    ]  # fmt: skip


def throw(seed: int, side: float, trouble: bool = True) -> list[Die]:
    """Return a throw: seventeen unit dice and three of pips in the zones, some of them touching,
    and with trouble now and then one on edge or on another."""
    chance = random.Random(f"throw {seed}")
    dice: list[Die] = []
    units = [c for c in COLOURS for _ in range(1 if c == "red" else 4)]
    for colour in units:
        face = chance.choices(FACES, SIDES[colour])[0]
        zone = chance.choice([z for z in ZONES if z != "stats"])
        _lay(dice, f"{colour} {face}", zone, side, chance)
    for colour in ("white", "black", "white"):
        _lay(dice, f"{colour} {chance.randint(1, 6)}", "stats", side, chance)
    if trouble and chance.random() < 0.25:
        victim = chance.randrange(len(dice))
        cocked = replace(dice[victim], lean=chance.uniform(20, 45))
        if all(
            math.dist((cocked.x, cocked.y), (d.x, d.y)) > 1.6 * side
            for d in dice
            if d is not dice[victim]
        ):
            dice[victim] = cocked
    if trouble and chance.random() < 0.2:
        under = chance.choice([d for d in dice if not d.doubtful])
        way = chance.uniform(0, 2 * math.pi)
        off = side * chance.uniform(0.25, 0.45)
        dice.append(Die("green hit", under.x + off * math.cos(way), under.y + off * math.sin(way),
                        chance.uniform(0, 90), rise=side))  # fmt: skip
    return dice


def _lay(dice: list[Die], shows: str, zone: str, side: float, chance: random.Random) -> None:
    """Lay one more die in a zone, beside others, sometimes against one of them."""
    (left, top), _, (right, bottom), _ = ZONES[zone]
    here = [d for d in dice if left < d.x < right and top < d.y < bottom]
    for _ in range(200):
        turn = chance.uniform(0, 90)
        x = chance.uniform(left + 12, right - 12)
        y = chance.uniform(top + 12, bottom - 12)
        if here and chance.random() < 0.2:
            other = chance.choice(here)
            turn, way = other.turn, math.radians(other.turn + 90 * chance.randrange(4))
            slide, gap = chance.uniform(-0.5, 0.5) * side, side * chance.uniform(1.01, 1.05)
            x = other.x + gap * math.cos(way) - slide * math.sin(way)
            y = other.y + gap * math.sin(way) + slide * math.cos(way)
            if not (left + 10 < x < right - 10 and top + 10 < y < bottom - 10):
                continue
            rest = [d for d in dice if d is not other]
        else:
            rest = dice
        if all(math.dist((x, y), (d.x, d.y)) > 1.45 * side for d in rest):
            dice.append(Die(shows, x, y, turn))
            return
