"""How likely a picture of a card is if it shows a given face.

A face is laid over the picture at the resolution of a soft webcam. What camera and room do to it
is a sum with few unknowns, found by least squares with a prior on each: light that multiplies,
light that adds, both uneven, a tinge, a card found a little aside, turned or stretched, blur. What
remains is weighed part by part; a part that is glared on or covered says little.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from vision.board.raster import Floats, cut_out
from vision.cards.likelihood import FITTED
from vision.frames import Image
from vision.light.evenness import bends

Corners = NDArray[np.float64]

MM = 2
"""Millimetres to a pixel of a face: what a camera sees of a card 50 pixels wide."""
WIDE, HIGH = 32, 44
PART = 6
"""Pixels: the width of the parts of a card that are weighed one by one."""
CLOSELY = 8
"""Faces that are weighed with all unknowns and without spoilt parts: the likeliest by plain least
squares."""
DOUBLED = 3
"""Faces of which the double is weighed, too: the likeliest."""
PLACES = 5
"""Places that are tried where a card's outline cannot be seen: those where most print agrees."""
_ROUNDS = (4.0, 3.0, 2.0, 2.0)
"""From how many times the median of all parts on a part is taken for spoilt, round by round."""
_UNCLEAR = 0.5
"""Pixels by which a corner is moved at least before a card is looked at once more."""
_SHIFTS = tuple((down, across) for down in (-1, 0, 1) for across in (-1, 0, 1))
_INNER = (slice(1, HIGH - 1), slice(1, WIDE - 1))
_RIM = np.array([[0, 0], [WIDE, 0], [WIDE, HIGH], [0, HIGH]], np.float32) - 0.5
_BENDS = bends(HIGH, WIDE)[..., None]


def _parts() -> NDArray[np.intp]:
    """Return the values of the inner points in the order of the parts they lie in, (parts, n)."""
    rows, columns = (HIGH - 2) // PART, (WIDE - 2) // PART
    at = np.arange(3 * (HIGH - 2) * (WIDE - 2)).reshape(rows, PART, columns, PART, 3)
    return at.transpose(0, 2, 1, 3, 4).reshape(rows * columns, -1)


_PARTS = _parts()


@dataclass(frozen=True, eq=False)
class FaceFit:
    """How well the known face number ``index`` explains a picture.

    ``off`` is the mean square by which each part differs from the face, in squared deviations;
    ``moved`` says by how many pixels of :func:`cut` each corner of the card lies off, (4, 2).
    ``noise`` is what squared deviations amount to in this picture.
    ``odd`` is how unlikely what camera and room must have done is, in squared deviations.
    ``log_p`` is the logarithm of the picture's likelihood, 0 for a perfect one.
    """

    index: int
    off: Floats
    moved: Corners
    odd: float
    noise: float = 1.0
    log_p: float = 0.0

    def parts(self, noise: float) -> Floats:
        """Return how far each part differs in a picture of that ``noise``, as far as it counts."""
        return np.asarray(np.minimum(self.off / noise, FITTED.spoilt), np.float32)

    @property
    def whole(self) -> bool:
        """Tell whether no part of the picture differs clearly from the face, nor its light."""
        return max(self.odd, float(self.parts(self.noise).max())) < FITTED.spoilt


def tones(card: Image) -> Floats:
    """Return a small picture in parts of the card's own white, so that light does not matter."""
    small = cv2.resize(card, (WIDE, HIGH), interpolation=cv2.INTER_AREA).astype(np.float32)
    white = np.percentile(small.reshape(-1, 3), 85, axis=0)
    return np.asarray(np.clip(small / np.maximum(white, 1.0), 0, 1.3), np.float32)


def cut(window: Image, corners: Corners) -> Floats:
    """Return the :func:`tones` of what lies within ``corners`` (4, 2) of a picture."""
    fine = 3
    return tones(cut_out(window, corners, (WIDE * fine, HIGH * fine)))


def mended(corners: Corners, fit: FaceFit) -> Corners | None:
    """Return the corners where ``fit`` says that the card lies; None if those are good enough."""
    if float(np.abs(fit.moved).max()) < _UNCLEAR:
        return None
    back = cv2.getPerspectiveTransform(_RIM, corners.astype(np.float32))
    there = cv2.perspectiveTransform((_RIM + fit.moved)[None].astype(np.float64), back)[0]
    return np.asarray(there, np.float64)


