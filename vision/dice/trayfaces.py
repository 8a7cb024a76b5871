"""Faces of dice by their appearance: each is shown once, and known again any way up.

A face is a small picture of a die's top in the light of the empty mat. It is compared as a whole,
turned by quarters and moved a little, and where it differs most: a symbol is a small part of a
face. A lamp's reflection may spoil a small part.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from vision.board.raster import Floats

SIZE = 24
"""Pixels a side of a face's picture."""
SHOWN = 0.84
"""The part of a die's side that the picture shows: the bevels reflect anything."""
_INNER = slice(3, SIZE - 3)
_TURNS, _SHIFTS = (-7.0, 0.0, 7.0), (-1.6, 0.0, 1.6)
_PLACES = [
    (quarter + turn, x, y)
    for quarter, turn, x, y in itertools.product((0, 90, 180, 270), _TURNS, _SHIFTS, _SHIFTS)
]
"""How far a die may lie off where it was fitted (degrees, and pixels each way), and thus every turn
and shift that a face is compared at."""
GAIN, SHINE = (0.5, 1.6), 0.3
"""Factors by which a face may be darker or lighter than the mat says, for it is nearer to the lamp,
and how much white the lamp's reflection may add."""
NEAREST = 3
"""Placings of each face that are compared closely."""
SOFT = 0.8
"""Blur in pixels of what is compared."""
PEAK = 0.4
"""Weight of where two faces differ most against how they differ on the whole."""
SPREAD = 0.013
"""Difference that makes a face e times less likely; measured on simulated throws."""
SAME_BODY = 0.28
"""Distance of two tints below which two bodies may have the same colour."""
KNOWN = 0.25
"""A top that differs less from an enrolled face is surely an enrolled one."""


class KnownFaces:
    """The faces of dice that were shown, by name."""

    def __init__(self) -> None:
        self._pictures: dict[str, list[Floats]] = {}
        self._placed: dict[str, Floats] = {}
        self._white = 1.0

    def __len__(self) -> int:
        return len(self._pictures)

    @property
    def pictures(self) -> Mapping[str, Sequence[Floats]]:
        """Return the pictures (SIZE, SIZE, 3) of each face."""
        return self._pictures

    def learn(self, name: str, picture: Floats) -> None:
        """Learn how the face ``name`` looks; several pictures of one are welcome."""
        self._pictures.setdefault(name, []).append(picture)
        soft = _soft(picture)
        placed = np.stack([_placed(soft, *place) for place in _PLACES])
        before = self._placed.get(name)
        self._placed[name] = placed if before is None else np.concatenate([before, placed])
        shown = [face for some in self._pictures.values() for face in some]
        self._white = max(0.05, float(np.percentile(np.concatenate(shown), 90)))

    def compare(self, picture: Floats) -> dict[str, float]:
        """Return how much ``picture`` differs from each face, in parts of the lightest that the
        dice have, the likest first."""
        seen, white = _soft(picture)[_INNER, _INNER], self._white
        off = {name: self._apart(seen, placed) / white for name, placed in self._placed.items()}
        return dict(sorted(off.items(), key=lambda item: item[1]))

    def have_body(self, picture: Floats) -> bool:
        """Tell whether a die of an enrolled colour may look like ``picture``, whatever it shows."""
        tints = [_tint(face) for some in self._pictures.values() for face in some]
        mine = _tint(picture)
        return any(float(np.linalg.norm(mine - tint)) < SAME_BODY for tint in tints)

    @staticmethod
    def _apart(seen: Floats, placed: Floats) -> float:
        flat = placed.reshape(len(placed), -1)
        mine = seen.ravel()
        square = (flat * flat).sum(1) - 2 * flat @ mine
        nearest = np.argsort(square, kind="stable")[:NEAREST]
        return min(_difference(seen, placed[k]) for k in nearest)


def likelihoods(off: Mapping[str, float]) -> dict[str, float]:
    """Return how likely each face is by how much it differs, the likeliest first."""
    least = min(off.values(), default=0.0)
    weights = {name: float(np.exp(min(0.0, (least - far) / SPREAD))) for name, far in off.items()}
    total = sum(weights.values())
    return {name: weight / total for name, weight in weights.items()}


def _difference(seen: Floats, known: Floats) -> float:
    gain, shine = _light(seen, known)
    rest = seen - gain * known - shine
    grey, warm, cold = rest.mean(2), rest[..., 2] - rest[..., 1], rest[..., 1] - rest[..., 0]
    off = np.sqrt(grey**2 + warm**2 + cold**2)
    peak = float(cv2.blur(off, (4, 4))[2:-2, 2:-2].max())
    return float(off.mean()) + PEAK * peak + 0.05 * abs(float(np.log(gain))) + 0.1 * abs(shine)


def _light(seen: Floats, known: Floats) -> tuple[float, float]:
    """Return how much lighter ``seen`` is than ``known``, and how much more white a lamp's
    reflection adds to it than to that, both within what light does."""
    count = known.size
    square, total = float((known * known).sum()), float(known.sum())
    both, mine = float((seen * known).sum()), float(seen.sum())
    hold = 0.02 * count
    # Least squares, held a little to a gain of one and no shine.
    matrix = np.array([(square + hold, total), (total, count + hold)])
    gain, shine = np.linalg.solve(matrix, (both + hold, mine))
    shine = float(np.clip(shine, -SHINE, SHINE))
    gain = (both + hold - shine * total) / (square + hold)
    return float(np.clip(gain, *GAIN)), shine


def _tint(picture: Floats) -> Floats:
    """Return the colour of a die's body without its lightness: what most of the face has."""
    blue, green, red = np.median(picture.reshape(-1, 3), 0)
    tint = np.array((red - green, green - blue)) / (float(max(red, green, blue)) + 0.05)
    return np.asarray(tint, np.float32)


def _soft(picture: Floats) -> Floats:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), SOFT), np.float32)


def _placed(picture: Floats, turn: float, x: float, y: float) -> Floats:
    middle = (SIZE - 1) / 2
    way = cv2.getRotationMatrix2D((middle, middle), turn, 1.0)
    way[:, 2] += np.array((x, y))
    moved = cv2.warpAffine(picture, way, (SIZE, SIZE), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved[_INNER, _INNER], np.float32)
