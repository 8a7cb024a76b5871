"""Whether something larger than a token is in view, told from where a picture differs from the
settled one.

An arm reaches in from outside the picture up to the board; a person at its edge, far from the
board, is like a cup beside it. Something large that does not reach in may be a hand whose sleeve
looks like the table, several tokens that moved side by side, or a cup that somebody put down.
Something small at the edge of the picture may be a finger or a token. The reader decides between
these by whether the spots under it still show what they should.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.raster import DARK, Floats, worst
from vision.light.shade import limit, taken_away

ARM = 2.0
"""Factor on the area of what reaches in from outside, because only a part of it is seen."""
FEW = 8
"""Nothing is searched where fewer points than the area of the largest token divided by FEW differ
strongly."""
WEAK = 0.6
"""A thing is outlined down to this share of the difference that is needed to find it."""
CORE = 0.15
"""Share of a thing's area that must differ strongly. Light that changed slowly over the board has
no such core."""
UNDER = 0.08
"""Share of a spot's points from which on something counts as lying over the spot."""
TIP, TIPS = 0.1, 2.0
"""Least and greatest area, as factors on that of the largest token, of something at the edge of the
picture that may be fingers holding a token. Larger hands are found as arms."""
MOSTLY = 0.5
"""Share of a spot that a token on it covers at least: such a one at the edge of the picture is no
finger."""
LEAST = 7
"""Raster points along which such fingers touch the edge of the picture at least."""
BROAD = 1.8
"""What touches the edge along more than BROAD times the side of the largest token's square is no
token."""
REACH = 2
"""Half of so many sides is how near to a spot an arm comes at least."""
GRAZING = 0.6
"""What touches the edge along fewer points than GRAZING times the square root of its area only
grazes it: an arm is as broad there as anywhere."""
WIDE = 30
"""Spots. Something that lies over more of them is no cup, no phone and no few moves side by
side."""
_SQUARE = np.ones((3, 3), np.uint8)


@dataclass(frozen=True, slots=True)
class Large:
    """``arm``: something large reaches in up to the board, or covers more than a few spots;
    ``loose``: something does not, or but a little. It lies at the points ``at``, over the spots of
    the numbers ``over``, which may be none. ``edge``:
    something as small as a token or some fingers, which is not there otherwise, touches the edge of
    the picture, ``near`` the spots of these numbers."""

    arm: bool = False
    loose: bool = False
    over: tuple[int, ...] = ()
    at: NDArray[np.bool_] | None = field(default=None, compare=False)
    edge: bool = False
    near: tuple[int, ...] = ()


def large_things(
    off: Floats,
    now: Floats,
    bright: Floats,
    quiet: float,
    where: NDArray[np.bool_],
    rim: NDArray[np.bool_],
    discs: NDArray[np.int64],
    size: float,
) -> Large:
    """Find what is no token. ``off`` is how much every raster point differs, ``now`` what it shows
    in one channel, ``bright`` what it showed before, ``quiet`` the usual difference; ``where``
    tells which points count, ``rim`` those on the picture's edge. ``discs`` holds the points of
    every spot (n, m); things larger than ``size`` points are no token."""
    most = limit(quiet, bright)
    if np.count_nonzero((off > most) & where) * FEW < size:
        return Large()
    some = _around((off > WEAK * most) & where)
    everywhere = np.zeros(off.shape, np.int32)
    off, most, where, rim = off[some], most[some], where[some], rim[some]
    strong, parts = _differing(off, most, np.ascontiguousarray(bright[some]), where)
    closed = cv2.morphologyEx(parts, cv2.MORPH_CLOSE, _SQUARE)
    count, found, stats, _ = cv2.connectedComponentsWithStats(closed)
    areas = np.asarray(stats)[:, cv2.CC_STAT_AREA].astype(np.float64)
    everywhere[some] = labels = np.asarray(found)
    solid = np.bincount(labels[strong], minlength=count) > CORE * areas
    solid[0] = False
    reach = np.bincount(labels[rim & where], minlength=count)
    tips = (reach > LEAST) & solid & (areas > TIP * size) & (areas < TIPS * size)
    under = everywhere.ravel()[discs]
    small = np.flatnonzero(tips & (areas < size / 2))
    tips[small] = [(under == tip).mean(1).max() < MOSTLY for tip in small]
    touching = reach > GRAZING * np.sqrt(areas)
    weight, side = areas * np.where(touching, ARM, 1.0), np.sqrt(size)
    broad = reach > BROAD * side
    large = np.flatnonzero(solid & (broad | (weight > size)))
    for thing in large:
        share, there = (under == thing).mean(1), labels == thing
        logs = (np.log(picture[some] + DARK) for picture in (now, bright))
        idle = _row(parts * there, size) or taken_away(there, *logs)
        solid[thing] = share.any() or not idle
        # A little may be a token half out of the picture; what stays away from the board plays not.
        touching[thing] &= areas[thing] > size or (broad[thing] and (share > UNDER).any())
        touching[thing] &= bool(_near(everywhere, np.array([thing]), discs, REACH * int(side)))
    near = _near(everywhere, np.flatnonzero(tips), discs, int(side))
    things = large[solid[large]]
    arms = things[touching[things]]
    at = np.isin(everywhere, arms if arms.size else things)
    return _lying(at, discs, bool(arms.size), bool(tips.any()), near)


