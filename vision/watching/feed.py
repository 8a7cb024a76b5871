"""Are these the pictures of a camera that works? Told before anything is read from them."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.rules import Text, say
from vision.board.raster import across
from vision.frames import Frame, Image
from vision.watching.flat import means
from vision.watching.motion import PATIENCE

FROZEN, ALIKE = 12.0, 20
"""A camera is frozen once the very same picture, pixel for pixel, came for FROZEN seconds and ALIKE
times in a row. Every sensor has noise; an encoder may repeat a quiet picture for some seconds."""
BANDS, ACROSS = 48, 64
"""Rows and columns of the small picture in which torn pictures are looked for."""
OTHER = 25
"""Grey levels from which on a point of it shows something else than before."""
TORN, WHOLE = 0.5, 0.15
"""Shares of a row's points that show something else: at least TORN in each row below a tear, at
most WHOLE above it."""
LEAST = BANDS // 16
"""Rows of the small picture that a tear spoils at least."""
STRAIGHT = 6.0
"""Grey levels, averaged over a row, by which the picture jumps at a tear. No sleeve is as
straight."""


def torn() -> Text:
    """Return the sentence about a picture that was not received whole."""
    return say(
        "The camera sent a picture that is cut off or torn; look at its cable or its network "
        "if this stays."
    )


def frozen(seconds: float) -> Text:
    """Return the sentence about a camera that has sent the same picture for ``seconds``."""
    return say(
        "The camera has sent the very same picture for {seconds} seconds: it is frozen, or its "
        "lens is covered. Switch it off and on again.",
        seconds=round(seconds),
    )


class Feed:
    """Remembers the last pictures of a live camera."""

    def __init__(self) -> None:
        self._last: Image | None = None
        self._since, self._alike = 0.0, 0
        self._sound: tuple[Image, Image] | None = None
        self._torn: tuple[Image, float] | None = None

    def frozen(self, frame: Frame) -> float:
        """Return for how many seconds the very same picture has come; 0 as long as that is normal.
        Call it once for every frame."""
        assert frame.image is not None
        if self._last is None or not _same(self._last, frame.image):
            self._last, self._since, self._alike = frame.image, frame.at, 0
            return 0.0
        self._alike += 1
        lasts = frame.at - self._since
        return lasts if lasts >= FROZEN and self._alike >= ALIKE else 0.0

    def torn(self, frame: Frame) -> bool:
        """Tell whether the lower part of ``frame`` was not received, or belongs to another picture.
        What pictures show for PATIENCE seconds is no tear: an arm had lain in the sound one. Call
        it once for every frame."""
        assert frame.image is not None
        now, sound = (frame.image, means(frame.image, (ACROSS, BANDS))), self._sound
        torn, self._torn = self._torn, None
        if sound is not None and sound[0].shape == frame.image.shape:
            lost = LEAST / BANDS * len(frame.image)
            blank = _blank_rows(frame.image)
            if blank >= lost and blank - _blank_rows(sound[0]) >= lost:
                return True
            if _tears(now, sound):
                since = frame.at
                if torn is not None and _other(now[1], torn[0]).max() < TORN:
                    since = torn[1]
                self._torn = now[1], since
                if frame.at - since < PATIENCE:
                    return True
        self._sound = now
        return False


def _same(one: Image, other: Image) -> bool:
    # Most pictures differ in the first rows that are looked at.
    return one.shape == other.shape and all(
        np.array_equal(one[start::16], other[start::16]) for start in range(16)
    )


def _blank_rows(image: Image) -> int:
    """Return how many rows at the lower edge have one colour each, from side to side."""
    if not (image[-1] == image[-1, :1]).all():
        return 0
    plain = (image == image[:, :1]).all((1, 2))[::-1]
    return len(plain) if plain.all() else int(plain.argmin())


def _tears(now: tuple[Image, Image], sound: tuple[Image, Image]) -> bool:
    """Tell whether a picture ``now`` shows the same as a ``sound`` one down to a straight line
    across, and something else below it; each is given whole and small."""
    other = _other(now[1], sound[1])
    first = BANDS - int((other < TORN)[::-1].argmax())
    if not (other >= TORN).any() or not 2 <= first <= BANDS - LEAST:
        return False  # nothing is as before, or nothing else
    if other[: first - 1].mean() > WHOLE:
        return False
    height = len(now[0]) / BANDS
    near = slice(max(0, int((first - 1.5) * height)), int((first + 1.5) * height))
    edges = _edges(now[0][near]) - _edges(sound[0][near])
    return bool(edges.max() > STRAIGHT)


def _other(now: Image, before: Image) -> NDArray[np.float64]:
    """Return the share of each row of a small picture that shows something else than before."""
    off = across(np.maximum, cv2.absdiff(now, before)) > OTHER
    return np.asarray(off.mean(1), np.float64)


def _edges(rows: Image) -> NDArray[np.float64]:
    """Return by how much each row differs from the one above it, on average."""
    off = np.asarray(cv2.absdiff(rows[1:], rows[:-1]), np.float64)
    return np.asarray(off.mean((1, 2)), np.float64)
