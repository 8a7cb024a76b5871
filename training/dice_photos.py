"""Photographs to learn dice from and to measure on: with dice and their truth, and without dice.

``training/README.md`` says where they come from; none of them is part of this project.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Pixels = NDArray[np.uint8]
LEVELS = 5
KEPT_GROUNDS = {f"dice{number}.jpg" for number in (21, 24, 25, 28, 73, 76, 80)}
"""Photographs of DiceDetection on a white table and on dark cloth; those on carpet and wood are
learned from."""
ROTATED = 0.9
"""Side of a die in the longer side of its box, where boxes were turned with their pictures."""

PARTLY_TOLD = {4, 59, 69, 166, 174, 193, 211, 212, 213, 214, 306, 417, 443, 447}
"""Photographs of GameDiceRecognition whose truth lacks dice that are plainly seen, or is wrong."""
SOON, HEAP = 10, 8
"""Photographs of it that are further apart show other throws; and dice that lie in a heap, of which
not all are seen from each side."""


@dataclass(frozen=True, eq=False)
class Photo:
    """A photograph in several sizes, each half the one before, with what is no paper as fourth
    channel, and its dice (n, 4): x, y, size (pixels of the first), value; ``upright`` if a camera
    took it that looked aslant, and nobody turned it since."""

    name: str
    levels: list[Pixels]
    dice: Floats
    upright: bool

    @property
    def picture(self) -> Pixels:
        """Return the photograph, BGR."""
        return np.ascontiguousarray(self.levels[0][..., :3])

    def cut(self, size: int, at: Floats, linear: Floats, border: float) -> Pixels:
        """Return the square of ``size`` pixels round ``at``, carried there by ``linear``."""
        scale = float(np.sqrt(abs(np.linalg.det(linear))))
        level = int(np.clip(np.floor(-np.log2(scale) + 0.3), 0, len(self.levels) - 1))
        own = linear * 2**level
        way = np.c_[own, (size - 1) / 2 - own @ ((at + 0.5) / 2**level - 0.5)]
        return np.asarray(
            cv2.warpAffine(
                self.levels[level], way, (size, size),
                borderMode=cv2.BORDER_CONSTANT, borderValue=(border, border, border, 255),
            ), np.uint8,
        )  # fmt: skip


def photo(
    name: str,
    picture: Pixels,
    dice: Floats,
    keep: Pixels | None = None,
    *,
    upright: bool = True,
) -> Photo:
    """Return a photograph in its sizes."""
    alpha = np.full(picture.shape[:2], 255, np.uint8) if keep is None else keep
    levels = [np.dstack([picture, alpha])]
    while len(levels) < LEVELS and min(levels[-1].shape[:2]) > 40:
        height, width = levels[-1].shape[:2]
        half = cv2.resize(levels[-1], (width // 2, height // 2), interpolation=cv2.INTER_AREA)
        levels.append(np.asarray(half, np.uint8))
    return Photo(name, levels, np.asarray(dice, np.float32).reshape(-1, 4), upright)


def cut_out(picture: Pixels, dice: Floats) -> Pixels:
    """Tell dice from white paper: what is like the paper, and not in the middle of a die, is it."""
    paper = cv2.medianBlur(cv2.resize(picture, (64, 64), interpolation=cv2.INTER_AREA), 31)
    paper = cv2.resize(paper, picture.shape[1::-1]).astype(np.float32)
    off = np.abs(picture.astype(np.float32) - paper).max(2)
    keep = np.clip((off - 22) / 16, 0, 1).astype(np.float32)
    inside = np.zeros(keep.shape, np.float32)
    for x, y, size, _ in dice:
        cv2.circle(inside, (round(x), round(y)), round(0.36 * size), 1.0, -1, cv2.LINE_AA)
    return np.asarray(255 * np.maximum(cv2.GaussianBlur(keep, (0, 0), 0.8), inside), np.uint8)


def byler(folder: Path) -> Iterator[Photo]:
    """Read the photographs of Nell Byler's dice: white paper, dice of 40 pixels."""
    truth = json.loads((folder / "ground_truth.json").read_text())
    for name in sorted(truth):
        picture = cv2.imread(str(folder / name))
        height, width = picture.shape[:2]
        dice = [
            ((die["xmin"] + die["xmax"]) / 2 * width, (die["ymin"] + die["ymax"]) / 2 * height,
             max((die["xmax"] - die["xmin"]) * width, (die["ymax"] - die["ymin"]) * height),
             die["value"])
            for die in truth[name]["dice"]
        ]  # fmt: skip
        rows = np.array(dice, np.float32).reshape(-1, 4)
        cut = cut_out(picture, rows)
        yield photo(name, np.asarray(picture, np.uint8), rows, cut, upright=False)


