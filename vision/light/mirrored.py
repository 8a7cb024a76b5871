"""A lamp that is mirrored on the board: it adds white light to what lies there, and in its middle
so much that nothing else is seen."""

from __future__ import annotations

from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.calibrate import Points
from vision.board.light_meter import WHITE
from vision.board.raster import Floats, across
from vision.light.changes import under
from vision.light.shade import strange
from vision.tokens.patches import Span

_SMALLEST = np.ones((5, 5), np.uint8)
"""The smallest mirrored lamp, in raster points: larger than the core of a light under a spot, and
than what is printed."""
_NEXT = np.ones((3, 3), np.uint8)


class MirroredLamp:
    """Where a lamp is mirrored: ``middle`` masks the raster points that are too bright for the
    camera; a spot is ``pitch`` points wide."""

    def __init__(self, middle: NDArray[np.bool_], pitch: int) -> None:
        self.middle, self._pitch = middle, pitch

    def now(self, flat: Floats, off: Floats, before: Floats) -> MirroredLamp:
        """Return where a lamp is mirrored in the picture ``flat`` (height, width, 3): where it is
        white, and was so or ``off`` by much from how bright it was ``before``."""
        if flat.max() < WHITE:
            return MirroredLamp(np.zeros_like(self.middle), self._pitch)
        white = np.asarray(cv2.inRange(flat, (WHITE,) * 3, (255.0,) * 3)) > 0
        bright = white & (strange(off, before) | self.middle)
        # Printed lines may show through.
        whole = cv2.morphologyEx(bright.view(np.uint8), cv2.MORPH_CLOSE, _SMALLEST)
        middle = np.asarray(cv2.morphologyEx(whole, cv2.MORPH_OPEN, _SMALLEST)) > 0
        return MirroredLamp(middle, self._pitch)

    @cached_property
    def near(self) -> NDArray[np.bool_]:
        """Mask of the points that lie within a pitch of it."""
        if not self.middle.any():
            return self.middle
        middle = self.middle.view(np.uint8)
        return np.asarray(cv2.dilate(middle, _NEXT, iterations=self._pitch)) > 0

    @cached_property
    def _glow(self) -> Floats:
        """How much of what each point shows, 0 to 1, may be light from there."""
        near = self.near.astype(np.float32)
        return np.asarray(cv2.GaussianBlur(near, (0, 0), self._pitch / 2), np.float32)

    def span(self, patch: Floats, blown: Floats, at: Points, finer: float) -> Span | None:
        """Return what a square ``patch`` round the raster point ``at`` (x, y), ``finer`` than the
        raster by that factor, may show without the lamp; None where none is near. What is ``blown``
        (1, else 0) may show anything."""
        if not self.middle.any():
            return None
        glow = under(patch, self._glow, at, finer)
        if not glow.any():
            return None
        lost = across(np.minimum, blown)[..., None] > 0
        darkest = patch - glow[..., None] * across(np.minimum, patch)[..., None]
        return Span(np.where(lost, 0, darkest), np.where(lost, 0, patch), blown)
