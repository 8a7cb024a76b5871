"""Learning cards that are shown to the camera, and which of them have to be shown once more."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping

import cv2
import numpy as np

from companion.rules import Text, say
from vision.cards.cards import KnownDeck
from vision.cards.likeness import Faces, tones
from vision.frames import Image

BLURRED = 0.6
"""A card is blurred if its edges have less than this share of the median sharpness of the cards
shown with it. Sharp cards of one deck have at least 0.67, in all kinds of light."""
FEW = 3
"""With fewer cards there is no usual sharpness to compare with."""


class Lesson:
    """Learns cards for a deck, batch after batch. Two that look alike are learned only when they
    are shown a second time: there are decks with such cards."""

    def __init__(self, deck: KnownDeck, spoken: Callable[[str], str]) -> None:
        self._deck, self._spoken = deck, spoken
        self._told: set[frozenset[str]] = set()

    def learn(self, tokens: Mapping[str, str], pictures: Mapping[str, Image]) -> list[Text]:
        """Learn what ``pictures``, spot by spot, show of ``tokens``. Return a sentence for each
        card that was not learned and has to be shown once more."""
        words = []
        soft = blurred(pictures)
        if soft:
            words.append(
                say("Blurred on {spots}: lay it flat and show it once more.",
                    spots=soft)
            )  # fmt: skip
        clear = {spot: picture for spot, picture in pictures.items() if spot not in soft}
        doubtful: set[str] = set()
        for one, other in itertools.combinations(clear, 2):
            if alike(clear[one], clear[other]) and self._news(tokens[one], tokens[other]):
                doubtful |= {one, other}
                words.append(
                    say("The cards on {one} and {other} look alike. If they are two different "
                        "cards, press once more.", one=one, other=other)
                )  # fmt: skip
        for spot, picture in clear.items():
            if spot in doubtful:
                continue
            if (before := self._before(tokens, picture, tokens[spot])) is not None:
                words.append(
                    say("The card on {spot} looks like {card}, which was shown before. If it is "
                        "another one, press once more.", spot=spot, card=self._spoken(before))
                )  # fmt: skip
                continue
            self._deck.teach(tokens[spot], picture)
        return words

    def _news(self, one: str, other: str) -> bool:
        """Tell whether nobody was told yet that the two look alike; now somebody is."""
        pair = frozenset((one, other))
        new = pair not in self._told
        self._told.add(pair)
        return new

    def _before(self, now: Mapping[str, str], picture: Image, token: str) -> str | None:
        """Return the card of another batch that ``picture`` looks like, unless that was told."""
        shown = now.values()
        others = {face: t for face, t in self._deck.taught.items() if face not in shown}
        if not others:
            return None
        first = Faces(list(others.values())).fits(tones(picture))[0]
        face = list(others)[first.index]
        return face if first.whole and self._news(face, token) else None


def alike(one: Image, other: Image) -> bool:
    """Tell whether two upright pictures may show the same card."""
    (found,) = Faces([tones(other)]).fits(tones(one))
    return found.whole


def blurred(pictures: Mapping[str, Image]) -> list[str]:
    """Return the spots whose upright pictures are much less sharp than most."""
    sharp = {spot: _sharpness(picture) for spot, picture in pictures.items()}
    if len(sharp) < FEW:
        return []
    least = BLURRED * float(np.median(list(sharp.values())))
    return [spot for spot, value in sharp.items() if value < least]


def _sharpness(picture: Image) -> float:
    """Return how steep the steepest edges are, in parts of the picture's contrast a pixel."""
    edge = min(picture.shape[:2]) // 16
    gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)[edge:-edge, edge:-edge]
    soft = cv2.GaussianBlur(gray, (3, 3), 0)
    across = np.asarray(cv2.Sobel(soft, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8))
    down = np.asarray(cv2.Sobel(soft, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8))
    dark, light = np.percentile(gray, [2, 98])
    return float(np.percentile(np.hypot(across, down), 99) / max(light - dark, 1.0))
