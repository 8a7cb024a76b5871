"""Dice: the top face read from its pips, whatever the colours of dice and pips, without enrolment.

Pips are found as round blobs. Every pair of blobs proposes where a face may lie; each face's
pattern is then laid there, fitted to the blobs, and rated by the pips it explains, the pips it
misses and the blobs it leaves unexplained. Side faces lose: seen flat they are squeezed, and they
lie away from where the top is expected.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from companion.rules import Point
from vision.dice.pips import KEEP, SIZE, Blobs, Floats, Singles, find_blobs, opponent, sampled
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
)
"""Values and the sites of their pips."""
SITES: Floats = np.array(
    [(0, 0), (-1, -1), (1, -1), (1, 1), (-1, 1), (-1, 0), (0, -1), (1, 0), (0, 1)]
)
"""Places of pips in units of the spacing: half the side of the square that the four makes."""
_VALUES = np.array([value for value, _ in FACES])
_ON: Floats = np.array([[k in sites for k in range(len(SITES))] for _, sites in FACES], float)
PIP = 0.42
"""Radius of a pip in units of the spacing, on common dice."""
_LINE = np.linspace(-1.75, 1.75, 17)
_GRID: Floats = np.array([(x, y) for y in _LINE for x in _LINE])
"""Points all over a face, where its colours are compared."""
_NEAREST = np.array(
    [np.min([np.hypot(*(_GRID - SITES[k]).T) for k in sites], axis=0) for _, sites in FACES]
)
_PIPS = np.clip((PIP - _NEAREST) / (_LINE[1] - _LINE[0]) + 0.5, 0, 1).astype(np.float32)
_BODY = ((_NEAREST > 0.62) & (np.hypot(*_GRID.T) < 2.05)).astype(np.float32)
"""Which points are pips of each of FACES, and which are surely body."""
_MEANS = np.stack([mask / mask.sum(1, keepdims=True) for mask in (_PIPS, _BODY)], 1)
_SHARE = _PIPS.sum(1) / (_PIPS + _BODY).sum(1)
"""What takes the means over both, (9, 2, points), and the pips' share of the points."""

EXPLAINS = 6.0
"""Worth of a face whose two colours explain the patch e times better than one colour does."""
GAIN, MISS, INSIDE, NEAR = 2.3, 0.4, 2.0, 0.84
"""Worth of a pip explained (GAIN), of one missed (MISS, in gains), and cost of a blob left over on
the face (INSIDE) and beside it (NEAR). These and the widths below were tuned on one half of the
photographed dice and tested on the other."""
NOTHING = -20.0
SURELY = 0.9
"""Share of a point that belongs to the pips, or to the body, from which on its colour is theirs."""
SIZES = 60
"""Common sizes of dice that are tried."""
AT_ONCE = 12
"""Patches that are read together; more would not stay in the processor's cache."""
SHARP = 0.8
"""Factor that turns differences of scores into log odds; fitted to photographed dice."""
PRESENT = 6.8
"""Score at which a die and a bare spot are equally likely."""


Bgr = tuple[float, float, float]
"""A colour: blue, green and red, 0 to 255."""


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
class DieReading:
    """What a patch shows: ``faces`` are the probabilities of 1 to 6 if there is a die, ``die``
    the probability that there is one. ``middle`` and ``spacing`` tell how the likeliest face
    lies, in patch widths; ``body`` is the colour of the die (BGR), ``ink`` that of its pips.
    ``flat`` is the probability that a face is on top, where somebody looked for that."""

    faces: tuple[float, ...]
    die: float
    middle: Point = (0.0, 0.0)
    spacing: float = 0.0
    body: Bgr = (0.0, 0.0, 0.0)
    ink: Bgr = (0.0, 0.0, 0.0)
    flat: float = 1.0

    @property
    def value(self) -> int:
        """Return the likeliest value."""
        return 1 + int(np.argmax(self.faces))


