"""How often a card on one table is a look-alike, of another deck: learned over an evening.

Before any card was seen that is as often as elsewhere. Each face that was seen since then says
whose the deck on the table is, as far as its picture tells: where that leaves open whether a card
has a code, nothing is learned. How often a card is a stranger, or no card at all, is not learned:
a hand and a glare come on every evening.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from vision.cards.card_sight import CardPlace
from vision.cards.cards import LOOKALIKES, CardReading

ROUNDS = 3
"""How often the cards are weighed by what the others say; what is in doubt changes little then."""


class EveningDeck:
    """What the cards of one evening said of whether they are of the deck that is known."""

    def __init__(self) -> None:
        self._seen: dict[str, CardReading] = {}

    def weighed(self, places: Mapping[str, CardPlace]) -> dict[str, CardPlace]:
        """Return ``places`` with each card weighed by what all others of the evening say."""
        cards = {s: p.card for s, p in places.items() if p.card is not None and p.card.faces}
        self._seen |= {card.nearest[0]: card for card in cards.values()}
        often = self._lookalikes()
        weighed = {s: card.among(often[card.nearest[0]]) for s, card in cards.items()}
        return {s: replace(p, card=weighed.get(s, p.card)) for s, p in places.items()}

    def _lookalikes(self) -> dict[str, float]:
        """Return for each face how often a card is a look-alike, as all other faces say."""
        often = dict.fromkeys(self._seen, LOOKALIKES)
        for _ in range(ROUNDS):
            alike = {face: card.alike(often[face]) for face, card in self._seen.items()}
            # What is known before counts for one card: people play with one deck.
            whole = LOOKALIKES + math.fsum(alike.values())
            often = {face: (whole - one) / len(alike) for face, one in alike.items()}
        return often
