"""How a reading came about, in numbers: what every spot showed, which explanations were weighed.

A trace is a value without pictures: a few kilobytes. Readers make it only when it is asked for.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.rules import Point, say
from vision.decoding.reading import Reading

NO_CHANCE = -45.0
"""Log-likelihood of what is plainly contradicted; nothing is less likely."""
MOST = 6
"""Candidates of a spot, and hypotheses of a search, that are told."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A token (None: nothing) that a spot may show, and the log-likelihood, in nats, of the
    picture if it lies there. Only differences on one spot say anything."""

    token: str | None
    log_likelihood: float


@dataclass(frozen=True, slots=True)
class SpotTrace:
    """One spot that was looked at: what was ``believed`` there, the ``candidates``, likeliest
    first, and its ``marks``.

    ``changed``: it looks different from the settled picture. ``over``: something large lies over
    it. ``hidden``: it keeps what it had, for it is not seen. ``lit``: a light shone there.
    ``touched``: somebody seems to have touched it. ``open``: it was not understood before.
    ``differs``: no explanation covers it. ``doubtful``: what lies there is not made out.
    ``outline`` is in millimetres in the board's frame.
    """

    spot: str
    believed: str | None
    candidates: tuple[Candidate, ...]
    marks: tuple[str, ...]
    outline: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One explanation that was weighed: the ``actions`` in order of play, none for "nothing was
    moved".

    ``prior`` and ``evidence`` are in nats: what such actions cost before the picture is looked at,
    and what the spots say. ``circumstances`` is the rest of its score: a hand that may hold
    something, spots that were touched, what the picture before spoke for. ``p`` is its share among
    those that were weighed. It is out of the question where ``against`` names spots. ``legal``: the
    rules allow all of it.
    """

    actions: tuple[str, ...]
    prior: float
    evidence: float
    p: float
    circumstances: float = 0.0
    against: tuple[str, ...] = ()
    legal: bool = True

    @property
    def score(self) -> float:
        """Return the sum of prior, evidence and circumstances."""
        return self.prior + self.evidence + self.circumstances


@dataclass(frozen=True, slots=True)
class Search:
    """One search for what explains the ``spots``, with the likeliest hypotheses, best first, and
    what came of it. Where a first search finds nothing, others leave spots out or doubt the order
    of play."""

    spots: tuple[str, ...]
    hypotheses: tuple[Hypothesis, ...]
    result: str


@dataclass(frozen=True, slots=True)
class Trace:
    """How the reading of ``frame`` came about. ``verdict`` is ``waited``, ``calm``, ``took``,
    ``asked`` or ``differs``; ``reason`` says in one sentence why."""

    frame: str
    verdict: str
    reason: str
    spots: tuple[SpotTrace, ...] = ()
    searches: tuple[Search, ...] = ()

    def alike(self, other: Trace) -> bool:
        """Tell whether ``other`` says the same of the same spots, by slightly other numbers."""

        def said(trace: Trace) -> Any:
            found = [h.actions for search in trace.searches for h in search.hypotheses[:1]]
            spots = [(spot.spot, spot.marks) for spot in trace.spots]
            return trace.verdict, trace.reason, spots, found

        return bool(said(self) == said(other))


def verdict_of(reading: Reading) -> str:
    """Return in one word what became of a picture."""
    if not reading.still:
        return "waited"
    if reading.steps or reading.set_up is not None:
        return "took"
    if reading.asks:
        return "asked"
    return "differs" if reading.differs else "calm"


def reason_of(reading: Reading) -> str:
    """Return in one sentence why that became of a picture."""
    if reading.reason:
        return reading.reason
    if reading.steps:
        p = f"{min(step.p for step in reading.steps):.4f}"
        return say("this explains the picture, with probability {p}", p=p)
    if reading.asks:
        p = f"{max((step.p for steps in reading.asks for step in steps), default=0.0):.2f}"
        return say("no explanation is probable enough; the likeliest has probability {p}", p=p)
    return reading.message or say("nothing changed")


def traced(
    reading: Reading, spots: Sequence[SpotTrace] = (), searches: Sequence[Search] = ()
) -> Trace:
    """Return the trace of ``reading``."""
    return Trace(
        reading.frame, verdict_of(reading), reason_of(reading), tuple(spots), tuple(searches)
    )


def candidates(found: Mapping[str | None, float], believed: str | None) -> tuple[Candidate, ...]:
    """Return the likeliest tokens by their log-likelihoods, what is ``believed`` and nothing
    always among them if they were weighed."""
    order = sorted(found.items(), key=lambda one: -one[1])
    some = [c for i, c in enumerate(order) if i < MOST or c[0] in (None, believed)]
    return tuple(Candidate(token, round(nats, 2)) for token, nats in some)


def shares(scores: Sequence[float]) -> list[float]:
    """Return the probabilities of what has these log-probabilities, apart from a common term."""
    best = max((score for score in scores if score > -math.inf), default=0.0)
    weights = [math.exp(score - best) for score in scores]
    total = sum(weights) or 1.0
    return [round(weight / total, 4) for weight in weights]


def log_p(p: float) -> float:
    """Return the log-likelihood of what an eye gives probability ``p``."""
    return math.log(p) if p > math.exp(NO_CHANCE) else NO_CHANCE
