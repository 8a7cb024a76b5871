"""What eyes that compare pictures share: they watch the board and wait until nothing moves."""

from __future__ import annotations

from collections.abc import Mapping

from companion.rules import Board
from vision.calibrate import Camera
from vision.eye import Glimpse
from vision.frames import Frame, Image
from vision.motion import Motion
from vision.watch import HAND, Glance, Watch


class Watching:
    """Watches ``board`` from the first picture on; ``hand`` is the area, in square pitches, from
    which a change is no token."""

    def __init__(self, board: Board, camera: Camera, image: Image, hand: float = HAND) -> None:
        self._board, self._image = board, image
        self._watch = Watch(board, camera, image, hand)
        self._motion = Motion()
        self._glance: Glance | None = None

    @property
    def camera(self) -> Camera:
        """Return where the board lies in the last picture."""
        return self._watch.camera

    @property
    def glance(self) -> Glance:
        """Return what the last picture looked like against the settled one."""
        assert self._glance is not None
        return self._glance

    def look(self, frame: Frame, table: Mapping[str, str]) -> Glimpse:
        """Compare a picture with the settled one, once nothing moves any more.

        What lies like a hand on the board and does not move is at last looked at all over.
        """
        assert frame.image is not None
        if self._motion.moves(frame):
            return Glimpse(hand=True)
        self._image = frame.image
        self._glance = glance = self._watch.look(frame.image)
        if (glance.hand or glance.lost) and self._motion.patience_is_over():
            return Glimpse(tuple(self._board.spots))
        return Glimpse(glance.changed, glance.hand, glance.lost)

    def settle(self, table: Mapping[str, str]) -> None:
        """Take the last picture as the one to compare with."""
        self._watch.settle(self.glance)
