"""A simulated mat with dice: rays traced onto rounded cubes with pips or symbols, with trouble.

Used by the short tests (vision/test_tray.py) and by soak/soak_tray.py to measure.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.rules import Point, Stroke
from companion.simulation.dice_painter import SHAPES, DicePainter, DiceStyle, Die
from companion.simulation.hand import draw_hand
from companion.simulation.sensor import Sensor, SimulatedRoom, blurred
from companion.simulation.troubles import Troubles, random_troubles
from vision.board.optics import CameraView, Optics
from vision.board.printing import marker, shade
from vision.dice.tray import Tray
from vision.dice.traymat import MARKER_MM, tray_markers
from vision.frames import Frame

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
AROUND = {c: tuple(f for f, n in zip(FACES, SIDES[c], strict=True) for _ in range(n))
          for c in COLOURS}  # fmt: skip
UNIT = tuple(f"{c} {f}" for c in COLOURS for f, n in zip(FACES, SIDES[c], strict=True) if n)
"""The fourteen different faces of unit dice."""


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


def style(seed: int) -> DiceStyle:
    """Return the dice of the evening with this seed."""
    chance = random.Random(f"tray style {seed}")
    hit, crit = chance.sample(range(SHAPES), 2)
    light, dark = (240, 238, 230), (22, 22, 24)
    vary = lambda c: tuple(int(np.clip(v * chance.uniform(0.85, 1.12), 0, 255)) for v in c)  # noqa: E731
    pale = {"yellow", "white"}
    return DiceStyle(
        chance.uniform(14.0, 17.0), chance.uniform(0.07, 0.2), {"hit": hit, "crit": crit},
        {name: vary(body) for name, body in BODIES.items()},
        {name: dark if name in pale else light for name in BODIES}, AROUND,
        chance.choice((0.0, 0.25, 0.5)), chance.choice((0.0, 0.0, 0.015)),
    )  # fmt: skip


class Scene:
    """A mat before a camera: ``shot`` draws any dice on it. ``seed`` chooses dice, camera, light
    and the mat's colours."""

    def __init__(self, seed: int, size: tuple[int, int] = (1640, 1232), calm: bool = False) -> None:
        chance = random.Random(f"tray {seed}")
        self.style, self.size = style(seed), size
        self.troubles = Troubles(noise=1.5) if calm else random_troubles(chance)
        blur = max(0.3, self.troubles.blur * size[0] / 1640)
        self.troubles = replace(self.troubles, blur=blur, torn=0.0, lost=0.0)
        view = CameraView(
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
        self._room, self._sensor = SimulatedRoom(size), Sensor(size, np.random.default_rng(seed))
        self._count = 0
        sun = (chance.uniform(-0.6, 0.6), chance.uniform(-0.6, 0.6))
        self.style = replace(self.style, sun=sun, dark=chance.uniform(0.15, 0.4))
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
        painter = self._painter()
        picture = self._ground(painter).astype(np.float32)
        painter.put(picture, dice)
        light = self._room.light(self.troubles)
        whole = (0, 0, *self.size)
        lit = np.clip(picture * light.over(whole), 0, 255).astype(np.uint8)
        if hand is not None:
            shine = light.tint * float(light.grey().mean())
            draw_hand(lit, painter.optics, hand, (0.2, 0.98), 20.0, self.troubles, shine)
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

    def _painter(self) -> DicePainter:
        return DicePainter(self.style, Optics(self.view, bump=self.troubles.bump_px))

    def _ground(self, painter: DicePainter) -> NDArray[np.uint8]:
        """Return the mat with its zones and markers, unlit."""
        key = self.troubles.bump_px
        if key not in self._backs:
            half = SIZE[0] / 2, SIZE[1] / 2
            strokes = [Stroke(tuple(box(-half[0], -half[1], *half)), fill=self.view.mat)]
            for fill, outline in zip(self._zones, ZONES.values(), strict=True):
                strokes.append(Stroke(tuple(outline), fill=fill, colour="#2b2b2b", width=0.6))
            for number, at in tray_markers(SIZE)["markers"]["centres_mm"].items():
                strokes += marker(int(number), tuple(at), MARKER_MM)
            self._backs = {key: painter.ground(strokes)}
        return self._backs[key]


def _filling(view: CameraView) -> CameraView:
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
