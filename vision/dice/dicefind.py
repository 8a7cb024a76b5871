"""Find and read every pip die in a photograph, whatever its size, colour and ground."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.dice import read_die
from vision.dice.dice_net import CELL, USUAL, Maps, dice_nets
from vision.dice.pips import SIZE
from vision.frames import Image

LONGEST = 2560
"""Pixels of the longer side in which a picture is examined, and in halves of that, so that dice of
any size appear in one of the sizes that the net was taught."""
FOUND, SURE = 0.68, 0.6
"""Probability from which there is a die, and from which its value is sure."""
SHOWN = 20.0, 80.0
"""Sides in pixels that the net can read; the others are seen in another size of the picture."""
SAME = 0.4
"""Two finds nearer to each other than this part of a die's side are one die."""
LIE_ON = 0.7
"""Part of their sides: if two dice are nearer, they cannot both lie on the table."""
ALIKE = 2.3
"""Greatest factor between the sizes of dice in one photograph; what is larger or smaller is
print."""

PATCH, DIE = 48, 30
"""Pixels of the patches in which the net reads values, and of a die's side in them."""
AROUND = 1.45
"""Sides that a patch measures in which pips are looked for."""
PIPS, LEAST = 0.5, 1e-6
"""Weight of what the pips say against what the net says, and what they never rule out."""


Says = Callable[[NDArray[np.uint8]], Maps]


@dataclass(frozen=True, slots=True)
class Find:
    """Where a die may be: its middle, longer side (pixels) and probability."""

    x: float
    y: float
    size: float
    die: float


@dataclass(frozen=True, slots=True)
class FoundDie:
    """A die: ``x`` and ``y`` of the middle of what is seen of it and ``size``, the longer side of
    its box, in pixels, origin top left. ``p`` is the probability of ``value``, ``die`` that there
    is a die at all. ``sure`` is False for one on edge, on another die, or hard to read."""

    value: int
    x: float
    y: float
    size: float
    p: float
    die: float
    sure: bool = True


def find_dice(picture: Image, nets: tuple[Says, Says] | None = None) -> list[FoundDie]:
    """Return the dice in ``picture`` (BGR), from top to bottom; ``nets`` are finder and reader."""
    finder, reader = nets or dice_nets()
    found: list[Find] = []
    for scale in scales(picture.shape[1], picture.shape[0]):
        found += finds(_scaled(picture, scale), finder, scale)
    dice = _doubted(_of_one_size(_read(picture, _distinct(found), reader)))
    return sorted(dice, key=lambda die: (die.y, die.x))


def scales(width: int, height: int) -> list[float]:
    """Return the scales that a picture is looked at in, the finest first."""
    longest = max(width, height)
    finest = min(2.0, LONGEST / longest)
    steps = max(1, int(np.log2(max(1.0, finest * longest / 160))) + 1)
    return [finest / 2**k for k in range(steps)]


def _scaled(picture: Image, scale: float) -> Image:
    size = max(8, round(picture.shape[1] * scale)), max(8, round(picture.shape[0] * scale))
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(picture, size, interpolation=way), np.uint8)


def finds(picture: Image, finder: Says, scale: float) -> list[Find]:
    """Return the peaks of the finder's answers for one size of the picture."""
    height, width = picture.shape[:2]
    edges = ((0, -height % CELL), (0, -width % CELL), (0, 0))
    maps = finder(np.pad(picture, edges, mode="edge")[None])[0]
    die = 1 / (1 + np.exp(-np.clip(maps[0], -30, 30)))
    peak = (die >= np.asarray(cv2.dilate(die, np.ones((3, 3), np.uint8)))) & (die > FOUND)
    found = []
    for row, column in zip(*np.nonzero(peak), strict=True):
        size = USUAL * float(np.exp(np.clip(maps[1, row, column], -2, 2)))
        if SHOWN[0] <= size <= SHOWN[1]:
            right, down = (float(v) for v in np.clip(maps[2:, row, column], -2, 2))
            x, y = (float(column) + 0.5 + right) * CELL, (float(row) + 0.5 + down) * CELL
            at = (x - 0.5) / scale, (y - 0.5) / scale
            found.append(Find(*at, size / scale, float(die[row, column])))
    return found


def _distinct(found: Sequence[Find]) -> list[Find]:
    """Return each die once, as it is surest to be one."""
    kept: list[Find] = []
    for die in sorted(found, key=lambda die: -die.die):
        if all(_apart(die, other) > SAME for other in kept):
            kept.append(die)
    return kept


def _read(picture: Image, found: Sequence[Find], reader: Says) -> list[FoundDie]:
    """Read the value of each: by the net, as it lies and turned by quarters, and by its pips."""
    if not found:
        return []
    patches = np.stack([_cut(picture, die, die.size * PATCH / DIE, PATCH) for die in found])
    turned = np.concatenate([np.rot90(patches, quarter, (1, 2)) for quarter in range(4)])
    odds = reader(turned).reshape(4, len(found), -1).mean(0)
    p = np.exp(odds - odds.max(1, keepdims=True))
    p /= p.sum(1, keepdims=True)
    dice = []
    for find, own in zip(found, p, strict=True):
        die = find.die * float(1 - own[7])
        if die > FOUND:
            pips = read_die(_cut(picture, find, find.size * AROUND, SIZE)).faces
            both = own[1:7] * (np.array(pips) + LEAST) ** PIPS
            value = 1 + int(both.argmax())
            sure = float(both[value - 1] / both.sum() * (1 - own[0]))
            dice.append(FoundDie(value, find.x, find.y, find.size, sure, die))
    return dice


def _cut(picture: Image, die: Find, width: float, size: int) -> Image:
    """Return the square of ``width`` pixels round a die in ``size`` pixels."""
    scale = size / width
    left, top, cut = 0, 0, picture
    if scale < 0.5:
        reach = round(width)
        left, top = max(0, round(die.x) - reach), max(0, round(die.y) - reach)
        cut = picture[top : round(die.y) + reach, left : round(die.x) + reach]
        cut = np.asarray(cv2.blur(cut, (max(1, round(0.6 / scale)),) * 2), np.uint8)
    middle = (size - 1) / 2
    x, y = middle - scale * (die.x - left), middle - scale * (die.y - top)
    way = np.array([[scale, 0, x], [0, scale, y]])
    return np.asarray(
        cv2.warpAffine(cut, way, (size, size), borderMode=cv2.BORDER_REPLICATE), np.uint8
    )


def _of_one_size(found: Sequence[FoundDie]) -> list[FoundDie]:
    if not found:
        return []
    order = sorted(found, key=lambda die: die.size)
    below = np.cumsum([die.die * die.p for die in order])
    usual = order[int(np.searchsorted(below, below[-1] / 2))].size
    return [die for die in order if usual / ALIKE < die.size < usual * ALIKE]


def _doubted(found: Sequence[FoundDie]) -> list[FoundDie]:
    """Return the dice, unsure where they lie on each other or cannot be told."""
    return [
        FoundDie(
            die.value, die.x, die.y, die.size, die.p, die.die,
            die.p * die.die ** 0.5 >= SURE
            and all(_apart(die, other) > LIE_ON for other in found if other is not die),
        )
        for die in found
    ]  # fmt: skip


def _apart(one: Find | FoundDie, other: Find | FoundDie) -> float:
    return float(np.hypot(one.x - other.x, one.y - other.y)) / ((one.size + other.size) / 2)