@dataclass(frozen=True, slots=True, eq=False)
class _Stances:
    """The stances of n patches: ``middle`` (n, 2) in pixels, the others (n,), lengths in pixels."""

    middle: Floats
    loose: Floats
    reach: Floats
    spacing: Floats
    vary: Floats

    @classmethod
    def of(cls, stances: Sequence[Stance]) -> _Stances:
        """Return these stances side by side."""
        middle = (SIZE - 1) / 2 + SIZE * np.array([s.middle for s in stances]).reshape(-1, 2)
        rows = np.array([(s.loose, s.reach, s.spacing) for s in stances]).reshape(-1, 3)
        loose, reach, spacing = SIZE * rows.T
        return cls(middle, loose, reach, spacing, np.array([s.vary for s in stances]))

    def some(self, where: slice) -> _Stances:
        """Return only those of these patches."""
        parts = (self.middle, self.loose, self.reach, self.spacing, self.vary)
        return _Stances(*(part[where] for part in parts))


@dataclass(frozen=True, slots=True, eq=False)
class _Tries:
    """Where faces may lie: ``frame`` (n, 2, 2) carries sites to pixels about ``middle`` (n, 2) of
    the patch ``die`` (n,), in ascending order; ``pair`` (n, 2) are the blobs that proposed it,
    twice the same for a single pip."""

    die: NDArray[np.intp]
    frame: Floats
    middle: Floats
    pair: NDArray[np.intp]

    def some(self, which: NDArray[np.intp]) -> _Tries:
        """Return only those at these places."""
        return _Tries(self.die[which], self.frame[which], self.middle[which], self.pair[which])


@dataclass(frozen=True, slots=True, eq=False)
class Tops:
    """The likeliest ways in which patches (n, SIZE, SIZE, 3) may show top faces, several for each:
    ``die`` (m,) says which patch, ``face`` which of FACES, ``frame`` (m, 2, 2) and ``middle``
    (m, 2) how it lies in pixels. ``score`` (m,) leaves out the size, of which ``prior`` (m,) and
    ``vary`` (m,) say what is expected: the logarithm of the spacing in pixels, and its
    deviation."""

    patches: NDArray[np.uint8]
    die: NDArray[np.intp]
    face: NDArray[np.intp]
    frame: Floats
    middle: Floats
    score: Floats
    prior: Floats
    vary: Floats

    @property
    def size(self) -> Floats:
        """Return the logarithms of the spacings in pixels, (m,)."""
        return np.asarray(np.log(_spacing(self.frame)))

    def alike(self, vary: float) -> Tops:
        """Return the same of dice that are all of one size: of that which explains them best, from
        which each differs by the deviation ``vary``."""
        if not len(self.die):
            return self
        whole, sizes = [], np.linspace(self.size.min(), self.size.max(), SIZES)
        for size in sizes:
            own = np.zeros(len(self.patches))
            off = (self.size - size) / vary
            np.maximum.at(own, self.die, np.maximum(self.score - off**2 / 2, 0.0))
            usual = (size - self.prior[0]) / self.vary[0]
            whole.append(float(own.sum() - usual**2 / 2))
        best = np.full_like(self.prior, sizes[int(np.argmax(whole))])
        return replace(self, prior=best, vary=np.full_like(self.vary, vary))

    def readings(self) -> list[DieReading]:
        """Return what each patch shows."""
        size = self.size
        score = self.score - ((size - self.prior) / self.vary) ** 2 / 2
        ends = np.searchsorted(self.die, np.arange(len(self.patches) + 1))
        return [
            self._reading(patch, slice(start, end), score[start:end], size[start:end])
            for patch, (start, end) in zip(self.patches, pairwise(ends), strict=True)
        ]

    def _reading(self, patch: Image, where: slice, score: Floats, size: Floats) -> DieReading:
        if not len(score):
            return DieReading((1 / 6,) * 6, 0.0)
        odds = np.full(6, NOTHING)
        np.maximum.at(odds, _VALUES[self.face[where]] - 1, score)
        faces = np.exp(SHARP * (odds - odds.max()))
        best = where.start + int(score.argmax())
        spacing = float(np.exp(size[best - where.start])) / SIZE
        frame, middle = self.frame[best], self.middle[best]
        lies, face = (middle - (SIZE - 1) / 2) / SIZE, int(self.face[best])
        body, ink = (_colour(patch, frame, middle, part[face]) for part in (_BODY, _PIPS))
        return DieReading(
            tuple(float(p) for p in faces / faces.sum()),
            float(1 / (1 + np.exp(np.clip(PRESENT - odds.max(), -50, 50)))),
            (float(lies[0]), float(lies[1])),
            spacing,
            body,
            ink,
        )


