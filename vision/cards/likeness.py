"""How much two pictures of cards differ: on the whole, in the part that differs most, and where two
faces differ."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.raster import Floats
from vision.frames import Image

SMALL = (24, 34)
"""Pixels of a card's picture when it is compared."""
WORST = 0.06
"""Share of a picture that may be spoilt, by glare or a finger, without counting."""
PART = 4
"""Pixels: the width of the parts of a card that are compared one by one."""
GLARING = 1.07
"""Brightness, as a factor on the card's own white, beyond which a pixel glares; nothing printed is
as light …"""
GLARE = 0.15
"""… and where more than this share of a card glares it cannot be read with certainty."""
DIFFER = 0.1
"""Difference of two faces, as a part of white, from which on a pixel tells them apart."""
ENOUGH = 6
"""Such pixels that two faces need at least to be told apart."""
NEAREST = 12
"""Known pictures that are compared closely: those nearest in a first, coarse comparison."""
_SHIFTS = tuple(itertools.product((-1, 0, 1), repeat=2))


@dataclass(frozen=True, eq=False)
class Likeness:
    """How a card differs from one of the known pictures, number ``index``: ``off`` on the whole,
    ``part`` in the worst part of it, both in parts of white. ``seen`` is the card laid over it."""

    index: int
    off: float
    part: float
    seen: Floats


def tones(card: Image) -> Floats:
    """Return a small picture in parts of the card's own white, so that light does not matter."""
    small = cv2.resize(card, SMALL, interpolation=cv2.INTER_AREA).astype(np.float32)
    white = np.percentile(small.reshape(-1, 3), 85, axis=0)
    return np.asarray(np.clip(small / np.maximum(white, 1.0), 0, 1.2), np.float32)


def nearest(card: Image, known: Floats) -> list[Likeness]:
    """Return the ``known`` pictures (n, height, width, 3) that ``card`` is most like, either way
    up, the most like first."""
    seen = tones(card)
    ways = (seen, np.ascontiguousarray(seen[::-1, ::-1]))
    rough = np.min([_apart(_inner(way), known) for way in ways], axis=0)
    chosen = np.argsort(rough, kind="stable")[:NEAREST]
    laid = [_inner(way, *shift) for way in ways for shift in _SHIFTS]
    apart = np.array([_apart(one, known[chosen]) for one in laid])
    found = []
    for column, index in enumerate(chosen):
        row = int(np.argmin(apart[:, column]))
        part = _worst_part(laid[row], _inner(known[index]))
        found.append(Likeness(int(index), float(apart[row, column]), part, laid[row]))
    return sorted(found, key=lambda one: one.off)


def favours(seen: Floats, one: Floats, other: Floats) -> float:
    """Return how clearly ``seen``, as in :class:`Likeness`, shows the known picture ``one`` and not
    ``other`` where these differ: from 1 for the one to -1 for the other, 0 if they are alike."""
    a, b = _inner(one), _inner(other)
    differ = (np.abs(a - b).mean(axis=2) > DIFFER) & ~_glaring(seen)
    if differ.sum() < ENOUGH:
        return 0.0
    between = float(np.abs(a - b)[differ].sum())
    return float((np.abs(seen - b) - np.abs(seen - a))[differ].sum()) / between


def _inner(picture: Floats, dy: int = 0, dx: int = 0) -> Floats:
    """Return a picture without its rim, shifted by up to a pixel."""
    height, width = picture.shape[:2]
    return picture[1 + dy : height - 1 + dy, 1 + dx : width - 1 + dx]


def _apart(seen: Floats, known: Floats) -> Floats:
    """Return how far ``seen`` differs from each of ``known``, what differs most left out."""
    off = np.abs(known[:, 1:-1, 1:-1] - seen) @ np.full(3, 1 / 3, np.float32)
    flat = off.reshape(len(known), -1)
    keep = round(flat.shape[1] * (1 - WORST))
    return np.asarray(np.partition(flat, keep, axis=1)[:, :keep].mean(axis=1), np.float32)


def _worst_part(seen: Floats, known: Floats) -> float:
    """Return how far the part that differs most does on the average, glare left out."""
    spoilt = _glaring(seen)
    if spoilt.mean() > GLARE:
        return 1.0
    off = np.where(spoilt[:, :, None], np.float32(0), seen - known)
    part = np.abs(cv2.blur(off, (PART, PART))).mean(axis=2)
    half = PART // 2
    return float(part[half:-half, half:-half].max())


def _glaring(seen: Floats) -> NDArray[np.bool_]:
    """Return where a lamp is reflected, and what lies next to that."""
    core = (seen.min(axis=2) > GLARING).astype(np.uint8)
    return np.asarray(cv2.dilate(core, np.ones((5, 5), np.uint8)) > 0)
