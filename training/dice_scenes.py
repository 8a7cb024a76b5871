"""Pictures to learn dice from: cuts of photographs, and scenes of drawn dice and other things.

A :class:`DiceScene` is a picture and its dice as rows: x, y, longer side (pixels), value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from dice_glossy import SIDE
from dice_paint import lit, paint
from dice_photos import Photo
from dice_sprites import Sprite
from dice_things import Draw, thing
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Pixels = NDArray[np.uint8]
CROP = 96
NOTHING = 7
"""Value of what is no die."""
SHARES = {"byler": 2, "detection": 2, "microscope": 3, "trays": 4, "catan": 4}
"""How often the photographs of each source are shown."""
SMALL, LARGE = 9.0, 27.0
"""Sides in pixels of the dice that the finder is shown; others it finds in other sizes of the
picture."""


@dataclass(frozen=True, eq=False)
class DiceScene:
    """A picture (h, w, 3), BGR, and its dice (n, 4): x, y, size, value."""

    picture: Pixels
    dice: Floats


@dataclass(frozen=True, eq=False)
class Sticker:
    """Something drawn, whole and half as large, blue-green-red and cover; the middle x, y and
    longer side of what is seen of it in the whole one, and its value; ``upright`` if it has a way
    up; ``beside`` is that of :class:`dice_sprites.Sprite`."""

    levels: tuple[Pixels, Pixels]
    box: tuple[float, float, float]
    value: int
    upright: bool = False
    beside: Floats | None = None


@dataclass(eq=False)
class Stock:
    """What scenes are made of: photographs by source, drawn dice and things, drawn dice that are
    turned alike, photographs without dice, and what is taken for dice in some photographs: rows x,
    y, size of dice that are ``found``, with their row of the truth, and of ``hard`` places with
    none."""

    photos: dict[str, list[Photo]]
    dice: list[Sticker]
    alike: list[list[Sticker]]
    things: list[Sticker]
    bare: list[Photo]
    found: dict[Photo, tuple[Floats, NDArray[np.intp]]] = field(default_factory=dict)
    hard: list[tuple[Photo, Floats]] = field(default_factory=list)

    def photo(self, chance: np.random.Generator) -> Photo:
        """Return a photograph with dice, each source as often as its share says."""
        shares = np.array([SHARES[name] for name in self.photos])
        source = list(self.photos)[chance.choice(len(shares), p=shares / shares.sum())]
        return self.photos[source][chance.integers(len(self.photos[source]))]

    def table(self, chance: np.random.Generator, size: int) -> Pixels:
        """Return a ground: drawn, or cut from a photograph without dice."""
        if not self.bare or chance.random() < 0.5:
            return ground(chance, size)
        seen = self.bare[chance.integers(len(self.bare))]
        return anywhere(seen, chance, size)


def sticker(
    picture: Pixels, box: tuple[float, float, float], value: int, upright: bool = False
) -> Sticker:
    """Return a drawing in its two sizes."""
    height, width = picture.shape[:2]
    half = cv2.resize(picture, (width // 2, height // 2), interpolation=cv2.INTER_AREA)
    return Sticker((picture, np.asarray(half, np.uint8)), box, value, upright)


def coloured(one: Sprite, chance: np.random.Generator) -> Sticker:
    """Return a drawn die in some colours and light."""
    return all_coloured([one], chance)[0]


def all_coloured(some: Sequence[Sprite], chance: np.random.Generator) -> list[Sticker]:
    """Return drawn dice in one light, all of one colour or each of its own."""
    light = chance.normal(some[0].up, 0.5)
    light /= np.linalg.norm(light)
    made, one_set = paint(chance), chance.random() < 0.5
    shown = [lit(one, light, made if one_set else paint(chance), chance) for one in some]
    return [
        replace(sticker(drawn, one.box, one.value, one.aslant), beside=one.beside)
        for drawn, one in zip(shown, some, strict=True)
    ]


def lay(
    picture: Floats,
    one: Sticker,
    at: tuple[float, float],
    scale: float,
    chance: np.random.Generator,
    turned: Floats | None = None,
) -> None:
    """Lay something on a picture, with its shadow, turned as it may be or as ``turned`` (2, 2)."""
    level = int(scale < 0.6)
    turned = scale * 2**level * (any_turn(chance, one.upright) if turned is None else turned)
    middle = (np.array(one.box[:2]) + 0.5) / 2**level - 0.5
    matrix = np.c_[turned, np.array(at) - turned @ middle]
    shown = cv2.warpAffine(one.levels[level], matrix, picture.shape[1::-1]).astype(np.float32)
    cover = shown[..., 3:] / 255
    side = scale * one.box[2]
    moved = np.array([[1, 0, 0], [0, 1, 0]], np.float32)
    moved[:, 2] = chance.normal(0, 0.12, 2) * side
    shadow = cv2.warpAffine(cover[..., 0], moved, picture.shape[1::-1])
    shadow = cv2.GaussianBlur(shadow, (0, 0), max(0.5, chance.uniform(0.04, 0.16) * side))
    picture *= 1 - chance.uniform(0.1, 0.6) * shadow[..., None]
    picture *= 1 - cover
    picture += shown[..., :3] * np.minimum(1, cover + 0.02) * (cover > 0)


def found_scene(stock: Stock, chance: np.random.Generator) -> DiceScene:
    """Return a picture for the finder: a cut of a photograph, or a drawn scene."""
    kind = chance.random()
    if kind < 0.46:
        scene = _cut(stock, chance)
    elif kind < 0.57 and stock.bare:
        seen = stock.bare[chance.integers(len(stock.bare))]
        scene = DiceScene(anywhere(seen, chance, CROP), np.zeros((0, 4), np.float32))
    else:
        scene = (_touching if kind > 0.87 else _drawn)(stock, chance)
    return DiceScene(recoloured(scene.picture, chance), scene.dice)


def any_turn(chance: np.random.Generator, upright: bool) -> Floats:
    """Return what turns a picture in any way, or only as cameras are held."""
    angle = chance.normal(0, 0.2) if upright else chance.uniform(0, 2 * np.pi)
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def squeezed(picture: NDArray[np.generic], chance: np.random.Generator) -> tuple[Pixels, Floats]:
    """Return a drawn picture as one that was squeezed into another shape, which those from the net
    often are, and what became of its sides (2,)."""
    sides = np.exp(np.array((0.5, -0.5)) * chance.uniform(np.log(0.75), np.log(1 / 0.75)))
    middle = (np.array(picture.shape[1::-1]) - 1) / 2
    way = np.c_[np.diag(sides), middle - sides * middle]
    seen = np.clip(picture, 0, 255).astype(np.uint8)
    seen = np.asarray(
        cv2.warpAffine(seen, way, picture.shape[1::-1], borderMode=cv2.BORDER_REPLICATE), np.uint8
    )
    return seen, sides.astype(np.float32)


def linear_of(chance: np.random.Generator, scale: float, upright: bool = False) -> Floats:
    turned = any_turn(chance, upright) * scale
    turned[:, 0] *= chance.choice((-1, 1))
    shrunk = np.array((1.0, chance.uniform(0.75, 1.0)))
    return np.asarray(np.diag(chance.permutation(shrunk)) @ turned)


def anywhere(seen: Photo, chance: np.random.Generator, size: int) -> Pixels:
    """Return a cut of a photograph, anywhere and in any size."""
    height, width = seen.levels[0].shape[:2]
    least = min(1.0, 0.7 * size / min(height, width))
    scale = float(np.exp(chance.uniform(np.log(least), np.log(1.5))))
    at = chance.uniform((0, 0), (width, height)).astype(np.float32)
    border = float(chance.uniform(0, 255))
    return np.ascontiguousarray(seen.cut(size, at, linear_of(chance, scale), border)[..., :3])


def _cut(stock: Stock, chance: np.random.Generator) -> DiceScene:
    """Return a cut of a photograph with dice, mostly with one of a size that the finder knows;
    else larger, so that what it sees are parts of dice."""
    seen = stock.photo(chance)
    at, size = chance.uniform((0, 0), seen.levels[0].shape[1::-1]), 30.0
    if len(seen.dice):
        x, y, size, _ = seen.dice[chance.integers(len(seen.dice))]
        off = 0.8 * size if chance.random() < 0.3 else 1.2 * CROP / 20 * size
        at = np.array((x, y)) + chance.uniform(-off, off, 2) / 2
    larger = chance.random() < 0.25
    low, high = (40, 220) if larger else (SMALL, LARGE)
    scale = float(np.exp(chance.uniform(np.log(low), np.log(high)))) / size
    if larger:
        scale = min(scale, 1.6)
    linear = linear_of(chance, scale, seen.upright)
    border = float(chance.uniform(0, 255))
    cut = seen.cut(CROP, np.asarray(at, np.float32), linear, border)
    dice = seen.dice.copy()
    dice[:, :2] = (seen.dice[:, :2] - at) @ linear.T + (CROP - 1) / 2
    dice[:, 2] *= scale * 0.95
    return DiceScene(moved_paper(cut, stock, chance), dice)


def moved_paper(cut: Pixels, stock: Stock, chance: np.random.Generator) -> Pixels:
    """Return the cut, now and then laid on another table where it shows what is paper."""
    picture = np.ascontiguousarray(cut[..., :3])
    if cut[..., 3].min() == 255 or chance.random() < 0.4:
        return picture
    keep = cut[..., 3:].astype(np.float32) / 255
    under = stock.table(chance, len(cut)).astype(np.float32)
    return np.asarray(keep * picture + (1 - keep) * under, np.uint8)


def _drawn(stock: Stock, chance: np.random.Generator) -> DiceScene:
    """Return drawn dice and other things, apart, touching, or lying on each other."""
    picture = stock.table(chance, CROP).astype(np.float32)
    size = float(np.exp(chance.uniform(np.log(SMALL), np.log(LARGE))))
    size *= 5 if chance.random() < 0.12 else 1
    dice: list[list[float]] = []
    row, way = chance.random() < 0.4, chance.uniform(0, 2 * np.pi)
    for _ in range(chance.integers(0, 8)):
        other = chance.random() < 0.45
        pool = stock.things if other else stock.dice
        one = pool[chance.integers(len(pool))]
        own = size * chance.uniform(0.85, 1.15) * (chance.uniform(0.6, 2.0) if other else 1.0)
        x, y = chance.uniform(-10, CROP + 10, 2)
        if dice and chance.random() < 0.6:
            way = way if row else chance.uniform(0, 2 * np.pi)
            far = chance.uniform(0.8, 1.05) * own
            x, y = dice[-1][0] + far * np.cos(way), dice[-1][1] + far * np.sin(way)
        near = min((np.hypot(x - d[0], y - d[1]) / (d[2] + own) for d in dice), default=9.0)
        if near < 0.37 and (other or chance.random() > 0.1):
            continue
        lay(picture, one, (x, y), own / one.box[2], chance)
        if not other:
            dice.append([x, y, own, float(one.value)])
    return _squeezed(picture, dice, chance)


def _touching(stock: Stock, chance: np.random.Generator) -> DiceScene:
    """Return a row or a block of drawn dice that are turned alike, with whole sides against each
    other or in order on the table."""
    picture = stock.table(chance, CROP).astype(np.float32)
    some = stock.alike[chance.integers(len(stock.alike))]
    beside = some[0].beside
    assert beside is not None
    size = float(np.exp(chance.uniform(np.log(SMALL), np.log(LARGE))))
    scale, turned = size / some[0].box[2], any_turn(chance, some[0].upright)
    gap = chance.uniform(1.0, 1.12) if chance.random() < 0.7 else chance.uniform(1.2, 2.5)
    right, down = chance.integers(1, 5), chance.integers(1, 4)
    first = chance.uniform(0.15, 0.85, 2) * CROP
    places = [np.array((x, y)) for x in range(right) for y in range(down)]
    dice: list[list[float]] = []
    # Those nearer to the camera hide a part of those behind them.
    for place in sorted(places, key=lambda place: float(place @ beside[:, 2])):
        one = some[chance.integers(len(some))]
        x, y = first + scale * turned @ ((place - (right // 2, down // 2)) @ beside[:, :2]) * gap
        lay(picture, one, (x, y), scale, chance, turned)
        dice.append([x, y, size, float(one.value)])
    return _squeezed(picture, dice, chance)


def _squeezed(
    picture: Floats, dice: Sequence[Sequence[float]], chance: np.random.Generator
) -> DiceScene:
    rows = np.array(dice, np.float32).reshape(-1, 4)
    seen, sides = squeezed(picture, chance)
    middle = (CROP - 1) / 2
    rows[:, :2] = (rows[:, :2] - middle) * sides + middle
    return DiceScene(seen, rows)


def thing_sticker(chance: np.random.Generator, draw: Draw | None = None) -> Sticker:
    """Return a drawn thing that is no die, of one kind or any."""
    middle = (SIDE - 1) / 2
    return sticker(thing(chance, draw), (middle, middle, 96.0), NOTHING)


def table_with(draw: Draw, chance: np.random.Generator) -> NDArray[np.uint8]:
    """Return a drawn table with things of one kind that are no dice."""
    size = 560
    picture = cv2.resize(ground(chance, 280), (size, size)).astype(np.float32)
    side = float(np.exp(chance.uniform(np.log(30), np.log(200))))
    for _ in range(int(chance.integers(3, 12))):
        one = thing_sticker(chance, draw)
        x, y = chance.uniform(0, size, 2)
        lay(picture, one, (x, y), side * chance.uniform(0.8, 1.2) / 96, chance)
    return np.clip(picture, 0, 255).astype(np.uint8)


def ground(chance: np.random.Generator, size: int = CROP) -> NDArray[np.uint8]:
    """Draw a table: plain, cloth, wood, chequers, or cluttered with round and square things."""
    colour = chance.uniform(10, 250, 3)
    if chance.random() < 0.4:
        colour[:] = colour.mean()
    picture = np.zeros((size, size, 3), np.float32) + colour
    kind = chance.random()
    if kind < 0.35:
        for cell in (4, 16, 64):
            noise = chance.normal(0, chance.uniform(0, 14), (size // cell + 2, size // cell + 2, 1))
            grown = cv2.resize(noise.astype(np.float32), (size, size))
            picture += grown[..., None]
    elif kind < 0.55:
        rows = chance.normal(0, chance.uniform(3, 25), (size, 6)).astype(np.float32)
        picture += np.asarray(cv2.resize(rows, (size, size)))[..., None] * chance.uniform(0.3, 1, 3)
    elif kind < 0.7:
        cell = int(chance.integers(12, 70))
        ys, xs = np.mgrid[:size, :size] // cell
        picture[(ys + xs) % 2 == 0] = chance.uniform(10, 250, 3)
    if chance.random() < 0.45:
        picture = _cluttered(np.clip(picture, 0, 255).astype(np.uint8), chance)
    if chance.random() < 0.5:
        way = cv2.getRotationMatrix2D((size / 2, size / 2), chance.uniform(0, 360), 1.5)
        picture = np.asarray(
            cv2.warpAffine(picture, way, (size, size), borderMode=cv2.BORDER_REFLECT)
        )
    picture += chance.normal(0, chance.uniform(0, 9), picture.shape)
    return np.clip(picture, 0, 255).astype(np.uint8)


def _cluttered(picture: NDArray[np.uint8], chance: np.random.Generator) -> Floats:
    """Lay things that are no dice: discs, rings, cards, lines, letters."""
    size = picture.shape[0]
    for _ in range(chance.integers(1, 14)):
        x, y = (int(v) for v in chance.integers(0, size, 2))
        big = int(np.exp(chance.uniform(np.log(2), np.log(60))))
        colour = tuple(float(v) for v in chance.uniform(0, 255, 3))
        what = chance.integers(5)
        if what == 0:
            cv2.circle(picture, (x, y), big, colour, int(chance.choice((-1, 1, 3))), cv2.LINE_AA)
        elif what == 1:
            box = cv2.boxPoints(
                ((x, y), (big, big * chance.uniform(0.6, 2)), chance.uniform(0, 90))
            )
            cv2.fillConvexPoly(picture, box.astype(np.int32), colour, cv2.LINE_AA)
        elif what == 2:
            end = tuple(int(v) for v in chance.integers(0, size, 2))
            cv2.line(picture, (x, y), end, colour, int(chance.integers(1, 6)), cv2.LINE_AA)
        elif what == 3:
            text = "".join(chance.choice(list("ABCDEOGSQ0189oe8&%"), 3))
            cv2.putText(picture, text, (x, y), int(chance.integers(0, 5)), big / 30, colour,
                        int(chance.integers(1, 4)), cv2.LINE_AA)  # fmt: skip
        else:
            for _ in range(chance.integers(2, 9)):
                at = (
                    int(x + chance.integers(-big, big + 1)),
                    int(y + chance.integers(-big, big + 1)),
                )
                cv2.circle(picture, at, max(1, big // 8), colour, -1, cv2.LINE_AA)
    return picture.astype(np.float32)


def recoloured(picture: NDArray[np.uint8], chance: np.random.Generator) -> NDArray[np.uint8]:
    """Return the picture in another light, by another camera, with dice of other colours."""
    seen = picture.astype(np.float32)
    if chance.random() < 0.3:
        seen = seen[..., chance.permutation(3)]
    if chance.random() < 0.12:
        seen = 255 - seen
    if chance.random() < 0.3:
        grey = seen.mean(2, keepdims=True)
        seen = grey + (seen - grey) * chance.uniform(0, 1.6)
    seen = seen * chance.uniform(0.75, 1.25, 3) if chance.random() < 0.5 else seen
    seen = 255 * (np.clip(seen, 0, 255) / 255) ** np.exp(chance.normal(0, 0.35))
    seen = (seen - 128) * chance.uniform(0.55, 1.25) + 128 + chance.normal(0, 18)
    seen = _in_uneven_light(seen, chance)
    if chance.random() < 0.5:
        wide, high = chance.uniform(0.3, 1.4, 2)
        seen = cv2.GaussianBlur(seen, (0, 0), wide, sigmaY=high)
    if chance.random() < 0.08:
        seen = _moved(seen, chance)
    if chance.random() < 0.2:
        seen += chance.uniform(0.3, 1.2) * (seen - cv2.GaussianBlur(seen, (0, 0), 1.0))
    if chance.random() < 0.3:
        few = max(8, round(len(seen) * chance.uniform(0.35, 0.9)))
        coarse = cv2.resize(seen, (few, few), interpolation=cv2.INTER_AREA)
        seen = np.asarray(cv2.resize(coarse, seen.shape[1::-1]), np.float32)
    seen += chance.normal(0, chance.uniform(0, 8), seen.shape)
    out = np.clip(seen, 0, 255).astype(np.uint8)
    if chance.random() < 0.4:
        coded = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, int(chance.integers(25, 95))])
        out = np.asarray(cv2.imdecode(coded[1], cv2.IMREAD_COLOR), np.uint8)
    return out


def _in_uneven_light(seen: Floats, chance: np.random.Generator) -> Floats:
    """Return a picture in light that falls off, with a shadow's edge and with glare."""
    ys, xs = np.mgrid[: len(seen), : len(seen)].astype(np.float32) / len(seen) - 0.5
    if chance.random() < 0.4:
        way = chance.uniform(-0.7, 0.7, 2)
        seen *= (1 + way[0] * xs + way[1] * ys)[..., None]
    if chance.random() < 0.12:
        # The edge of a shadow.
        angle = chance.uniform(0, 2 * np.pi)
        off = np.cos(angle) * xs + np.sin(angle) * ys + chance.normal(0, 0.2)
        dark = np.clip(off / chance.uniform(0.02, 0.3), 0, 1)
        seen *= 1 - chance.uniform(0.2, 0.7) * dark[..., None]
    if chance.random() < 0.25:
        x, y = chance.uniform(-0.5, 0.5, 2)
        far = ((xs - x) ** 2 + (ys - y) ** 2) / chance.uniform(0.01, 0.2) ** 2
        seen += chance.uniform(20, 160) * np.exp(-far)[..., None]
    return seen


def _moved(picture: Floats, chance: np.random.Generator) -> Floats:
    """Return a picture of a camera that was moved: smeared one way."""
    way, trace = chance.uniform(0, 2 * np.pi), np.zeros((9, 9), np.float32)
    far = chance.uniform(1.0, 4.0) * np.array((np.cos(way), np.sin(way)))
    ends = [tuple(int(v) for v in np.round(16 * (4 + part * far))) for part in (-0.5, 0.5)]
    cv2.line(trace, *ends, 1.0, 1, cv2.LINE_AA, 4)
    return np.asarray(cv2.filter2D(picture, -1, trace / trace.sum()), np.float32)