class Faces:
    """Known faces, (n, ``HIGH``, ``WIDE``, 3) in parts of white, ready to be compared.

    ``doubles`` names for some faces one that differs from it in little: that is weighed only where
    the face itself may be meant.
    """

    def __init__(self, known: Sequence[Floats], doubles: Mapping[int, int] | None = None) -> None:
        self._doubles = dict(doubles or {})
        faces = [np.asarray(cv2.resize(face, (WIDE, HIGH)), np.float32) for face in known]
        columns = [_columns(face) for face in faces]
        self._rows = np.stack([np.ascontiguousarray(each.T) for each in columns])
        self._means = np.stack([each @ _MEAN for each in columns])
        self._models = [_Model(*each) for each in zip(columns, self._means, strict=True)]
        self._plain = np.stack([model.plain for model in self._models])
        self._shares = (self._rows @ self._means[..., None])[..., 0]
        self._squares = (self._means**2).sum(axis=1)
        gray = [np.asarray(cv2.cvtColor(face, cv2.COLOR_BGR2GRAY), np.float32) for face in faces]
        self._first = [i for i in range(len(faces)) if i not in self._doubles.values()]
        ways = [way[_INNER] for i in self._first for way in (gray[i], _upside_down(gray[i]))]
        self._prints = _prints(np.array(ways))

    def fits(self, seen: Floats, among: Sequence[int] = ()) -> list[FaceFit]:
        """Return how well the likeliest faces, or those ``among`` which one is looked for, explain
        a picture, the best first."""
        ways = (seen, _upside_down(seen))
        laid = np.stack([_laid(way, *shift) for way in ways for shift in _SHIFTS])
        first = [index for index in among if index in self._first] or self._first
        left = self._left(laid, first)
        near = np.argsort(left.min(axis=1), kind="stable")[:CLOSELY]
        best = {first[row]: int(left[row].argmin()) for row in near}
        found = _likely([self._models[i].weighed(laid[at], i, at) for i, at in best.items()])
        doubles = [(self._doubles.get(fit.index), best[fit.index]) for fit in found[:DOUBLED]]
        also = [self._models[i].weighed(laid[at], i, at) for i, at in doubles if i is not None]
        return _likely([*found, *also])

    def _left(self, laid: Floats, among: Sequence[int]) -> Floats:
        """Return how much of each picture each face ``among`` all leaves unexplained by plain
        least squares, (faces, pictures)."""
        faces = slice(len(among)) if [*among] == [*range(len(among))] else [*among]
        rows = self._rows[faces]
        shares = (rows.reshape(-1, rows.shape[2]) @ laid.T).reshape(*rows.shape[:2], -1)
        shares = shares - self._shares[faces, :, None]
        explained = np.einsum("fup,fuv,fvp->fp", shares, self._plain[faces], shares, optimize=True)
        off = (laid * laid).sum(axis=1) - 2 * self._means[faces] @ laid.T
        return np.asarray(off + self._squares[faces, None] - explained, np.float32)

    def places(self, window: Image, per_mm: float, degrees: Sequence[float]) -> list[Corners]:
        """Return where a card may lie in a flat picture with ``per_mm`` pixels a millimetre,
        turned by one of ``degrees``: the corners of the places where most print agrees."""
        fewer = 1 / (MM * per_mm)
        gray = cv2.cvtColor(window, cv2.COLOR_BGR2GRAY)
        small = cv2.resize(gray, None, fx=fewer, fy=fewer, interpolation=cv2.INTER_AREA)
        height, width = small.shape[:2]
        middle = ((width - 1) / 2, (height - 1) / 2)
        found = []
        for turn in degrees:
            matrix = cv2.getRotationMatrix2D(middle, turn, 1.0)
            turned = cv2.warpAffine(
                small, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE
            ).astype(np.float32)
            back = cv2.invertAffineTransform(matrix)
            there = sliding_window_view(turned, (HIGH - 2, WIDE - 2))
            agrees = self._prints @ _prints(there.reshape(-1, HIGH - 2, WIDE - 2)).T
            for each, at in zip(agrees, agrees.argmax(axis=1), strict=True):
                y, x = divmod(int(at), there.shape[1])
                found.append((float(each[at]), x - 1, y - 1, back))
        found.sort(key=lambda it: -it[0])
        corners = (
            (_RIM + np.array([x, y])) @ back[:, :2].T + back[:, 2]
            for _, x, y, back in found[:PLACES]
        )
        return [np.asarray((there + 0.5) / fewer - 0.5, np.float64) for there in corners]


def _prints(pictures: Floats) -> Floats:
    """Return pictures (n, height, width) whose light is evened out, flat, so that the product of
    two is the correlation of what is printed on them."""
    flat = pictures.reshape(len(pictures), -1)
    flat = flat - flat.mean(axis=1, keepdims=True)
    return np.asarray(flat / (np.linalg.norm(flat, axis=1, keepdims=True) + 1e-6), np.float32)


def _upside_down(face: Floats) -> Floats:
    return np.ascontiguousarray(face[::-1, ::-1])


def _laid(face: Floats, down: int, across: int) -> Floats:
    """Return the inner points of a picture shifted by up to a pixel, flat."""
    rows, columns = slice(1 + down, HIGH - 1 + down), slice(1 + across, WIDE - 1 + across)
    return face[rows, columns].reshape(-1)


def _soft(face: Floats, sigma: float) -> Floats:
    soft = cv2.GaussianBlur(face, (0, 0), sigma, borderType=cv2.BORDER_REPLICATE)
    return np.asarray(soft, np.float32)


