"""Whether what seems to be a shadow or a patch of light hides what it lies over."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.raster import DARK, Floats, grey, worst
from vision.light.changes import LightChange

MOST, PRINT = 0.6, 0.8
"""The share of the printed points in a shadow at least that may be compared, for no token moved
there, and the correlation of the print's fine structure with and without the shadow, from which on
the print is seen through it. A hand leaves a third of it."""
GLARING = 6.0
"""Factor on the picture's noise up to which the contrast of printed points counts when correlations
are computed."""
LITTLE = 0.15
"""Share of printed points in what seems a patch of light, below which nothing can be told from the
print's structure."""
LEVELS = 0.06, 0.25
"""Natural logarithms of how much darker a point is than before. Below the first it lies in no
shadow; areas above the other are examined by themselves, for a hand may lie in a shadow."""
PALER = 0.15
"""Natural logarithm of how much brighter an area may be on a table without print and still be a
patch of light."""
THROUGH, MOVED, GRAINY, FEW = 0.8, -0.5, 0.5, 12
"""Correlation of the grain of a table with what is seen there now from which on it is seen through
that, below which it only moved, for a pattern half a period on is its own opposite, and from which
on there is any grain; and how few points tell. In pictures of hands over carved men, in simulated
evenings and in two recordings in other rooms, nine in ten show something between that reaches in to
men who changed; of still ones one in a hundred, mostly of bottles (November 2026)."""
TINGED = 0.045
"""Greatest deviation of colour of a table in a shadow. On simulated tables shadows had 0.02, hands
that looked like shadows 0.03 to 0.4, most of them more than this."""


def hides_print(
    now: Floats,
    even: Floats,
    reference: Floats,
    light: LightChange,
    known: NDArray[np.bool_],
    things: NDArray[np.bool_] | None,
    pitch: int,
    large: float,
) -> bool:
    """Tell whether something larger than ``large`` square pitches that was taken for ``light``, and
    out of the picture ``now``, which left ``even``, may hide what it lies over.

    Where print is seen through it, it is light. ``things`` that lie there hide it in any case; what
    seems a shadow beside one, on no print, may be the arm whose hand that is, and so may what is
    paler than a dark table, or what has a colour of its own. Without an edge it is no thing.
    """
    # Beside what was never seen fine structure is not known either.
    window = np.ones((pitch + 1, pitch + 1), np.uint8)
    at = np.zeros_like(known) if things is None else things
    whole = np.asarray(cv2.erode((known & ~at).astype(np.uint8), window)) > 0
    near = np.asarray(cv2.dilate(at.astype(np.uint8), window, iterations=2)) > 0
    colours, depth = light.colours, grey(light.colours)
    prints = _Prints(even, reference, light, whole, pitch)
    steps = _steps(now, reference)
    tinged = np.linalg.norm(colours - depth[..., None], axis=-1) > 2 * TINGED
    for changed in (tinged, *(np.abs(depth) > level for level in LEVELS)):
        parts = (changed & whole).astype(np.uint8)
        count, labels, stats, _ = cv2.connectedComponentsWithStats(parts)
        for index in range(1, count):
            if np.asarray(stats)[index, cv2.CC_STAT_AREA] <= large * pitch**2:
                continue
            there = np.asarray(labels) == index
            if _tinge(np.log((even[there] + DARK) / (reference[there] + DARK))) > TINGED:
                return True
            if not prints.none(there):
                if prints.hidden(there):
                    return True
            elif (
                light.ends is None
                and (
                    near[there].any()
                    or float(depth[there].mean()) > PALER
                    or _tinge(colours[there]) > TINGED
                )
                and _edged(steps, there, float(np.abs(depth[there]).mean()), window)
            ):
                return True
    return False


def _steps(now: Floats, before: Floats) -> Floats:
    """Return by how much more, as a natural logarithm over five points, the change of light between
    two pictures rises round each point than what was there ``before``: print that shifts a little
    rises, too."""
    five = np.ones((5, 5), np.uint8)
    logs = (cv2.blur(grey(np.log(picture + DARK)), (3, 3)) for picture in (now, before))
    one, other = (np.asarray(log, np.float32) for log in logs)
    change, was = (cv2.dilate(p, five) - cv2.erode(p, five) for p in (one - other, other))
    return np.asarray(change - was, np.float32)


def _edged(
    steps: Floats, there: NDArray[np.bool_], depth: float, window: NDArray[np.uint8]
) -> bool:
    """Tell whether what changed the light ``there`` by ``depth`` has an edge: in the ``window``
    round it as many steps are as high as half of that as its outline has points."""
    mask = there.astype(np.uint8)
    outline = mask - np.asarray(cv2.erode(mask, np.ones((3, 3), np.uint8)))
    around = np.asarray(cv2.dilate(mask, window)) > 0
    return bool(np.count_nonzero(steps[around] > depth / 2) > np.count_nonzero(outline))


