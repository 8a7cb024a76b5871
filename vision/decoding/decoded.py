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
UNTOLD, MOST_UNTOLD = 0.25, 0.1
"""Doubt that each unit of error beyond DOUBT adds, and its limit. Stories that fitted badly and
proved wrong in simulated games had errors of 0.17 and more."""
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
    def evidence(self) -> float:
        """Return the log likelihood (nats) of what is seen, if the story is true."""
        return self.score + self.story.cost

    @property
    def whole(self) -> bool:
        """Tell whether the story fits well everywhere, and no further move would explain more."""
        return not self.misfits and self.worst < DOUBT and self.gain < PRIOR.legal


@dataclass(frozen=True, slots=True)
class Decoded(Generic[S]):
    """What explains a picture: the ``best`` story, the probability ``p`` that just these tokens
    moved, and the ``others``, most likely first. ``twins`` move the same tokens in another order or
    take something back and play it again, which mostly leads to another state. ``weighed`` are the
    likeliest stories, also those that do not fit, ``unmoved`` is the score of nothing having moved,
    and ``result`` says why there is no best story. Spots that differ but have no part in it are
    ``left``."""

    best: Told[S] | None
    p: float
    others: tuple[Told[S], ...] = ()
    twins: tuple[Told[S], ...] = ()
    weighed: tuple[Told[S], ...] = ()
    unmoved: float = 0.0
    result: str = ""
    left: frozenset[str] = frozenset()

    @property
    def sure(self) -> bool:
        """Tell whether the best story may be taken without asking."""
        return self.best is not None and self.p >= SURE

    def weak(self, poor: float) -> bool:
        """Tell whether more than ``poor`` nats speak against the best story, and against nothing
        having moved not twice as many more."""
        if self.best is None or not self.best.story.moves or self.best.evidence >= -poor:
            return False
        return self.best.evidence - self.unmoved < 2 * poor

    @property
    def trust(self) -> float:
        """Return the probability with which the best story is told: something that no story tells
        of may have happened as well, the more so the worse it fits its worst spot, or if the rules
        refuse it; and most where something is ``left``."""
        if self.best is None:
            return 0.0
        doubt = UNTOLD * max(0.0, self.best.worst - DOUBT) * (2 if self.refused else 1)
        return self.p * (1 - (MOST_UNTOLD if self.left else min(MOST_UNTOLD, doubt)))

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
        """Tell whether it is sure what lies where and what may be played next, and every spot fits
        well, though perhaps not which actions led there."""
        if self.best is None or self.left or self.best.worst >= CLEAR:
            return False
        return self.sure or self.alike_p >= SURE

    @property
    def settled(self) -> bool:
        """Tell whether it is in doubt which actions led there and nothing else."""
        return self.clear and not self.sure

    @property
    def alike(self) -> tuple[Told[S], ...]:
        """Return the stories, likeliest first, that the rules allow and that lead to the table and
        to the state of the best one."""
        state, table = (self.best.story.state, self.best.table) if self.best else (None, None)
        return tuple(
            told
            for told in self.rivals
            if told.story.state == state and told.table == table and told.story.plain
        )

    @property
    def alike_p(self) -> float:
        """Return the probability of all stories :attr:`alike` together."""
        best = self.best
        return self.p * sum(math.exp(t.score - best.score) for t in self.alike) if best else 0.0

    @property
    def forth(self) -> bool:
        """Tell whether the best story is sure and allowed by the rules (:attr:`lawful`) and takes
        nothing back."""
        return self.best is not None and self.lawful and not self.best.story.back
