"""What lies on the places of a card table: nothing, a card and which, or what cannot be told."""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass
from functools import partial

import cv2
import numpy as np

from companion.rules import Board
from vision.board.calibrate import Camera
from vision.board.raster import Floats
from vision.cards.cards import CardReading, KnownDeck, upright
from vision.cards.cloth import Cloth
from vision.cards.likeness import Corners
from vision.cards.outline import direction, find_outline
from vision.frames import Image

WINDOW = 1.4
"""Pitches: the width of what is examined round a place, because a card may lie askew and reach
out."""
PER_MM = 2.0
"""Pixels a millimetre of the picture in which a card's outline is searched."""
OFF = 0.36
"""Pitches by which a card may lie off the middle of its place."""
COARSE = 8
"""Pixels of that picture that are averaged to one when two pictures are compared."""
SAME = 0.05
"""Natural logarithm of light by which a place may differ between two pictures in which nothing
happened there."""
EVEN = 0.5
"""Probability from which on a card is rather one of the known ones than none of them."""


@dataclass(frozen=True, eq=False)
class CardPlace:
    """What a place shows. ``bare``: nothing; else ``card`` is what the card there may be, None if
    no card can be made out, ``picture`` that card upright and ``outline`` its corners (4, 2) in
    millimetres on the board."""

    bare: bool = False
    card: CardReading | None = None
    picture: Image | None = None
    outline: Corners | None = None

    @property
    def token(self) -> str | None:
        """Return the card that lies there for sure, None for none or a doubtful one."""
        return self.card.faces[0][0] if self.card is not None and self.card.sure else None

    @property
    def likeliest(self) -> str | None:
        """Return the card that lies there rather than any other or none that is known."""
        faces = self.card.faces if self.card is not None else ()
        return faces[0][0] if faces and faces[0][1] > EVEN else None


@dataclass(frozen=True, eq=False)
class _Before:
    """The small picture of a place when it was looked at last, and what it showed."""

    small: Floats
    shown: CardPlace


class CardSight:
    """Reads the places of one board; what an empty place looks like is learned by itself."""

    def __init__(self, board: Board, deck: KnownDeck) -> None:
        self._board, self.deck = board, deck
        self._cloth = Cloth()
        self._before: dict[str, _Before] = {}

    def look(
        self, image: Image, camera: Camera, spots: Iterable[str], lit: Container[str] = ()
    ) -> dict[str, CardPlace]:
        """Return what ``spots`` show; those that look as before are not read again. Under the
        spots ``lit`` a light may shine."""
        windows = {spot: self._window(image, camera, spot) for spot in spots}
        every = {spot: _small(window) for spot, (window, _) in windows.items()}
        anew = [spot for spot, small in every.items() if self._looks_new(spot, small)]
        places = {spot: _inner(small) for spot, small in every.items()} if anew else {}
        bare = self._cloth.bare(places)
        for spot in anew:
            may = partial(self._is_bare, spot, places[spot], spot in bare, spot in lit)
            place = self._read(image, spot, *windows[spot], may)
            self._before[spot] = _Before(every[spot], place)
        return {spot: self._before[spot].shown for spot in windows}

    def _looks_new(self, spot: str, small: Floats) -> bool:
        """Tell whether ``spot`` has to be read: it looks different, or was not made out."""
        before = self._before.get(spot)
        unclear = before is not None and not before.shown.bare and before.shown.card is None
        return before is None or unclear or not _alike(before.small, small)

    def forget(self, spot: str) -> None:
        """Read ``spot`` anew at the next look: a face was learned."""
        self._before.pop(spot, None)

    def _window(self, image: Image, camera: Camera, spot: str) -> tuple[Image, Corners]:
        """Return a flat picture of the place and what leads from it to the whole picture."""
        x, y = self._board[spot].centre
        half = WINDOW * self._board.pitch / 2
        around = ((x - half, y - half), (x + half, y - half), (x + half, y + half),
                  (x - half, y + half))  # fmt: skip
        side = round(2 * half * PER_MM)
        flat = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32) - 0.5
        there = camera.project(around).astype(np.float32)
        matrix = cv2.getPerspectiveTransform(flat, there)
        how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        window = cv2.warpPerspective(image, matrix, (side, side), flags=how)
        return np.asarray(window, np.uint8), np.asarray(matrix, np.float64)

    def _read(
        self,
        image: Image,
        spot: str,
        window: Image,
        matrix: Corners,
        bare: Callable[[], bool],
    ) -> CardPlace:
        outline = self._central(find_outline(window, PER_MM))
        if outline is None and bare():
            return CardPlace(bare=True)
        reading, corners = self._made_out(window, outline)
        if reading is None or corners is None:
            return CardPlace()
        there = cv2.perspectiveTransform(corners[None].astype(np.float64), matrix)[0]
        picture = upright(image, np.asarray(there))
        half = WINDOW * self._board.pitch / 2
        where = (corners + 0.5) / PER_MM - half + np.array(self._board[spot].centre)
        return CardPlace(card=reading, picture=picture, outline=where)

    def _made_out(
        self, window: Image, outline: Corners | None
    ) -> tuple[CardReading | None, Corners | None]:
        """Return the card in a flat picture of a place and its corners: by its ``outline``, and
        where that shows no known card, by what is printed on it."""
        reading = None
        if outline is not None:
            reading, outline = self.deck.find(window, outline)
            if reading.known > EVEN:
                return reading, outline
        way = direction(window, PER_MM)
        by_print = self.deck.search(window, PER_MM, (way, way + 90))
        # Print of a neighbour, or cloth between two cards, is no card of this place.
        if by_print and by_print[0].known > EVEN and self._central(by_print[1]) is not None:
            return by_print
        return reading, outline

    def _is_bare(self, spot: str, place: Floats, bare: bool, lit: bool) -> bool:
        """Tell whether nothing lies on ``spot``, the picture of which is ``place``: it looks
        ``bare``, or plain as long as none was, or is ``lit`` and nothing else is seen."""
        cloth = self._cloth
        return bare or cloth.learns(spot, place) or (lit and cloth.shines(spot, place))

    def _central(self, corners: Corners | None) -> Corners | None:
        """Return the ``corners`` of what lies near the middle of its place, else None."""
        middle = WINDOW * self._board.pitch * PER_MM / 2
        if corners is None or math.dist(corners.mean(axis=0), (middle, middle)) >= (
            OFF * self._board.pitch * PER_MM
        ):
            return None
        return corners


def sure_tokens(places: Mapping[str, CardPlace]) -> dict[str, str | None]:
    """Return what lies where for sure, None for nothing; doubtful places are left out."""
    return {
        spot: place.token for spot, place in places.items() if place.bare or place.token is not None
    }


def _small(window: Image) -> Floats:
    side = window.shape[0] // COARSE
    small = cv2.resize(window, (side, side), interpolation=cv2.INTER_AREA).astype(np.float32)
    return np.asarray(np.log(small + 8.0), np.float32)


def _inner(small: Floats) -> Floats:
    """Return the place itself, without what may lie on its neighbours."""
    edge = round(small.shape[0] * (1 - 0.8 / WINDOW) / 2)
    return small[edge:-edge, edge:-edge]


def _alike(one: Floats, other: Floats) -> bool:
    off = other - one
    return float(np.abs(off - np.median(off)).mean()) < SAME / 2 and bool(
        np.percentile(np.abs(off - np.median(off)), 97) < 2 * SAME
    )
