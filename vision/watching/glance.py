"""What one frame looks like against the last still one."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.board.raster import Floats


@dataclass(frozen=True, slots=True, eq=False)
class Glance:
    """One frame against the last still one.

    ``changed`` are spots that look different, ``hand`` tells of something large in view and
    ``loose`` that it reaches in from nowhere and lies ``over`` these spots; ``lost`` tells that
    the board is not where it was and cannot be found. ``even`` is the raster in the light of the
    first picture, ``off`` how far each of its points is from the reference in the worst channel;
    ``gain`` holds the light's strength on a coarse grid.
    """

    changed: tuple[str, ...]
    hand: bool
    lost: bool
    even: Floats
    off: Floats
    gain: Floats
    reference: Floats
    """What the picture was compared with."""
    bare: NDArray[np.bool_] | None = None
    """Where something was taken away that lay in the settled picture."""
    bared: int = 0
    """So many of the changed spots look as before something was put down on them."""
    upset: float = 0.0
    """The share of spots that look altogether different."""
    loose: bool = False
    over: tuple[str, ...] = ()
    edge: bool = False
    """Something new and small touches the edge of the picture, which may be fingers."""
    near: tuple[str, ...] = ()
    """The spots close to that."""
    at: NDArray[np.bool_] | None = None
    """Where what is loose lies, or what reaches in."""
    reaching: bool = False
    """What is loose is left of something that reaches in, once a shadow is taken away."""

    @property
    def arm(self) -> bool:
        """Tell whether a hand is in view, and not just something large that lies there."""
        return self.hand and not self.loose

    def after(self, plain: Glance) -> Glance:
        """Return this glance, that takes a shadow away, with what the ``plain`` one shows besides:
        what a shadow may explain at the edge of the picture may be fingers or an arm all the
        same."""
        near, edge, reaching = (*self.near, *plain.near), self.edge or plain.edge, False
        if plain.arm and self.loose and self.at is not None and plain.at is not None:
            reaching = 2 * int((self.at & plain.at).sum()) > int(self.at.sum())
        return replace(self, edge=edge, near=near, reaching=reaching)


def in_shade(glance: Glance, shaded: Glance) -> bool:
    """Tell whether a shadow may explain what seems to reach in. The part of an arm that has the
    colour of the table in its shade is none: something large is then left beside the board."""
    left = glance.arm and shaded.loose and not shaded.over
    return not (shaded.arm or left)
