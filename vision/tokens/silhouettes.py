"""Which part of a board a tall man hides from the camera: his silhouette, by geometry.

A man is taken for an upright cone stump. Seen from a lens that stands over some point of the table
he covers the board from his foot straight away from that point, the farther the taller he is.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from companion.rules import Board
from vision.board.calibrate import Camera
from vision.board.raster import Floats
from vision.board.viewpoint import viewpoint
from vision.tokens.ground import DISC

Mask = NDArray[np.bool_]

HEAD = 0.24
"""Pitches: the radius of a man's head; that of his foot is :data:`DISC`."""
NARROW, STEP, ENOUGH = 0.7, 0.1, 2
"""How high a man stands is looked for within NARROW of his head's radius from his axis, in steps of
so many pitches, each of which has ENOUGH points to tell."""
TELLING = 0.5
"""Pitches by which a man's head has to seem farther away than his foot."""


class Silhouettes:
    """What men on each spot of ``board`` hide of the ``points`` (n, m, 2) of every spot, in
    millimetres, from ``camera``."""

    def __init__(self, board: Board, camera: Camera, points: Floats) -> None:
        self._board, self._points = board, points
        self._index = {name: index for index, name in enumerate(board.spots)}
        *under, self._height = viewpoint(camera)
        self._under = np.asarray(under)
        away = [float(np.hypot(*(s.centre - self._under))) for s in board.spots.values()]
        self._away = dict(zip(board.spots, away, strict=True))
        self.order = sorted(board.spots, key=self._away.__getitem__)
        """All spots, those first that nothing behind them can hide."""
        self.before = cache(self._before)
        self.hidden = cache(self._hidden)

    def largest(self, tall: float) -> float:
        """Return the area (square pitches) of the largest silhouette of a man ``tall`` pitches
        high."""
        far = max(self._away.values()) / self._board.pitch
        return float(np.pi * DISC**2 + (DISC + HEAD) * far * self._farther(tall))

    def _farther(self, tall: float) -> float:
        """Return by which part of its distance from the point under the lens the head of a man
        seems to be farther away than his foot."""
        high = tall * self._board.pitch
        return high / max(self._height - high, high)

    def _before(self, spot: str, tall: float) -> tuple[str, ...]:
        """Return the spots on which a man ``tall`` pitches high hides something of ``spot``."""
        return tuple(
            other
            for other in self.order
            if self._away[other] < self._away[spot] and self.hidden(other, spot, tall).any()
        )

    def _hidden(self, other: str, spot: str, tall: float) -> Mask:
        """Return which points (m) of ``spot`` a man on ``other``, ``tall`` pitches high, hides."""
        return self.covers(other, tall, self._points[self._index[spot]])

    def covers(self, spot: str, tall: float, points: Floats, broad: float = 1.0) -> Mask:
        """Return which of ``points`` (…, 2), in millimetres, a man on ``spot``, ``tall`` pitches
        high and ``broad`` times as broad as is usual, covers, those under his own foot among
        them."""
        pitch = self._board.pitch
        foot = np.array(self._board[spot].centre)
        farther = self._farther(tall)
        lean = (foot - self._under) * farther
        length = max(float(lean @ lean), 1e-9)
        part = np.clip((points - foot) @ lean / length, 0.0, 1.0)
        off = np.linalg.norm(points - foot - part[..., None] * lean, axis=-1)
        # What stands nearer to the lens looks larger.
        reach = broad * pitch * (DISC + part * (HEAD - DISC)) * (1 + part * farther)
        return np.asarray(off <= reach, np.bool_)

    def height(self, spot: str, points: Floats, changed: Mask, most: float) -> float | None:
        """Return how high, in pitches, he stands who came to ``spot``, by how far the bare
        ``points`` (n, 2) behind him have ``changed`` (n); None where that is not seen whole, or he
        seems to be higher than ``most``."""
        pitch, foot = self._board.pitch, np.array(self._board[spot].centre)
        lean = foot - self._under
        away = float(np.hypot(*lean))
        if away * self._farther(most) < TELLING * pitch:
            return None
        along = (points - foot) @ lean / (away * pitch)
        across = np.abs((points - foot) @ (lean[1], -lean[0])) / (away * pitch)
        near = (across < NARROW * HEAD) & (along > DISC)
        steps = ((along[near] - DISC) / STEP).astype(int)
        count = int(away / pitch * self._farther(most) / STEP)
        every = np.bincount(steps, minlength=count)[:count]
        there = np.bincount(steps, changed[near], count)[:count]
        ends = np.flatnonzero((every < ENOUGH) | (2 * there < every))
        if not ends.size or every[ends[0]] < ENOUGH:
            return None
        # His head reaches beyond the axis by its own radius.
        part = max(0.0, DISC + STEP * float(ends[0]) - HEAD) * pitch / away
        return part / (1 + part) * self._height / pitch
