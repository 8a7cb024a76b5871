"""What the eyes have in common that compare pictures: they watch a board and wait until nothing
moves."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Mapping
from dataclasses import replace

import numpy as np

from companion.rules import Board, Point
from vision.board.calibrate import SQUARE, Camera
from vision.board.raster import worst
from vision.frames import Frame, Image
from vision.light.shade import strange
from vision.light.tone import Tone
from vision.tokens.eye import Glimpse
from vision.tokens.observe import Token
from vision.watching.glance import Glance
from vision.watching.motion import Boxes, Motion
from vision.watching.watch import HAND, Watch

REACH = 0.35
"""Pitches round the middle of a spot that must lie in the picture for the spot to be seen."""
GLOW = 0.8
"""Pitches round the middle of a spot within which its light changes the picture."""
MOVED = 0.1
"""Share of a thing's points that look different in two pictures, from which on it moved."""
LATELY = 4
"""Pictures in which a thing may have been seen before: hands come and go meanwhile, and hide parts
of it."""


class Watching:
    """Watches ``board`` from the first picture on.

    ``hand`` is the area in square pitches from which on a change is no token. A spot is seen if the
    picture shows the square of ``side`` millimetres (default: 0.7 of the pitch) round its point in
    ``tops`` (default: the spot's middle).
    """

    def __init__(
        self,
        board: Board,
        camera: Camera,
        image: Image,
        hand: float = HAND,
        tops: Mapping[str, Point] | None = None,
        side: float | None = None,
    ) -> None:
        self._board, self._image = board, image
        places = tops or {name: spot.centre for name, spot in board.spots.items()}
        half = (REACH * board.pitch if side is None else side / 2) * SQUARE
        self._squares = {name: half + places[name] for name in board.spots}
        over = None if tops is None else np.array([tops[name] for name in board.spots])
        self._watch = Watch(board, camera, image, hand, over)
        self._tone = Tone(board, camera, self._watch.smaller(image))
        self._motion = Motion()
        self._lit = frozenset[str]()
        self._glance: Glance | None = None
        self._lain: deque[Glance] = deque(maxlen=LATELY)
        self._table: Mapping[str, str] = {}

    @property
    def camera(self) -> Camera:
        """Return where the board lies in the last picture."""
        return self._watch.camera

    @property
    def glance(self) -> Glance:
        """Return how the last picture compares with the settled one; the first is that one."""
        if self._glance is None:
            self._glance = self._watch.look(self._image)
        return self._glance

    def look(self, frame: Frame, table: Mapping[str, str]) -> Glimpse:
        """Compare a picture with the settled one, once nothing moves any more, in what it shows of
        the board.

        Something as large as a hand that does not move lies there, wherever it comes from: in a
        film after a while, else once two pictures show it alike.
        """
        self._table = table
        return self._in_sight(self._compared(frame))

    def _compared(self, frame: Frame) -> Glimpse:
        assert frame.image is not None
        switched = self._switched(frozenset(frame.lit or ()))
        small = self._watch.smaller(frame.image)
        if self._motion.moves(frame, small, switched):
            return Glimpse(hand=True, moving=True)
        self._image = self._tone.evened(frame.image, small)
        self._glance = glance = self._watch.look(self._image, frame.lit or ())
        long = (glance.hand or glance.lost) and self._motion.patience_is_over()
        lies = any(_same(glance, before) for before in self._lain)
        if glance.hand:
            self._lain.append(glance)
        else:
            # What comes where something lay before comes anew.
            self._lain.clear()
        stays = long if self._motion.film else lies
        if stays and glance.arm and glance.at is not None:
            glance = replace(glance, loose=True)
        if glance.lost or not glance.loose:
            return Glimpse(tuple(self._board.spots)) if long else _glimpse(glance)
        rests = stays or lies
        return replace(_glimpse(glance), hand=False, loose=True, over=glance.over, rests=rests)

    def _switched(self, lit: frozenset[str]) -> Boxes | None:
        """Take what is ``lit`` from now on, and return where in the picture a light went on or out
        since the one before: what it changes is no motion, least of all in the dark picture that
        was asked for."""
        switched, self._lit = lit ^ self._lit, lit
        spots = [self._board[name] for name in switched if name in self._board]
        if not spots:
            return None
        half = GLOW * self._board.pitch * SQUARE
        corners = np.array([spot.centre for spot in spots])[:, None] + half
        pixels = self.camera.project(corners.reshape(-1, 2)).reshape(-1, 4, 2)
        shares = pixels / np.array(self.camera.size)
        return np.concatenate([shares.min(1), shares.max(1)], 1)

    def seek(self, camera: Camera) -> Glimpse:
        """Look at the last picture again, through ``camera``: where the board lies now."""
        self._glance = glance = self._watch.relocate(camera, self._image)
        return self._in_sight(Glimpse(glance.changed, glance.hand, glance.lost))

    def _in_sight(self, glimpse: Glimpse) -> Glimpse:
        """Return ``glimpse`` without the spots that the last picture does not show, if anything
        else changed."""
        beyond = frozenset(self._beyond(self._board.spots) if glimpse.changed else ())
        changed = tuple(spot for spot in glimpse.changed if spot not in beyond)
        return replace(glimpse, changed=changed, beyond=beyond if changed else frozenset())

    def _beyond(self, spots: Collection[str]) -> dict[str, Token]:
        """Return those of ``spots`` the squares of which do not lie whole in the last picture, with
        what is believed to lie there."""
        if not spots:
            return {}
        pixels = self.camera.project(np.concatenate([self._squares[spot] for spot in spots]))
        inside = (pixels >= 0) & (pixels <= np.array(self.camera.size) - 1)
        whole = np.all(inside.reshape(-1, 8), 1).tolist()
        return {s: self._table.get(s) for s, seen in zip(spots, whole, strict=True) if not seen}

    def settle(self, table: Mapping[str, str]) -> None:
        """Take the last picture as the one to compare with."""
        self._watch.settle(self.glance)
        self._tone.settle(self.camera, self._watch.smaller(self._image))


def _glimpse(glance: Glance) -> Glimpse:
    """Return what the reader is told of a glance at which nothing loose was seen."""
    return Glimpse(glance.changed, glance.hand, glance.lost, edge=glance.edge, near=glance.near)


def _same(glance: Glance, before: Glance) -> bool:
    """Tell whether the picture ``before`` shows the large thing of this one in the same place, and
    most of it as a thing, too: what no picture outlined is not known to have lain there."""
    at, there = glance.at, before.at
    if at is None or there is None or 2 * int((at & there).sum()) < int(at.sum()):
        return False
    new = strange(worst(glance.even - before.even), before.even[..., 1])
    return float(new[at].mean()) < MOVED
