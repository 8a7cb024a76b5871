"""Dice that look as they did in the settled picture need not be read again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.calibrate import Camera
from vision.dice.tabledice import DieSeen, TableDice
from vision.frames import Image

SIZE = 16
"""Pixels of a side in which two pictures of a die's top are compared: a pip is four wide."""
INNER = 0.75
"""Share of a die's side that its pips take up: beyond it lie shadows, and sides of other dice."""
PIPS = 0.03
"""Share of its contrast (variance) by which a die may differ from itself. One pip more or less is
an eighth of the contrast of a six and more of other values, half as much in a blurred picture."""
BARE, DULL = 0.08, 0.15
"""The same for a bare spot (BARE), where any die would differ by far more; and the least contrast
it is given, as a share of its brightness (DULL)."""
LIGHT = 0.7, 1.4
"""Factors by which the same die may look darker or lighter."""
_CORNERS = np.array([(-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)])
_STEPS = np.linspace(0, 1, SIZE)
_BLEND = np.array(
    [((1 - x) * (1 - y), x * (1 - y), (1 - x) * y, x * y) for y in _STEPS for x in _STEPS]
)
"""Weights of the four corners at each pixel of a patch."""

Singles = NDArray[np.float32]


class SettledDice:
    """What was read in the settled picture, and how it looked there."""

    def __init__(
        self, dice: TableDice, image: Image, camera: Camera, read: Mapping[str, DieSeen]
    ) -> None:
        self._dice, self._image, self._camera = dice, image, camera
        self._read = dict(read)

    def settle(self, image: Image, camera: Camera, read: Mapping[str, DieSeen]) -> None:
        """Take ``image`` for the settled picture; ``read`` is what was read in it, all else looks
        as it did."""
        self._image, self._camera = image, camera
        self._read.update(read)

    def reading(self, spot: str) -> DieSeen:
        """Return what was read on ``spot`` when it was read last."""
        return self._read[spot]

    def lasting(self, spots: Sequence[str], image: Image, camera: Camera) -> dict[str, DieSeen]:
        """Return what was read on those of ``spots`` that look in ``image`` as in the settled
        picture: the pips of their dice, or all of what a die would hide."""
        if not spots:
            return {}
        middles, shares = [], []
        for spot in spots:
            seen = self._read[spot]
            there = seen.reading.die > 0.5
            middles.append(self._dice.top(spot, seen) if there else self._dice.over(spot))
            shares.append((INNER, PIPS) if there else (1.0, BARE))
        part, share = np.array(shares).T
        squares = np.array(middles)[:, None] + (part * self._dice.side)[:, None, None] * _CORNERS
        then = _cut(self._image, self._camera, squares)
        same = alike(then, _cut(image, camera, squares), share)
        return {s: self._read[s] for s, as_before in zip(spots, same, strict=True) if as_before}


def alike(then: Singles, now: Singles, share: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Tell which patches (n, pixels) show the same, but for how light it is, to a ``share`` (n,) of
    their contrast."""
    gain = (then * now).sum(1) / np.maximum((then * then).sum(1), 1.0)
    off = now - gain[:, None] * then
    contrast = np.maximum(now.var(1), (DULL * now.mean(1)) ** 2)
    light = (gain > LIGHT[0]) & (gain < LIGHT[1])
    return np.asarray(light & ((off * off).mean(1) < share * contrast), np.bool_)


def _cut(image: Image, camera: Camera, squares: NDArray[np.float64]) -> Singles:
    """Return what lies in ``squares``, corners (n, 4, 2) in millimetres, as (n, SIZE * SIZE * 3):
    the projection is exact at the corners and, for so small a part, linear between."""
    pixels = camera.project(squares.reshape(-1, 2)).reshape(-1, 4, 2)
    x, y = (_BLEND @ pixels).astype(np.float32).reshape(-1, SIZE, 2).transpose(2, 0, 1)
    seen = cv2.remap(image, np.ascontiguousarray(x), np.ascontiguousarray(y), cv2.INTER_LINEAR)
    return np.asarray(seen, np.float32).reshape(len(squares), -1)