# What may happen to a face, and how far it does (standard deviations): 1 is white.
_WHITE, _PRINT = 0, 6
_DEVIATIONS = np.array(
    [
        *(0.4, 0.15, 0.15, 0.1, 0.1, 0.1),  # how light white is, and how that bends
        *(0.4, 0.15, 0.15, 0.1, 0.1, 0.1),  # how dark print is beside it, and how that bends
        *(0.6, 0.6, 0.6, 0.6, 0.6, 0.6),  # the card lies aside, turned, stretched: pixels
        1.0,  # blur
        *(0.05, 0.12, 0.05, 0.12),  # blue and red: a tinge, and how strong they print
        0.35,  # how much more colourful than usual it draws
    ],
    np.float32,
)
_MEAN = np.zeros(len(_DEVIATIONS), np.float32)
_MEAN[[_WHITE, _PRINT]] = 1.0, -0.85
# The points of a part are not independent of one another: each part says as much as one point.
_PRIOR = np.diag(_PARTS.shape[1] * (FITTED.deviation / _DEVIATIONS.astype(np.float64)) ** 2)
_MOVES = 12
"""Where the six unknowns of the card's place begin."""


class _Model:
    """What each unknown does to each point of the picture of a face, ready for least squares."""

    def __init__(self, columns: Floats, mean: Floats) -> None:
        self._columns, self._mean = columns, mean
        parts = columns[_PARTS]
        self._squares = np.asarray(parts.transpose(0, 2, 1) @ parts, np.float64)
        self.plain = np.linalg.inv(self._squares.sum(axis=0) + _PRIOR)

    def weighed(self, seen: Floats, index: int, at: int) -> FaceFit:
        """Return how well the face explains a picture where it is not spoilt."""
        off = (seen - self._mean)[_PARTS]
        shares = (off[:, None] @ self._columns[_PARTS])[:, 0].astype(np.float64)
        whole = np.asarray((off * off).sum(axis=1), np.float64)
        weights = np.ones(len(off))
        for strict in _ROUNDS:
            squares = np.tensordot(weights, self._squares, 1) + _PRIOR
            unknown = np.asarray(np.linalg.solve(squares, weights @ shares), np.float64)
            rest = whole - 2 * shares @ unknown + (self._squares @ unknown) @ unknown
            parts = np.maximum(rest, 0) / (_PARTS.shape[1] * FITTED.deviation**2)
            limit = max(FITTED.spoilt, strict * float(np.median(parts)))
            weights = 0.02 + 0.98 / (1 + np.exp(np.clip(3 * (parts - limit), -30, 30)))
        way, shift = divmod(at, len(_SHIFTS))
        moved = _moved(unknown, _SHIFTS[shift], bool(way))
        return FaceFit(
            index, parts.astype(np.float32), moved, float(((unknown / _DEVIATIONS) ** 2).sum())
        )


def _columns(face: Floats) -> Floats:
    """Return what each unknown does to each inner point of the picture of a face, (points, k)."""
    soft = _soft(face, 0.6)
    dark = 1 - soft
    level = np.ones_like(dark)
    down, across = (np.asarray(np.gradient(soft, axis=axis), np.float32) for axis in (0, 1))
    columns = [tone * bend for tone in (level, dark) for bend in _BENDS]
    columns += [slope * bend for slope in (across, down) for bend in _BENDS[:3]]
    columns.append(_soft(soft, 0.8) - soft)
    for channel in (0, 2):
        only = np.zeros_like(dark)
        only[..., channel] = 1
        columns += [only, only * dark]
    columns.append(soft - soft.mean(axis=2, keepdims=True))
    model = np.stack(columns, axis=-1)[_INNER].reshape(-1, len(columns))
    return np.ascontiguousarray(model, np.float32)


def _likely(fits: Sequence[FaceFit]) -> list[FaceFit]:
    """Return the fits with their likelihoods, the best first: the picture is as noisy as that one
    says."""
    noise = min((float(np.median(fit.off)) for fit in fits), default=1.0)
    scale = min(1.0, max(FITTED.quietest, noise))
    told = [
        replace(fit, noise=scale, log_p=-0.5 * (fit.odd + float(fit.parts(scale).sum())))
        for fit in fits
    ]
    return sorted(told, key=lambda fit: -fit.log_p)


def _moved(unknown: NDArray[np.float64], shift: tuple[int, int], turned: bool) -> Corners:
    """Return how far each corner lies off, as the unknowns and the ``shift`` (down, across) say."""
    contrast = max(0.3, -float(unknown[_PRINT] + _MEAN[_PRINT]))
    across, down = (unknown[_MOVES + 3 * k : _MOVES + 3 * k + 3] / contrast for k in (0, 1))
    signs = np.array([(1, -1, -1), (1, 1, -1), (1, 1, 1), (1, -1, 1)])
    moved = np.column_stack([shift[1] - signs @ across, shift[0] - signs @ down])
    return -np.roll(moved, 2, axis=0) if turned else moved
