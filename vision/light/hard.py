"""Sun on the table, or the shadow of somebody between it and a lamp, with hard edges: patches,
stripes through a blind, whatever their shape.

There is one sun, so all of it multiplies what lies in it by one factor a colour. Where it begins
and ends may have any shape, so each point either lies in it, or does not, or did before; what is
printed there stays as it was. A hand or a token shows something of its own instead.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.raster import Floats, across, grey, worst
from vision.light.changes import Ends, LightChange, light_of
from vision.light.shade import limit, quiet

WEAKEST = 0.1
"""Natural logarithm of the least factor that is looked for."""
STEP = 0.04
"""Natural logarithm of a factor: the width of the bins in which the commonest one is found."""
SHOWS_THROUGH = 0.9
"""Correlation of the logarithms of what is seen in the light and of what lay there before, from
which on it is light: through a thing nothing of that shows. In three recordings under sun and
blinds 682 of 697 lights had more; of what seemed light on twelve evenings without sun, 100 hands
and their like had less."""
AROUND = 0.1
"""What the neighbourhood of two pitches counts beside a point: where a token came or went, which no
light explains, it alone tells what light falls there."""
FACE, MAN = 0.5, 2.0
"""Square pitches: what is smaller and seems lit may be a token with a face, or a tall man with his
shadow."""
_WINDOW = np.ones((3, 3), np.uint8)


def hard_light(
    now: Floats,
    then: Floats,
    known: NDArray[np.bool_],
    pitch: int,
    white: Floats,
    men: bool = False,
) -> LightChange:
    """Return the light of the picture ``now`` (height, width, 3) against ``then`` if one light came
    to some points, left some, or both; ``pitch`` in points. Only points that are ``known`` count;
    what is as bright as ``white`` may be brighter than it seems. Shadows of ``men`` look like the
    light's: what is as small as they are stays open."""
    strength = _strength(now, then, known & across(np.logical_and, now < white), pitch**2)
    if not strength.any():
        return light_of(now, then, white, np.ones_like(now))
    now = np.minimum(now, white)
    offs = [worst(now - _lit(then, share, strength, white)) for share in (-1.0, 0.0, 1.0)]
    # What no light explains says nothing, so that on a token its neighbours decide.
    unexplained = np.minimum.reduce(offs)
    most = limit(quiet(unexplained), then[..., 1])
    clipped = (np.minimum(off, most) for off in offs)
    costs = [cv2.blur(c, (3, 3)) + AROUND * cv2.blur(c, (2 * pitch + 1,) * 2) for c in clipped]
    nearest = np.argmin(costs, 0) - 1
    nearest[~known] = 0
    token = round((MAN if men else FACE) * pitch**2)
    came, left = (_large(nearest == sign, token) for sign in (1, -1))
    share = np.asarray(came, np.float32) - left
    lit = (share != 0) & (np.minimum(*offs[::2]) < most)
    for sign in (1, -1):
        # Each by itself: a hand that is as bright as in the sun has a shadow that is one.
        there = lit & (share == sign)
        if _alike(now[there], then[there]) < SHOWS_THROUGH:
            share[share == sign] = 0
    new = cv2.dilate((unexplained >= most).astype(np.uint8), _WINDOW) > 0
    least, greatest = _ends(share, new, pitch // 2 if men else pitch)
    if men and share.any():
        open_ = (unexplained < most) & (nearest != share)
        least = np.where(open_, np.minimum(nearest, least), least)
        greatest = np.where(open_, np.maximum(nearest, greatest), greatest)
        new |= open_
    factor, one, other = (_factor(s, strength) for s in (share, least, greatest))
    ends = Ends(np.minimum(one, other), np.maximum(one, other), new & (least < greatest))
    return light_of(now, then, white, factor, ends)


def _factor(share: Floats, strength: Floats) -> Floats:
    """Return the factor of the light (height, width, 3) where so large a ``share`` of it is."""
    return np.asarray(np.exp(share[..., None] * strength), np.float32)


def _alike(now: Floats, then: Floats) -> float:
    """Return the correlation of the logarithms of two lists (n, 3) of colours; 0 where all have one
    colour."""
    if not len(now):
        return 0.0
    seen, lay = (np.log(grey(some) + 2) for some in (now, then))
    seen, lay = seen - seen.mean(), lay - lay.mean()
    spread = float(np.sqrt((seen**2).sum() * (lay**2).sum()))
    return float(seen @ lay) / spread if spread > 1e-6 * len(seen) else 0.0


def _ends(share: Floats, new: NDArray[np.bool_], wide: int) -> tuple[Floats, Floats]:
    """Return between which shares of the light each point lies. At an edge it shows a mean of what
    lies on both sides; where that runs over a token that is ``new`` cannot be told: anywhere in a
    square with sides of ``wide`` points."""
    window = np.ones((wide + 1, wide + 1), np.uint8)
    least, most = (
        np.where(new, by(share, window), by(share, _WINDOW)) for by in (cv2.erode, cv2.dilate)
    )
    return least, most


def _large(mask: NDArray[np.bool_], least: int) -> NDArray[np.bool_]:
    """Return ``mask`` without its parts of fewer points than ``least``, and without its holes of as
    few: these are tokens that came or went, in the light or beside it."""
    for value in (True, False):
        parts = (mask == value).astype(np.uint8)
        _, labels, stats, _ = cv2.connectedComponentsWithStats(parts, connectivity=4)
        small = np.asarray(stats)[:, cv2.CC_STAT_AREA] < least
        small[0] = False
        mask = mask ^ small[np.asarray(labels)]
    return mask


def _lit(then: Floats, share: float, strength: Floats, white: Floats) -> Floats:
    """Return what a camera shows of ``then`` with so large a ``share`` of the light on it."""
    return np.asarray(np.minimum(then * np.exp(share * strength), white), np.float32)


def _strength(now: Floats, then: Floats, sure: NDArray[np.bool_], least: int) -> Floats:
    """Return the natural logarithms (3,) of the factor by which most of what changed is brighter or
    darker; 0 where it holds for fewer points than ``least``."""
    at = sure & (across(np.minimum, then) > 20)
    change = np.log((now[at] + 2) / (then[at] + 2))
    some = change[np.abs(grey(change)) > WEAKEST]
    strength = commonest(some) if len(some) >= least else np.zeros(3)
    like = change[worst(change - strength) < 2 * STEP]
    if len(like) < least or abs(strength.mean()) < WEAKEST:
        return np.zeros(3, np.float32)
    return np.asarray(np.median(like, 0), np.float32)


def commonest(changes: Floats) -> Floats:
    """Return the commonest of many ``changes`` (n, 3) of light: a median would lie between two that
    are as common, as those of a blind's stripes are."""
    mean = grey(changes)
    bins = np.arange(mean.min(), mean.max() + 2 * STEP, STEP)
    counts = np.convolve(np.histogram(mean, bins)[0], np.ones(3), "same")
    middle = bins[counts.argmax()] + STEP / 2
    return np.asarray(np.median(changes[np.abs(mean - middle) < 1.5 * STEP], 0))
