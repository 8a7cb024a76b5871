"""Frames, and the sources they come from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from companion.rules import say

Image = NDArray[np.uint8]

PATIENCE = 5.0
"""Seconds of silence after which a camera, a board of sensors or its broker counts as lost, and for
which one that is lost is left alone before it is asked again."""


@dataclass(frozen=True, slots=True)
class Sensed:
    """What a board of sensors feels: the spots that are ``occupied``, those that were ``left`` bare
    at some moment since the frame before, and which ``tokens`` lie where, if it knows them. Spots
    are named, or numbered in the order of the board's wiring."""

    occupied: frozenset[str | int]
    left: frozenset[str | int] = frozenset()
    tokens: Mapping[str | int, str] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture: ``image`` is (height, width, 3), blue-green-red, 0 to 255; ``at`` in seconds.
    A camera may change to grey, to four channels or to sixteen bits: that is made alike here.

    ``image`` is None when the frame could not be read; ``trouble`` then says why. ``lit`` tells
    under which spots a light shone while the picture was taken (red, green, blue), None where
    nobody knows. ``recorded`` pictures come from a file, not from a camera. A board of sensors has
    no image, but what it ``sensed``."""

    image: Image | None
    at: float
    name: str = ""
    trouble: str = ""
    lit: Mapping[str, tuple[int, int, int]] | None = None
    recorded: bool = False
    sensed: Sensed | None = None

    def __post_init__(self) -> None:
        image = self.image
        if image is None:
            return
        if image.ndim == 3 and image.shape[2] == 3 and image.size and image.dtype == np.uint8:
            return
        usual = _usual(image)
        object.__setattr__(self, "image", usual)
        if usual is None:
            words = say("The camera sends pictures of a kind that is not read; set it to colour.")
            object.__setattr__(self, "trouble", self.trouble or words)


def _usual(image: NDArray[Any]) -> Image | None:
    """Return a picture of another kind as blue-green-red, 0 to 255; None where that is unknown."""
    if image.ndim == 2:
        image = image[..., None]
    if image.ndim != 3 or 0 in image.shape or image.shape[2] not in (1, 3, 4):
        return None
    if image.dtype == np.uint16:
        image = image >> 8
    elif image.dtype != np.uint8:
        return None
    colours = np.repeat(image, 3, 2) if image.shape[2] == 1 else image[..., :3]
    return np.ascontiguousarray(colours, np.uint8)


class Source(Protocol):
    """Where frames come from. Never hands out a stale frame."""

    def read(self) -> Frame | None:
        """Return the next frame; None when there are no more, as far as is known now. May wait
        for it.

        Raises:
            HardwareFault: the camera is gone; reading again tries to open it again.
        """

    def close(self) -> None:
        """Give the camera back; closing twice does no harm."""


TableFile = dict[str, Any]
"""What the owner of a table entered: the content of ``table.json``."""
