"""Pictures to learn dice from: cuts of photographs, and scenes of drawn dice and other things.

A :class:`DiceScene` is a picture and its dice as rows: x, y, longer side (pixels), value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from dice_photos import Photo
from dice_sprites import UNSURE, Sprite
from numpy.typing import NDArray

from vision.dice.dice_net import DIE, PATCH
from vision.dice.dicefind import LOOKS

Floats = NDArray[np.float32]
Pixels = NDArray[np.uint8]
CROP = 96
NOTHING = 7
"""Value of what is no die."""
SHARES = {"byler": 2, "detection": 2, "microscope": 3, "trays": 4, "catan": 4}
"""How often the photographs of each source are shown."""
LOOSE, EXACT = 0.08, 0.03
"""Parts of a die's side by which a patch is off: of a told die as finds are, of a find hardly."""
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
    turned alike, photographs without dice, and rows x, y, size, value of what the finders see in
    some photographs: dice that are ``found``, and ``hard`` places with none."""

    photos: dict[str, list[Photo]]
    dice: list[Sticker]
    alike: list[list[Sticker]]
    things: list[Sticker]
    bare: list[Photo]
    found: dict[Photo, Floats] = field(default_factory=dict)
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
        return _anywhere(seen, chance, size)


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
    colours, one_set = _colours(chance), chance.random() < 0.5
    return [_lit(one, light, colours if one_set else _colours(chance), chance) for one in some]


def _lit(
    one: Sprite, light: Floats, colours: tuple[Floats, Floats, Floats], chance: np.random.Generator
) -> Sticker:
    body, marble, ink = colours
    veins = np.sin(
        (one.place @ chance.normal(0, 7, 3)) + 2 * np.sin(one.place @ chance.normal(0, 6, 3))
    )
    mixed = np.where(veins[..., None] > 0.3, marble, body)
    colour = mixed * (1 - one.ink[..., None]) + ink * one.ink[..., None]
    shade = chance.uniform(0.3, 0.75) + 0.6 * np.clip(one.normal @ light, 0, 1)
    half = light + np.array((0, 0, 1))
    half /= np.linalg.norm(half)
    gloss = np.clip(one.normal @ half, 0, 1) ** chance.choice((12, 30, 80))
    lit = colour * shade[..., None] + chance.uniform(0, 200) * gloss[..., None]
    whole = np.dstack([np.clip(lit, 0, 255), 255 * one.alpha]).astype(np.uint8)
    return replace(sticker(whole, one.box, one.value, one.aslant), beside=one.beside)


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
    turned = scale * 2**level * (_turned(chance, one.upright) if turned is None else turned)
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
    if kind < 0.52:
        scene = _cut(stock, chance)
    elif kind < 0.64 and stock.bare:
        seen = stock.bare[chance.integers(len(stock.bare))]
        scene = DiceScene(_anywhere(seen, chance, CROP), np.zeros((0, 4), np.float32))
    else:
        scene = _drawn(stock, chance)
    return DiceScene(recoloured(scene.picture, chance), scene.dice)


def _turned(chance: np.random.Generator, upright: bool) -> Floats:
    """Return what turns a picture in any way, or only as cameras are held."""
    angle = chance.normal(0, 0.2) if upright else chance.uniform(0, 2 * np.pi)
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def _squeezed(picture: NDArray[np.generic], chance: np.random.Generator) -> tuple[Pixels, Floats]:
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


def _linear(chance: np.random.Generator, scale: float, upright: bool = False) -> Floats:
    turned = _turned(chance, upright) * scale
    turned[:, 0] *= chance.choice((-1, 1))
    shrunk = np.array((1.0, chance.uniform(0.75, 1.0)))
    return np.asarray(np.diag(chance.permutation(shrunk)) @ turned)


def _anywhere(seen: Photo, chance: np.random.Generator, size: int) -> Pixels:
    """Return a cut of a photograph, anywhere and in any size."""
    height, width = seen.levels[0].shape[:2]
    least = min(1.0, 0.7 * size / min(height, width))
    scale = float(np.exp(chance.uniform(np.log(least), np.log(1.5))))
    at = chance.uniform((0, 0), (width, height)).astype(np.float32)
    border = float(chance.uniform(0, 255))
    return np.ascontiguousarray(seen.cut(size, at, _linear(chance, scale), border)[..., :3])


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
    linear = _linear(chance, scale, seen.upright)
    border = float(chance.uniform(0, 255))
    cut = seen.cut(CROP, np.asarray(at, np.float32), linear, border)
    dice = seen.dice.copy()
    dice[:, :2] = (seen.dice[:, :2] - at) @ linear.T + (CROP - 1) / 2
    dice[:, 2] *= scale * 0.95
    return DiceScene(_moved(cut, stock, chance), dice)


def _moved(cut: Pixels, stock: Stock, chance: np.random.Generator) -> Pixels:
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
    rows = np.array(dice, np.float32).reshape(-1, 4)
    seen, sides = _squeezed(picture, chance)
    middle = (CROP - 1) / 2
    rows[:, :2] = (rows[:, :2] - middle) * sides + middle
    return DiceScene(seen, rows)


def read_patch(stock: Stock, chance: np.random.Generator) -> tuple[Pixels, int]:
    """Return a patch for the reader, with a die as it will be found or without one, and its
    value."""
    kind = chance.random()
    if kind < 0.40:
        patch, value = _photographed(stock, chance)
    elif kind < 0.68:
        patch, value = _laid(stock, chance)
    elif kind < 0.77:
        patch, value = _part(stock, chance)
    elif kind < 0.82 or not stock.hard:
        patch, value = stock.table(chance, PATCH), NOTHING
    else:
        patch, value = _seen(*stock.hard[chance.integers(len(stock.hard))], EXACT, chance), NOTHING
    return recoloured(np.ascontiguousarray(patch[..., :3]), chance), value


def _as_looked(chance: np.random.Generator, off: float) -> tuple[Floats, float]:
    """Return by how much a patch misses a die's middle, in sides, and how large it shows the die,
    in any of the looks that the reader takes at a place which is ``off`` by so much."""
    larger = (1.0, *(look for look, _ in LOOKS))[chance.integers(1 + len(LOOKS))]
    size = float(np.exp(chance.normal(0, 1.6 * off))) / larger
    return chance.normal(0, off, 2).astype(np.float32), size


def _seen(seen: Photo, place: Floats, off: float, chance: np.random.Generator) -> Pixels:
    """Return the patch of a place in a photograph, which is ``off`` by so much."""
    moved, larger = _as_looked(chance, off)
    linear = _linear(chance, larger * DIE / float(place[2]), seen.upright)
    at = (place[:2] + moved * place[2]).astype(np.float32)
    return seen.cut(PATCH, at, linear, float(chance.uniform(0, 255)))


def _photographed(stock: Stock, chance: np.random.Generator) -> tuple[Pixels, int]:
    seen = stock.photo(chance)
    if not len(seen.dice):
        return stock.table(chance, PATCH), NOTHING
    found = seen in stock.found and chance.random() < 0.5
    rows, off = (stock.found[seen], EXACT) if found else (seen.dice, LOOSE)
    place = rows[chance.integers(len(rows))]
    return _moved(_seen(seen, place, off, chance), stock, chance), int(place[3])


def _part(stock: Stock, chance: np.random.Generator) -> tuple[Pixels, int]:
    """Return a part of a die, or several, as if it were one: a pip, a corner, a heap."""
    seen = stock.photo(chance)
    if not len(seen.dice):
        return stock.table(chance, PATCH), NOTHING
    x, y, size, _ = seen.dice[chance.integers(len(seen.dice))]
    way, kind = chance.uniform(0, 2 * np.pi), chance.random()
    if kind < 0.6:
        own, far = size * chance.uniform(0.12, 0.55), chance.uniform(0, 0.45)
    elif kind < 0.85:
        own, far = size * chance.uniform(0.7, 1.3), chance.uniform(0.55, 1.0)
    else:
        own, far = size * chance.uniform(1.9, 4.0), chance.uniform(0, 1.0)
    at = np.array((x, y)) + far * size * np.array((np.cos(way), np.sin(way)))
    off = np.hypot(*(seen.dice[:, :2] - at).T) / seen.dice[:, 2]
    if kind >= 0.6 and np.any((off < 0.45) & (np.abs(np.log(own / seen.dice[:, 2])) < 0.6)):
        return stock.table(chance, PATCH), NOTHING
    linear = _linear(chance, DIE / own, seen.upright)
    cut = seen.cut(PATCH, np.asarray(at, np.float32), linear, float(chance.uniform(0, 255)))
    return np.ascontiguousarray(cut[..., :3]), NOTHING


def _laid(stock: Stock, chance: np.random.Generator) -> tuple[Pixels, int]:
    """Return a patch with a drawn die or thing in its middle, and perhaps others round it."""
    picture = stock.table(chance, PATCH).astype(np.float32)
    die = chance.random() < 0.7
    if die and chance.random() < 0.4:
        return _among_alike(picture, stock, chance)
    # Half of the dice are seen aslant, those beside them as well.
    aslant = chance.random() < 0.5
    dice = [one for one in stock.dice if one.upright == aslant]
    pool = dice if die else stock.things
    one = pool[chance.integers(len(pool))]
    middle = (PATCH - 1) / 2
    for _ in range(chance.integers(0, 4)):
        beside = dice[chance.integers(len(dice))]
        way, far = chance.uniform(0, 2 * np.pi), chance.uniform(0.95, 1.4) * DIE
        at = middle + far * np.cos(way), middle + far * np.sin(way)
        lay(picture, beside, at, DIE / beside.box[2], chance)
    moved, larger = _as_looked(chance, LOOSE)
    x, y = middle + moved * DIE * larger
    scale, value = larger * DIE / one.box[2], one.value
    if not die:
        scale *= chance.uniform(0.8, 1.5)
    elif one.upright and chance.random() < 0.35:
        # What is found is but a face: the top tells the value, a side is no die.
        top = chance.random() < 0.4
        larger = 1 / chance.uniform(0.55, 0.8)
        x += larger * chance.uniform(-0.2, 0.2) * DIE
        y += larger * (chance.uniform(0.1, 0.25) if top else -chance.uniform(0.15, 0.35)) * DIE
        scale, value = larger * scale, value if top else NOTHING
    lay(picture, one, (x, y), scale, chance)
    if die and value != NOTHING and chance.random() < 0.08:
        over = dice[chance.integers(len(dice))]
        way, far = chance.uniform(0, 2 * np.pi), chance.uniform(0.3, 0.6) * DIE
        at = x + far * np.cos(way), y + far * np.sin(way)
        lay(picture, over, at, DIE / over.box[2], chance)
        value = UNSURE
    return _squeezed(picture, chance)[0], value


def _among_alike(picture: Floats, stock: Stock, chance: np.random.Generator) -> tuple[Pixels, int]:
    """Return a patch with a drawn die in its middle and others that touch it with whole sides, in
    a row or a block: what tells them from a domino is the gap, not the dice beside."""
    some = stock.alike[chance.integers(len(stock.alike))]
    moved, larger = _as_looked(chance, LOOSE)
    middle = (PATCH - 1) / 2 + moved * DIE * larger
    gap = chance.uniform(1.0, 1.12)
    scale = larger * DIE / some[0].box[2]
    turned = _turned(chance, some[0].upright)
    sides = [(0, 0)]
    row = chance.random() < 0.5
    for right, down in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)]:
        if chance.random() < (0.1 if row and down else 0.75 if row else 0.35):
            sides.append((right, down))
    own = some[chance.integers(len(some))]
    assert own.beside is not None
    # Those nearer to the camera hide a part of those behind them.
    for side in sorted(sides, key=lambda side: float(np.array(side) @ own.beside[:, 2])):
        one = own if side == (0, 0) else some[chance.integers(len(some))]
        at = middle + scale * turned @ (np.array(side) @ own.beside[:, :2]) * gap
        lay(picture, one, (at[0], at[1]), scale, chance, turned)
    return _squeezed(picture, chance)[0], own.value


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


def _colours(chance: np.random.Generator) -> tuple[Floats, Floats, Floats]:
    """Return the colours of body, marbling and pips that can be told apart."""
    while True:
        body, ink = chance.uniform(5, 255, (2, 3))
        if chance.random() < 0.4:
            body = np.full(3, float(chance.choice((20, 35, 235, 250)))) + chance.normal(0, 8, 3)
        if chance.random() < 0.7:
            ink = np.full(3, float(chance.choice((10, 25, 240, 252))))
        if np.abs(body - ink).max() > 90:
            break
    marble = body + chance.normal(0, 70, 3) * (chance.random() < 0.5)
    return body, marble, ink


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
    seen = 255 * (np.clip(seen, 0, 255) / 255) ** np.exp(chance.normal(0, 0.3))
    seen = (seen - 128) * chance.uniform(0.55, 1.25) + 128 + chance.normal(0, 18)
    ys, xs = np.mgrid[: len(seen), : len(seen)].astype(np.float32) / len(seen) - 0.5
    if chance.random() < 0.4:
        way = chance.uniform(-0.7, 0.7, 2)
        seen *= (1 + way[0] * xs + way[1] * ys)[..., None]
    if chance.random() < 0.25:
        x, y = chance.uniform(-0.5, 0.5, 2)
        far = ((xs - x) ** 2 + (ys - y) ** 2) / chance.uniform(0.01, 0.2) ** 2
        seen += chance.uniform(20, 160) * np.exp(-far)[..., None]
    if chance.random() < 0.5:
        wide, high = chance.uniform(0.3, 1.2, 2)
        seen = cv2.GaussianBlur(seen, (0, 0), wide, sigmaY=high)
    if chance.random() < 0.2:
        seen += chance.uniform(0.3, 1.2) * (seen - cv2.GaussianBlur(seen, (0, 0), 1.0))
    if chance.random() < 0.3:
        few = max(8, round(len(seen) * chance.uniform(0.35, 0.9)))
        coarse = cv2.resize(seen, (few, few), interpolation=cv2.INTER_AREA)
        seen = np.asarray(cv2.resize(coarse, seen.shape[1::-1]), np.float32)
    seen += chance.normal(0, chance.uniform(0, 8), seen.shape)
    out = np.clip(seen, 0, 255).astype(np.uint8)
    if chance.random() < 0.4:
        coded = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, int(chance.integers(35, 95))])
        out = np.asarray(cv2.imdecode(coded[1], cv2.IMREAD_COLOR), np.uint8)
    return out
