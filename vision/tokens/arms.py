"""Whether something that is no man lies over a board of tall men: an arm that reaches in from
outside, or anything larger than the men who may have come and gone.

Before a picture is explained any man may have come or gone (:func:`larger`, :func:`reaching_in`).
Once it is, only those the explanation tells of did, and what else is new must be small
(:func:`unexplained`).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.raster import Floats, worst
from vision.light.shade import hides_grain, shows_grain, taken_away
from vision.tokens.ground import PER_PITCH, Ground
from vision.tokens.shadows import DEEP
from vision.tokens.silhouettes import Mask

LEAST = 0.10
"""Change of the logarithm of light that is never taken for an object."""
BESIDE, HINT = 2.5, 0.5
"""Factors on that beside the board, where the light may have changed otherwise (BESIDE), and where
the grain of the table tells whether it did (HINT)."""
TINT, SHADY = 0.08, 0.25
"""Difference of the colours' changes up to which a shadow may have caused them: an absolute part,
and a share of how dark it is."""
SOLID, ARM = 0.15, 0.3
"""Square pitches that a thing covers at least (SOLID), and the largest part that is seen of an arm
apart from the men (ARM)."""
MEN = 2.5
"""What covers more than so many men next to each other is none."""
UNDER = 6
"""Spots that look changed under one hand; where there are more little of one is no sign of it, for
stripes of light end at the edge of the picture, too."""
POINTS = 3
"""Raster points round a man within which a hand may have let go of him just now."""
REMAINS = 0.9
"""Square pitches from which on something new that nobody explains is an object. A man pushed off
the middle of his spot changes less. Half of it speaks against what the rules refuse."""
FILLED = 0.7
"""Share of its convex outline that is seen of a thing without dents: phones and papers on simulated
boards show 0.76 and more, a thing of the colour of half of the squares 0.66."""
LASTS = 0.7
"""Share of a remainder that is new in the next picture, too, if nobody moved it."""
_SQUARE = np.ones((3, 3), np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class Remainder:
    """What is new in a picture, ``where`` on the raster, and left by its explanation; ``solid`` if
    that is taken for an object, not a shadow, and ``near`` if it reaches to men who are told to
    have come or gone: it may be the hand on them."""

    where: Mask
    solid: bool
    near: bool

    def over(self, ground: Ground, spots: Collection[str]) -> frozenset[str]:
        """Return those of ``spots`` that it lies over or reaches: fingers that hardly show over a
        board of their colour seem to end before what they hide."""
        reach = cv2.dilate(self.where.view(np.uint8), _SQUARE, iterations=POINTS)
        labels = np.asarray(reach, np.int32)
        return frozenset(spot for spot in spots if ground.under(labels, spot).any())

    def lasts(self, ground: Ground, on_board: Sequence[Floats], beside: Sequence[Floats]) -> bool:
        """Tell whether it still is where it was, by the differences of a later picture."""
        there = _beyond(ground, _changes(on_board, beside)) > 0
        return bool((self.where & there).sum() > LASTS * self.where.sum())


class Thing:
    """What is no man and lies over the board, ``where`` on the raster, with its soft edge, in the
    picture ``shown``; the one ``before`` was settled without it."""

    def __init__(self, rest: Remainder, shown: Floats, before: Floats, other: Thing | None) -> None:
        """``other`` is what lies there besides. Where a thing has the colour of the board it lies
        there, too, if it seems to have dents of no great size."""
        whole = np.asarray(cv2.dilate(rest.where.view(np.uint8), _SQUARE) > 0)
        parts = cv2.findContours(whole.view(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        for outline in parts[0]:
            hull = np.zeros(whole.shape, np.uint8)
            cv2.fillConvexPoly(hull, cv2.convexHull(outline), (1,))
            if whole[hull > 0].mean() > FILLED:
                whole |= hull > 0
        self.where = whole
        self._shown, self._before = shown, before
        if other is not None:
            self.where, self._before = self.where | other.where, other._before

    def lies(self, ground: Ground, now: Floats) -> bool:
        """Tell whether it lies there yet, ``now``."""
        shown, bare = (alike(ground, self.where, p, now) for p in (self._shown, self._before))
        return shown and not bare


def alike(ground: Ground, where: Mask, one: Floats, other: Floats) -> bool:
    """Tell whether two pictures show alike what lies ``where``, but for the light of the board."""
    rest = one - other
    same = worst(rest - np.median(rest[ground.on_board], 0)) < LEAST
    return bool((where & same).sum() > LASTS * where.sum())


def larger(
    ground: Ground,
    on_board: Sequence[Floats],
    beside: Sequence[Floats],
    most: float,
    changed: Collection[str],
) -> Remainder | None:
    """Return what lies over some of the ``changed`` spots and is larger than men next to each
    other, each of whom covers ``most`` square pitches, if anything is.

    The differences from several settled pictures, the latest one last, are given evened for what is
    ``on_board``, and without that for what is ``beside``: what one of them shows is not new.
    What changed beside the board alone does not count, nor do mere shadows.
    """
    mask = _beyond(ground, _changes(on_board, beside))
    solid = _solid(ground, mask, on_board, beside)
    labels = np.asarray(cv2.connectedComponents(mask)[1], np.int32)
    areas = np.bincount(labels[solid & ground.on_board], minlength=int(labels.max()) + 1)
    areas[0] = 0
    where = (areas > MEN * most * PER_PITCH**2)[labels]
    found = Remainder(where, _object(ground, where, on_board, beside), near=True)
    return found if found.over(ground, changed) else None


def reaching_in(
    ground: Ground,
    on_board: Sequence[Floats],
    beside: Sequence[Floats],
    now: Floats,
    before: Floats,
    men: Mask,
    shadows: Mask,
    refused: bool = False,
) -> Remainder | None:
    """Return what reaches in from outside to the ``men`` who may have come or left, and is none of
    them, nor one of their ``shadows``, if anything does. The grain of the table, as it was in the
    picture ``before``, is not seen through it ``now``; on a smooth table it has colours of its own.
    Where the rules ``refused`` what the men did it may be a shadow. The differences are those of
    :func:`larger`."""
    men = cv2.dilate(men.view(np.uint8), _SQUARE) > 0
    known = men | (shadows & ~_opaque(ground, on_board, beside))
    near = cv2.dilate(men.view(np.uint8), _SQUARE, iterations=POINTS) > 0
    things = _things(ground, _changes(on_board, beside), HINT)
    old = ~np.any(things, 0) if things else ~ground.rim
    grainy = shows_grain(_bare(ground) & old, now, before)
    inside = cv2.erode(ground.valid.view(np.uint8), _SQUARE) > 0

    def hides(arm: Mask) -> bool:
        if refused:
            return True
        # The edge of the picture looks the same in both.
        seen = arm & inside
        return hides_grain(seen, now, before) if grainy else _object(ground, arm, on_board, beside)

    for there in things:
        arm = _from_the_rim(ground, there & ~known)
        # Men who were laid down beside the board are no larger each.
        parts = np.asarray(cv2.connectedComponents(arm.view(np.uint8))[1])
        large = np.bincount(parts[arm], minlength=1).max() > ARM * PER_PITCH**2
        if large and (arm & near).any() and hides(arm):
            return Remainder(there, solid=True, near=True)
    return None


def _from_the_rim(ground: Ground, there: Mask) -> Mask:
    """Return what of ``there`` hangs together with the edge of the picture."""
    near = cv2.dilate(there.view(np.uint8), _SQUARE, iterations=POINTS)
    labels = np.asarray(cv2.connectedComponents(near)[1]) * there
    return there & np.isin(labels, np.unique(labels[there & ground.rim]))


def unexplained(
    ground: Ground,
    on_board: Sequence[Floats],
    beside: Sequence[Floats],
    men: Mask,
    stay: Mask,
    shadows: Mask,
    refused: bool,
) -> Remainder | None:
    """Return what is new and neither the ``men`` who came or left nor their ``shadows``, if it is
    large; within the outlines of those who ``stay`` it may be they themselves, nudged.
    Less is enough where the explanation is a move that the rules have ``refused``. The differences
    are those of :func:`larger`."""
    changes = _changes(on_board, beside)
    mask = _beyond(ground, changes)
    known = cv2.dilate((men | shadows).view(np.uint8), _SQUARE) > 0
    rest = cv2.morphologyEx(mask * ~(known | stay), cv2.MORPH_OPEN, _SQUARE) > 0
    # What changed together with it may be a part of it, and no man.
    labels = np.asarray(cv2.connectedComponents(mask)[1])
    areas = np.bincount(labels[rest & ground.on_board], minlength=int(labels.max()) + 1)
    whole = (areas > (REMAINS / 2 if refused else REMAINS) * PER_PITCH**2)[labels]
    if not whole.any():
        return None
    # Fingers that have just let go of a man still point at him.
    near = cv2.dilate(men.view(np.uint8), _SQUARE, iterations=POINTS) > 0
    over = whole & rest & ground.on_board
    return Remainder(whole, _object(ground, over, on_board, beside), bool((over & near).any()))


def left_behind(ground: Ground, beside: Floats, now: Floats, before: Floats) -> Mask:
    """Return the points beside the board off which something was taken since the picture
    ``before``, such as a cup or a sleeve: the bare table there is no hand. ``beside`` is how the
    pictures differ there."""
    off, bare = worst(beside), _bare(ground)
    things = _things(ground, (0 * off, off))
    edges = _edges(before, bare)
    gone = [t for t in things if taken_away(t, now, before, bare & ~_beyond_it(edges, t))]
    every = np.any(gone, 0) if gone else np.zeros(ground.valid.shape, np.bool_)
    return np.asarray(cv2.dilate(every.view(np.uint8), _SQUARE) > 0)


def _things(ground: Ground, changes: tuple[Floats, Floats], factor: float = BESIDE) -> list[Mask]:
    """Return where things may be that are new by the ``changes``."""
    there = _beyond(ground, changes, factor)
    # What shows of one thing in several places lies close together.
    whole = cv2.dilate(there, _SQUARE, iterations=POINTS)
    labels = np.asarray(cv2.connectedComponents(whole)[1]) * (there > 0)
    count = np.bincount(labels.ravel())
    return [labels == k for k in range(1, len(count)) if count[k] > SOLID * PER_PITCH**2]


def _edges(picture: Floats, bare: Mask) -> NDArray[np.int32]:
    """Return the plain edges of a picture, numbered: above the grain of where it is ``bare``."""
    step = np.asarray(cv2.dilate(picture, _SQUARE) - cv2.erode(picture, _SQUARE)).mean(2)
    plain = step > 2 * np.median(step[bare])
    return np.asarray(cv2.connectedComponents(plain.view(np.uint8))[1], np.int32)


def _beyond_it(edges: NDArray[np.int32], there: Mask) -> Mask:
    """Return those of the ``edges`` that are mostly elsewhere than round what is ``there``, as that
    of a board's frame: they are none of its outline."""
    near = cv2.dilate(there.view(np.uint8), _SQUARE, iterations=2) > 0
    every, here = (np.bincount(e.ravel(), minlength=edges.max() + 1) for e in (edges, edges[near]))
    return np.asarray((2 * here < every)[edges] & (edges > 0))


