"""Cards that lie flat: rectangles found in a picture, at any turn, and read.

A card is read by the code in its corners where it has one (:mod:`companion.rules.corner_code`),
else by its appearance: a deck is enrolled once by showing each face.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.rules.corner_code import module_middles, number_in, quiet_ring
from vision.board.raster import Floats
from vision.cards import likeness
from vision.cards.likeness import Likeness, tones
from vision.frames import Image

Corners = NDArray[np.float64]

CARD_MM = (63.0, 88.0)
PER_MM = 4
"""Pixels a millimetre in an upright picture of a card."""
LONGEST = 1280
"""Pixels of the longer side to which a picture is shrunk before rectangles are searched and their
corners fitted."""
LEVELS = 14
"""Brightness thresholds at which a picture is cut: a card is lighter or darker than what it lies
on."""
SMALLEST = 26.0
"""Pixels of a card's shorter side below which it cannot be read."""
FILLED, ROUND = 0.93, 0.955
"""Share of its bounding rectangle (FILLED), and of its convex hull (ROUND), that a card's area has
at least."""
SLACK = 1.22
"""Factor by which the ratio of the sides may be off, because a card seen at an angle is
foreshortened."""
OFF_SIZE = 0.15
"""Part by which the sides of a card of known size may be off."""
SAME = 0.15
"""Outlines whose areas differ by less than this part come from the same card at several
thresholds."""
LARGER = 0.94
"""Fit (1 best) from which on a rectangle is preferred to smaller ones inside it, such as a card's
printed frame."""


@dataclass(frozen=True, eq=False)
class FoundCard:
    """A card: its ``corners`` (4, 2) in pixels, clockwise, a short side first. ``fit`` is how well
    it is a rectangle, 1 at best."""

    corners: Corners
    fit: float

    @property
    def centre(self) -> tuple[float, float]:
        """Return the middle in pixels."""
        x, y = self.corners.mean(axis=0)
        return float(x), float(y)


def find_cards(
    image: Image, size: tuple[float, float] = CARD_MM, per_mm: float | None = None
) -> list[FoundCard]:
    """Return the cards in ``image``, from top to bottom.

    ``size`` is the cards' in millimetres; with ``per_mm``, the pixels a millimetre, rectangles of
    another size are no cards.
    """
    shrink = max(1.0, max(image.shape[:2]) / LONGEST)
    small = image
    if shrink > 1:
        fewer = 1 / shrink
        small = np.asarray(
            cv2.resize(image, None, fx=fewer, fy=fewer, interpolation=cv2.INTER_AREA), np.uint8
        )
    # Noise has thousands of outlines: those that are too small are not looked at.
    least = SMALLEST**2
    if per_mm is not None:
        least = max(least, FILLED * size[0] * size[1] * ((1 - OFF_SIZE) * per_mm / shrink) ** 2)
    found: list[FoundCard] = []
    for plane in _planes(small):
        levels = np.unique(np.percentile(plane, np.linspace(3, 97, LEVELS)).astype(int))
        for level in levels:
            mask = (plane > level).astype(np.uint8)
            for cut in (mask, 1 - mask):
                found += _rectangles(cut, size, least)
    if per_mm is not None:
        # First of all: a larger rectangle must not hide the card in it.
        found = [card for card in found if _has_size(card, size, per_mm / shrink)]
    cards = [FoundCard((c.corners + 0.5) * shrink - 0.5, c.fit) for c in _outermost(found)]
    return sorted(cards, key=lambda card: (card.centre[1], card.centre[0]))


def _planes(image: Image) -> list[NDArray[np.uint8]]:
    """Return what a card may stand out by: lightness, and colourfulness."""
    lab = cv2.cvtColor(cv2.GaussianBlur(image, (3, 3), 0), cv2.COLOR_BGR2Lab)
    a, b = lab[..., 1].astype(np.float32) - 128, lab[..., 2].astype(np.float32) - 128
    colour = np.clip(2 * np.hypot(a, b), 0, 255).astype(np.uint8)
    return [np.ascontiguousarray(lab[..., 0]), colour]


def _rectangles(
    mask: NDArray[np.uint8], size: tuple[float, float], least: float
) -> list[FoundCard]:
    contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    most = 0.5 * mask.size
    # So many points has the outline of a square of that area that stands on its tip.
    points = 2 * math.sqrt(2 * least) - 8
    found = []
    for contour in contours:
        if len(contour) < points:
            continue
        area = cv2.contourArea(contour)
        if least < area < most and (card := _as_card(np.asarray(contour, np.int32), area, size)):
            found.append(card)
    return found


