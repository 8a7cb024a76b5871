"""Cards that lie flat: rectangles found in a picture, at any turn, and read.

A card is read by how its faces look, in print or as they were shown once to the camera.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.raster import Floats
from vision.cards.likelihood import FITTED
from vision.cards.likeness import Corners, FaceFit, Faces, cut, mended, tones
from vision.frames import Image

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

    @property
    def degrees(self) -> float:
        """Return how far the card is turned from upright, clockwise."""
        x, y = self.corners[1] - self.corners[0]
        return math.degrees(math.atan2(y, x))


def find_cards(image: Image, per_mm: float | None = None) -> list[FoundCard]:
    """Return the cards in ``image``, from top to bottom. With ``per_mm``, the pixels a millimetre,
    rectangles of another size are no cards."""
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
        least = max(
            least, FILLED * CARD_MM[0] * CARD_MM[1] * ((1 - OFF_SIZE) * per_mm / shrink) ** 2
        )
    found: list[FoundCard] = []
    for plane in _planes(small):
        levels = np.unique(np.percentile(plane, np.linspace(3, 97, LEVELS)).astype(int))
        for level in levels:
            mask = (plane > level).astype(np.uint8)
            for side in (mask, 1 - mask):
                found += _rectangles(side, least)
    if per_mm is not None:
        # First of all: a larger rectangle must not hide the card in it.
        found = [card for card in found if _has_size(card, per_mm / shrink)]
    cards = [FoundCard((c.corners + 0.5) * shrink - 0.5, c.fit) for c in _outermost(found)]
    return sorted(cards, key=lambda card: (card.centre[1], card.centre[0]))


def _planes(image: Image) -> list[NDArray[np.uint8]]:
    """Return what a card may stand out by: lightness, and colourfulness."""
    lab = cv2.cvtColor(cv2.GaussianBlur(image, (3, 3), 0), cv2.COLOR_BGR2Lab)
    a, b = lab[..., 1].astype(np.float32) - 128, lab[..., 2].astype(np.float32) - 128
    colour = np.clip(2 * np.hypot(a, b), 0, 255).astype(np.uint8)
    return [np.ascontiguousarray(lab[..., 0]), colour]


def _rectangles(mask: NDArray[np.uint8], least: float) -> list[FoundCard]:
    contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    most = 0.5 * mask.size
    # So many points has the outline of a square of that area that stands on its tip.
    points = 2 * math.sqrt(2 * least) - 8
    found = []
    for contour in contours:
        if len(contour) < points:
            continue
        area = cv2.contourArea(contour)
        if least < area < most and (card := _as_card(np.asarray(contour, np.int32), area)):
            found.append(card)
    return found


def _as_card(contour: NDArray[np.int32], area: float) -> FoundCard | None:
    """Return the outline as a card, if it is a rectangle of the right shape."""
    box = cv2.minAreaRect(contour)
    short, long = sorted(box[1])
    wanted = CARD_MM[1] / CARD_MM[0]
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


def _has_size(card: FoundCard, per_mm: float) -> bool:
    sides = np.linalg.norm(card.corners - np.roll(card.corners, -1, axis=0), axis=1)
    short, long = (sides[0] + sides[2]) / 2 / per_mm, (sides[1] + sides[3]) / 2 / per_mm
    width, height = CARD_MM
    return bool(abs(short / width - 1) < OFF_SIZE and abs(long / height - 1) < OFF_SIZE)


def upright(image: Image, card: FoundCard) -> Image:
    """Return the card's picture with ``PER_MM`` pixels a millimetre, upright or upside down."""
    width, height = (round(side * PER_MM) for side in CARD_MM)
    goal = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(card.corners.astype(np.float32), goal)
    return np.asarray(cv2.warpPerspective(image, matrix, (width, height), flags=cv2.INTER_AREA))


# -- which card it is ------------------------------------------------------------------------

SURE = 0.99
STRANGERS, LOOKALIKES = 0.02, 0.01
"""How often a card on the table is none that is known (STRANGERS), or, before others of that
evening were seen, one of another deck that differs from a known one in little (LOOKALIKES)."""
RIVALS = 7
"""Other faces than the best that it is compared with."""
MENDED = 3
"""How often the place of a card is mended by what is printed on it."""
LEAST = 1e-6
"""Probability below which a face is not named."""


@dataclass(frozen=True, slots=True)
class CardReading:
    """What a card may be: faces and probabilities, most likely first; what is missing to 1 is the
    probability that it is none that is known. ``sure`` tells whether nobody has to be asked;
    ``nearest`` names the faces that look least unlike it, whether or not it can be one of them.
    ``lookalike`` and ``stranger`` say how many times as likely its picture is if it is a card of
    another deck, much like one of these or not, as if it is one of these; ``double`` is the
    probability that it is one much like the nearest."""

    faces: tuple[tuple[str, float], ...]
    nearest: tuple[str, ...] = field(default=(), compare=False)
    lookalike: float = field(default=0.0, compare=False)
    stranger: float = field(default=0.0, compare=False)
    double: float = field(default=0.0, compare=False)

    @property
    def sure(self) -> bool:
        """Tell whether the first face can be taken as it is."""
        return bool(self.faces) and self.faces[0][1] >= SURE

    @property
    def known(self) -> float:
        """Return the probability that it is one of the known cards."""
        return sum(p for _, p in self.faces)

    def among(self, lookalikes: float) -> CardReading:
        """Return what it may be on a table where ``lookalikes`` are so often."""
        known = self.known * (1 + STRANGERS * self.stranger + lookalikes * self.lookalike)
        faces = tuple((face, p / known) for face, p in self.faces)
        return replace(self, faces=faces, double=self.alike(lookalikes))

    def alike(self, lookalikes: float) -> float:
        """Return how likely it is a look-alike on a table where these are so often."""
        odds = lookalikes * self.lookalike
        return odds / (1 + STRANGERS * self.stranger + odds)


