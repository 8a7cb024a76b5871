"""Does really nothing move? Small things that roll or rock change too little for a hand."""

from __future__ import annotations

import numpy as np

from vision.board.raster import Floats
from vision.frames import Frame
from vision.watching.flat import lightness
from vision.watching.motion import FILM

WIDTH = 320
"""Pixels across at which pictures are compared: a die of 16 mm on an A3 mat is twelve across."""
MARK = 5.0
"""Grey levels by which a die that moves changes some place of that size."""
NOISE = 10.0
"""The same in what most places change by, in the noise of a dark picture."""
QUIET = 2
"""So many pictures of a film must show the same as the one before."""
PATIENCE = 20
"""Pictures after which a light that flickers is taken for rest."""


class Stillness:
    """Remembers the last picture of a film, small."""

    def __init__(self) -> None:
        self._last: Floats | None = None
        self._last_at = 0.0
        self._quiet = self._restless = 0

    def rests(self, frame: Frame) -> bool:
        """Tell whether the last pictures of a film show the same; True for single ones. Call it
        once a frame."""
        assert frame.image is not None
        small, last, at = lightness(frame.image, WIDTH, 3), self._last, self._last_at
        self._last, self._last_at = small, frame.at
        if last is None or last.shape != small.shape or not 0 < frame.at - at < FILM:
            self._quiet = self._restless = 0
            return True
        off = small - last
        change = np.abs(off - np.median(off))
        if float(change.max()) < max(MARK, NOISE * float(np.median(change))):
            self._quiet, self._restless = self._quiet + 1, 0
        else:
            self._quiet, self._restless = 0, self._restless + 1
        return self._quiet >= QUIET or self._restless >= PATIENCE
