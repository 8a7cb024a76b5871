"""Frames, and the sources they come from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture: ``image`` is (height, width, 3), blue-green-red; ``at`` in seconds.

    ``image`` is None when the frame could not be read; ``trouble`` then says why. ``lit`` tells
    under which spots a light shone while the picture was taken (red, green, blue), None where
    nobody knows."""

    image: Image | None
    at: float
    name: str = ""
    trouble: str = ""
    lit: Mapping[str, tuple[int, int, int]] | None = None


class Source(Protocol):
    """Where frames come from. Never hands out a stale frame."""

    def read(self) -> Frame | None:
        """Return the next frame; None when there are no more. May wait for it.

        Raises:
            HardwareFault: the camera is gone; reading again tries to open it again.
        """

    def close(self) -> None:
        """Give the camera back; closing twice does no harm."""


TableFile = dict[str, Any]
"""What the owner of a table entered: the content of ``table.json``."""
