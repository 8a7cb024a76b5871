"""Where the shadows of tall men fall, learned from men who came and went.

A shadow is a silhouette on the board: from a man's foot away from the light, the farther the taller
he is. Which way and how far is found by trying: where somebody came it got darker that way, where
somebody left lighter. A lamp that is near throws shadows a little apart, so several ways may hold.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from companion.rules import Point
from vision.board.raster import Floats
from vision.tokens.silhouettes import Mask

LONG = (0.35, 0.6, 0.9, 1.3, 1.8, 2.5)
"""Lengths of shadows that are tried, in heights of the man."""
ROUND = 24
"""Directions that are tried."""
BROAD, NARROW = 0.3, 0.2
"""Pitches: half the breadth of a shadow at the foot and at the head."""
FADES = 0.9
"""Share of what was learned that counts on after the next move: the sun goes on."""
LEAST, LIKE = 0.1, 0.7
"""Evidence (logarithm of light times the root of the number of points) that shadows fall at all,
and the share of the best evidence with which another way holds, too."""
DEEP = 0.7
"""Logarithm of light by which a shadow darkens the board at most."""
DARKEST = 0.5
"""Logarithm of light that counts most: what darkens more is no shadow."""


class Shadows:
    """Knows which way shadows fall on a board with cells of ``pitch`` millimetres."""

    def __init__(self, pitch: float) -> None:
        turns = np.arange(ROUND) * (2 * np.pi / ROUND)
        rays = np.stack([np.cos(turns), np.sin(turns)], 1)
        self._pitch = pitch
        self._ways = np.concatenate([long * rays for long in LONG])
        self._evidence = np.zeros(len(self._ways))
        self._known = self._ways[:0]

    @property
    def way(self) -> NDArray[np.float64]:
        """Return the mean of the ways (2,) shadows fall, in pitches for each of height."""
        return np.asarray(self._known.mean(0) if len(self._known) else np.zeros(2))

    def learn(
        self,
        came: Iterable[tuple[Point, float]],
        left: Iterable[tuple[Point, float]],
        points: Floats,
        darker: Floats,
    ) -> None:
        """Learn from men at these feet (millimetres) and of these heights (pitches) who ``came``
        and ``left`` by how much bare ``points`` (n, 2) got darker (n,), in logarithms of light."""
        expected = np.zeros((len(points), len(self._ways)), np.float32)
        for men, sign in ((came, 1.0), (left, -1.0)):
            for foot, tall in men:
                expected += sign * self._falls(foot, tall, points, self._ways)
        some = np.abs(expected).sum(0)
        fits = np.clip(darker, -DARKEST, DARKEST) @ expected / np.sqrt(some + 5.0)
        self._evidence = FADES * self._evidence + fits
        best = float(self._evidence.max())
        self._known = self._ways[self._evidence >= max(LEAST, LIKE * best)]

    def covers(self, foot: Point, tall: float, points: Floats) -> Mask:
        """Return which of ``points`` (n, 2) the shadow of a man at ``foot`` may cover."""
        return np.asarray(self._falls(foot, tall, points, self._known).any(1))

    def _falls(self, foot: Point, tall: float, points: Floats, ways: NDArray[np.float64]) -> Mask:
        rest = (points - np.array(foot, np.float32)) / self._pitch
        lean = ways * tall
        along = rest @ lean.T
        length = (lean**2).sum(1)
        part = np.clip(along / length, 0.0, 1.0)
        off = (rest**2).sum(1)[:, None] + part * (part * length - 2 * along)
        return np.asarray(off < (BROAD + part * (NARROW - BROAD)) ** 2)