def find_tops(patches: NDArray[np.uint8], stances: Sequence[Stance]) -> Tops:
    """Find what ``patches`` (n, SIZE, SIZE, 3) may show, each in its stance."""
    known, parts = _Stances.of(stances), []
    for start in range(0, max(1, len(patches)), AT_ONCE):
        some = slice(start, start + AT_ONCE)
        colours, here = opponent(patches[some]), known.some(some)
        blobs = find_blobs(colours)
        tries, face, score = _fit(blobs, _propose(blobs, here), here, colours)
        parts.append((start + tries.die, face, tries.frame, tries.middle, score))
    die, face, frame, middle, score = (np.concatenate(part) for part in zip(*parts, strict=True))
    return Tops(
        patches, die, face, frame, middle, score, np.log(known.spacing[die]), known.vary[die]
    )


def _propose(blobs: Blobs, stances: _Stances) -> _Tries:
    """Take every pair of blobs for a diagonal, half of one, or a side of a face, and every blob
    for a single pip; keep what lies and measures as its stance allows."""
    at, (one, two) = blobs.at, np.triu_indices(KEEP, 1)
    wide = np.maximum(2.5 * stances.vary, 0.2)
    # A pair may be a side, half a diagonal or a whole one: from sqrt(2) to sqrt(8) spacings.
    log = np.log(np.hypot(*(at[:, two] - at[:, one]).transpose(2, 0, 1)) + 1e-6)
    log -= np.log(stances.spacing)[:, None]
    fair = (log > np.log(2) / 2 - wide[:, None]) & (log < np.log(8) / 2 + wide[:, None])
    owner, pair = np.nonzero(fair & blobs.real[:, one] & blobs.real[:, two])
    first, second = one[pair], two[pair]
    start, way = at[owner, first], at[owner, second] - at[owner, first]
    length, angle = np.hypot(way[:, 0], way[:, 1]), np.arctan2(way[:, 1], way[:, 0])
    middle, aside = start + way / 2, np.stack([-way[:, 1], way[:, 0]], -1) / 2
    alone, blob = np.nonzero(blobs.real)
    dot, radius = at[alone, blob], blobs.radius[alone, blob]
    none = np.zeros(len(alone))
    parts = [
        (owner, middle, length / np.sqrt(8), angle - np.pi / 4, first, second),
        (owner, start, length / np.sqrt(2), angle - np.pi / 4, first, second),
        (owner, start + way, length / np.sqrt(2), angle - np.pi / 4, first, second),
        *((owner, middle + k * aside, length / 2, angle, first, second)
          for k in (1, -1)),
        *((alone, dot, radius / pip, none, blob, blob) for pip in (0.36, PIP, 0.50)),
        (alone, dot, stances.spacing[alone], none, blob, blob),
    ]  # fmt: skip
    die, middles, spacing, turn, *ends = (np.concatenate(part) for part in zip(*parts, strict=True))
    off = np.abs(np.log(np.maximum(spacing, 1e-6) / stances.spacing[die]))
    far = middles - stances.middle[die]
    keep = (off < wide[die]) & (np.hypot(far[:, 0], far[:, 1]) < stances.reach[die])
    kept = np.flatnonzero(keep)
    kept = kept[np.argsort(die[kept], kind="stable")]
    x, y = (part[kept] * spacing[kept] for part in (np.cos(turn), np.sin(turn)))
    frame = np.stack([x, -y, y, x], -1).reshape(-1, 2, 2)
    return _Tries(die[kept], frame, middles[kept], np.stack(ends, 1)[kept])


