"""Whether nothing at all moves on a dice mat: a die that rolls or rocks changes too few pixels to
be taken for a hand, so it is looked for by itself."""

from __future__ import annotations

import numpy as np

from vision.board.raster import Floats
from vision.frames import Frame
from vision.watching.flat import lightness
from vision.watching.motion import FILM
from vision.watching.waiting import MARK

WIDTH = 320
"""Width in pixels to which pictures are shrunk before they are compared: a die of 16 mm on an A3
mat is then twelve pixels wide."""
NOISE = 10.0
"""Factor on the median change of all points, which is the camera's noise: in dark pictures a die
counts as moving only beyond it."""
QUIET = 2
"""Pictures of a film in a row that must show no motion before the mat counts as still."""
PATIENCE = 20
"""Pictures after which a mat that never gets still, as under a flickering lamp, counts as still
anyhow."""


class Stillness:
    """Compares each picture of a film with the one before it, both shrunk."""

    def __init__(self) -> None:
        self._last: Floats | None = None
        self._last_at = 0.0
        self._quiet = self._restless = 0

    def rests(self, frame: Frame) -> bool:
        """Tell whether nothing moved in the last pictures of a film; always True for single
        pictures. Call it once for every frame."""
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