def _bare(ground: Ground) -> Mask:
    """Return where the outline of a thing beside the board shows: not where it reaches over the
    board or out of the picture."""
    cut = (ground.on_board | ground.rim | ~ground.valid).view(np.uint8)
    return np.asarray(cv2.dilate(cut, _SQUARE) == 0)


def _changes(on_board: Sequence[Floats], beside: Sequence[Floats]) -> tuple[Floats, Floats]:
    """Return by how much a picture differs from all of several others, on the board and beside
    it."""
    off, there = (np.min([worst(d) for d in some], 0) for some in (on_board, beside))
    return off, there


def _beyond(
    ground: Ground, changes: tuple[Floats, Floats], factor: float = BESIDE
) -> NDArray[np.uint8]:
    """Return where something new is. Beside the board a change has to be stronger by ``factor``."""
    off, there = changes
    limit = max(LEAST, 4 * float(np.median(off[ground.valid])))
    changed_at = np.where(ground.on_board, off > limit, there > factor * limit).astype(np.uint8)
    return np.asarray(cv2.morphologyEx(changed_at, cv2.MORPH_OPEN, _SQUARE), np.uint8)


def _solid(
    ground: Ground, mask: NDArray[np.uint8], on_board: Sequence[Floats], beside: Sequence[Floats]
) -> Mask:
    """Return where what is new, marked by ``mask``, is no mere shadow."""
    light, tint = _light_and_tint(ground, on_board, beside)
    deep = np.abs(light + DEEP / 2) > DEEP / 2
    return np.asarray((mask > 0) & (deep | (tint > TINT - light * SHADY)), np.bool_)


def _object(
    ground: Ground, where: Mask, on_board: Sequence[Floats], beside: Sequence[Floats]
) -> bool:
    """Tell whether most of what is new ``where`` is neither a shadow nor the light after one."""
    return 2 * int((where & _opaque(ground, on_board, beside)).sum()) > int(where.sum())


def _opaque(ground: Ground, on_board: Sequence[Floats], beside: Sequence[Floats]) -> Mask:
    """Return where what changed can neither be a shadow nor the light after one."""
    light, tint = _light_and_tint(ground, on_board, beside)
    size = np.abs(light)
    return np.asarray((size > DEEP) | (tint > TINT + size * SHADY))


def _light_and_tint(
    ground: Ground, on_board: Sequence[Floats], beside: Sequence[Floats]
) -> tuple[Floats, Floats]:
    """Return by how much it is lighter than in the last picture, and by how much its colours differ
    in that."""
    rest = np.where(ground.on_board[..., None], on_board[-1], beside[-1])
    light = rest.mean(2)
    return light, np.abs(rest - light[..., None]).max(2)