def _fit(
    blobs: Blobs, tries: _Tries, stances: _Stances, colours: Singles
) -> tuple[_Tries, NDArray[np.intp], Floats]:
    """Return the best tries of each face, fitted, which of FACES they are and their scores without
    that for their size."""
    like, contrast = _likeness(blobs, tries)
    radius = blobs.radius[tries.die, tries.pair[:, 0]]
    prior = _prior(tries, radius, contrast, stances) - _oversize(tries, stances)
    near, local = _near(blobs, tries, 0.255)
    weight = near * like[:, None]
    rated = _rate(near, local, weight, like) + prior[:, None]
    single = tries.pair[:, 0] == tries.pair[:, 1]
    rated[~single, 0], rated[single, 1:] = NOTHING, NOTHING
    pick, face = _best(rated, tries.die)
    some = _settle(blobs, tries.some(pick), weight[pick] * _ON[face][:, :, None])
    like = like[pick]
    near, local = _near(blobs, some, 0.20)
    some = _settle(blobs, some, near * like[:, None] * _ON[face][:, :, None])
    near, local = _near(blobs, some, 0.20)
    score = _rate(near, local, near * like[:, None], like)[np.arange(len(pick)), face]
    score = score + _prior(some, radius[pick], contrast[pick], stances)
    return some, face, score + EXPLAINS * _explained(colours, face, some)


