"""What a reader of cards writes down while it reads one picture, so that it can say why."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

from companion.rules import Action, Board
from vision.cards.card_sight import CardPlace
from vision.decoding.reading import Reading, Step
from vision.decoding.trace import (
    NO_CHANCE,
    Candidate,
    Hypothesis,
    Search,
    SpotTrace,
    Trace,
    candidates,
    log_p,
    shares,
    traced,
)


class CardNotes:
    """The notes on the last picture of one table of cards.

    A card's candidates are the faces that it may be, with their probabilities; the likeliest faces
    of one that can be none of them have no chance. Cards have no prior: the shortest legal
    sequence that leaves the fewest places unexplained is told.
    """

    def __init__(self, board: Board) -> None:
        self._board = board
        self.begin()

    def begin(self) -> None:
        """Begin a new page."""
        self._places: Mapping[str, CardPlace] = {}
        self._expected: Mapping[str, str] = {}
        self._lit: Collection[str] = ()
        self._stories: list[tuple[tuple[str, ...], Mapping[str, str], Sequence[str]]] = []

    def look(
        self, places: Mapping[str, CardPlace], expected: Mapping[str, str], lit: Collection[str]
    ) -> None:
        """Write down what the places show, what is ``expected`` there, and where lights shone."""
        self._places, self._expected, self._lit = places, expected, lit
        left = [spot for spot, place in places.items() if _token(place) != expected.get(spot)]
        self._stories = [((), expected, left)]

    def weighed(
        self,
        actions: Sequence[Action],
        left: Sequence[str],
        taken: Sequence[Step],
        lying: Mapping[str, str],
    ) -> None:
        """Write down the sequence that explains most: its ``actions``, after some were ``taken``
        back; the places ``left`` unexplained, and what it says is ``lying``."""
        words = (*(f"({step.action})" for step in taken), *map(str, actions))
        if words:
            self._stories.append((words, lying, left))

    def trace(self, reading: Reading) -> Trace:
        """Return how ``reading``, that of the last picture, came about."""
        spots = [self._spot(spot, reading) for spot in sorted(self._places)]
        told = [spot for spot in spots if spot is not None]
        if not self._stories:
            return traced(reading, told)
        evidence = [self._evidence(lying) for _, lying, _ in self._stories]
        p = shares(evidence)
        found = [
            Hypothesis(words, 0.0, round(nats, 2), share, against=tuple(sorted(left)))
            for (words, _, left), nats, share in zip(self._stories, evidence, p, strict=True)
        ]
        found.sort(key=lambda one: -one.p)
        return traced(reading, told, [Search(tuple(s.spot for s in told), tuple(found), "")])

    def _spot(self, spot: str, reading: Reading) -> SpotTrace | None:
        """Return what is told of a place; None where nothing lies and nothing should."""
        place, believed = self._places[spot], self._expected.get(spot)
        if place.bare and believed is None and spot not in reading.differs:
            return None
        token = _token(place)
        marks = {
            "changed": token != believed and (place.bare or token is not None),
            "lit": spot in self._lit,
            "doubtful": not place.bare and token is None,
            "differs": spot in reading.differs,
        }
        named = tuple(mark for mark, holds in marks.items() if holds)
        outline = tuple(self._board[spot].outline)
        return SpotTrace(spot, believed, _candidates(place, believed), named, outline)

    def _evidence(self, lying: Mapping[str, str]) -> float:
        return sum(_weight(place, lying.get(spot)) for spot, place in self._places.items())


def _token(place: CardPlace) -> str | None:
    return None if place.bare else place.token


def _weight(place: CardPlace, token: str | None) -> float:
    """Return the log-likelihood of a place if ``token`` lies there. What is no card, or none that
    is known, says nothing of which it is: it may be any of those that it looks least unlike."""
    if place.bare:
        return 0.0 if token is None else NO_CHANCE
    if token is None:
        return NO_CHANCE if place.card is not None else 0.0
    if place.card is None:
        return 0.0
    if not place.card.faces:
        return -math.log(max(1, len(place.card.nearest)))
    return log_p(dict(place.card.faces).get(token, 0.0))


def _candidates(place: CardPlace, believed: str | None) -> tuple[Candidate, ...]:
    faces = place.card.faces if place.card is not None else ()
    near = place.card.nearest if place.card is not None and not faces else ()
    names = (None, believed, *(face for face, _ in faces), *near[:3])
    return candidates({name: _weight(place, name) for name in names}, believed)
