"""Find and read every pip die in a photograph, whatever its size, colour and ground."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import compress

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.dice import ANYHOW, find_tops
from vision.dice.dice_net import CELL, DIE, PATCH, USUAL, VALUES, Maps, beliefs, dice_nets
from vision.dice.pips import SIZE, Floats
from vision.frames import Image

LONGEST = 1600
"""Pixels of the longer side in which a picture is examined at most, and in halves of that, so that
dice of any size appear in one of the sizes that the finder was taught."""
FOUND = 0.2
"""Probability of the finder from which the reader looks at a place."""
MOST = 200
"""Places that the reader looks at, at most: those that the finder is surest of."""
SHOWN = 8.0, 30.0
"""Sides in pixels that the finder knows; the others are seen in another size of the picture."""
LIKE, LARGER = 0.2, 0.5
"""Part of a die's side, and logarithm of how much larger the one is: two finds nearer to each other
in both are read as one."""
SAME = 0.5
"""Part of the larger one's side: of two dice nearer to each other one is the other once more, a
part of it, or several seen as one. Of 3,563 dice, some in heaps, 19 pairs lay as near."""
LIE_ON = 0.7
"""Part of their sides: if two dice are nearer, they cannot both lie on the table."""
THERE, SURE = 0.5, 0.9
"""Probability from which there is a die, and from which its value is sure."""
CERTAIN = 5.0
"""Log odds of the reader above which a place is a die."""
PIP = 0.4
"""Part of a die's side: what lies in a die and is smaller is a pip or another part of it."""
DOUBTFUL = 0.2
"""Probability of a die up to which a place is looked at no more, were its pips the clearest and all
dice sure that are then likely."""
LOOKS = (1.0, 1), (0.8, 1), (1.25, -1)
"""Parts of its size in which a place is looked at again, and the step across the picture, -1 in the
mirror: a find's size is off by an eighth of the die's side."""
AROUND = 1.45
"""Sides that a patch measures in which pips are looked for."""
Says = Callable[[NDArray[np.uint8]], Maps]


@dataclass(frozen=True, slots=True)
class Find:
    """Where a die may be: its middle, longer side (pixels) and a finder's probability."""

    x: float
    y: float
    size: float
    die: float


@dataclass(frozen=True, slots=True)
class FoundDie:
    """A die: ``x`` and ``y`` of the middle of what is seen of it and ``size``, the longer side of
    its box, in pixels, origin top left. ``p`` is the probability of ``value`` if there is a die,
    ``die`` that there is one. ``sure`` is False for one on edge, on another die, or hard to
    read."""

    value: int
    x: float
    y: float
    size: float
    p: float
    die: float
    sure: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class DiceEvidence:
    """What speaks for dice at n places: ``there`` (n, 4) that there is one, the log odds of the
    finder, the reader and the pips, and one; ``value`` (n,) the likeliest and ``told`` (n, 3) what
    speaks for that, the log odds of the reader, the logarithm of the probability of a face on top,
    and one."""

    there: Floats
    value: NDArray[np.intp]
    told: Floats


def find_dice(picture: Image, nets: Sequence[Says] | None = None) -> list[FoundDie]:
    """Return the dice in ``picture`` (BGR), from top to bottom; ``nets`` are finder and reader."""
    finder, reader = nets or dice_nets()
    sizes = Sizes(picture)
    weights = beliefs()
    places, evidence = read(sizes, places_of(sizes, finder), reader, weights[0])
    found = sorted_out(places, evidence, weights)
    return sorted(found, key=lambda die: (die.y, die.x))


def sorted_out(
    places: Sequence[Find], evidence: DiceEvidence, weights: tuple[Floats, Floats]
) -> list[FoundDie]:
    """Return the dice that are believed, whole, each sure or not; ``weights`` say how much each
    kind of evidence says for a die (5,), at last how many are sure, for dice come in company; and
    for its value (3,)."""
    there, told = weights
    alone, p = likely(evidence.there, there[:-1]), likely(evidence.told, told)
    die = likely(evidence.there, _among(alone * p >= SURE, there))
    found = [
        FoundDie(int(value), place.x, place.y, place.size, float(own), float(odds))
        for place, value, own, odds in zip(places, evidence.value, p, die, strict=True)
        if odds > THERE
    ]
    return _doubted(_whole(found))


def _among(sure: NDArray[np.bool_], there: Floats) -> Floats:
    """Return the weights for a die among so many that are ``sure``."""
    return np.append(there[:-2], there[-2] + there[-1] * np.log2(1 + np.sum(sure)))


