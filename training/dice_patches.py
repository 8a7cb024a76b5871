"""Patches to learn the reading of dice from: with a die, as the program looks at it, or without.

What is told of a patch is the die's value, or ``NOTHING``, and where the die lies: how far its
middle is right and down of the patch's, in ``DIE`` pixels, and the logarithm of its side in these;
nothing (NaN) where that is not to be told.
"""

from __future__ import annotations

import cv2
import numpy as np
from dice_photos import Photo
from dice_scenes import NOTHING, Stock, any_turn, lay, linear_of, moved_paper, recoloured, squeezed
from dice_sprites import UNSURE
from numpy.typing import NDArray

from vision.dice.dice_net import DIE, PATCH
from vision.dice.dicefind import LOOKS

Floats = NDArray[np.float32]
Pixels = NDArray[np.uint8]
FIRST, AGAIN = 0.11, 0.04
"""Parts of a die's side by which places are off: as found, and as the reader mends them."""
LONG = 0.95
"""Longer side of a die in a patch, as it is squeezed, against what it was."""
NOWHERE = np.full(3, np.nan, np.float32)
Patch = tuple[Pixels, int, Floats]


def read_patch(stock: Stock, chance: np.random.Generator) -> Patch:
    """Return a patch for the reader, with a die or without one, its value and where it lies."""
    kind = chance.random()
    if kind < 0.46:
        patch, value, lies = _photographed(stock, chance)
    elif kind < 0.74:
        patch, value, lies = _laid(stock, chance)
    elif kind < 0.81:
        patch, value, lies = _part(stock, chance), NOTHING, NOWHERE
    elif kind < 0.85 or not stock.hard:
        patch, value, lies = stock.table(chance, PATCH), NOTHING, NOWHERE
    else:
        seen, place = stock.hard[chance.integers(len(stock.hard))]
        patch, value, lies = _seen(seen, place, place, AGAIN, chance)[0], NOTHING, NOWHERE
    patch = np.ascontiguousarray(patch[..., :3])
    if chance.random() < 0.1:
        patch = _beside(patch, chance)
    return recoloured(patch, chance), value, lies


def _beside(patch: Pixels, chance: np.random.Generator) -> Pixels:
    """Return a patch at the edge of its picture, which goes on as its last pixels do, or with a
    finger that reaches in; what is in the middle is still seen."""
    middle = (PATCH - 1) / 2
    if chance.random() < 0.6:
        turns, end = int(chance.integers(4)), int(chance.uniform(middle + 11, PATCH - 1))
        turned = np.rot90(patch, turns).copy()
        turned[:, end:] = turned[:, end : end + 1]
        return np.ascontiguousarray(np.rot90(turned, -turns))
    way, thick = chance.uniform(0, 2 * np.pi), chance.uniform(7, 22)
    ways = way, way + chance.normal(0, 0.3)
    ends = [
        tuple(int(v) for v in middle + far * np.array((np.cos(angle), np.sin(angle))))
        for far, angle in zip((12 + thick / 2 + chance.uniform(0, 8), 60), ways, strict=True)
    ]
    skin = chance.uniform(0.25, 1.1) * np.array((150, 175, 225)) * np.exp(chance.normal(0, 0.1, 3))
    for part, shade in ((1.0, 0.8), (0.7, 1.0)):
        cv2.line(patch, *ends, (shade * skin).tolist(), max(1, int(part * thick)), cv2.LINE_AA)
    return patch


def _as_looked(chance: np.random.Generator, off: float | None = None) -> tuple[Floats, float]:
    """Return by how much a patch misses a die's middle, in sides, and how large it shows the die:
    at the first look or at one of those that follow, which one ``off`` says, or chance."""
    if off is None:
        off = FIRST if chance.random() < 0.5 else AGAIN
    larger = 1.0 if off == FIRST else LOOKS[chance.integers(len(LOOKS))][0]
    size = float(np.exp(chance.normal(0, 1.7 * off))) / larger
    return chance.normal(0, off, 2).astype(np.float32), size


def _lies(x: float, y: float, larger: float) -> Floats:
    """Return what is told of where a die lies that is ``larger`` than it should be."""
    return np.array((x, y, np.log(LONG * larger)), np.float32)


def _seen(
    seen: Photo, place: Floats, die: Floats, off: float | None, chance: np.random.Generator
) -> tuple[Pixels, Floats]:
    """Return the patch of a place in a photograph, which is ``off`` by so much, and where in it
    the die lies."""
    moved, larger = _as_looked(chance, off)
    scale = larger * DIE / float(place[2])
    linear = linear_of(chance, scale, seen.upright)
    at = (place[:2] + moved * place[2]).astype(np.float32)
    right, down = linear @ (die[:2] - at) / DIE
    cut = seen.cut(PATCH, at, linear, float(chance.uniform(0, 255)))
    return cut, _lies(right, down, scale * float(die[2]) / DIE)


