"""What a watch knows of the picture that it settled, with which it compares each new one."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from vision.board.raster import Floats
from vision.frames import Image
from vision.light.evenness import Evenness
from vision.watching.covered import Covered


@dataclass(slots=True, eq=False)
class LastStill:
    """The settled picture on the raster, ``reference`` (height, width, 3), and the last two that
    were, shrunk, as ``pictures``. Where it is ``doubted`` (height, width) a board that was shoved
    left what nobody has seen before. ``evenness`` holds its light and ``covered`` what was put down
    there; ``usual`` is how much a spot usually differs from it, 0 before that is known. The spots
    ``since`` changed in what was settled later."""

    reference: Floats
    pictures: tuple[Image, Image]
    doubted: NDArray[np.bool_]
    evenness: Evenness = field(default_factory=Evenness)
    covered: Covered = field(default_factory=Covered)
    usual: float = 0.0
    since: tuple[str, ...] = ()

    def kept(self) -> LastStill:
        """Return a copy that stays as it is when this goes on."""
        return deepcopy(self)
