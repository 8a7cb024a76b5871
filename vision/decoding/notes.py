"""What a reader of boards writes down while it reads one picture, so that it can say why.

Writing down costs next to nothing: answers that were given anyhow are kept, and searches by
reference. :meth:`Notes.trace` makes numbers of them for whoever asks.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from typing import Generic

from companion.rules import Board, S
from vision.decoding.decoded import Decoded, Told
from vision.decoding.reading import Reading, Step
from vision.decoding.scene import Scene
from vision.decoding.trace import (
    Hypothesis,
    Search,
    SpotTrace,
    Trace,
    candidates,
    shares,
    traced,
)
from vision.tokens.eye import Eye, Seen
from vision.tokens.likelihood import log_likelihood
from vision.tokens.observe import Token

Errors = dict[tuple[str, Token], float]


class Heard:
    """What an eye answers (:class:`Seen`), each first answer kept in ``errors``: a face that is
    learned later changes what is answered then."""

    def __init__(self, seen: Seen, errors: Errors) -> None:
        self._seen, self._errors = seen, errors
        self.shows, self.known, self.told_apart = seen.shows, seen.known, seen.told_apart
        self.nats = seen.nats

    def error(self, spot: str, token: Token) -> float:
        """Return how badly ``token`` explains ``spot``."""
        error = self._seen.error(spot, token)
        self._errors.setdefault((spot, token), error)
        return error

    def replaced(self, spot: str, token: Token) -> float:
        """Return how badly ``token`` explains ``spot`` if it came in place of its like."""
        return self._seen.replaced(spot, token)


class Notes(Generic[S]):
    """The notes on the last picture of one table."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self.begin({})

    def begin(self, table: Mapping[str, str]) -> None:
        """Begin a new page: ``table`` is what is believed to stand."""
        self._believed = dict(table)
        self._errors: Errors = {}
        self._nats: Callable[[float], float] = log_likelihood
        self._marks: dict[str, Collection[str]] = {}
        self._searches: list[tuple[Scene, Decoded[S]]] = []

    def listen(self, seen: Seen) -> Seen:
        """Return what answers like ``seen``, and whose answers are written down."""
        self._nats = seen.nats
        return Heard(seen, self._errors)

    def mark(self, **spots: Collection[str]) -> None:
        """Write down which spots are what; see :class:`SpotTrace` for the marks."""
        self._marks |= spots

    def searched(self, scene: Scene, decoded: Decoded[S]) -> Decoded[S]:
        """Write down what a search for an explanation of ``scene`` found, and return that."""
        self._searches.append((scene, decoded))
        return decoded

    def hold(self, eye: Eye, table: Mapping[str, str]) -> None:
        """Hold what ``table`` has there, and nothing, against the changed spots of a picture at
        which nobody looked closely."""
        spots = self._marks.get("changed", ())
        if self._errors or not spots:
            return
        seen = self.listen(eye.observe(spots))
        for spot in spots:
            for token in {table.get(spot), None}:
                seen.error(spot, token)

    def trace(self, reading: Reading) -> Trace:
        """Return how ``reading``, that of the last picture, came about."""
        marks = {**self._marks, "differs": reading.differs}
        heard: dict[str, dict[Token, float]] = {}
        for (spot, token), error in self._errors.items():
            heard.setdefault(spot, {})[token] = self._nats(error)
        named = {spot for some in marks.values() for spot in some}
        spots = [
            SpotTrace(
                spot,
                believed := self._believed.get(spot),
                candidates(heard.get(spot, {}), believed),
                tuple(mark for mark, some in marks.items() if spot in some),
                tuple(self._board[spot].outline),
            )
            for spot in sorted(named | heard.keys())
            if spot in self._board
        ]
        return traced(reading, spots, [self._search(*one) for one in self._searches])

    def _search(self, scene: Scene, decoded: Decoded[S]) -> Search:
        told = [one for one in decoded.weighed if one.story.steps]
        scores = [-math.inf if one.misfits else one.score for one in told]
        *p, still = shares([*scores, decoded.unmoved])
        found = [
            self._hypothesis(one, scene.changed | (one.story.touched & scene.checked), share)
            for one, share in zip(told, p, strict=True)
        ]
        found.append(Hypothesis((), 0.0, round(decoded.unmoved, 2), still))
        found.sort(key=lambda one: (-one.p, -one.score))
        return Search(tuple(sorted(scene.changed)), tuple(found), decoded.result)

    def _hypothesis(self, told: Told[S], spots: frozenset[str], p: float) -> Hypothesis:
        errors = (self._errors.get((spot, told.table.get(spot))) for spot in spots)
        evidence = sum(self._nats(error) for error in errors if error is not None)
        story = told.story
        return Hypothesis(
            tuple(_words(step) for step in story.steps),
            round(-story.cost, 2),
            round(evidence, 2),
            p,
            round(told.score + story.cost - evidence, 2),
            told.misfits,
            not story.illegal,
        )


def _words(step: Step) -> str:
    """Return a step as text: what takes a move back, or a token, in brackets."""
    return f"({step.action})" if step.takeback is not None else str(step.action)