def likely(evidence: Floats, weights: Floats) -> Floats:
    """Return the probabilities (n,) that weighed evidence (n, k) gives."""
    return np.asarray(1 / (1 + np.exp(-np.clip(evidence @ weights, -30, 30))))


class Sizes:
    """A picture as it is and in halves, quarters and so on, each made when it is asked for."""

    def __init__(self, picture: Image) -> None:
        self._levels = [picture]

    def level(self, scale: float) -> tuple[Image, float]:
        """Return the smallest of the pictures that is as large as ``scale`` wants, and its own
        scale."""
        want = int(np.clip(np.floor(np.log2(1 / scale) + 1e-6), 0, 12))
        while len(self._levels) <= want and min(self._levels[-1].shape[:2]) >= 16:
            height, width = self._levels[-1].shape[:2]
            half = cv2.resize(
                self._levels[-1], (width // 2, height // 2), interpolation=cv2.INTER_AREA
            )
            self._levels.append(np.asarray(half, np.uint8))
        want = min(want, len(self._levels) - 1)
        return self._levels[want], self._levels[want].shape[1] / self._levels[0].shape[1]

    def scaled(self, scale: float) -> Image:
        """Return the picture in another size."""
        height, width = self._levels[0].shape[:2]
        size = max(CELL, round(width * scale)), max(CELL, round(height * scale))
        way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        return np.asarray(cv2.resize(self.level(scale)[0], size, interpolation=way), np.uint8)

    def cut(self, die: Find, width: float, size: int) -> Image:
        """Return the square of ``width`` pixels round a die in ``size`` pixels."""
        level, own = self.level(size / width)
        scale, middle = size / width / own, (size - 1) / 2
        x, y = ((at + 0.5) * own - 0.5 for at in (die.x, die.y))
        way = np.array([[scale, 0, middle - scale * x], [0, scale, middle - scale * y]])
        return np.asarray(
            cv2.warpAffine(level, way, (size, size), borderMode=cv2.BORDER_REPLICATE), np.uint8
        )


def scales(width: int, height: int) -> list[float]:
    """Return the scales that a picture is looked at in, the finest first."""
    longest = max(width, height)
    finest = min(1.0, LONGEST / longest)
    steps = max(1, int(np.log2(max(1.0, finest * longest / SHOWN[1]))) + 1)
    return [finest / 2**k for k in range(steps)]


def places_of(sizes: Sizes, finder: Says) -> list[Find]:
    """Return where dice may be, each place once: what the finder sees in all sizes of a picture,
    the likeliest first."""
    height, width = sizes.level(1.0)[0].shape[:2]
    found: list[Find] = []
    for scale in scales(width, height):
        found += finds(sizes.scaled(scale), finder, scale)
    return distinct(sorted(found, key=lambda die: -die.die))


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
            at = x / scale - 0.5, y / scale - 0.5
            found.append(Find(*at, size / scale, float(die[row, column])))
    return found


def distinct(found: Sequence[Find]) -> list[Find]:
    """Return each place once, the first: what has about the same place and size is the same."""
    at = np.array([(die.x, die.y, die.size) for die in found]).reshape(-1, 3)
    kept: list[int] = []
    for k, (x, y, size) in enumerate(at):
        others = at[kept]
        near = np.hypot(others[:, 0] - x, others[:, 1] - y) <= LIKE * (others[:, 2] + size) / 2
        if not np.any(near & (np.abs(np.log(others[:, 2] / size)) < LARGER)):
            kept.append(k)
    return [found[k] for k in kept]


def read(
    sizes: Sizes, places: Sequence[Find], reader: Says, there: Floats
) -> tuple[list[Find], DiceEvidence]:
    """Read the value at each place: by the net, which tells at a first look where the die lies, in
    the mean of looks at it there as it is, smaller, and larger in the mirror, for seen from aside
    the top is farther up than the sides. Pips say whether there is a die, not its value.
    Places that the net is certain are no dice are left out, and those that by the weights ``there``
    of :func:`sorted_out` even the clearest pips would not make dice: looking again and looking for
    pips takes longest."""
    places, said = whole_looked(sizes, places[:MOST], reader)
    among = _among(likely(_clearest(places, said), there[:-1]) > THERE, there)

    def could(places: Sequence[Find], odds: Floats) -> NDArray[np.bool_]:
        return likely(_clearest(places, odds), among) > DOUBTFUL

    fair = could(places, said)
    surest = [k for k in np.argsort(-_die(said)) if fair[k]]
    kept = distinct([nearer(places[k], said[k]) for k in surest])
    looks = np.zeros((0, len(kept), VALUES + 3))
    for look in LOOKS:
        looks = np.concatenate([looks, looked(sizes, kept, reader, *look)[None]])
        left = could(kept, looks.mean(0))
        kept, looks = list(compress(kept, left)), looks[:, left]
    odds = looks.mean(0)
    seen = _clearest(kept, odds)
    patches = [sizes.cut(place, place.size * AROUND, SIZE) for place in kept]
    tops = find_tops(np.stack(patches), [ANYHOW] * len(kept)).readings() if kept else []
    seen[:, 2] = _odds(np.array([top.die for top in tops]))
    values = np.exp(odds[:, 1:7] - odds[:, 1:7].max(1, keepdims=True, initial=-99))
    own = values.max(1, initial=0) / values.sum(1)
    flat = -np.logaddexp(0, odds[:, 0] - np.logaddexp.reduce(odds[:, 1:7], 1))
    told = np.stack([_odds(own), flat, seen[:, 3]], 1)
    return kept, DiceEvidence(seen, values.argmax(1) + 1, told)


def whole_looked(sizes: Sizes, places: Sequence[Find], reader: Says) -> tuple[list[Find], Floats]:
    """Return the places, and what the reader says of each at a first look, but for pips and other
    parts of dice that it is certain of: the larger places are looked at before those in them."""
    kept: list[Find] = []
    dice: list[Find] = []
    said = np.zeros((0, VALUES + 3))
    left = sorted(places, key=lambda place: -place.size)
    while left:
        large = [place for place in left if place.size > left[0].size / 2]
        left = left[len(large) :]
        large = [p for p in large if not any(_in(p, die) for die in dice)]
        told = looked(sizes, large, reader)
        dice += [nearer(large[k], told[k]) for k in np.flatnonzero(_die(told) > CERTAIN)]
        kept, said = kept + large, np.concatenate([said, told])
    return kept, said


def _in(place: Find, die: Find) -> bool:
    """Return whether a place can be but a part of a die."""
    return place.size < PIP * die.size and _far(place, die) < die.size / 2


def _clearest(places: Sequence[Find], odds: Floats) -> Floats:
    """Return what speaks for dice (n, 4), as in :class:`DiceEvidence`, were all pips the clearest,
    where the reader gives values the log ``odds`` (n, 8 or more)."""
    one = np.ones(len(odds))
    found = _odds(np.array([place.die for place in places]))
    return np.stack([found, _die(odds), _odds(one), one], 1)


def nearer(place: Find, said: Floats) -> Find:
    """Return where a die lies by what the reader ``said`` (11,) of a place."""
    right, down, larger = (float(part) for part in np.clip(said[VALUES:], -0.5, 0.5))
    x, y = place.x + right * place.size, place.y + down * place.size
    return Find(x, y, place.size * float(np.exp(larger)), place.die)


def looked(
    sizes: Sizes, places: Sequence[Find], reader: Says, larger: float = 1.0, across: int = 1
) -> Floats:
    """Return the reader's answers (n, 11) for places, each as if it were so much ``larger``, and in
    the mirror if the step ``across`` is -1."""
    if not places:
        return np.zeros((0, VALUES + 3))
    width = larger * PATCH / DIE
    patches = [sizes.cut(place, place.size * width, PATCH)[:, ::across] for place in places]
    return reader(np.stack(patches))[:, :, 0, 0].astype(np.float64)


def _die(odds: Floats) -> Floats:
    """Return the log odds that there is a die, on edge or not."""
    return np.asarray(np.logaddexp.reduce(odds[:, :7], 1) - odds[:, 7])


def _odds(p: Floats) -> Floats:
    """Return log odds, none beyond what a picture can tell."""
    kept = np.clip(p, 1e-4, 1 - 1e-4)
    return np.asarray(np.log(kept / (1 - kept)))


def _whole(found: Sequence[FoundDie]) -> list[FoundDie]:
    """Return the dice that can be there together, the likelier of two: a die or its pips and sides,
    a die or several seen as one."""
    kept: list[FoundDie] = []
    for die in sorted(found, key=lambda die: -die.die):
        if all(_far(die, other) > SAME * max(die.size, other.size) for other in kept):
            kept.append(die)
    return kept


def _doubted(found: Sequence[FoundDie]) -> list[FoundDie]:
    """Return the dice, unsure where they lie on each other or cannot be told."""
    return [
        replace(
            die,
            sure=die.p * die.die >= SURE
            and all(
                _far(die, other) > LIE_ON * (die.size + other.size) / 2
                for other in found
                if other is not die
            ),
        )
        for die in found
    ]


def _far(one: Find | FoundDie, other: Find | FoundDie) -> float:
    return float(np.hypot(one.x - other.x, one.y - other.y))
