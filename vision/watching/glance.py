"""What comparing one frame with the last still one gives."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.calibrate import Points
from vision.board.light_meter import WHITE
from vision.board.raster import Floats
from vision.light.changes import LightChange, SpotLight
from vision.light.mirrored import MirroredLamp
from vision.tokens.patches import Span

SEVERAL = 0.1
"""Share of all spots that changed, from which on a shadow is tried as the cause."""
BLIND = 6.0
"""Factor on the usual difference. Where the median spot differs by more, the camera was not bumped:
something covers most of the board."""
COMMON = 1.5
"""Grey levels: the usual difference of most cameras, and the least that counts, for a bump shifts
every picture by parts of a pixel."""


@dataclass(frozen=True, slots=True, eq=False)
class Glance:
    """The result of comparing one frame with the last still one.

    ``changed`` are the spots that look different. ``hand``: something large is in view; ``loose``:
    it does not reach in from the edge, and it lies ``over`` these spots. ``lost``: the board is not
    where it was and cannot be found. ``even`` is the raster with the light of the first picture,
    ``off`` the difference of each of its points in grey levels of the worst channel; ``gain`` is
    the light's factor on a coarse grid.
    """

    changed: tuple[str, ...]
    hand: bool
    lost: bool
    even: Floats
    off: Floats
    gain: Floats
    reference: Floats
    """The raster that the picture was compared with."""
    shift: Points
    """By how many points (x, y) the picture is shifted against that."""
    bare: NDArray[np.bool_] | None = None
    """Mask of the points from which something was taken away that lay in the settled picture; None
    where there is none."""
    share: float = 0.0
    """Share of all spots, 0 to 1, that look different; not of those that are among the ``changed``
    only to be looked at closely: what was put down on them is gone again, or the edge of a light
    crosses them."""
    upset: float = 0.0
    """Share of all spots, 0 to 1, that look altogether different."""
    usual: float = 0.0
    """How much a spot usually differs."""
    loose: bool = False
    over: tuple[str, ...] = ()
    edge: bool = False
    """Whether something new and as small as fingers or a token touches the edge of the picture."""
    near: tuple[str, ...] = ()
    """The spots next to what touches the edge."""
    at: NDArray[np.bool_] | None = None
    """Mask of the points where the large thing lies; None where there is none."""
    reaching: bool = False
    """Whether the large thing was seen to reach in from the edge before its shadow was
    subtracted."""
    mirror: MirroredLamp | None = None
    """Where a lamp is mirrored; None where nobody looked for one."""
    light: LightChange | None = None
    """The shadows and patches of light that were taken out of ``even``; None where none was looked
    for."""

    @property
    def arm(self) -> bool:
        """Tell whether the large thing in view reaches in from the edge, and does not just lie
        there."""
        return self.hand and not self.loose

    def light_on(self, points: Points, cell: int) -> SpotLight:
        """Return how the light changed since the first picture on what reaches over the raster's
        ``points`` (n, 2); the light's grid has a ``cell`` for so many points."""
        gains = self._smooth(points, cell)
        if self.light is None:
            return SpotLight(gains.min(0), gains.max(0), np.zeros(3, np.float32))
        return self.light.on(points).brighter(gains.mean(0))

    def relit(
        self, patch: Floats, middle: Points, cell: int, finer: float
    ) -> tuple[Floats, Span | None]:
        """Return a square ``patch`` round the raster point ``middle`` in the light of the first
        picture, and what else it may be in that, None where nothing; its pixels are so many times
        ``finer`` than the raster."""
        even = np.asarray(patch / self._smooth(middle[None], cell)[0], np.float32)
        plain = self.light.out_of(even, middle, finer) if self.light else even
        # What lies beside it is mixed with it.
        white = cv2.dilate((patch >= WHITE).view(np.uint8), np.ones((3, 3)))
        blown = np.asarray(white, np.float32)
        if self.mirror and (dazzled := self.mirror.span(even, blown, middle, finer)):
            return plain, dazzled
        ends = self.light.span(even, middle, finer) if self.light else None
        if ends is None and blown.any():
            ends = plain, plain
        return plain, Span(*ends, blown) if ends else None

    def _smooth(self, points: Points, cell: int) -> Floats:
        """Return by how much brighter it became, slowly over the table: (n, 3)."""
        last = self.gain.shape[1] - 1, self.gain.shape[0] - 1
        columns, rows = np.clip(np.round(points / cell - 0.5).astype(int), 0, last).T
        return np.asarray(self.gain[rows, columns], np.float32)

    def after(self, plain: Glance) -> Glance:
        """Return this glance, from which a light was taken, with what the ``plain`` glance without
        that shows at the edge of the picture: what a shadow would explain there may be fingers or
        an arm."""
        near, edge, reaching = (*self.near, *plain.near), self.edge or plain.edge, False
        if plain.arm and self.loose and self.at is not None and plain.at is not None:
            reaching = 2 * int((self.at & plain.at).sum()) > int(self.at.sum())
        return replace(self, edge=edge, near=near, reaching=reaching)


def in_shade(glance: Glance, shaded: Glance) -> bool:
    """Tell whether a shadow explains what seems to reach in in ``glance``; ``shaded`` is the glance
    without it. It does not, if something large is left in ``shaded`` beside the board: the part of
    an arm that has the colour of the table, or of a hand that just touches the picture's edge."""
    left = (glance.arm or glance.edge) and shaded.loose and not shaded.over
    return not (shaded.arm or left)


def plainer_than(glance: Glance, shaded: Glance) -> bool:
    """Tell whether in ``shaded`` a light explains most of what changed in ``glance``, or more than
    hands change. A cup is no light, though one may explain how it looks."""
    if glance.arm or (glance.loose and not shaded.loose):
        return True
    return 2 * shaded.share < glance.share or glance.share - shaded.share > SEVERAL


def blinding(usual: float) -> float:
    """Return the difference of the median spot beyond which something covers most of the board;
    ``usual`` is that of pictures in which nothing did, 0 before it is known."""
    return BLIND * max(usual, COMMON)