def _lying(
    at: NDArray[np.bool_], discs: NDArray[np.int64], arm: bool, edge: bool, near: tuple[int, ...]
) -> Large:
    """Return what lies ``at`` some points, if any, an ``arm`` or something else."""
    if not at.any():
        return Large(edge=edge, near=near)
    share = at.ravel()[discs].mean(1)
    over = tuple(int(index) for index in np.flatnonzero(share > UNDER))
    return Large(arm or len(over) > WIDE, not arm, over, at, edge, near)


def _around(rough: NDArray[np.bool_]) -> tuple[slice, slice]:
    """Return the rows and columns of all that is ``rough``, with room for the morphology; what that
    closes lies between what changed."""
    x, y, width, height = cv2.boundingRect(rough.view(np.uint8))
    return slice(max(0, y - 3), y + height + 3), slice(max(0, x - 3), x + width + 3)


def _near(
    labels: NDArray[np.int32], things: NDArray[np.intp], discs: NDArray[np.int64], reach: int
) -> tuple[int, ...]:
    """Return the numbers of the spots within half of ``reach`` points of ``things``, which have
    these ``labels``."""
    if not things.size:
        return ()
    mask = np.isin(labels, things).astype(np.uint8)
    wide = np.asarray(cv2.dilate(mask, np.ones((reach, reach), np.uint8))) > 0
    return tuple(int(index) for index in np.flatnonzero(wide.ravel()[discs].any(1)))


def _differing(
    off: Floats, most: Floats, bright: Floats, where: NDArray[np.bool_]
) -> tuple[NDArray[np.bool_], NDArray[np.uint8]]:
    """Return where ``off`` is over the ``most``, and where it is so roughly and not by specks."""
    # Fine texture may shift a little.
    slope = 0.15 * (cv2.dilate(bright, _SQUARE) - cv2.erode(bright, _SQUARE))
    strong = (off > most + slope) & where
    weak = ((off > WEAK * most + slope) & where).astype(np.uint8)
    return strong, np.asarray(cv2.morphologyEx(weak, cv2.MORPH_OPEN, _SQUARE), np.uint8)


def _row(parts: NDArray[np.uint8], size: float) -> bool:
    """Tell whether ``parts`` are tokens in a row, such as captured ones beside the board: several,
    each as round as one and none as wide as a thing of ``size``."""
    count, _, stats, _ = cv2.connectedComponentsWithStats(parts)
    widths = np.asarray(stats)[1:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]]
    round_ = np.asarray(stats)[1:, cv2.CC_STAT_AREA] > 0.5 * widths.prod(1)
    return count > 2 and bool(round_.all() and widths.max() ** 2 < 0.9 * size)


ROUGH = 5
"""Pixels to a pitch in the picture in which arms are looked for beside a board that was shoved."""
THICK = 0.6
"""Pitches. What was shoved leaves strips along its edges; an arm is thicker than this."""


def outline(image: NDArray[np.uint8], size: tuple[int, int], step: int) -> Floats:
    """Return a picture of ``size`` (columns, rows), from ``image``, which may be shrunk, averaged
    over squares of ``step`` pixels of it, as logarithms of light."""
    squares = size[0] // step, size[1] // step
    small = cv2.blur(cv2.resize(image, squares, interpolation=cv2.INTER_AREA), (3, 3))
    return np.asarray(np.log(np.asarray(small, np.float32) + DARK), np.float32)


def strangers(now: Floats, before: Floats) -> NDArray[np.uint8]:
    """Return a mask, 1 where ``now`` shows something else than ``before``, both as :func:`outline`
    gives them. One of them may be darker or brighter on the whole."""
    off = now - before
    off = worst(off - np.median(off, (0, 1)))
    # A shoved board and two arms are more than half of a picture; a quarter of it stays.
    return np.asarray(off > max(0.12, 7 * float(np.quantile(off, 0.25))), np.uint8)


def reaches_in(strange: NDArray[np.bool_], rim: NDArray[np.bool_], pitch: float) -> bool:
    """Tell whether something in the mask ``strange`` that is somewhere thicker than THICK touches
    the ``rim`` of the picture, be it by a corner; ``pitch`` is in raster points."""
    side, mask = round(THICK * pitch), strange.view(np.uint8)
    thick = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((side, side)))) > 0
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask)
    areas = np.asarray(stats)[:, cv2.CC_STAT_AREA]
    found = np.asarray(labels)
    touching = np.intersect1d(found[rim & strange], found[thick])
    return bool((areas[touching] > pitch**2).any())


def all_round(new: NDArray[np.bool_], pitch: float) -> bool:
    """Tell whether something in the mask ``new`` of what lies beside a board is on three sides at
    least, as where the board was shoved; ``pitch`` is in raster points."""
    # Thin lines are edges that hardly moved.
    thick = cv2.morphologyEx(new.view(np.uint8), cv2.MORPH_OPEN, _SQUARE)
    rows, columns = np.nonzero(thick)
    up, right = rows / len(new) - 0.5, columns / new.shape[1] - 0.5
    side = (up > right).astype(int) + 2 * (up > -right)
    return int((np.bincount(side, minlength=4) > 0.5 * pitch**2).sum()) >= 3