def _best(rated: Floats, die: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the three best tries of each die for each face, and the face, where they come near
    the best of the die."""
    picks, faces = [np.zeros(0, np.intp)], [np.zeros(0, np.intp)]
    starts = np.flatnonzero(np.diff(die, prepend=-1))
    for start, end in pairwise([*starts.tolist(), len(die)]):
        part = rated[start:end]
        pick = np.argsort(-part, axis=0)[:3]
        face = np.broadcast_to(np.arange(len(FACES)), pick.shape)
        close = np.take_along_axis(part, pick, 0) > part.max() - 12
        picks.append(start + pick[close])
        faces.append(face[close])
    return np.concatenate(picks), np.concatenate(faces)


def _likeness(blobs: Blobs, tries: _Tries) -> tuple[Singles, Floats]:
    """Return how much each blob is like the blobs that proposed a try, (n, b), and how strong
    these are, (n,): pips of one die are alike in colour and contrast."""
    die, colour = tries.die, blobs.colour[tries.die]
    reference = (blobs.colour[die, tries.pair[:, 0]] + blobs.colour[die, tries.pair[:, 1]]) / 2
    power = (reference**2).sum(1, keepdims=True) + 1e-6
    along = (colour @ reference[:, :, None])[..., 0] / power
    square = (blobs.colour**2).sum(2)[die] / power
    across = np.maximum(square - along**2, 0)
    like = np.clip(along, 0, 1) * np.exp(-across / 0.7**2)
    even = np.clip(blobs.round, 0, 0.25)[die] / 0.25
    return np.asarray((like * even) ** 1.6, np.float32), np.sqrt(power[:, 0])


def _prior(tries: _Tries, radius: Floats, contrast: Floats, stances: _Stances) -> Floats:
    """Return the score for lying where expected, square and clear, with pips of a usual size."""
    frame, die = tries.frame, tries.die
    spacing = _spacing(frame)
    skew = (frame[:, 0, 0] - frame[:, 1, 1]) ** 2 + (frame[:, 0, 1] + frame[:, 1, 0]) ** 2
    off = ((tries.middle - stances.middle[die]) ** 2).sum(1)
    pips = np.log(radius / spacing / PIP) / 0.35
    return np.asarray(
        2.5 * np.log(np.clip(contrast, 1, 40))
        - off / (2 * stances.loose[die] ** 2)
        - (pips**2 + skew / (spacing * 0.18) ** 2) / 2
    )


def _spacing(frame: Floats) -> Floats:
    """Return the spacings in pixels of ``frame`` (n, 2, 2)."""
    (a, b), (c, d) = frame.transpose(1, 2, 0)
    return np.asarray(np.sqrt(np.abs(a * d - b * c)) + 1e-6)


def _oversize(tries: _Tries, stances: _Stances) -> Floats:
    """Return what counts against the sizes of tries."""
    size = np.log(_spacing(tries.frame) / stances.spacing[tries.die]) / stances.vary[tries.die]
    return np.asarray(size**2 / 2)


def _near(blobs: Blobs, tries: _Tries, width: float) -> tuple[Singles, Singles]:
    """Return how near each blob lies to each site of a try, (n, 9, b), where ``width`` is how far,
    in spacings, a pip may lie off its site; and where blobs lie in the frame, (n, b, 2)."""
    (a, b), (c, d) = tries.frame.transpose(1, 2, 0)
    inverse = np.stack([d, -b, -c, a], -1).reshape(-1, 2, 2) / (a * d - b * c)[:, None, None]
    off = blobs.at[tries.die] - tries.middle[:, None]
    local = np.asarray(off @ inverse.transpose(0, 2, 1), np.float32)
    sites = SITES.astype(np.float32)
    near = sites @ local.transpose(0, 2, 1)
    near -= ((local**2).sum(2)[:, None] + (sites**2).sum(1, keepdims=True)) / 2
    near *= np.float32(1 / width**2)
    return np.exp(near, out=near), local


def _rate(near: Singles, local: Singles, weight: Singles, like: Singles) -> Floats:
    """Rate each try as each face, (n, 9), by what :func:`_near` tells of its blobs, by how much
    each counts at each site, and by how they are ``like`` those that proposed it."""
    gain = weight.max(2) @ (_ON * (GAIN * (1 + MISS))).T - GAIN * MISS * _ON.sum(1)
    far = np.maximum(np.abs(local[..., 0]), np.abs(local[..., 1]))
    inside = np.clip((2.0 - far) / 0.5, 0, 1)
    cost = like * (inside * INSIDE + (np.clip((3.2 - far) / 0.8, 0, 1) - inside) * NEAR)
    nearest = np.stack([near[:, list(sites)].max(1) for _, sites in FACES], 1)
    left = (nearest @ cost[:, :, None])[:, :, 0]
    return np.asarray(gain - cost.sum(1)[:, None] + left)


def _settle(blobs: Blobs, tries: _Tries, weight: Floats) -> _Tries:
    """Move and bend each frame to the blobs at its sites: least squares, held to what it was."""
    heavy, which = weight.max(2), weight.argmax(2)
    sites = np.c_[SITES, np.ones(len(SITES))]
    hold = np.array([0.175, 0.175, 0.2])
    squares = (sites[:, :, None] * sites[:, None]).reshape(len(SITES), 9)
    normal = (heavy @ squares).reshape(-1, 3, 3) + np.diag(hold)
    before = np.concatenate([tries.frame.transpose(0, 2, 1), tries.middle[:, None]], 1)
    lies = blobs.at[tries.die[:, None], which]
    pull = sites.T @ (heavy[:, :, None] * lies)
    after = np.linalg.solve(normal, pull + hold[:, None] * before)
    return replace(tries, frame=after[:, :2].transpose(0, 2, 1), middle=after[:, 2])


def _explained(colours: Singles, face: NDArray[np.intp], tries: _Tries) -> Floats:
    """Return how well two colours, of pips and body, explain each face pixel by pixel: the log
    of the variance before over the variance left, grey plus colour, (n,)."""
    if not len(face):
        return np.zeros(0)
    points = _GRID @ tries.frame.transpose(0, 2, 1) + tries.middle[:, None]
    seen = sampled(colours, tries.die, points)
    both = np.concatenate([seen, seen * seen], 2)
    inks, bodies = (_MEANS[face] @ both).transpose(1, 0, 2)
    spread = [np.maximum(part[:, 3:] - part[:, :3] ** 2, 0) for part in (inks, bodies)]
    share = _SHARE[face][:, None]
    left = share * spread[0] + (1 - share) * spread[1] + 1
    apart = (inks[:, :3] - bodies[:, :3]) ** 2
    gained = np.log1p(share * (1 - share) * apart / left)
    return np.asarray(gained.sum(1), np.float64)


def _colour(picture: Image, frame: Floats, middle: Floats, there: Singles) -> Bgr:
    """Return the colour of those points of a face that are surely ``there``."""
    x, y = np.round(_GRID[there > SURELY] @ frame.T + middle).astype(int).T
    colours = picture[np.clip(y, 0, SIZE - 1), np.clip(x, 0, SIZE - 1)]
    blue, green, red = (float(v) for v in np.median(colours, axis=0))
    return blue, green, red
