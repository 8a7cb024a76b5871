"""What lay under a cup or a phone that was put down: once it is taken away, that is nothing new."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.raster import Floats
from vision.watching.flat import worst_channel

NEARER = 0.5
"""What differs less than so many times as much from what was there before shows that again."""


class Covered:
    """Keeps what settled pictures (height, width, 3) showed where something was put down since."""

    def __init__(self) -> None:
        self._before: Floats | None = None
        self._at = np.zeros((0, 0), np.bool_)

    def lay(self, where: NDArray[np.bool_], before: Floats) -> None:
        """Something came to lie ``where`` the settled picture showed what was ``before``."""
        if self._before is None:
            self._before, self._at = before.copy(), where.copy()
            return
        first = where & ~self._at
        self._before[first] = before[first]
        self._at |= first

    def bared(self, even: Floats, reference: Floats) -> NDArray[np.bool_] | None:
        """Return where ``even`` shows again what lay under something that the ``reference``
        shows; None where it shows none of it."""
        if self._before is None:
            return None
        then, now = (_off(even, picture) for picture in (self._before, reference))
        bare: NDArray[np.bool_] = self._at & (then < NEARER * now)
        return bare if bare.any() else None

    def without(self, bare: NDArray[np.bool_], reference: Floats) -> Floats:
        """Return the ``reference`` with what lay under something where it is ``bare`` again."""
        shown = reference.copy()
        if self._before is not None:
            shown[bare] = self._before[bare]
        return shown

    def take_away(self, bare: NDArray[np.bool_]) -> None:
        """Nothing lies any more where it is ``bare``."""
        self._at = self._at & ~bare
        if not self._at.any():
            self._before = None


def _off(picture: Floats, other: Floats) -> Floats:
    """Return how far two pictures differ round every point."""
    return np.asarray(cv2.blur(worst_channel(picture, other), (3, 3)), np.float32)
