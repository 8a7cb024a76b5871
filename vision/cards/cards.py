"""Which card it is: read by how the faces of a deck look, in print or as they were shown once to
the camera."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from vision.board.raster import Floats, cut_out
from vision.cards.likelihood import FITTED
from vision.cards.likeness import CLOSELY, Corners, FaceFit, Faces, cut, mended, tones
from vision.frames import Image

CARD_MM = (63.0, 88.0)
PER_MM = 4
"""Pixels a millimetre in an upright picture of a card."""
SURE = 0.99
STRANGERS, LOOKALIKES = 0.02, 0.01
"""How often a card on the table is none that is known (STRANGERS), or, before others of that
evening were seen, one of another deck that differs from a known one in little (LOOKALIKES)."""
LEAST = 1e-6
"""Probability below which a face is not named."""


def upright(image: Image, corners: Corners) -> Image:
    """Return the picture of the card with these ``corners`` (4, 2), ``PER_MM`` pixels a millimetre,
    upright or upside down."""
    return cut_out(image, corners, (round(CARD_MM[0] * PER_MM), round(CARD_MM[1] * PER_MM)))


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
        while (there := mended(about, fits[0])) is not None:
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
        rivals = [fit.log_p for fit in fits if names[fit.index] not in ("", of)]
        rivals += [FITTED.alone] * (CLOSELY - 1 - len(rivals))
        better = fits[0].log_p - math.fsum(rivals) / len(rivals)
        return math.log(max(better, LEAST) / max(-fits[0].log_p, 1.0))