def detection(folder: Path) -> Iterator[Photo]:
    """Read the photographs of DiceDetection: large dice on cloth, wood and paper."""
    truth = json.loads((folder / "truth.json").read_text())
    for name in sorted(truth):
        dice = [(x, y, 2 * half, value) for value, x, y, half in truth[name]]
        yield photo(
            name, np.asarray(cv2.imread(str(folder / name)), np.uint8), np.array(dice, np.float32)
        )


def boxed(folder: Path, group: str, kept: bool, most: int) -> Iterator[Photo]:
    """Read about ``most`` photographs of one group ("microscope", "trays" or "grey") of the folder
    of boxes in text files: two thirds to learn from, or the third that is ``kept``."""
    paths = [
        path
        for path in sorted(folder.glob("*/images/*.jpg"))
        if group_of(path.name) == group and (number_of(path.name) % 3 == 0) == kept
    ]
    for path in paths[:: max(1, len(paths) // most)]:
        label = path.parent.parent / "labels" / (path.stem + ".txt")
        picture = cv2.imread(str(path))
        above = group == "microscope"
        dice = boxes(picture, label, ROTATED if above else 1.0)
        yield photo(path.name, np.asarray(picture, np.uint8), dice, upright=not above)


def wooden(folder: Path) -> Iterator[Photo]:
    """Read the photographs of Dice_Detection_Recognition: white dice on a wooden table, seen from
    aside. Their boxes are drawn round the pips of the top."""
    for path in sorted(folder.glob("*.jpg")):
        picture = cv2.imread(str(path))
        height, width = picture.shape[:2]
        lines = path.with_suffix(".txt").read_text().splitlines()
        rows = [[float(part) for part in line.split()] for line in lines]
        dice = [
            (x * width, y * height, max(w * width, h * height) * (1.4 if value else 4.0), value + 1)
            for value, x, y, w, h in rows
        ]
        yield photo(path.name, np.asarray(picture, np.uint8), np.array(dice, np.float32))


def catan(folder: Path, kept: bool) -> Iterator[Photo]:
    """Read the photographs of GameDiceRecognition: dice of many kinds and sizes, seen aslant, some
    lying on a printed board. Those that are ``kept`` are as they were published, squeezed into
    squares; those to learn from are stretched back, and show no throw of those that are kept."""
    whole = {
        path.stem: boxes(np.empty((1, 1)), path) for path in sorted(folder.glob("*/labels/*.txt"))
    }
    held = {label.stem for part in ("valid", "test") for label in (folder / part).glob("labels/*")}
    for path in sorted(folder.glob("*/images/*.jpg")):
        if (path.stem in held) != kept or shot_of(path.stem) in PARTLY_TOLD:
            continue
        label = path.parent.parent / "labels" / f"{path.stem}.txt"
        throw = path.stem, whole[path.stem]
        if not kept and any(same_throw(throw, (other, whole[other])) for other in held):
            continue
        picture = np.asarray(cv2.imread(str(path)), np.uint8)
        if not kept:
            picture = stretched_back(picture, label)
        yield photo(path.name, picture, boxes(picture, label))


def shot_of(name: str) -> int:
    """Return the number of a photograph of GameDiceRecognition; several pictures share it."""
    return int(name.split("_")[1])


def same_throw(one: tuple[str, Floats], other: tuple[str, Floats]) -> bool:
    """Tell whether two photographs, named and with their dice, may show the same throw from two
    sides: the same values soon after each other, or nearly the values of a heap. One die alone
    tells nothing."""
    mine, theirs = (np.bincount(dice[:, 3].astype(int), minlength=7) for _, dice in (one, other))
    most = max(mine.sum(), theirs.sum())
    if most < HEAP:
        near = abs(shot_of(one[0]) - shot_of(other[0])) <= SOON
        return bool(most > 1 and near and (mine == theirs).all())
    return bool(abs(mine - theirs).sum() < 0.3 * most)


def stretched_back(picture: Pixels, label: Path) -> Pixels:
    """Return a picture that was squeezed into a square in the shape that it may have had, 4:3,
    upright or neither: the one in which most dice are as wide as high."""
    height, width = picture.shape[:2]
    sides = [[float(part) for part in line.split()[3:5]] for line in label.read_text().splitlines()]
    if not sides:
        return picture
    wide = float(np.median([across / down for across, down in sides]))
    shape = min((1.0, 4 / 3, 3 / 4), key=lambda shape: abs(np.log(wide * shape)))
    size = round(width * max(1.0, shape)), round(height * max(1.0, 1 / shape))
    return np.asarray(cv2.resize(picture, size), np.uint8)


def eyes(folder: Path) -> Iterator[Photo]:
    """Read the photographs of dice-recognition that show one large die, its value in their name."""
    for path in sorted(folder.glob("eyes_[1-6]_*.jpg")):
        picture = cv2.imread(str(path))
        height, width = picture.shape[:2]
        whole = [(width / 2, height / 2, width, int(path.stem.split("_")[1]))]
        yield photo(path.name, np.asarray(picture, np.uint8), np.array(whole, np.float32))


def boxes(picture: NDArray[np.generic], label: Path, turned: float = 1.0) -> Floats:
    """Return the dice of a picture whose boxes a text file holds, a line each: value from 0,
    middle x and y, width and height in parts of the picture; a die's side is a ``turned`` part of
    the longer one."""
    height, width = picture.shape[:2]
    rows = [[float(part) for part in line.split()] for line in label.read_text().splitlines()]
    dice = [
        (x * width, y * height, turned * max(w * width, h * height), value + 1)
        for value, x, y, w, h in (row[:5] for row in rows)
    ]
    return np.array(dice, np.float32).reshape(-1, 4)


def group_of(name: str) -> str:
    """Return which photographs those of this name are like; those of Nell Byler are none here."""
    if name[:5].isdigit():
        return "microscope"
    if name.startswith("PXL"):
        return "trays"
    return "" if name.startswith("IMG_2019") else "grey"


def number_of(name: str) -> int:
    """Return a number that all pictures made from the same photograph share."""
    stem = name.split(".rf.")[0]
    return sum(map(ord, stem)) if not stem[:5].isdigit() else int(stem[:5])


def without_dice(folder: Path, listed: Path, kept: bool) -> Iterator[tuple[str, Photo]]:
    """Read the photographs without dice, with their sources: those to learn from, or those
    ``kept`` to measure on."""
    for source in json.loads(listed.read_text()):
        if source["kept"] != kept:
            continue
        for name in source["files"]:
            picture = cv2.imread(str(folder / source["source"].replace("/", "+") / name))
            if picture is not None:
                longest = max(picture.shape[:2])
                scale = min(1.0, 1000 / longest) if not kept else 1.0
                picture = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=3)
                yield source["source"], photo(name, np.asarray(picture, np.uint8), np.zeros((0, 4)))


def photographs(folder: Path, kept: bool) -> dict[str, list[Photo]]:
    """Load the photographs with dice by source: two thirds to learn from, or the third that is
    ``kept``. Neighbours, and pictures made from one photograph, stay together."""
    found = {
        "byler": [p for k, p in enumerate(byler(folder / "byler")) if (k // 10 % 3 == 0) == kept],
        "detection": [
            p for p in detection(folder / "detection") if (p.name in KEPT_GROUNDS) == kept
        ],
    }
    for group, most in (("microscope", 420), ("trays", 160)):
        found[group] = list(boxed(folder / "boxed", group, kept, most // 3 if kept else most))
    found["catan"] = list(catan(folder / "catan", kept))
    return found