def _as_card(
    contour: NDArray[np.int32], area: float, size: tuple[float, float]
) -> FoundCard | None:
    """Return the outline as a card, if it is a rectangle of the right shape."""
    box = cv2.minAreaRect(contour)
    short, long = sorted(box[1])
    wanted = max(size) / min(size)
    if short < SMALLEST or not wanted / SLACK < long / short < wanted * SLACK:
        return None
    hull = cv2.contourArea(cv2.convexHull(contour))
    if area < ROUND * hull or area < 0.8 * short * long:
        return None
    corners = _fitted(contour.reshape(-1, 2).astype(np.float64), box)
    if corners is None:
        return None
    fit = area / cv2.contourArea(corners.astype(np.float32))
    return FoundCard(corners, min(fit, 1 / fit)) if FILLED < fit < 1 / FILLED else None


def _fitted(points: Corners, box: object) -> Corners | None:
    """Return the corners where straight lines along the four sides meet: rounded corners and
    nicks in a side do not matter."""
    about = np.asarray(cv2.boxPoints(box), np.float64)  # type: ignore[call-overload]
    if np.linalg.norm(about[1] - about[0]) > np.linalg.norm(about[2] - about[1]):
        about = np.roll(about, -1, axis=0)
    lines = []
    for here, there in itertools.pairwise([*about, about[0]]):
        along = there - here
        length = float(np.linalg.norm(along))
        part = (points - here) @ along / length**2
        off = np.abs((points - here) @ np.array([-along[1], along[0]])) / length
        near = points[(part > 0.15) & (part < 0.85) & (off < 0.15 * length)]
        if len(near) < 8:
            return None
        vx, vy, x, y = cv2.fitLine(near.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
        lines.append((np.array([x, y], np.float64), np.array([vx, vy], np.float64)))
    corners = [_crossing(lines[k - 1], lines[k]) for k in range(4)]
    if any(corner is None for corner in corners):
        return None
    return np.array(corners)


def _crossing(
    one: tuple[NDArray[np.float64], NDArray[np.float64]],
    other: tuple[NDArray[np.float64], NDArray[np.float64]],
) -> NDArray[np.float64] | None:
    matrix = np.column_stack([one[1], -other[1]])
    if abs(np.linalg.det(matrix)) < 0.5:
        return None
    crossing: NDArray[np.float64] = one[0] + np.linalg.solve(matrix, other[0] - one[0])[0] * one[1]
    return crossing


def _outermost(found: Sequence[FoundCard]) -> list[FoundCard]:
    """Return one rectangle for each card: the best filled, and of those the largest."""
    left = sorted(found, key=lambda c: (c.fit < LARGER, -round(np.log(_area(c)) / SAME), -c.fit))
    kept: list[FoundCard] = []
    for card in left:
        if not any(_overlap(card, other) for other in kept):
            kept.append(card)
    return kept


def _area(card: FoundCard) -> float:
    return float(cv2.contourArea(card.corners.astype(np.float32)))


def _overlap(one: FoundCard, other: FoundCard) -> bool:
    shared, _ = cv2.intersectConvexConvex(
        one.corners.astype(np.float32), other.corners.astype(np.float32)
    )
    return shared > 0.2 * min(_area(one), _area(other))


def _has_size(card: FoundCard, size: tuple[float, float], per_mm: float) -> bool:
    sides = np.linalg.norm(card.corners - np.roll(card.corners, -1, axis=0), axis=1)
    short, long = (sides[0] + sides[2]) / 2 / per_mm, (sides[1] + sides[3]) / 2 / per_mm
    return bool(abs(short / min(size) - 1) < OFF_SIZE and abs(long / max(size) - 1) < OFF_SIZE)


def upright(image: Image, card: FoundCard, size: tuple[float, float] = CARD_MM) -> Image:
    """Return the card's picture with ``PER_MM`` pixels a millimetre, upright or upside down."""
    width, height = round(min(size) * PER_MM), round(max(size) * PER_MM)
    goal = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(card.corners.astype(np.float32), goal)
    return np.asarray(cv2.warpPerspective(image, matrix, (width, height), flags=cv2.INTER_AREA))


# -- the code --------------------------------------------------------------------------------

SHIFTS_MM = (0.0, -0.7, 0.7)
"""Offsets in millimetres at which the code is looked for, because a card's corners are found no
more exactly."""
CONTRAST = 45.0
"""Grey levels between dark and light modules of the code at least."""


def read_codes(card: Image, size: tuple[float, float] = CARD_MM) -> tuple[int | None, int | None]:
    """Return the numbers in the two corners of an upright card, None where none can be read."""
    gray = np.asarray(cv2.GaussianBlur(cv2.cvtColor(card, cv2.COLOR_BGR2GRAY), (5, 5), 0), np.uint8)
    return _corner(gray, size, 1), _corner(gray, size, -1)


def _corner(gray: NDArray[np.uint8], size: tuple[float, float], sign: int) -> int | None:
    middles = sign * np.array(module_middles(min(size), max(size)))
    ring = sign * np.array(quiet_ring(min(size), max(size)))
    best: tuple[float, int | None] = (CONTRAST, None)
    for shift in itertools.product(SHIFTS_MM, repeat=2):
        values, about = (_samples(gray, points + shift) for points in (middles, ring))
        order = np.sort(values)
        gaps = np.diff(order)
        widest = int(np.argmax(gaps))
        level = (order[widest] + order[widest + 1]) / 2
        number = number_in([bool(value < level) for value in values])
        spread = max(order[widest] - order[0], order[-1] - order[widest + 1])
        if number is not None and gaps[widest] > max(best[0], spread) and about.min() > level:
            best = (float(gaps[widest]), number)
    return best[1]


def _samples(gray: NDArray[np.uint8], points: Corners) -> NDArray[np.float64]:
    """Return the brightness at points in millimetres about the card's middle."""
    at = (points * PER_MM + (gray.shape[1] / 2, gray.shape[0] / 2)).astype(int)
    return np.asarray(gray[at[:, 1], at[:, 0]], np.float64)


# -- which card it is ------------------------------------------------------------------------

STEEP = 40
"""Exponent by which a face gets less likely, the more it differs from the picture than the nearest
face does: one that differs by a tenth more is forty-five times less likely."""
STRANGE = 0.16
"""Difference from every known face (``vision.cards.likeness``), beyond which a card is none of
them."""
FITS = 0.19
"""Greatest difference of any part of a card from its face. Pictures of one face differ by 0.167 at
most in all kinds of light, those of two faces by at least 0.248, even if only one star differs."""
ALONE, TWICE = 0.12, 2.0
"""A card without a code is a back of a printed deck if it differs from the back by less than ALONE,
and from every face by TWICE as much. In sleeves backs differ by 0.14 at most, and by at least 0.29
from a face."""
CLEAR = 0.5
"""How clearly (0 to 1, see ``likeness.favours``) a card must show its face where that differs from
another face that fits."""
OUT = 0.01
"""Factor on the probability of the other faces where a card clearly shows one."""
SURE = 0.95
DOUBT = 0.1
"""Probability that a card about which somebody has to be asked is none of those it looks like."""


@dataclass(frozen=True, slots=True)
class CardReading:
    """What a card may be: faces and probabilities, most likely first, empty if it is no enrolled
    one. ``sure`` tells whether nobody has to be asked, ``coded`` whether a code was read;
    ``nearest`` names the faces that look least unlike it, whether or not it can be one of them."""

    faces: tuple[tuple[str, float], ...]
    coded: bool = False
    nearest: tuple[str, ...] = field(default=(), compare=False)

    @property
    def sure(self) -> bool:
        """Tell whether the first face can be taken as it is."""
        return bool(self.faces) and self.faces[0][1] >= SURE


@dataclass(frozen=True, eq=False)
class _Known:
    """A picture of ``face``; ``coded``: a card with it has a code, too."""

    face: str
    tones: Floats
    coded: bool


class KnownDeck:
    """The faces of a deck as they were shown, and by their codes.

    ``codes`` names the face of each code of a printed deck; it may be empty. A card that differs
    by ``strange`` from every face is none of them.
    """

    def __init__(self, codes: Mapping[int, str] | None = None, strange: float = STRANGE) -> None:
        self._codes, self._strange = dict(codes or {}), strange
        self._known: list[_Known] = []
        self.taught: dict[str, Floats] = {}
        self.lessons = 0
        """How many times a face was taught or recalled."""

    @property
    def faces(self) -> tuple[str, ...]:
        """Return the faces that were enrolled."""
        return tuple(dict.fromkeys(known.face for known in self._known))

    def enrol(self, face: str, card: Image, coded: bool = False) -> None:
        """Learn how ``face`` looks from an upright picture; several pictures are welcome. A
        ``coded`` one is not taken for ``face`` unless a code says so."""
        self._known.append(_Known(face, tones(card), coded))

    def teach(self, face: str, card: Image) -> None:
        """Learn how ``face`` looks, and remember it as taught: it is kept for other evenings. What
        was taught of it before is forgotten."""
        self.recall({face: tones(card)})

    def recall(self, taught: Mapping[str, Floats]) -> None:
        """Know what was taught on another evening."""
        for face, shown in taught.items():
            before = self.taught.get(face)
            self._known = [known for known in self._known if known.tones is not before]
            self._known.append(_Known(face, shown, False))
            self.taught[face] = shown
            self.lessons += 1

    def read(self, card: Image) -> CardReading:
        """Return what the upright picture ``card`` shows.

        A code in both corners is believed unless another face that was enrolled fits; a code in
        one corner only where the card looks more like its face than like any other; looks alone
        where exactly one face fits, and that has no code.
        """
        like = self._like(card)
        seen = self._weighed(like)
        nearest = tuple(dict.fromkeys(known.face for known, _ in like))
        names = [self._codes.get(n) for n in read_codes(card) if n is not None]
        named = [name for name in names if name is not None]
        if named and len(set(named)) == 1:
            name, twice = named[0], len(named) == 2
            alike = bool(nearest) and nearest[0] == name
            belied = bool(like) and like[0][1].part < FITS and not alike
            if alike or (twice and not belied):
                return CardReading(((name, 1.0),), True, nearest)
        if named:
            share = 0.5 / len(set(named))
            others = {face: p / 2 for face, p in seen.items() if face not in named}
            believed = dict.fromkeys(named, share) | others
            return CardReading(tuple(believed.items()), True, nearest)
        if self._plain(like) or self._uncoded(like):
            rest = {face: p * OUT for face, p in seen.items() if face != nearest[0]}
            seen = _shares({nearest[0]: seen.get(nearest[0], 1.0)} | rest)
        else:
            seen = {face: p * (1 - DOUBT) for face, p in seen.items()}
        return CardReading(tuple(seen.items()), False, nearest)

    def _like(self, card: Image) -> list[tuple[_Known, Likeness]]:
        """Return the known pictures that ``card`` is most like, the most like first."""
        if not self._known:
            return []
        found = likeness.nearest(card, np.stack([known.tones for known in self._known]))
        return [(self._known[one.index], one) for one in found]

    def _weighed(self, like: Sequence[tuple[_Known, Likeness]]) -> dict[str, float]:
        """Return the enrolled faces that a card may show by its looks, most likely first."""
        near: dict[str, float] = {}
        for known, one in like:
            if one.off < self._strange:
                near.setdefault(known.face, max(one.off, 1e-3))
        least = min(near.values(), default=1.0)
        weights = {face: (least / off) ** STEEP for face, off in near.items()}
        return _shares(weights)

    def _uncoded(self, like: Sequence[tuple[_Known, Likeness]]) -> bool:
        """Tell whether a card is the one of a printed deck that has no code, its back, and is like
        no other of it: glare may lie on it."""
        first, best = like[0] if like else (None, None)
        if first is None or best is None or first.coded or not self._codes:
            return False
        if best.off >= ALONE or self.taught.get(first.face) is first.tones:
            return False
        return all(o.off > TWICE * best.off for known, o in like if known.face != first.face)

    def _plain(self, like: Sequence[tuple[_Known, Likeness]]) -> bool:
        """Tell whether a card's looks alone say what it is."""
        face = like[0][0].face if like else ""
        shown = [(known, one) for known, one in like if known.face == face and not known.coded]
        if not shown or shown[0][1].part >= FITS:
            return False
        first, best = shown[0]
        return all(
            likeness.favours(best.seen, first.tones, known.tones) >= CLEAR
            for known, one in like
            if known.face != face and one.part < FITS
        )


def _shares(weights: Mapping[str, float]) -> dict[str, float]:
    """Return probabilities in the proportions of ``weights``."""
    return {face: weight / sum(weights.values()) for face, weight in weights.items()}
