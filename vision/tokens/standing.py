"""Where men stand, told from one picture through a camera that leans: each of them hides, by
geometry, a piece of the board from his foot on away from the lens.

The bare board is a slowly changing colour for each shade of its spots. Each point says how much
likelier it is on a man than on bare print, by its colour and by how it differs from its neighbours;
men are then put on spots, one at a time, as long as their silhouettes explain more than they cost.
What one man explains speaks for no other behind him. Log-likelihoods are in nats.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.rules import Board
from vision.board.calibrate import Camera
from vision.board.facing import DARK
from vision.board.raster import Floats
from vision.frames import Image
from vision.tokens.patches import HALF, PER_PITCH, cut
from vision.tokens.shadows import DEEP
from vision.tokens.silhouettes import Silhouettes

REACH, EVERY = 9, 2
"""Patch pixels off the middle of a spot that are examined, and every so-manieth of them: points
that are tapped may be a little off, and the neighbour's print must not count."""
BENDS = ((1, 4), (3, 5), (6, 6))
"""Terms of the colour of bare print over the board, and how often each such fit is repeated."""
WIDE, NARROW, CLOSER = 0.35, 0.08, 0.85
"""Logarithm of light off the bare print from which on a point hardly counts for that fit, at first
and at last, and the factor between two fits."""
EVEN = 0.06
"""Least deviation of bare print."""
SHADOW = 0.12
"""Share of bare points that lie in a shadow."""
STRANGE, SPREAD = 0.05, 2.5
"""Share of bare points that may show anything (wear, glare, a letter), of a range of so much."""
UNLIKE = 0.7
"""Deviation of what a man shows from the bare print, and the share of his points that show it; the
others look like the print behind him."""
SHOWN = 0.75
BROKEN, MARKED, ROUGH = 0.55, 0.12, 0.35
"""Share of the points of a man that differ from their neighbours, by the deviation ROUGH, and of
those of bare print."""
FINE, SMOOTH = 0.03, 40
"""Least difference of neighbours on bare print, and the percentile of all that it is taken for."""
EDGES = 0.8
"""Weight of the differences of neighbours beside that of colours: they tell of the same man."""
EACH = 36.0
"""Points to a square pitch that say something new."""
COST = 6.0
"""What speaks against a man on a spot of whom nothing is known."""

Masks = NDArray[np.bool_]


def standing(image: Image, camera: Camera, board: Board, tall: Collection[float]) -> frozenset[str]:
    """Return the spots on which men stand, who are some of ``tall`` pitches high."""
    middles = np.array([spot.centre for spot in board.spots.values()])
    steps = np.arange(-REACH, REACH + 1, EVERY)
    around = np.stack(np.meshgrid(steps, steps), -1).reshape(-1, 2) * (board.pitch / PER_PITCH)
    points = middles[:, None] + around
    pixels = camera.project(points.reshape(-1, 2)).reshape(points.shape)
    inside = np.asarray(((pixels >= 0) & (pixels < camera.size)).all(2), np.bool_)
    patches = cut(image, camera, board.pitch, [(float(x), float(y)) for x, y in middles])
    window = slice(HALF - REACH, HALF + REACH + 1, EVERY)
    light = np.stack([np.log(cv2.GaussianBlur(p, (0, 0), 0.8) + DARK)[window, window]
                      for p in patches])  # fmt: skip
    shades = [spot.shade for spot in board.spots.values()]
    says = np.zeros(inside.shape, np.float32)
    for shade in dict.fromkeys(shades):
        own = np.array([other == shade for other in shades])
        off, even = _off_print(light[own].reshape(*inside[own].shape, 3), points[own] / board.pitch,
                               inside[own])  # fmt: skip
        edges = _differences(off.reshape(light[own].shape)).reshape(off.shape[:2])
        says[own] = _by_colour(off, even) + EDGES * _by_edges(edges, inside[own])
    says *= inside * EACH * (EVERY / PER_PITCH) ** 2
    silhouettes = Silhouettes(board, camera, np.asarray(points, np.float32))
    masks = np.array([[silhouettes.covers(spot, high, points).ravel() for high in sorted(tall)]
                      for spot in board.spots])  # fmt: skip
    taken = _explained(says.ravel(), masks)
    return frozenset(spot for spot, stands in zip(board.spots, taken, strict=True) if stands)