def _photographed(stock: Stock, chance: np.random.Generator) -> Patch:
    seen = stock.photo(chance)
    if not len(seen.dice):
        return stock.table(chance, PATCH), NOTHING, NOWHERE
    if seen in stock.found and chance.random() < 0.5:
        rows, which = stock.found[seen]
        k = chance.integers(len(rows))
        die, place, off = seen.dice[which[k]], rows[k], AGAIN
    else:
        die = place = seen.dice[chance.integers(len(seen.dice))]
        off = None
    cut, lies = _seen(seen, place, die, off, chance)
    return moved_paper(cut, stock, chance), int(die[3]), lies


def _part(stock: Stock, chance: np.random.Generator) -> Pixels:
    """Return a part of a die, or several, as if it were one: a pip, a corner, a heap."""
    seen = stock.photo(chance)
    if not len(seen.dice):
        return stock.table(chance, PATCH)
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
        return stock.table(chance, PATCH)
    linear = linear_of(chance, DIE / own, seen.upright)
    cut = seen.cut(PATCH, np.asarray(at, np.float32), linear, float(chance.uniform(0, 255)))
    return np.ascontiguousarray(cut[..., :3])


def _laid(stock: Stock, chance: np.random.Generator) -> Patch:
    """Return a patch with a drawn die or thing in its middle, and perhaps others round it."""
    picture = stock.table(chance, PATCH).astype(np.float32)
    kind = chance.random()
    if kind < 0.28:
        return _among_alike(picture, stock, chance)
    # Half of the dice are seen aslant, those beside them as well.
    aslant = chance.random() < 0.5
    dice = [one for one in stock.dice if one.upright == aslant]
    middle = (PATCH - 1) / 2
    for _ in range(chance.integers(0, 4)):
        beside = dice[chance.integers(len(dice))]
        way, far = chance.uniform(0, 2 * np.pi), chance.uniform(0.95, 1.4) * DIE
        at = middle + far * np.cos(way), middle + far * np.sin(way)
        lay(picture, beside, at, DIE / beside.box[2], chance)
    if kind > 0.7:
        return _thing(picture, stock, chance), NOTHING, NOWHERE
    one = dice[chance.integers(len(dice))]
    moved, larger = _as_looked(chance)
    x, y = moved * larger
    value = one.value
    if one.upright and chance.random() < 0.35:
        # What is found is but a face: the top tells the value, a side is no die.
        top = chance.random() < 0.4
        larger = 1 / chance.uniform(0.55, 0.8)
        x += larger * chance.uniform(-0.2, 0.2)
        y += larger * (chance.uniform(0.1, 0.25) if top else -chance.uniform(0.15, 0.35))
        value = value if top else NOTHING
    lay(picture, one, (middle + x * DIE, middle + y * DIE), larger * DIE / one.box[2], chance)
    if value != NOTHING and chance.random() < 0.08:
        over = dice[chance.integers(len(dice))]
        way, far = chance.uniform(0, 2 * np.pi), chance.uniform(0.3, 0.6)
        at = x + far * np.cos(way), y + far * np.sin(way)
        lay(picture, over, (middle + at[0] * DIE, middle + at[1] * DIE), DIE / over.box[2], chance)
        value = UNSURE
    drawn, sides = squeezed(picture, chance)
    return drawn, value, _lies(x * sides[0], y * sides[1], larger / LONG)


def _thing(picture: Floats, stock: Stock, chance: np.random.Generator) -> Pixels:
    """Return a patch with a drawn thing that is no die in its middle."""
    one = stock.things[chance.integers(len(stock.things))]
    moved, larger = _as_looked(chance)
    larger *= chance.uniform(0.8, 1.5)
    x, y = (PATCH - 1) / 2 + moved * DIE * larger
    lay(picture, one, (x, y), larger * DIE / one.box[2], chance)
    return squeezed(picture, chance)[0]


def _among_alike(picture: Floats, stock: Stock, chance: np.random.Generator) -> Patch:
    """Return a patch with a drawn die in its middle and others that touch it with whole sides, in
    a row or a block: what tells them from a domino is the gap, not the dice beside."""
    some = stock.alike[chance.integers(len(stock.alike))]
    moved, larger = _as_looked(chance)
    middle = (PATCH - 1) / 2 + moved * DIE * larger
    gap = chance.uniform(1.0, 1.12)
    scale = larger * DIE / some[0].box[2]
    turned = any_turn(chance, some[0].upright)
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
    drawn, squeeze = squeezed(picture, chance)
    return drawn, own.value, _lies(*(moved * larger * squeeze), larger / LONG)
