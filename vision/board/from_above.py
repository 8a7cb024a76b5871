"""How a picture of a flat thing is turned so that it is seen from straight above.

Straight pieces of edge are found; seen from above those of a board run in two or three directions
only (a tabletop's grain in one more). The lean of the camera is the one by which they do.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.board.calibrate import Points
from vision.board.printed_lines import Gray

SEGMENTS, SHORTEST = 2500, 6.0
"""How many pieces of edge are looked at, the longest, and how many pixels long they are."""
LONGEST = 0.1
"""Picture widths; no piece counts for more than that."""
FOCAL = (0.6, 0.75, 1.0, 1.3, 1.7)
"""Focal lengths in picture widths that are tried. The one of 1 is tried first."""
LEANS = tuple(range(0, 62, 5))
"""Degrees of lean that are tried."""
SLIGHT = 12.0
"""Degrees below which the focal length makes no difference."""
ROUGH, FINE = 2.5, 1.0
"""Degrees by which pieces of edge may differ, in the first search and in the last."""
BINS = 2
"""Bins a degree."""


@dataclass(frozen=True, slots=True, eq=False)
class StraightView:
    """``homography`` turns pixels to how the camera would see them looking straight down;
    ``stretch`` is how much larger the middle of the picture then is; ``angle`` (degrees) is one
    of the directions in which edges run, and ``agree``, 0 to 1, how many of them do."""

    homography: Points
    stretch: float
    angle: float
    agree: float


def leans(gray: Gray, fold: int) -> list[StraightView]:
    """Return how the camera may lean over a board whose edges run in ``fold`` directions, one for
    each focal length that makes a difference, the likeliest first."""
    size = (gray.shape[1], gray.shape[0])
    edges = _Edges(_pieces(gray), size, fold)
    ways = [
        np.radians(lean) * np.array([np.cos(a), np.sin(a)])
        for lean in LEANS
        for a in np.arange(0, 2 * np.pi, np.pi / 12)[: None if lean else 1]
    ]
    first = max(ways, key=lambda way: edges.agree(way, 1.0, ROUGH)[0])
    lean = float(np.hypot(*first))
    found = []
    for focal in FOCAL if np.degrees(lean) > SLIGHT else (1.0,):
        # The horizon stays where it is.
        way = first * (np.arctan(focal * np.tan(lean)) / lean if lean else 1.0)
        found.append(edges.settled(way, focal))
    return sorted(found, key=lambda one: -one.agree)


def _pieces(gray: Gray) -> Points:
    found = cv2.createLineSegmentDetector().detect(gray)[0]
    if found is None:
        return np.zeros((0, 2, 2))
    pieces = np.asarray(found, np.float64).reshape(-1, 2, 2)
    length = np.linalg.norm(pieces[:, 1] - pieces[:, 0], axis=1)
    longest = np.argsort(-length)[:SEGMENTS]
    return np.asarray(pieces[longest][length[longest] > SHORTEST], np.float64)


class _Edges:
    """Pieces of edge of one picture, and how well they agree on a lean."""

    def __init__(self, pieces: Points, size: tuple[int, int], fold: int) -> None:
        self._size, self._fold, self._pieces = size, fold, pieces
        length = np.linalg.norm(pieces[:, 1] - pieces[:, 0], axis=1)
        self._weight = np.minimum(length, LONGEST * size[0])

    def agree(self, way: Points, focal: float, blur: float) -> tuple[float, float]:
        """Return which share of the edges runs in the same ``fold`` directions, seen with the
        camera turned about ``way`` (radians), and one of these directions in degrees."""
        if not len(self._pieces):
            return 0.0, 0.0
        matrix = _straight(way, focal, self._size)
        flat = self._pieces @ matrix[:, :2].T + matrix[:, 2]
        before = (flat[..., 2] > 0.3).all(1)
        seen = flat[before, :, :2] / flat[before, :, 2:]
        run = seen[:, 1] - seen[:, 0]
        bins = 360 // self._fold * BINS
        angle = np.degrees(np.arctan2(run[:, 1], run[:, 0])) * BINS % bins
        count = np.bincount(angle.astype(int) % bins, self._weight[before], bins)
        reach = int(3 * blur * BINS)
        bell = np.exp(-0.5 * (np.arange(-reach, reach + 1) / (blur * BINS)) ** 2)
        soft = np.convolve(np.r_[count[-reach:], count, count[:reach]], bell, "valid")
        top = int(soft.argmax())
        return float(soft[top] / self._weight.sum()), (top + 0.5) / BINS

    def settled(self, way: Points, focal: float) -> StraightView:
        """Return the lean near ``way`` on which the edges agree best."""
        steps = [np.array([x, y]) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]
        best, step = self.agree(way, focal, FINE)[0], np.radians(2.5)
        while step > np.radians(0.3):
            tries = [(self.agree(way + step * s, focal, FINE)[0], way + step * s) for s in steps]
            most, where = max(tries, key=lambda one: one[0])
            if most > best:
                best, way = most, where
            else:
                step /= 2
        angle = self.agree(way, focal, FINE)[1]
        matrix = _straight(way, focal, self._size)
        return StraightView(matrix, 1 / float(np.cos(np.hypot(*way))), angle, best)


def _straight(way: Points, focal: float, size: tuple[int, int]) -> Points:
    width, height = size
    lens = np.array([[focal * width, 0, (width - 1) / 2], [0, focal * width, (height - 1) / 2],
                     [0, 0, 1.0]])  # fmt: skip
    turn = np.asarray(cv2.Rodrigues(np.array([*way, 0.0]))[0], np.float64)
    return np.asarray(lens @ turn @ np.linalg.inv(lens), np.float64)
