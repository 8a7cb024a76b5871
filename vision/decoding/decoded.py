"""What a search for an explanation found: the likeliest story, its rivals, and how sure it is."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Generic

from companion.rules import S
from vision.decoding.differences import DOUBT
from vision.decoding.prior import PRIOR
from vision.decoding.story import Story
from vision.tokens.observe import CLEAR

SURE = 0.9
"""Probability below which a reading is asked about."""
BESIDE = 0.95
"""Greatest probability of an explanation while something else on the table is not understood, or
one end of a move is hard to see."""
KEPT = 6
"""Orders of play that are remembered beside the one that was told."""

TWIN = 6.0
"""Nats by which another order of the same moves, or a story that a strange spot speaks against, may
be less likely and is still remembered."""


@dataclass(frozen=True, slots=True)
class Told(Generic[S]):
    """A story held against a picture: the ``table`` that it shows, the ``score`` (log likelihood in
    nats), the spots that do not fit (``misfits``), and the ``worst`` error of all others. A further
    move might ``gain`` so many nats: by leaving a spot, and by coming to one."""

    story: Story[S]
    table: Mapping[str, str]
    score: float
    misfits: tuple[str, ...]
    worst: float = 0.0
    gain: float = 0.0

    @property
    def whole(self) -> bool:
        """Tell whether the story fits well everywhere, and no further move would explain more."""
        return not self.misfits and self.worst < DOUBT and self.gain < PRIOR.legal


@dataclass(frozen=True, slots=True)
class Decoded(Generic[S]):
    """What explains a picture: the ``best`` story, its probability ``p``, and the ``others``,
    most likely first. ``twins`` move the same tokens in another order or take something back and
    play it again, which mostly leads to another state; ``seen`` is the probability that just
    these tokens moved. ``weighed`` are the likeliest stories, also those that do not fit,
    ``unmoved`` is the score of nothing having moved, and ``result`` says why there is no best
    story. Spots that differ but have no part in it are ``left``."""

    best: Told[S] | None
    p: float
    others: tuple[Told[S], ...] = ()
    twins: tuple[Told[S], ...] = ()
    seen: float = 0.0
    weighed: tuple[Told[S], ...] = ()
    unmoved: float = 0.0
    result: str = ""
    left: frozenset[str] = frozenset()

    @property
    def sure(self) -> bool:
        """Tell whether the best story may be taken without asking."""
        return self.best is not None and self.seen >= SURE

    @property
    def rivals(self) -> tuple[Told[S], ...]:
        """Return every story that may be the true one, most likely first."""
        every = () if self.best is None else (self.best, *self.others)
        return tuple(sorted(every, key=lambda told: -told.score))

    @property
    def doubted(self) -> tuple[Story[S], ...]:
        """Return the stories between which the picture leaves a doubt; none where the rules refuse
        the best one, for a picture that shows that and is doubtful may show anything. What speaks
        against each does so in the next picture, too, and must not count twice."""
        if self.refused:
            return ()
        every = (told.story for told in (*self.rivals, *self.twins))
        return tuple(replace(story, shown=len(story.steps)) for story in every)

    @property
    def lawful(self) -> bool:
        """Tell whether the best story is sure and the rules allow all of it."""
        return self.best is not None and self.sure and not self.best.story.illegal

    @property
    def refused(self) -> bool:
        """Tell whether the rules refuse the best story."""
        return self.best is not None and self.best.story.illegal > 0

    @property
    def clear(self) -> bool:
        """Tell whether it is sure what lies where, and every spot fits well, though perhaps not
        which actions led there."""
        if self.best is None or self.left or self.best.worst >= CLEAR:
            return False
        alike = (told for told in self.others if told.table == self.best.table)
        weights = (math.exp(told.score - self.best.score) for told in alike)
        return self.seen * (1 + sum(weights)) >= SURE

    @property
    def alike(self) -> tuple[Told[S], ...]:
        """Return the stories, likeliest first, that the rules allow and that lead to the table and
        to the state of the best one."""
        if self.best is None:
            return ()
        state, table = self.best.story.state, self.best.table
        return tuple(
            told
            for told in self.rivals
            if told.story.state == state and told.table == table and told.story.plain
        )

    @property
    def alike_p(self) -> float:
        """Return the probability of all stories :attr:`alike` together."""
        best = self.best
        return self.seen * sum(math.exp(t.score - best.score) for t in self.alike) if best else 0.0

    @property
    def settled(self) -> bool:
        """Tell whether it is in doubt which actions led there and nothing else: not what lies
        where, nor what may be played next."""
        if self.best is None or self.sure or not self.clear:
            return False
        return self.best.story.plain and self.alike_p >= SURE

    @property
    def down(self) -> bool:
        """Tell whether all actions of the best story were allowed and all that was moved lies on
        the board, so that nothing of it can be in a hand."""
        return self.best is not None and not (self.best.story.illegal or self.best.story.gone)

    @property
    def forth(self) -> bool:
        """Tell whether the best story is sure and allowed by the rules (:attr:`lawful`) and takes
        nothing back."""
        return self.best is not None and self.lawful and not self.best.story.back

    @property
    def said(self) -> tuple[str, ...]:
        """Return the best story as texts to compare with another; empty where there is none."""
        return self.best.story.key if self.best else ()
