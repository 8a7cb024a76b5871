"""What a reader of dice on a mat writes down while it reads one picture, so that it can say why."""

from __future__ import annotations

import math
from collections.abc import Sequence

from companion.rules import Action, say
from vision.decoding.reading import Reading
from vision.decoding.trace import (
    Hypothesis,
    Search,
    SpotTrace,
    Trace,
    candidates,
    log_p,
    shares,
    traced,
)
from vision.dice.tray import TrayDie

Weighed = tuple[Sequence[Action], float]
"""What may have happened, and its weight."""


class DiceNotes:
    """The notes on the last picture of one mat. What a die may show has the probability that its
    reading gave it; what that tells has the weight of all dice together, and no other prior."""

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """Begin a new page."""
        self._dice: Sequence[TrayDie] = ()
        self._lay: Sequence[TrayDie] = ()
        self._side = 0.0
        self._stories: Sequence[Weighed] = ()

    def look(self, dice: Sequence[TrayDie], lay: Sequence[TrayDie], side: float) -> None:
        """Write down how the ``dice`` lie, which of them ``lay`` so before, and their side in
        millimetres."""
        self._dice, self._lay, self._side = dice, lay, side

    def weighed(self, stories: Sequence[Weighed]) -> None:
        """Write down what the dice may tell."""
        self._stories = stories

    def trace(self, reading: Reading) -> Trace:
        """Return how ``reading``, that of the last picture, came about."""
        spots = [self._die(number, die) for number, die in enumerate(self._dice, 1)]
        if not self._stories:
            return traced(reading, spots)
        nats = [math.log(max(weight, 1e-300)) for _, weight in self._stories]
        found = [
            Hypothesis(tuple(map(str, actions)), 0.0, round(one, 2), p)
            for (actions, _), one, p in zip(self._stories, nats, shares(nats), strict=True)
        ]
        return traced(reading, spots, [Search(tuple(s.spot for s in spots), tuple(found), "")])

    def _die(self, number: int, die: TrayDie) -> SpotTrace:
        half = self._side / 2
        corners = ((-half, -half), (half, -half), (half, half), (-half, half))
        found: dict[str | None, float] = {f"{c} {v}": log_p(p) for c, v, p in die.likely}
        found = found or {f"{die.colour} {die.value}": 0.0}
        marks = ("doubtful",) * (not die.sure) + ("changed",) * (die not in self._lay)
        return SpotTrace(
            say("die {number} in {zone}", number=number, zone=die.zone or say("no zone")),
            f"{die.colour} {die.value}" if die in self._lay else None,
            candidates(found, None),
            marks,
            tuple((die.x + x, die.y + y) for x, y in corners),
        )