class _Prints:
    """The fine structure of two pictures (height, width, 3); out of the one, ``even``, a change of
    ``light`` was taken. The points ``whole`` tell how much noise there is."""

    def __init__(
        self,
        even: Floats,
        before: Floats,
        light: LightChange,
        whole: NDArray[np.bool_],
        pitch: int,
    ) -> None:
        now, then = (p - cv2.blur(p, (pitch, pitch)) for p in (even[..., 1], before[..., 1]))
        # Where nothing is printed there is nothing to be hidden but noise, which light makes grow.
        factor = np.exp(grey(light.colours))
        usual = quiet(np.abs(now - then)[whole]) / np.minimum(factor, 1)
        self._printed = np.abs(then) > 3 * usual
        # Under an edge of the light a point shows a mean of what lies on both sides.
        self._within = ~light.edges
        # A light under a spot is brighter than any print.
        most = GLARING * usual
        self._now, self._then = (np.clip(p, -most, most) for p in (now, then))
        self._even, self._before, self._pitch = even, before, pitch

    def none(self, there: NDArray[np.bool_]) -> bool:
        """Tell whether too little is printed ``there`` to tell anything by that."""
        return float(self._printed[there].mean()) < LITTLE

    def hidden(self, there: NDArray[np.bool_]) -> bool:
        """Tell whether the print ``there`` is hidden, and not only where a token moved."""
        here = self._printed & self._within & there
        left = here & ~self._unlike()
        now, then = self._now[left], self._then[left]
        likeness = float(now @ then / np.sqrt((now @ now) * (then @ then) + 1e-9))
        return left.sum() < MOST * here.sum() or likeness < PRINT

    def _unlike(self) -> NDArray[np.bool_]:
        """Return where the pictures differ by far, as where tokens moved, and close to that."""
        off = worst(self._even - self._before)
        far = strange(off, self._before[..., 1]).view(np.uint8)
        things = cv2.morphologyEx(far, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        return np.asarray(cv2.dilate(things, np.ones((5, 5), np.uint8))) > 0


def _tinge(colours: Floats) -> float:
    """Return how much the change of light ``colours`` (n, 3; logarithms) is off grey: noise cancels
    out over so many points."""
    off = colours.mean(0)
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


def taken_away(
    there: NDArray[np.bool_],
    now: Floats,
    before: Floats,
    where: NDArray[np.bool_] | None = None,
    grains: float = 2.0,
) -> bool:
    """Tell whether what changed ``there`` was taken away: its outline is plain ``before``, and not
    ``now``; both are logarithms of light, of one channel or more. Only ``where``, if that is given,
    an outline tells something, and it must be plainer than so many ``grains`` of all that is seen
    there."""
    square = np.ones((3, 3), np.uint8)

    def step(picture: Floats) -> Floats:
        return np.asarray(cv2.dilate(picture, square) - cv2.erode(picture, square))

    # Most of it, for what came may hide other edges in some places.
    rim, grain = step(there.astype(np.float32)) > 0, 0.0
    if where is not None:
        rim, grain = rim & where, float(np.median(step(before)[where]))
    if not rim.any():
        return False
    then, since = (float(np.median(step(picture)[rim])) for picture in (before, now))
    return then > max(2 * since, grains * grain)


def hides_grain(where: NDArray[np.bool_], now: Floats, before: Floats) -> bool:
    """Tell whether the grain that was seen ``before`` is not seen ``now`` where something is new:
    it is, through shadows and glare, and where the camera moved by up to a point. Both are
    logarithms of light (height, width, 3)."""
    alike = _grain(where, now, before)
    return bool(alike) and alike[0] > MOVED and max(alike) < THROUGH


def shows_grain(where: NDArray[np.bool_], now: Floats, before: Floats) -> bool:
    """Tell whether any grain is seen ``where`` nothing is new: on a smooth table none is."""
    return max(_grain(where, now, before), default=0.0) > GRAINY


def _grain(where: NDArray[np.bool_], now: Floats, before: Floats) -> list[float]:
    """Return how alike the fine structure of two pictures is, and if one of them were shifted by a
    point to any side: correlations; none where too few points tell."""
    inner = where & (cv2.erode(where.view(np.uint8), np.ones((3, 3), np.uint8)) > 0)
    # What is small is all edge.
    there = inner if inner.sum() >= FEW else where
    if there.sum() < FEW:
        return []
    grain, was = ((p := picture.mean(2)) - cv2.blur(p, (3, 3)) for picture in (now, before))
    shifts = ((y, x) for y in (0, -1, 1) for x in (0, -1, 1))
    return [_correlation(grain[there], np.roll(was, by, (0, 1))[there]) for by in shifts]


def _correlation(one: Floats, other: Floats) -> float:
    """Return the correlation of two lists of numbers; 0 where one is all the same."""
    one, other = one - one.mean(), other - other.mean()
    spread = float(np.sqrt((one**2).sum() * (other**2).sum()))
    return float((one * other).sum()) / spread if spread > 0 else 0.0
