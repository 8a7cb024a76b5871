"""Dice: the top face read from its pips, whatever the colours of dice and pips, without enrolment.

Pips are found as round blobs. Every pair of blobs proposes where a face may lie; each face's
pattern is then laid there, fitted to the blobs, and rated by the pips it explains, the pips it
misses and the blobs it leaves unexplained. Side faces lose: seen flat they are squeezed, and they
lie away from where the top is expected.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.rules import Point
from vision.dice.pips import SIZE, Blobs, Floats, find_blobs, opponent
from vision.frames import Image

FACES = (
    (1, (0,)),
    (2, (1, 3)),
    (2, (2, 4)),
    (3, (0, 1, 3)),
    (3, (0, 2, 4)),
    (4, (1, 2, 3, 4)),
    (5, (0, 1, 2, 3, 4)),
    (6, (1, 2, 3, 4, 5, 7)),
    (6, (1, 2, 3, 4, 6, 8)),
    (6, (9, 10, 11, 12, 13, 14)),
    (6, (15, 16, 17, 18, 19, 20)),
)
"""Values and the sites of their pips; many dice have the two rows of the six closer together."""
NARROW = 0.72
_ROWS = ((-1, -1), (1, -1), (1, 1), (-1, 1), (-1, 0), (1, 0))
SITES: Floats = np.array(
    [(0, 0), (-1, -1), (1, -1), (1, 1), (-1, 1), (-1, 0), (0, -1), (1, 0), (0, 1)]
    + [(x * NARROW, y) for x, y in _ROWS]
    + [(y, x * NARROW) for x, y in _ROWS]
)
"""Places of pips in units of the spacing: half the side of the square that the four makes."""
_VALUES = np.array([value for value, _ in FACES])
_ON: Floats = np.array([[k in sites for k in range(len(SITES))] for _, sites in FACES], float)
_TURN = np.pi / 4
PIP = 0.42
"""Radius of a pip in units of the spacing, on common dice."""
_LINE = np.linspace(-1.75, 1.75, 17)
_GRID: Floats = np.array([(x, y) for y in _LINE for x in _LINE])
"""Points all over a face, where its colours are compared."""
_APART = np.array([np.hypot(*(_GRID - site).T) for site in SITES])
_NEAREST = np.array([_APART[list(sites)].min(0) for _, sites in FACES])
_PIPS: Floats = np.clip((PIP - _NEAREST) / (_LINE[1] - _LINE[0]) + 0.5, 0, 1)
_BODY: Floats = ((_NEAREST > 0.62) & (np.hypot(*_GRID.T) < 2.05)).astype(float)
"""Which points are pips of each of FACES, and which are surely body."""

EXPLAINS = 6.0
"""Worth of a face that two colours explain e times better than one."""
GAIN, MISS, INSIDE, NEAR = 2.3, 0.4, 2.0, 0.84
"""Worth of a pip explained, of one missed (in gains), cost of a blob left over on the face and
beside it. These and the widths below were tuned on one half of photographed dice and proven on
the other."""
NOTHING = -20.0
SHARP = 0.8
"""Turns differences of scores into odds; fitted to photographed dice."""
PRESENT = 6.8
"""Score at which a die and a bare spot are equally likely."""


@dataclass(frozen=True, slots=True)
class Stance:
    """Where a top face is expected in a patch, all lengths in patch widths.

    ``middle`` is off the patch's middle (x right, y down) and ``loose`` its deviation; faces
    beyond ``reach`` are not tried. ``spacing`` is half the side of the square of the four's
    pips and ``vary`` the deviation of its logarithm.
    """

    middle: Point = (0.0, 0.0)
    loose: float = 0.16
    reach: float = 0.30
    spacing: float = 0.11
    vary: float = 0.35


ANYHOW = Stance()
"""Dice of any size, roughly in the middle of the patch."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a patch shows: ``faces`` are the probabilities of 1 to 6 if there is a die, ``die``
    the probability that there is one. ``middle`` and ``spacing`` tell how the likeliest face
    lies, in patch widths; ``body`` and ``ink`` are the colours of the die and its pips (BGR).
    ``flat`` is the probability that a face is on top, where somebody looked for that."""

    faces: tuple[float, ...]
    die: float
    middle: Point = (0.0, 0.0)
    spacing: float = 0.0
    body: tuple[float, float, float] = (0.0, 0.0, 0.0)
    ink: tuple[float, float, float] = (0.0, 0.0, 0.0)
    flat: float = 1.0

    @property
    def value(self) -> int:
        """Return the likeliest value."""
        return 1 + int(np.argmax(self.faces))


@dataclass(frozen=True, slots=True, eq=False)
class _Tries:
    """Where faces may lie: ``frame`` (n, 2, 2) carries sites to pixels about ``middle`` (n, 2);
    ``pair`` (n, 2) are the blobs that proposed it, twice the same for a single pip."""

    frame: Floats
    middle: Floats
    pair: NDArray[np.intp]


def read_die(patch: Image, stance: Stance = ANYHOW) -> Reading:
    """Read the die in ``patch`` (BGR, square, about 1.6 spots wide, 64 pixels or more)."""
    picture = np.asarray(patch)
    if picture.shape[0] != SIZE:
        shrinks = picture.shape[0] > SIZE
        way = cv2.INTER_AREA if shrinks else cv2.INTER_CUBIC
        picture = np.asarray(cv2.resize(picture, (SIZE, SIZE), interpolation=way))
    colours = opponent(picture)
    blobs = find_blobs(colours)
    tries = _propose(blobs, stance)
    if not len(tries.middle):
        return Reading((1 / 6,) * 6, 0.0)
    scores, best = _fit(blobs, tries, stance, colours)
    odds = np.array([scores[value == _VALUES].max() for value in range(1, 7)])
    faces = np.exp(SHARP * (odds - odds.max()))
    frame, middle = best
    lies = (middle - (SIZE - 1) / 2) / SIZE
    body, ink = _colours(picture, frame, middle, FACES[int(scores.argmax())][1])
    return Reading(
        tuple(float(p) for p in faces / faces.sum()),
        float(1 / (1 + np.exp(np.clip(PRESENT - odds.max(), -50, 50)))),
        (float(lies[0]), float(lies[1])),
        float(np.sqrt(abs(np.linalg.det(frame)))) / SIZE,
        body,
        ink,
    )


def _propose(blobs: Blobs, stance: Stance) -> _Tries:
    """Take every pair of blobs for a diagonal, half of one, or a side of a face, and every blob
    for a single pip; keep what lies and measures as ``stance`` allows."""
    at = blobs.at
    first, second = np.triu_indices(len(at), 1)
    way = at[second] - at[first]
    length, angle = np.hypot(*way.T), np.arctan2(way[:, 1], way[:, 0])
    middle, aside = (at[first] + at[second]) / 2, np.c_[-way[:, 1], way[:, 0]] / 2
    own = np.arange(len(at))
    parts = [
        (middle, length / np.sqrt(8), angle - _TURN, first, second),
        (at[first], length / np.sqrt(2), angle - _TURN, first, second),
        (at[second], length / np.sqrt(2), angle - _TURN, first, second),
        *((middle + k * aside, length / 2, angle, first, second) for k in (1, -1, NARROW, -NARROW)),
        *((at, blobs.radius / pip, 0.0 * own, own, own) for pip in (0.36, PIP, 0.50)),
        (at, 0.0 * own + stance.spacing * SIZE, 0.0 * own, own, own),
    ]
    middles = np.concatenate([part[0] for part in parts])
    spacing, turn = (np.concatenate([part[k] for part in parts]) for k in (1, 2))
    pair = np.stack([np.concatenate([part[k] for part in parts]) for k in (3, 4)], 1)
    wide = max(2.5 * stance.vary, 0.2)
    off = np.abs(np.log(np.maximum(spacing, 1e-6) / (stance.spacing * SIZE)))
    keep = (off < wide) & (np.hypot(*(middles - _expected(stance)).T) < stance.reach * SIZE)
    x, y = np.cos(turn[keep]) * spacing[keep], np.sin(turn[keep]) * spacing[keep]
    frame = np.stack([x, -y, y, x], -1).reshape(-1, 2, 2)
    return _Tries(frame, middles[keep], pair[keep])


def _fit(
    blobs: Blobs, tries: _Tries, stance: Stance, colours: NDArray[np.float32]
) -> tuple[Floats, tuple[Floats, Floats]]:
    """Return the best score of each of FACES, and frame and middle of the best of all."""
    like, contrast = _likeness(blobs, tries.pair)
    prior = _prior(tries.frame, tries.middle, blobs.radius[tries.pair[:, 0]], contrast, stance)
    rated, weight = _rate(blobs, tries.frame, tries.middle, like, 0.255)
    rated += prior[:, None]
    single = tries.pair[:, 0] == tries.pair[:, 1]
    rated[~single, 0], rated[single, 1:] = NOTHING, NOTHING
    pick = np.argsort(-rated, axis=0)[:3]
    face = np.broadcast_to(np.arange(len(FACES)), pick.shape).ravel()
    pick = pick.ravel()
    close = rated[pick, face] > rated.max() - 12
    pick, face = pick[close], face[close]
    frame, middle, own = tries.frame[pick], tries.middle[pick], weight[pick]
    for _ in range(2):
        frame, middle = _settle(blobs, frame, middle, own * _ON[face][:, :, None])
        final, own = _rate(blobs, frame, middle, like[pick], 0.20)
    radius = blobs.radius[tries.pair[pick, 0]]
    score = final[np.arange(len(pick)), face]
    score = score + _prior(frame, middle, radius, contrast[pick], stance)
    score = score + EXPLAINS * _explained(colours, face, frame, middle)
    scores = np.full(len(FACES), NOTHING)
    np.maximum.at(scores, face, score)
    best = int(score.argmax())
    return scores, (frame[best], middle[best])


def _likeness(blobs: Blobs, pair: NDArray[np.intp]) -> tuple[Floats, Floats]:
    """Return how much each blob is like the blobs that proposed a try, (n, b), and how strong
    these are, (n,): pips of one die are alike in colour and contrast."""
    reference = (blobs.colour[pair[:, 0]] + blobs.colour[pair[:, 1]]) / 2
    power = (reference**2).sum(1, keepdims=True) + 1e-6
    along = reference @ blobs.colour.T / power
    square = (blobs.colour**2).sum(1)[None] / power
    across = np.maximum(square - along**2, 0)
    like = np.clip(along, 0, 1) * np.exp(-across / 0.7**2)
    return (like * np.clip(blobs.round, 0, 0.25) / 0.25) ** 1.6, np.sqrt(power[:, 0])


def _prior(
    frame: Floats, middle: Floats, radius: Floats, contrast: Floats, stance: Stance
) -> Floats:
    """Return the score for lying where and being as large as expected, square and clear."""
    spacing = np.sqrt(np.abs(np.linalg.det(frame))) + 1e-6
    skew = (frame[:, 0, 0] - frame[:, 1, 1]) ** 2 + (frame[:, 0, 1] + frame[:, 1, 0]) ** 2
    off = ((middle - _expected(stance)) ** 2).sum(1)
    size = np.log(spacing / (stance.spacing * SIZE)) / stance.vary
    pips = np.log(radius / spacing / PIP) / 0.35
    return np.asarray(
        2.5 * np.log(np.clip(contrast, 1, 40))
        - off / (2 * (stance.loose * SIZE) ** 2)
        - (size**2 + pips**2 + skew / (spacing * 0.18) ** 2) / 2
    )


def _rate(
    blobs: Blobs, frame: Floats, middle: Floats, like: Floats, width: float
) -> tuple[Floats, Floats]:
    """Rate each try as each face, (n, 11), and weigh each blob at each site, (n, 21, b).

    ``width`` is how far, in spacings, a pip may lie off its site.
    """
    off = blobs.at[None] - middle[:, None]
    local = np.einsum("nij,nbj->nbi", np.linalg.inv(frame), off)
    square = (local**2).sum(-1)[:, None] + (SITES**2).sum(-1)[None, :, None]
    square -= 2 * np.einsum("sj,nbj->nsb", SITES, local)
    near = np.exp(square * (-0.5 / width**2))
    weight = near * like[:, None]
    gain = weight.max(2) @ (_ON * (GAIN * (1 + MISS))).T - GAIN * MISS * _ON.sum(1)
    far = np.abs(local).max(-1)
    inside = np.clip((2.0 - far) / 0.5, 0, 1)
    cost = like * (inside * INSIDE + (np.clip((3.2 - far) / 0.8, 0, 1) - inside) * NEAR)
    left = [(cost * (1 - near[:, list(sites)].max(1))).sum(1) for _, sites in FACES]
    return gain - np.stack(left, 1), weight


def _settle(blobs: Blobs, frame: Floats, middle: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """Move and bend each frame to the blobs at its sites: least squares, held to what it was."""
    heavy, which = weight.max(2), weight.argmax(2)
    sites = np.c_[SITES, np.ones(len(SITES))]
    hold = np.array([0.175, 0.175, 0.2])
    normal = np.einsum("ns,si,sj->nij", heavy, sites, sites, optimize=True) + np.diag(hold)
    before = np.concatenate([frame.transpose(0, 2, 1), middle[:, None]], 1)
    pull = np.einsum("ns,si,nsj->nij", heavy, sites, blobs.at[which], optimize=True)
    after = np.linalg.solve(normal, pull + hold[:, None] * before)
    return after[:, :2].transpose(0, 2, 1), after[:, 2]


def _explained(
    colours: NDArray[np.float32], face: NDArray[np.intp], frame: Floats, middle: Floats
) -> Floats:
    """Return how well two colours, of pips and body, explain each face pixel by pixel: the log
    of the variance before over the variance left, grey plus colour, (n,)."""
    at = (np.einsum("nij,pj->npi", frame, _GRID) + middle[:, None]).astype(np.float32)
    seen = cv2.remap(
        colours, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    pips, body = (masks[face][:, None] for masks in (_PIPS, _BODY))
    inks, bodies = ((mask / mask.sum(2, keepdims=True)) @ seen for mask in (pips, body))
    squares = seen * seen
    spread = [
        np.maximum((mask / mask.sum(2, keepdims=True)) @ squares - mean**2, 0)
        for mask, mean in ((pips, inks), (body, bodies))
    ]
    share = pips.sum(2, keepdims=True) / (pips + body).sum(2, keepdims=True)
    left = share * spread[0] + (1 - share) * spread[1] + 1
    gained = np.log1p(share * (1 - share) * (inks - bodies) ** 2 / left)[:, 0]
    return np.asarray(gained.sum(1), np.float64)


def _expected(stance: Stance) -> Floats:
    return (SIZE - 1) / 2 + np.array(stance.middle) * SIZE


def _colours(
    picture: Image, frame: Floats, middle: Floats, sites: Sequence[int]
) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
    """Return the colours of the body, well between the pips, and of the pips."""
    pips = SITES[list(sites)]
    between = _GRID[(_APART[list(sites)].min(0) > 0.65) & (np.abs(_GRID).max(1) < 1.1)]
    taken = []
    for local in (between, pips):
        x, y = np.round(local @ frame.T + middle).astype(int).T
        colours = picture[np.clip(y, 0, SIZE - 1), np.clip(x, 0, SIZE - 1)]
        blue, green, red = (float(v) for v in np.median(colours, axis=0))
        taken.append((blue, green, red))
    return taken[0], taken[1]


@dataclass(frozen=True, slots=True)
class Lean:
    """How top faces stand off the middles of their spots, as the camera sees them from its side:
    by ``slope`` times the way from ``foot``, the board point under the camera (millimetres).
    ``spacing`` is that of the dice in millimetres, ``astray`` the deviation by which dice lie off
    the middles of their spots, right and down, in millimetres."""

    slope: float
    foot: Point
    spacing: float
    astray: float = 0.0

    def stance(self, centre: Point, width: float, loose: bool = False) -> Stance:
        """Return where a die on the spot round ``centre`` shows its top, in a patch of ``width``
        millimetres; ``loose`` where this is how dice in general lean."""
        x, y = (self.slope * (c - f) / width for c, f in zip(centre, self.foot, strict=True))
        if loose:
            return Stance((x, y), 0.08, 0.22, self.spacing / width, 0.20)
        astray = max(NEATLY, self.astray / width)
        return Stance((x, y), astray, REACH * astray, self.spacing / width, 0.08)


HELD = 0.3, 1.2
"""How far a table's dice are usually off the common lean: in height (a part of it), and in
millimetres, for the board itself is found no better."""
NEATLY, REACH = 0.05, 3.2
"""Deviation by which dice lie off their spots at least, in widths of a patch, and how many
deviations off they are looked for."""
ASKEW = 4.0
"""Millimetres squared that a die lies off its place, times how many dice err alike."""


def learn_lean(
    centres: Sequence[Point], readings: Sequence[Reading], width: float, usual: Lean
) -> Lean | None:
    """Learn from dice on known spots how the top faces lean; None if too few are clear.

    ``width`` is that of the patches in millimetres; ``usual`` is how common dice would lean
    before this camera. The top of a die of height h seen from the height Z lies off by
    h / (Z - h) of its way from the foot of the camera: height and foot are fitted again and again
    without the dice that fit worst, and held to the usual ones, which tells tops from sides.
    """
    clear = [k for k, reading in enumerate(readings) if reading.die * max(reading.faces) > 0.5]
    if len(clear) < 4:
        return None
    way = np.array([centres[k] for k in clear], float) - np.array(usual.foot)
    off = np.array([readings[k].middle for k in clear], float) * width
    sizes = np.array([readings[k].spacing for k in clear]) * width
    hold = np.diag([ASKEW / (HELD[0] * usual.slope) ** 2, *2 * [ASKEW / HELD[1] ** 2]])
    solved = np.array([usual.slope, 0.0, 0.0])
    solved[1:] = np.median(off - usual.slope * way, 0)
    for _ in range(5):
        error = np.hypot(*(off - solved[1:] - solved[0] * way).T)
        keep = error <= max(2.5 * float(np.median(error)), 0.02 * width)
        n, total = int(keep.sum()), way[keep].sum(0)
        normal = np.eye(3) * n
        normal[0, 0] = float((way[keep] ** 2).sum())
        normal[0, 1:] = normal[1:, 0] = total
        pull = np.array([(way[keep] * off[keep]).sum(), *off[keep].sum(0)])
        pull = pull + hold @ np.array([usual.slope, 0.0, 0.0])
        solved = np.linalg.solve(normal + hold, pull)
    spacing = float(np.median(sizes[keep]))
    slope = max(float(solved[0]), 1e-4)
    x, y = (float(f - c / slope) for f, c in zip(usual.foot, solved[1:], strict=True))
    # Of errors that scatter alike both ways half are within 1.18 deviations.
    error = np.hypot(*(off - solved[1:] - solved[0] * way).T)
    return Lean(slope, (x, y), spacing, float(np.median(error)) / 1.18)
