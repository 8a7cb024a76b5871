"""Does anything move? Told from one picture of a film to the next, before anything is read."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.raster import Floats, quantile
from vision.frames import Frame, Image

FILM = 0.4
"""Seconds. Pictures that follow each other faster are a film, in which motion shows; slower ones
are single pictures."""
PATIENCE = 2.0
"""Seconds after which something large that does not move at all is looked at as if it were no
hand."""
COLUMNS = 200
"""Width in pixels at which motion is looked for: a hand is about thirty pixels wide there, an LED
three."""
AREA = 60
"""Connected pixels that change at least when a hand moves, in a picture COLUMNS wide. An LED that
is switched changes a tenth of that, under the large squares of a small board more."""
Boxes = Floats
"""Parts of a picture (n, 4): left, top, right, bottom."""


class Motion:
    """Compares each picture of a film with the one before it, both shrunk."""

    def __init__(self) -> None:
        self._last: NDArray[np.uint8] | None = None
        self._last_at = 0.0
        self._calm_since = 0.0
        self._film = False
        self._spent = False

    def moves(
        self, frame: Frame, picture: Image | None = None, switched: Boxes | None = None
    ) -> bool:
        """Tell whether something moved since the picture before; False for single pictures.

        ``picture`` is the frame's picture if the caller has shrunk it already; ``switched`` are
        parts of it in which a light went on or out, as shares of its width and height.
        """
        whole = frame.image if picture is None else picture
        assert whole is not None
        small, last = _small(whole), self._last
        self._film = last is not None and 0 < frame.at - self._last_at < FILM
        self._last, self._last_at = small, frame.at
        if last is None or not self._film or last.shape != small.shape:
            self._calm_since, self._spent = frame.at, False
            return False
        difference = np.asarray(cv2.absdiff(small, last), np.uint8)
        for left, top, right, bottom in () if switched is None else _pixels(switched, small.shape):
            difference[top:bottom, left:right] = 0
        if _largest(difference) < AREA * (small.shape[1] / COLUMNS) ** 2:
            return False
        self._calm_since, self._spent = frame.at, False
        return True

    @property
    def film(self) -> bool:
        """Tell whether the last picture followed the one before it as in a film."""
        return self._film

    def patience_is_over(self) -> bool:
        """Tell, once in each calm, that nothing moved for PATIENCE seconds: what looks like a hand
        must be something that lies there, such as a cup, or the picture compared with was wrong."""
        over = self._film and not self._spent and self._last_at - self._calm_since >= PATIENCE
        self._spent = self._spent or over
        return over


def _small(image: Image) -> NDArray[np.uint8]:
    step = max(1, image.shape[1] // COLUMNS)
    return np.asarray(cv2.blur(np.ascontiguousarray(image[::step, ::step, 1]), (3, 3)), np.uint8)


def _pixels(boxes: Boxes, shape: tuple[int, ...]) -> NDArray[np.int64]:
    """Return whole pixels of a picture of ``shape`` that hold ``boxes``."""
    height, width = shape[:2]
    size = np.array((width, height, width, height))
    wide = np.concatenate([np.floor(boxes[:, :2] * size[:2]), np.ceil(boxes[:, 2:] * size[2:])], 1)
    return np.asarray(np.clip(wide, 0, size), np.int64)


def _largest(difference: NDArray[np.uint8]) -> int:
    """Return the area of the largest connected change beyond the noise."""
    limit = 4.0 * quantile(difference[::4, ::4].ravel()) + 10.0
    changed = (difference > limit).view(np.uint8)
    if np.count_nonzero(changed) < AREA:
        return 0
    _, _, stats, _ = cv2.connectedComponentsWithStats(changed)
    areas = np.asarray(stats)[1:, cv2.CC_STAT_AREA]
    return int(areas.max()) if areas.size else 0
