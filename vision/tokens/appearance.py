"""What empty spots and tokens look like on this table: learned at the set-up, then kept up to date.

Nothing about a game's art is known beforehand. The first still picture shows every token on a spot
of which the rules say which token lies there.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.rules import Board, Look
from vision.board.raster import Floats, quantile, worst
from vision.tokens.faces import Face, Outline, Shift, outlines_of, print_error, strangeness
from vision.tokens.patches import HALF, PER_PITCH, Span, disc, laid

TINTED, TINT_SOFT = 2.5, 1.5
"""Factor. No bare spot is so many times farther from the print's colour than most bare spots are,
when blurred over TINT_SOFT patch pixels, which is wider than printed lines."""
PLAIN = 0.33
"""Pitches: the radius of what is taken for a token whose outline cannot be seen."""
EDGED, ODD, FEW, WITHIN = 0.8, 0.6, 4, 0.8
"""Where more than EDGED of the rim of most covered spots is strange, as where the homes of sides
are edged with their colours, the print is not known of those of which more than ODD is. FEW tokens
on other spots are enough to tell how large all are, and WITHIN so much of their radius is surely no
print.

``training/measure_faces.py heximeros --evenings 20 --seed 40`` (November 2026; chosen on other
seeds): another token fits better on 4.2 % of 1,471 spots, and on 7.6 % where all prints are taken
to be known; the log loss is 0.17 and 0.33."""

EVENED = (0.8, 1.25)
"""Factors by which the print round a light may be darker or lighter, after light was evened out."""
LIT = 0.06
"""Greatest error of a bare spot that surely shows a light."""
HALOS = (0.04, 0.1)
"""Squared radii, in square pitches, over which the light under a spot spreads in the board."""


PLAINLY = 0.11
"""Error from which on a token clearly does not show a face."""


class Appearances:
    """What empty spots and the faces of tokens look like, in the light of the first picture.

    ``unit`` is the contrast of a typical face, in which errors are counted, so that they mean the
    same on every table. ``turns`` holds how far each face was turned when it was enrolled. ``late``
    are the faces learned after the set-up, with the number of later pictures that confirmed them
    minus those that did not; which way round these were is not known. ``edged`` tells whether homes
    seem to have coloured edges, by which outlines are known badly.
    """

    def __init__(
        self,
        board: Board,
        patches: Mapping[str, Floats],
        covered: Iterable[str],
        leans: Mapping[str, Shift] | None = None,
    ) -> None:
        """``leans`` tells for each spot how far the top of a token may stand off its foot, in
        patch pixels."""
        self._board, self._leans = board, leans or {}
        self._hidden = hidden = set(covered)
        self._unknown = set[str]()  # Never seen bare, and perhaps printed otherwise along the rim.
        self._usual = usual_prints(board, patches, hidden)
        # Copies: what the patches were cut from would be held as a whole, covered spots and all.
        self.prints = {s: self._usual[s] if s in hidden else patches[s].copy() for s in patches}
        bare = [spot for spot in patches if spot not in hidden]
        inner = slice(HALF - 8, HALF + 9)
        some = bare[:: max(1, len(bare) // 24)]
        strange = strangeness(_stack(patches, some), _stack(self._usual, some))
        noise = quantile(strange[:, inner, inner].reshape(len(some), -1), 0.99)
        shades = {id(print_): print_ for print_ in self._usual.values()}
        white = max(float(print_[inner, inner].mean()) for print_ in shades.values())
        self._least = (0.12 * white) ** 2
        self.noise = 1.5 * float(np.median(noise)) if some else 0.0
        self.threshold = max(self.noise, 0.12 * white)
        self.edged = False
        self._former: dict[str, Floats] = {}
        self.faces: dict[str, Face] = {}
        self.turns: dict[str, float] = {}
        self.late: dict[str, int] = {}
        self._area, self._top, self._aside = math.pi * (PLAIN * PER_PITCH) ** 2, 1.0, (0.0, 0.0)
        self.unit = self._least

    def enrol(self, shown: Mapping[str, Look], patches: Mapping[str, Floats]) -> None:
        """Learn the faces of the tokens ``shown`` on these spots, and use the median contrast of
        all as the unit of errors.

        A token stands out from the print with its side and its shadow. Without all that may be
        shadow some tokens lose parts of themselves, and others keep their shadow: the middle one of
        all tells by how much they are smaller, and which outlines are to be trusted.

        Of 789 spots of simulated evenings of HexiMeros, 571 of Victorus and 452 of chess, art of
        six kinds, another token fits better on 2.4, 0.9 and 0.4 %, and on 8.8, 1.8 and 0.9 % where
        each is compared within whatever can be no shadow (November 2026).
        """
        own = {spot: patches[spot] for spot in shown}
        rims = self._strange_rims(own)
        self.edged = bool(rims) and float(np.median([*rims.values()])) > EDGED
        odd = self._oddly_printed(rims)
        if self.edged:
            covered = {spot: patches[spot] for spot in self._hidden}
            self._unknown = set(self._oddly_printed(self._strange_rims(covered)))
        outlines = self._outlines(own, odd)
        plain = [spot for spot in shown if spot not in odd]
        some = [outlines[spot] for spot in (plain if len(plain) >= FEW else shown)]
        known = [(*whole, *top) for whole, top in some if whole and top]
        if known:
            self._area = float(np.median([top.sum() for _, _, top, _ in known]))
            self._top = float(np.median([top.sum() / whole.sum() for whole, _, top, _ in known]))
            aside = np.median([np.subtract(at, middle) for _, at, _, middle in known], 0)
            self._aside = float(aside[0]), float(aside[1])
        for spot, token in shown.items():
            self._learn(token, patches[spot], *outlines[spot], spot in odd)
        if self.faces:
            contrasts = [face.contrast() for face in self.faces.values()]
            self.unit = max(self._least, float(np.median(contrasts)))

    def enrol_late(self, token: Look, spot: str, patch: Floats) -> None:
        """Learn a face that only the rules vouch for."""
        self.learn_anew(token, spot, patch)
        self.late[token.face] = 0

    def learn_anew(self, token: Look, spot: str, patch: Floats) -> None:
        """Learn a face from this ``patch`` of ``spot`` alone."""
        odd = self._oddly_printed(self._strange_rims({spot: patch}))
        self._learn(token, patch, *self._outlines({spot: patch}, odd)[spot], spot in odd)

    def _learn(
        self,
        token: Look,
        patch: Floats,
        whole: Outline | None,
        top: Outline | None,
        oddly_printed: bool,
    ) -> None:
        outline, middle = top or (disc(PLAIN, 0.05), (0.0, 0.0))
        if whole and not (top and self._likely(top[0].sum(), whole[0].sum() * self._top)):
            (x, y), (right, down), factor = whole[1], self._aside, math.sqrt(self._top)
            middle = x - right, y - down
            shift = middle[0] - factor * x, middle[1] - factor * y
            outline = laid(whole[0], shift, 0.0, factor)
        if oddly_printed:
            radius = WITHIN * math.sqrt(self._area / math.pi) / PER_PITCH
            outline = laid(disc(radius, 0.05), middle, 0.0)
        self.faces[token.face] = Face(patch, outline, middle)
        self.turns[token.face] = token.turn or 0.0

    def _likely(self, area: float, other: float) -> bool:
        """Tell whether a token of ``area`` is as likely in this set as one of the ``other``."""
        return abs(math.log(area / self._area)) <= abs(math.log(other / self._area))

    def _strange_rims(self, patches: Mapping[str, Floats]) -> dict[str, float]:
        """Return how much of the rim of each spot is strange."""
        off = worst(_stack(patches, patches) - _stack(self.prints, patches))
        strange = (off[:, _rim()] > self.threshold).mean(-1)
        return dict(zip(patches, strange.tolist(), strict=True))

    def _oddly_printed(self, rims: Mapping[str, float]) -> frozenset[str]:
        """Return the spots, each with something on it and such :meth:`_strange_rims`, that are
        printed otherwise than was thought: where most are strange, for a large token reaches its
        rim."""
        return frozenset(spot for spot, strange in rims.items() if self.edged and strange > ODD)

    def _outlines(
        self, patches: Mapping[str, Floats], odd: Collection[str]
    ) -> dict[str, tuple[Outline | None, Outline | None]]:
        """Return the outlines of what lies on each spot, shadow and all, and of what can be no
        shadow. The ``odd`` spots, of which the print is not known, are taken to be of one colour
        within their rims, that of what is seen round their middle."""
        seen, prints, found = _stack(patches, patches), _stack(self.prints, patches), []
        around = (disc(0.4, 0.02) > 0.5) & (disc(0.3, 0.02) < 0.5)
        of = [at for at, spot in enumerate(patches) if spot in odd]
        prints[of] = np.median(seen[of][:, around], 1)[:, None, None]
        leans = [self._leans.get(spot, (0.0, 0.0)) for spot in patches]
        for shadows in (False, True):
            strange = strangeness(seen, prints, shadows)
            strange[of] *= ~_rim()
            # A pale token is hardly stranger than the print.
            most = 0.5 * quantile(strange.reshape(len(leans), -1), 0.98)
            most = np.clip(most, self.noise, self.threshold)
            found.append(outlines_of(strange, most, leans))
        return dict(zip(patches, zip(*found, strict=True), strict=True))

    def bare(self, spot: str, patch: Floats) -> None:
        """Learn what the empty ``spot`` looks like. A light may have shone under it, so its earlier
        look is kept, too."""
        self._former.setdefault(spot, self.prints[spot])
        self._unknown.discard(spot)
        self.prints[spot] = patch

    def missing(self, patches: Mapping[str, Floats], covered: Iterable[str]) -> frozenset[str]:
        """Return the spots of ``covered`` that look bare in the first picture.

        They differ from the middle print of their shade no more than twice what bare spots do.
        What is of another colour than any bare spot is a pale token of the spot's own shade.
        """
        hidden = sorted(covered)
        bare = [spot for spot in patches if spot not in {*hidden}]
        left = self._bareness(_stack(patches, hidden), _stack(self.prints, hidden))
        limit = self._bare_limit(bare, patches)
        found = {spot for spot, error in zip(hidden, left, strict=True) if error < limit}
        some = bare[:: max(1, len(bare) // 40)] if found else ()
        tints = np.array([self._tint(spot, patches[spot]) for spot in some])
        plain = TINTED * quantile(tints, 0.95) if some else math.inf
        return frozenset(spot for spot in found if self._tint(spot, patches[spot]) < plain)

    def _bare_limit(self, bare: Sequence[str], patches: Mapping[str, Floats]) -> float:
        some = bare[:: max(1, len(bare) // 40)]
        left = print_error(_stack(patches, some), _stack(self._usual, some), self.unit)
        return min(0.08, max(0.02, 2 * quantile(left, 0.8))) if some else 0.05

    def _tint(self, spot: str, patch: Floats) -> float:
        """Return how far the colour of the spot's middle is anywhere off the usual print's."""
        off = patch - self._usual[spot]
        off -= off.mean(-1, keepdims=True)
        soft = np.asarray(cv2.GaussianBlur(off, (0, 0), TINT_SOFT))[disc(0.3, 0.02) > 0.5]
        return float(np.sqrt(np.einsum("nc,nc->n", soft, soft).max()))

    def usual(self, spot: str) -> Floats:
        """Return the median print of the spots that are printed like ``spot``."""
        return self._usual[spot]

    def strange(self, spot: str, patch: Floats) -> float:
        """Return how much ``patch`` differs from the median print of the spots that are printed
        like ``spot``."""
        return float(print_error(patch[None], self._usual[spot][None], self.unit)[0])

    def emptiness(self, spot: str, patch: Floats, span: Span | None = None) -> float:
        """Return the error of taking ``spot`` for empty, with its light off or on, whichever fits
        better; the ``patch`` may be anything in its ``span``.

        A light is a bright round middle; the ring round it is then still bare print.
        """
        prints = [p[spot] for p in (self.prints, self._former) if spot in p]
        seen = np.stack([span.nearest(p) if span else patch for p in prints])
        return float(self._bareness(seen, np.stack(prints), spot in self._unknown).min())

    def lights(self, patches: Mapping[str, Floats]) -> dict[str, Span]:
        """Return what spots with a bright middle may show without a light there, if lights shine:
        if one does under a bare spot. Over what lies there its core and halo hide as much as they
        add."""
        spots = sorted(patches)
        seen, prints = _stack(patches, spots), _stack(self.prints, spots)
        bare = (lit := self._lit(seen, prints)) < LIT
        if bare.any():
            bare &= lit < print_error(seen, prints, self.unit)
        if not bare.any():
            return {}
        around = seen[:, disc(0.3, 0.02) - disc(0.2, 0.02) > 0.5].mean(1)
        bright = self._brighter(seen, around[:, None, None]) & ~bare
        return {s: _beneath(patches[s]) for s, some in zip(spots, bright, strict=True) if some}

    def _brighter(self, patches: Floats, usual: Floats) -> NDArray[np.bool_]:
        """Tell of which ``patches`` the middle is as much brighter than ``usual`` as a light is."""
        seen, bare = (
            p.reshape(len(p), -1, 3).take(_lamp(), 1)
            for p in (patches, np.broadcast_to(usual, patches.shape))
        )
        return np.asarray((seen - bare).max(-1).mean(-1) >= 0.5 * np.sqrt(self.unit))

    def _bareness(self, patches: Floats, prints: Floats, inner: bool = False) -> Floats:
        plain = print_error(patches, prints, self.unit, inner)
        return np.minimum(plain, self._lit(patches, prints))

    def _lit(self, patches: Floats, prints: Floats) -> Floats:
        """Return the errors of taking ``patches`` for bare ``prints`` with lights in the middle;
        infinite where that is not bright."""
        errors = np.full(len(patches), np.inf, np.float32)
        for at in np.flatnonzero(self._brighter(patches, prints)):
            errors[at] = lit_error(patches[at], prints[at]) / self.unit + 0.02
        return errors


@cache
def _rim() -> NDArray[np.bool_]:
    """Return which pixels of a patch lie at the rim of its spot, where tokens hardly reach."""
    return np.asarray((disc(0.46, 0.02) > 0.5) & (disc(0.38, 0.02) < 0.5))


@cache
def _lamp() -> NDArray[np.int64]:
    """Return the pixels of a patch, by their number, that a light under its spot makes bright."""
    return np.flatnonzero(disc(0.12, 0.04) > 0.5)


@cache
def _glow() -> Floats:
    """Return how much of what is seen over a light may be its own: (side, side, 1)."""
    y, x = np.mgrid[-HALF : HALF + 1, -HALF : HALF + 1] / PER_PITCH
    return np.asarray(np.exp(-(x * x + y * y) / HALOS[0]), np.float32)[..., None]


def _beneath(patch: Floats) -> Span:
    """Return what ``patch`` may show under the light in its middle, which is only ever added."""
    return Span(patch * (1 - _glow()), patch, np.zeros_like(patch[..., :1]))


@cache
def _halos() -> tuple[NDArray[np.int64], Floats, Floats]:
    """Return the ring that a light leaves bare: its pixels in a patch, by their number, its weights
    (n, 1), its halos under these weights (n, 2)."""
    ring = np.clip(disc(0.38, 0.05) - disc(0.20, 0.05), 0, 1).ravel()
    inside = np.flatnonzero(ring > 0.05)
    every = np.hypot(*np.mgrid[-HALF : HALF + 1, -HALF : HALF + 1])
    radius = every.ravel()[inside] / PER_PITCH
    halos = np.stack([np.exp(-(radius**2) / width) for width in HALOS], 1)
    weight = ring[inside][:, None]
    return inside, weight, np.asarray(halos * weight, np.float32)


def lit_error(patch: Floats, print_: Floats) -> float:
    """Return the mean square left round a light when the print is seen with its halo."""
    inside, weight, shine = _halos()
    seen, bare = (p.reshape(-1, 3)[inside] * weight for p in (patch, print_))
    layers = np.concatenate([bare, shine], 1)
    power, target = layers.T @ layers, layers.T @ seen
    # For each channel the print and the halos are fitted together, for how bright the print is.
    normal = power[_OF[:, :, None], _OF[:, None]] + 1e-3 * np.eye(3)
    found = np.linalg.solve(normal, target[_OF, np.arange(3)[:, None]][..., None])[:, 0, 0]
    rest = seen - bare * np.clip(found, *EVENED).astype(np.float32)
    # Light is only ever added: the better of the two halos, if it brightens.
    own, dots = power.diagonal()[3:, None], shine.T @ rest
    gains = np.maximum(dots / (own + 1e-3), 0.0)
    kept = (gains * (gains * own - 2 * dots)).min(0)
    left = float(np.vdot(rest, rest) + kept.sum())
    return left / (3 * float(np.vdot(weight, weight)))


_OF = np.array([(0, 3, 4), (1, 3, 4), (2, 3, 4)])
"""For each channel the layers of which its picture is made: its print, and both halos."""


def flat_field(
    board: Board, patches: Mapping[str, Floats], covered: Iterable[str]
) -> dict[str, Floats]:
    """Return how strong the light is on every spot, per channel, against the middle of all: to
    divide its patch by (side, 3), each row the same, for NumPy is fast where rows are long.

    Bare spots of one shade should look alike; a polynomial of the second degree through their
    logarithms is the light. Too few bare spots leave it even.
    """
    hidden = set(covered)
    bare = [name for name in patches if name not in hidden]
    if len(bare) < 12:
        return {name: np.ones(3, np.float32) for name in patches}
    inner = slice(HALF - 8, HALF + 9)
    levels = np.log(np.stack([patches[name][inner, inner] for name in bare]).mean((1, 2)) + 2)
    means = dict(zip(bare, levels, strict=True))
    shades: dict[str, list[Floats]] = {}
    for name, mean in means.items():
        shades.setdefault(board[name].shade, []).append(mean)
    middle = {shade: np.median(some, 0) for shade, some in shades.items() if len(some) > 5}
    used = [name for name in means if board[name].shade in middle]
    if len(used) < 12:
        return {name: np.ones(3, np.float32) for name in patches}
    places = _places(board, patches)
    rows = np.array([places[name] for name in used])
    target = np.array([means[name] - middle[board[name].shade] for name in used])
    fitted = np.zeros((6, 3))
    off = np.abs(target).max(1)
    for _ in range(4):
        heavy = rows / (1 + (off / max(0.02, 2 * float(np.median(off)))) ** 2)[:, None]
        fitted = np.linalg.solve(heavy.T @ rows + 0.05 * np.eye(6), heavy.T @ target)
        off = np.abs(target - rows @ fitted).max(1)
    fields = np.exp(np.array(list(places.values())) @ fitted).astype(np.float32)
    return dict(zip(places, np.repeat(fields[:, None], 2 * HALF + 1, 1), strict=True))


def _places(board: Board, names: Iterable[str]) -> dict[str, Floats]:
    """Return 1, x, y, x x, x y, y y of every spot, where the board reaches from -1 to 1."""
    some = list(names)
    left, top, right, bottom = board.bounds
    x, y = np.array([board[name].centre for name in some]).T
    x, y = (2 * x - left - right) / (right - left), (2 * y - top - bottom) / (bottom - top)
    rows = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], 1).astype(np.float32)
    return dict(zip(some, rows, strict=True))


def usual_prints(
    board: Board, patches: Mapping[str, Floats], covered: set[str]
) -> dict[str, Floats]:
    """Return the usual print of every spot: the middle one of the bare spots of its shade."""
    kinds: dict[tuple[str, str], list[Floats]] = {}
    for name, patch in patches.items():
        if name not in covered:
            spot = board[name]
            kinds.setdefault((spot.kind, spot.shade), []).append(patch)
    middle = {kind: _middle(some) for kind, some in kinds.items()}
    wanted = {name: (board[name].kind, board[name].shade) for name in patches}
    if set(wanted.values()) <= middle.keys():
        return {name: middle[kind] for name, kind in wanted.items()}
    every = _middle(list(patches.values()))
    return {name: middle.get(kind, every) for name, kind in wanted.items()}


def _middle(patches: list[Floats]) -> Floats:
    """Return the median of up to fifteen patches taken evenly from all."""
    some = np.stack(patches[:: max(1, len(patches) // 15)])
    half = len(some) // 2
    ordered = np.partition(some, (half, (len(some) - 1) // 2), axis=0)
    return np.asarray((ordered[half] + ordered[(len(some) - 1) // 2]) / 2, np.float32)


def _stack(patches: Mapping[str, Floats], spots: Collection[str]) -> Floats:
    """Return the patches of ``spots`` in one array (n, side, side, 3)."""
    side = 2 * HALF + 1
    return (
        np.stack([patches[s] for s in spots]) if spots else np.zeros((0, side, side, 3), np.float32)
    )