@dataclass(frozen=True, eq=False)
class _Known:
    """A picture of ``face``; ``lookalike`` is what a card of another deck would look like that
    differs from it in little."""

    face: str
    tones: Floats
    lookalike: Floats | None = None


class KnownDeck:
    """The faces of a deck as they are printed, or as they were shown."""

    def __init__(self) -> None:
        self._known: list[_Known] = []
        self._models: tuple[Faces, list[str]] | None = None
        self.taught: dict[str, Floats] = {}
        self.lessons = 0
        """How many times a face was taught or recalled."""

    @property
    def faces(self) -> tuple[str, ...]:
        """Return the faces that were enrolled."""
        return tuple(dict.fromkeys(known.face for known in self._known))

    def enrol(self, face: str, card: Image, lookalike: Image | None = None) -> None:
        """Learn how ``face`` looks from an upright picture; several pictures are welcome. What
        looks like ``lookalike`` is not taken for it."""
        double = None if lookalike is None else tones(lookalike)
        self._know([*self._known, _Known(face, tones(card), double)])

    def teach(self, face: str, card: Image) -> None:
        """Learn how ``face`` looks, and remember it as taught: it is kept for other evenings. What
        was taught of it before is forgotten."""
        self.recall({face: tones(card)})

    def recall(self, taught: Mapping[str, Floats]) -> None:
        """Know what was taught on another evening."""
        known = list(self._known)
        for face, shown in taught.items():
            before = self.taught.get(face)
            known = [one for one in known if one.tones is not before]
            known.append(_Known(face, shown))
            self.taught[face] = shown
            self.lessons += 1
        self._know(known)

    def _know(self, known: list[_Known]) -> None:
        self._known, self._models = known, None

    def _ready(self) -> tuple[Faces, list[str]]:
        """Return the known pictures ready to be compared and whose each is, lookalikes last."""
        if self._models is None:
            # Where the other deck's card was taught, it is no stranger.
            pairs = [
                (k, None if known.face in self.taught else known.lookalike)
                for k, known in enumerate(self._known)
            ]
            doubles = [(k, double) for k, double in pairs if double is not None]
            first = len(self._known)
            faces = [known.tones for known in self._known] + [double for _, double in doubles]
            beside = {k: first + n for n, (k, _) in enumerate(doubles)}
            names = [known.face for known in self._known] + [""] * len(doubles)
            self._models = Faces(faces, beside), names
        return self._models

    def read(self, card: Image) -> CardReading:
        """Return what the upright picture ``card`` shows."""
        height, width = card.shape[:2]
        whole = np.array([[0, 0], [width, 0], [width, height], [0, height]]) - 0.5
        return self.find(card, whole)[0]

    def find(
        self, window: Image, about: Corners, outlined: bool = True
    ) -> tuple[CardReading, Corners]:
        """Return what the card in a picture shows, and its corners; ``about`` says where they were
        seen, and is mended by what is printed on the card. ``outlined`` tells whether its outline
        was."""
        if not self._known:
            return CardReading(()), about
        fits = self._ready()[0].fits(cut(window, about))
        for _ in range(MENDED):
            there = mended(about, fits[0])
            if there is None:
                break
            again = self._ready()[0].fits(cut(window, there), [fit.index for fit in fits])
            if again[0].log_p <= fits[0].log_p:
                break
            about, fits = there, again
        return self._told(fits, outlined), about

    def search(
        self, window: Image, per_mm: float, degrees: Sequence[float]
    ) -> tuple[CardReading, Corners] | None:
        """Return what the card in a flat picture shows whose outline is not seen, and its corners;
        None if no card is known. It may be turned by one of ``degrees``."""
        if not self._known:
            return None
        faces = self._ready()[0]
        found = [(self._told(faces.fits(cut(window, corners)), False).known, corners)
                 for corners in faces.places(window, per_mm, degrees)]  # fmt: skip
        return self.find(window, max(found, key=lambda it: it[0])[1], outlined=False)

    def _told(self, fits: Sequence[FaceFit], outlined: bool) -> CardReading:
        """Return the probabilities of the faces."""
        names, best = self._ready()[1], fits[0].log_p
        weights: dict[str, float] = {}
        odds = FITTED.sharpness * (self._standing_out(fits) - FITTED.other)
        odds -= 0.0 if outlined else FITTED.outline
        doubles = 0.0
        for fit in fits:
            name, weight = names[fit.index], math.exp(FITTED.temperature * (fit.log_p - best))
            if name:
                weights[name] = max(weight, weights.get(name, 0.0))
            else:
                doubles += weight
        known = sum(weights.values())
        faces = tuple((name, weight / known) for name, weight in weights.items()
                      if weight > LEAST * known)  # fmt: skip
        reading = CardReading(faces, tuple(weights), doubles / known, math.exp(-odds) / known)
        return reading.among(LOOKALIKES)

    def _standing_out(self, fits: Sequence[FaceFit]) -> float:
        """Return the logarithm of how many times as much as the best face its rivals leave
        unexplained beyond what that does."""
        names = self._ready()[1]
        of = names[fits[0].index] or names[next(f.index for f in fits if names[f.index])]
        rivals = [fit.log_p for fit in fits if names[fit.index] not in ("", of)][:RIVALS]
        rivals += [FITTED.alone] * (RIVALS - len(rivals))
        better = fits[0].log_p - math.fsum(rivals) / RIVALS
        return math.log(max(better, LEAST) / max(-fits[0].log_p, 1.0))
