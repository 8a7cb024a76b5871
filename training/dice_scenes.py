"""Pictures to learn dice from: photographs bent and recoloured, and scenes of drawn dice.

A :class:`Scene` is a picture and its dice as rows: x, y, longer side of the box (pixels), value.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from dice_sprites import SIDE, UNSURE, Sprite
from numpy.typing import NDArray

Floats = NDArray[np.float32]
CROP = 128
PATCH, DIE = 48, 30
"""Pixels of the patches in which a die's value is read, and of a die's side in them."""
NOTHING = 7
"""Value of what is no die."""
SMALL, LARGE = 24.0, 72.0
"""Dice are shown with boxes from so many to so many pixels; others are found in other sizes of
the picture."""


@dataclass(frozen=True, eq=False)
class DiceScene:
    """A picture (h, w, 3), BGR, and its dice (n, 4): x, y, size, value."""

    picture: NDArray[np.uint8]
    dice: Floats


@dataclass(frozen=True, eq=False)
class Photo:
    """A photograph of dice on white paper: ``layers`` holds the picture, ``keep`` (h, w, 2) what
    is no paper, and how light the paper is, so that it can be laid on another table."""

    picture: NDArray[np.uint8]
    keep: Floats
    dice: Floats


def photo(scene: DiceScene) -> Photo:
    """Tell dice from paper: what is much like the paper, and not in the middle of a die, is it."""
    picture = scene.picture.astype(np.float32)
    paper = cv2.medianBlur(cv2.resize(scene.picture, (64, 64), interpolation=cv2.INTER_AREA), 31)
    paper = cv2.resize(paper, picture.shape[1::-1]).astype(np.float32) + 1
    keep = np.clip((np.abs(picture - paper).max(2) - 22) / 16, 0, 1)
    inside = np.zeros(keep.shape, np.float32)
    for x, y, size, _ in scene.dice:
        cv2.circle(inside, (round(x), round(y)), round(0.36 * size), 1.0, -1, cv2.LINE_AA)
    keep = np.maximum(cv2.GaussianBlur(keep, (0, 0), 0.8), inside)
    light = np.clip((picture / paper).mean(2), 0, 1.15)
    return Photo(scene.picture, np.stack([keep, light], -1), scene.dice)


def bent(
    photo: Photo, chance: np.random.Generator, crop: int, at: Floats, scale: float
) -> DiceScene:
    """Return a cut round ``at``, turned, scaled, mirrored and squeezed, now and then laid on
    another table."""
    angle = chance.uniform(0, 2 * np.pi)
    linear = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) * scale
    linear[:, 0] *= chance.choice((-1, 1))
    linear = np.diag((1.0, chance.uniform(0.85, 1.0))) @ linear
    way = np.c_[linear, (crop - 1) / 2 - linear @ at]
    flags = cv2.INTER_AREA if scale < 0.7 else cv2.INTER_LINEAR
    picture = cv2.warpAffine(
        photo.picture, way, (crop, crop), flags=flags, borderMode=cv2.BORDER_CONSTANT,
        borderValue=tuple(chance.uniform(0, 255, 3)),
    )  # fmt: skip
    if chance.random() < 0.4:
        keep, light = cv2.split(cv2.warpAffine(photo.keep, way, (crop, crop), flags=flags))
        under = ground(chance, crop).astype(np.float32) * light[..., None]
        mixed = keep[..., None] * picture + (1 - keep[..., None]) * under
        picture = np.clip(mixed, 0, 255).astype(np.uint8)
    dice = photo.dice.copy()
    dice[:, :2] = photo.dice[:, :2] @ linear.T + way[:, 2]
    dice[:, 2] *= scale
    return DiceScene(np.asarray(picture, np.uint8), dice)


def cut(photo: Photo, chance: np.random.Generator) -> DiceScene:
    """Return a cut of CROP pixels, mostly near a die."""
    at = chance.uniform((0, 0), photo.picture.shape[1::-1])
    scale = chance.uniform(0.6, 1.7)
    if len(photo.dice) and chance.random() < 0.85:
        x, y, size, _ = photo.dice[chance.integers(len(photo.dice))]
        at = np.array((x, y)) + chance.uniform(-50, 50, 2)
        scale = np.exp(chance.uniform(np.log(SMALL + 3), np.log(LARGE - 8))) / size
    return bent(photo, chance, CROP, at, scale)


def close_up(photo: Photo, chance: np.random.Generator) -> tuple[NDArray[np.uint8], int]:
    """Return a patch with a die as it will be found, or without one, and its value."""
    if len(photo.dice) == 0 or chance.random() < 0.2:
        at = chance.uniform((0, 0), photo.picture.shape[1::-1])
        size, value = float(np.exp(chance.uniform(np.log(20), np.log(80)))), NOTHING
        if chance.random() < 0.5 and len(photo.dice):
            x, y, size, _ = photo.dice[chance.integers(len(photo.dice))]
            way = chance.uniform(0, 2 * np.pi)
            at = np.array((x, y)) + size * chance.uniform(0.6, 1.0) * np.array(
                (np.cos(way), np.sin(way))
            )
        near = np.hypot(*(photo.dice[:, :2] - at).T) if len(photo.dice) else np.array([9e9])
        if near.min() > 0.5 * size:
            return bent(photo, chance, PATCH, at, DIE / size).picture, value
    if len(photo.dice) == 0:
        return ground(chance, PATCH), NOTHING
    x, y, size, value = photo.dice[chance.integers(len(photo.dice))]
    at = np.array((x, y)) + chance.normal(0, 0.05, 2) * size
    scale = DIE / size * np.exp(chance.normal(0, 0.1))
    return bent(photo, chance, PATCH, at, scale).picture, int(value)


def drawn_close_up(
    sprites: list[Sprite], chance: np.random.Generator
) -> tuple[NDArray[np.uint8], int]:
    """Return a patch with a drawn die, or without one, and its value."""
    scene = drawn(sprites, chance, PATCH)
    middle = (
        np.hypot(*(scene.dice[:, :2] - (PATCH - 1) / 2).T) if len(scene.dice) else np.array([99])
    )
    return scene.picture, int(scene.dice[middle.argmin(), 3]) if middle.min() < 7 else NOTHING


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


def drawn(sprites: list[Sprite], chance: np.random.Generator, crop: int = CROP) -> DiceScene:
    """Return a scene of drawn dice, apart, touching, or lying on each other; in a patch, mostly
    one of them in the middle."""
    picture = ground(chance, crop).astype(np.float32)
    patch = crop == PATCH
    size = DIE * np.exp(chance.normal(0, 0.1))
    if not patch:
        size = np.exp(chance.uniform(np.log(SMALL), np.log(LARGE - 8)))
    light = chance.normal((0, 0, 1), 0.5)
    light /= np.linalg.norm(light)
    angle = chance.uniform(0, 2 * np.pi)
    palette = [_colours(chance) for _ in range(chance.integers(1, 5))]
    dice: list[list[float]] = []
    for k in range(chance.integers(1, 4) if patch else chance.integers(0, 7)):
        one = sprites[chance.integers(len(sprites))]
        own = size * chance.uniform(0.85, 1.15)
        x, y = chance.uniform(-10, crop + 10, 2)
        if patch and k == 0 and chance.random() < 0.85:
            x, y = crop / 2 + chance.normal(0, 0.05, 2) * size
        elif dice and chance.random() < 0.6:
            far, way = chance.uniform(0.8, 1.1) * own, chance.uniform(0, 2 * np.pi)
            x, y = dice[-1][0] + far * np.cos(way), dice[-1][1] + far * np.sin(way)
        apart = min((np.hypot(x - d[0], y - d[1]) / d[2] for d in dice), default=9.0)
        stacks = apart < 0.75 and chance.random() < 0.12
        if apart < 0.75 and not stacks:
            continue
        for other in dice if stacks else ():
            if np.hypot(x - other[0], y - other[1]) < 0.8 * other[2]:
                other[3] = UNSURE
        _lay(picture, one, (x, y), own / one.box[2], angle, palette, light, chance)
        dice.append([x, y, own, float(one.value)])
    rows = np.array(dice, np.float32).reshape(-1, 4)
    return DiceScene(np.clip(picture, 0, 255).astype(np.uint8), rows)


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
    marble = body + chance.normal(0, 60, 3) * (chance.random() < 0.3)
    return body, marble, ink


def _lay(picture, one, at, scale, angle, palette, light, chance) -> None:  # type: ignore[no-untyped-def]
    size = picture.shape[1::-1]
    body, marble, ink = palette[chance.integers(len(palette))]
    veins = np.sin(
        (one.place @ chance.normal(0, 7, 3)) + 2 * np.sin(one.place @ chance.normal(0, 6, 3))
    )
    mixed = np.where(veins[..., None] > 0.3, marble, body)
    colour = mixed * (1 - one.ink[..., None]) + ink * one.ink[..., None]
    bright = np.clip(one.normal @ light, 0, 1)
    shade = chance.uniform(0.3, 0.75) + 0.6 * bright
    half = light + np.array((0, 0, 1))
    half /= np.linalg.norm(half)
    gloss = np.clip(one.normal @ half, 0, 1) ** chance.choice((12, 30, 80))
    lit = colour * shade[..., None] + chance.uniform(0, 200) * gloss[..., None]
    way = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) * scale
    # Sprites are all turned alike in one picture, for they are seen from one side.
    matrix = np.c_[way, np.array(at) - way @ np.array(one.box[:2])]
    if scale < 0.8:
        lit, soft = (
            cv2.GaussianBlur(part.astype(np.float32), (0, 0), 0.35 / scale)
            for part in (lit, one.alpha)
        )
    else:
        lit, soft = lit.astype(np.float32), one.alpha
    cover = cv2.warpAffine(soft, matrix, size)
    shown = cv2.warpAffine(lit, matrix, size, borderMode=cv2.BORDER_REPLICATE)
    moved = matrix.copy()
    moved[:, 2] += chance.normal(0, 0.12, 2) * scale * SIDE / 2
    shadow = cv2.GaussianBlur(cv2.warpAffine(one.alpha, moved, size), (0, 0), 0.08 * scale * SIDE)
    picture *= 1 - chance.uniform(0.1, 0.6) * shadow[..., None]
    picture *= 1 - cover[..., None]
    picture += shown * cover[..., None]


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
        seen = cv2.GaussianBlur(seen, (0, 0), chance.uniform(0.3, 1.2))
    seen += chance.normal(0, chance.uniform(0, 8), seen.shape)
    out = np.clip(seen, 0, 255).astype(np.uint8)
    if chance.random() < 0.4:
        coded = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, int(chance.integers(35, 95))])
        out = np.asarray(cv2.imdecode(coded[1], cv2.IMREAD_COLOR), np.uint8)
    return out
