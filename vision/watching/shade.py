"""Shadows: how dark one may lie everywhere, and whether it hides what it lies over."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.raster import Floats
from vision.watching.flat import worst_channel

SHADE = (-0.8, 0.5)
"""Natural logarithms of the light's factor: how dark a shadow and how bright a patch of light can
be."""
PRINT = 0.85
"""Correlation of the print's fine structure with and without the shadow, from which on the print is
seen through it. A hand leaves little of it."""
MOST, LEFT = 0.6, 0.8
"""Where tokens moved inside a shadow: the share of the printed points there that may still be
compared at least, and the correlation that they must have. A hand leaves a third of it."""
GLARING = 6.0
"""Factor on the picture's noise up to which the contrast of printed points counts when correlations
are computed."""
LITTLE = 0.25
"""Square pitches of print under a supposed shadow, below which nothing can be told from its
structure."""
LEVELS = 0.06, 0.25, 0.45
"""Natural logarithms of how much darker a point is than before. Below the first it lies in no
shadow; areas above each of the others are examined by themselves, for a hand may lie in a
shadow."""
PALER = 0.15
"""Natural logarithm of how much brighter an area may be on a table without print and still be a
patch of light."""
TINGED = 0.045
"""Greatest deviation of colour of a table in a shadow. On simulated tables shadows had 0.02, hands
that looked like shadows 0.03 to 0.4, most of them more than this."""
_GREY = np.full((1, 3), 1 / 3, np.float32)


def shadow(even: Floats, reference: Floats, known: NDArray[np.bool_], pitch: int) -> Floats:
    """Return how dark a shadow may lie everywhere in ``even`` against the ``reference``: without
    colour, and the same all around.

    It is the local median of how the light changed, for tokens cover less than half of any
    neighbourhood; ``pitch`` in points. What a hand covers is of another colour, or too dark for a
    shadow. Only points that are ``known`` count.
    """
    now, then = (np.log(cv2.transform(p, _GREY) + 6) for p in (even, reference))
    steps = np.clip((now - then) * 100 + 128, 0, 255).astype(np.uint8)
    side = int(2.5 * pitch) | 1
    # Beyond the picture it is as dark as beside: else the rim would look like something else.
    inside = known.astype(np.float32)
    share = np.asarray(cv2.blur(inside, (side, side)))
    near = cv2.blur(steps * inside, (side, side)) / np.maximum(share, 1e-3)
    near = np.where(share > 1e-3, near, 128)
    steps[~known] = np.round(near[~known]).astype(np.uint8)
    median = np.asarray(cv2.medianBlur(steps, side), np.float32)
    return np.asarray(np.exp(np.clip((cv2.blur(median, (5, 5)) - 128) / 100, *SHADE)))


def hides_print(
    even: Floats,
    reference: Floats,
    field: Floats,
    known: NDArray[np.bool_],
    things: NDArray[np.bool_],
    sample: NDArray[np.int64],
    pitch: int,
    large: float,
) -> bool:
    """Tell whether something larger than ``large`` square pitches that was taken for a shadow, and
    out of ``even`` by ``field``, hides the print instead of darkening it. ``things`` that lie there
    hide it in any case; what seems a shadow beside one, on no print, may be the arm whose hand that
    is, and so may what is paler than a dark table. A shadow has no colour of its own. ``sample``
    are the numbers of points that tell how much noise there is."""
    # Beside what was never seen fine structure is not known either.
    window = np.ones((pitch + 1, pitch + 1), np.uint8)
    whole = np.asarray(cv2.erode((known & ~things).astype(np.uint8), window)) > 0
    near = np.asarray(cv2.dilate(things.astype(np.uint8), window, iterations=2)) > 0
    prints = _Prints(even, reference, field, sample, pitch)
    depth = np.abs(np.log(field))
    for level in LEVELS:
        dark = ((depth > level) & whole).astype(np.uint8)
        count, labels, stats, _ = cv2.connectedComponentsWithStats(dark)
        for index in range(1, count):
            if np.asarray(stats)[index, cv2.CC_STAT_AREA] <= large * pitch**2:
                continue
            there = np.asarray(labels) == index
            if _tinge(even[there], reference[there]) > TINGED:
                return True
            if prints.none(there):
                if near[there].any() or np.log(field[there]).mean() > PALER:
                    return True
            elif level == LEVELS[0] and prints.hidden(there):
                return True
    return False


class _Prints:
    """The fine structure of two pictures (height, width, 3), one of them in a shadow ``field``."""

    def __init__(
        self, even: Floats, before: Floats, field: Floats, sample: NDArray[np.int64], pitch: int
    ) -> None:
        now, then = (p - cv2.blur(p, (pitch, pitch)) for p in (even[..., 1], before[..., 1]))
        # Where nothing is printed there is nothing to be hidden but noise, which light makes grow.
        noise = quiet(np.abs(now - then).ravel()[sample]) / np.minimum(field, 1)
        self._printed = np.abs(then) > 3 * noise
        # A light under a spot is brighter than any print.
        most = GLARING * noise
        self._now, self._then = (np.clip(p, -most, most) for p in (now, then))
        self._even, self._before, self._pitch = even, before, pitch

    def none(self, there: NDArray[np.bool_]) -> bool:
        """Tell whether too little is printed ``there`` to tell anything by that."""
        return int((self._printed & there).sum()) < LITTLE * self._pitch**2

    def hidden(self, there: NDArray[np.bool_]) -> bool:
        """Tell whether the print ``there`` is hidden, and not only where a token moved."""
        here = self._printed & there
        if self._likeness(here) >= PRINT:
            return False
        left = here & ~self._unlike()
        return left.sum() < MOST * here.sum() or self._likeness(left) < LEFT

    def _likeness(self, here: NDArray[np.bool_]) -> float:
        """Return the correlation of what is printed ``here`` with itself."""
        now, then = self._now[here], self._then[here]
        return float(now @ then / np.sqrt((now @ now) * (then @ then) + 1e-9))

    def _unlike(self) -> NDArray[np.bool_]:
        """Return where the pictures differ by far, as where tokens moved, and close to that."""
        off = worst_channel(self._even, self._before)
        far = strange(off, self._before[..., 1]).view(np.uint8)
        things = cv2.morphologyEx(far, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        return np.asarray(cv2.dilate(things, np.ones((5, 5), np.uint8))) > 0


def _tinge(seen: Floats, before: Floats) -> float:
    """Return how much the colour of what is ``seen`` (n, 3) is off that of what was there
    ``before``, as logarithms: noise cancels out over so many points."""
    off = np.log((seen + 6) / (before + 6)).mean(0)
    return float(np.linalg.norm(off - off.mean()))


def limit(usual: float, bright: Floats) -> Floats:
    """Return, for every point, the difference that noise and shifts by parts of a pixel stay below,
    where the ``usual`` difference is known and the picture was as ``bright`` before."""
    return np.asarray(4 * usual + 0.05 * bright + 2, np.float32)


def strange(off: Floats, bright: Floats) -> NDArray[np.bool_]:
    """Return the mask of points that differ by more than :func:`limit` allows; ``off`` is their
    difference, ``bright`` what they showed before."""
    return np.asarray(off > limit(quiet(off[::3, ::3]), bright), np.bool_)


def quiet(off: Floats) -> float:
    """Return the usual difference where nothing changed, right even if half of the table is hidden:
    twice the lower quartile of ``off``, which for noise alone is its median."""
    quarter = off.size // 4
    return 2 * float(np.partition(off.ravel(), quarter)[quarter])
