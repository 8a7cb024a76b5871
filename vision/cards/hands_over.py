"""Whether a hand is over a table of cards: what differs from the last still picture, is as large as
one, and is no card that came or went."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from companion.rules import Board
from vision.board.calibrate import Camera
from vision.board.raster import worst
from vision.cards.card_sight import CardPlace
from vision.cards.likeness import Corners
from vision.frames import Image
from vision.light.shade import quiet, strange
from vision.watching.glance import Glance
from vision.watching.watch import Watch

CARD = 1.0
"""Square pitches: what is larger than a card with its blurred edges; one covers half of that."""
RESTS = 0.08
"""Part of how far a thing differs from the last still picture by which two pictures of it may
differ beyond the noise, if it rests: up to 0.05 for cups, 0.11 and more for hands at work."""


class HandsOver:
    """Compares each picture of one table of cards that is read with the last still one."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._watch: Watch | None = None
        self._camera: Camera | None = None
        self._lying: dict[str, Corners] = {}
        self._before: Glance | None = None

    def forget(self) -> None:
        """Begin anew with the next picture."""
        self._watch = self._before = None

    def seen(
        self,
        image: Image,
        camera: Camera,
        places: Mapping[str, CardPlace],
        lit: Collection[str] = (),
    ) -> bool:
        """Tell whether a hand, or something as large, is in view in ``image``, in which ``places``
        show cards; where none is, that is the last still picture.

        What looks alike in two pictures rests there: that is waited for no longer.
        """
        if self._watch is None:
            self._watch, self._camera = Watch(self._board, camera, image, CARD), camera
        lying = {s: place.outline for s, place in places.items() if place.outline is not None}
        # Where no card is made out it may be under a hand: that is to be seen whole.
        gone = [where for s, where in self._lying.items() if s in lying or places[s].bare]
        glance = self._watch.look(image, lit, [*gone, *lying.values()])
        if (glance.hand or glance.edge) and self._camera is not camera:
            glance = self._watch.relocate(camera, image, cleared=True)
        before, self._before = self._before, glance
        # What lies loose on the table hides nothing where the places under it are bare.
        hides = glance.loose and not all(places[spot].bare for spot in glance.over)
        over = glance.arm or glance.reaching or bool(glance.near) or hides
        if over and not (before is not None and _rests(glance, before)):
            return True
        self._watch.settle(glance)
        self._camera, self._lying = camera, lying
        return False


def _rests(glance: Glance, before: Glance) -> bool:
    """Tell whether what is new in a picture was there already in the one before."""
    new = strange(glance.off, glance.reference[..., 1]) if glance.at is None else glance.at
    moved = worst(glance.even - before.even)
    noise = quiet(moved[::3, ::3])
    return bool(new.any() and moved[new].mean() - noise < RESTS * glance.off[new].mean())