def _off_print(light: Floats, at: Floats, inside: Masks) -> tuple[Floats, float]:
    """Return how far each point (n, m, 3) is off the colour of bare print at its place ``at``
    (pitches), and the deviation of that print: a fit that what lies on it hardly moves."""
    x, y = (at / np.abs(at).max()).reshape(-1, 2).T
    terms = np.stack([np.ones_like(x), x, y, x * x, y * y, x * y], 1)
    values, seen = light.reshape(-1, 3), inside.ravel()
    fit = np.zeros((6, 3))
    fit[0] = _commonest(values[seen])
    wide = WIDE
    for count, times in BENDS:
        for _ in range(times):
            off = np.abs(values - terms @ fit).max(1)
            weight = seen / (1 + (off / wide) ** 2) ** 2
            some = terms[:, :count]
            normal = some.T @ (some * weight[:, None]) + 1e-3 * np.eye(count)
            fit = np.zeros((6, 3))
            fit[:count] = np.linalg.solve(normal, some.T @ (values * weight[:, None]))
            wide = max(NARROW, wide * CLOSER)
    rest = values - terms @ fit
    far = np.sort(np.sqrt((rest**2).mean(1))[seen])
    even = max(EVEN, 1.5 * float(np.median(far[: max(1, int(0.6 * len(far)))])))
    return np.asarray(rest.reshape(light.shape), np.float32), even


def _commonest(values: Floats) -> Floats:
    """Return the colour near which most of ``values`` (n, 3) lie."""
    some, others = values[:: max(1, len(values) // 250)], values[:: max(1, len(values) // 1500)]
    near = np.exp(-((np.abs(others[None] - some[:, None]).max(2) / (2 * EVEN)) ** 2)).sum(1)
    return np.asarray(some[int(near.argmax())], np.float32)


def _by_colour(off: Floats, even: float) -> Floats:
    """Return how much likelier each point (n, m, 3) ``off`` the bare print is on a man."""
    far, darker = np.sqrt((off**2).mean(2)), -off.mean(2)
    tint = np.sqrt(((off + darker[..., None]) ** 2).mean(2))
    shade = (darker > 0) & (darker < DEEP)
    shadow = shade * np.exp(-((tint / (1.5 * even)) ** 2) / 2) * SHADOW / DEEP
    same = _half_normal(far, even)
    bare = (1 - SHADOW - STRANGE) * same + STRANGE / SPREAD + shadow
    return np.asarray(np.log(((1 - SHOWN) * same + SHOWN * _half_normal(far, UNLIKE)) / bare))


def _by_edges(differs: Floats, inside: Masks) -> Floats:
    """Return the same by how much points differ from their neighbours."""
    fine = max(FINE, 1.2 * float(np.percentile(differs[inside], SMOOTH)))
    same = _half_normal(differs, fine)
    bare = (1 - MARKED) * same + MARKED / 1.5
    return np.asarray(np.log(((1 - BROKEN) * same + BROKEN * _half_normal(differs, ROUGH)) / bare))


def _half_normal(values: Floats, spread: float) -> Floats:
    return np.asarray(np.sqrt(2 / np.pi) / spread * np.exp(-((values / spread) ** 2) / 2))


def _differences(off: Floats) -> Floats:
    """Return by how much each point (n, rows, columns, 3) differs from one of its neighbours."""
    differs = np.zeros(off.shape[:3], np.float32)
    for axis in (1, 2):
        step = np.moveaxis(np.abs(np.diff(off, axis=axis)).max(3), axis, 0)
        view = np.moveaxis(differs, axis, 0)
        view[1:] = np.maximum(view[1:], step)
        view[:-1] = np.maximum(view[:-1], step)
    return differs


def _explained(says: Floats, masks: Masks) -> Masks:
    """Return on which spots men stand: ``masks`` (spots, heights, points) are what each would hide.
    The change of one spot that explains most is made as long as there is one."""
    spots, _, count = masks.shape
    stands, hidden = np.full(spots, -1), np.zeros(count, np.int64)
    for _ in range(4 * spots):
        gain, spot, height = max(_changes(says, masks, stands, hidden))
        if gain <= 1e-6:
            break
        if stands[spot] >= 0:
            hidden -= masks[spot, stands[spot]]
        if height >= 0:
            hidden += masks[spot, height]
        stands[spot] = height
    return stands >= 0


def _changes(
    says: Floats, masks: Masks, stands: NDArray[np.int64], hidden: NDArray[np.int64]
) -> Iterator[tuple[float, int, int]]:
    """Yield what each change of one spot explains more: that, the spot, and the number of the
    height of the man who then stands there, -1 for none."""
    new = masks @ np.where(hidden == 0, says, 0.0) - COST
    for spot, height in enumerate(stands):
        worth, now = new[spot], 0.0
        if height >= 0:
            alone = hidden == masks[spot, height]
            worth = masks[spot] @ np.where(alone, says, 0.0) - COST
            now = float(worth[height])
            yield -now, spot, -1
        yield float(worth.max()) - now, spot, int(worth.argmax())
