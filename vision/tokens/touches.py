"""Which men somebody touched: nudged, or put another of their colour in their place.

Their spots look different then, other than by light. Log odds are natural logarithms.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from vision.board.raster import Floats, worst
from vision.tokens.bodies import Bodies

QUIET, TOUCHED = 0.005, (8.18, -9.07)
"""The least usual change of men, in logarithms of light; slope and offset of the log odds that a
man was touched, by the logarithm of his spot's change in units of the usual one. Fitted by
`training/fit_men.py` on 24 simulated tables; of those kept out it takes none of 1,080 untouched men
for touched, and misses 5.5 % of those who were nudged or replaced by their like."""
MISSED = 0.055
"""Share of men replaced by their like who look as if nobody had been touched, as above."""
RARE = 20
"""One man in so many is touched between two pictures."""
FEW = 3
"""Men of one body of whom it can be told how much they usually change."""


def touched(change: float) -> float:
    """Return how probable it is that a man was touched whose spot changed by so much, in units of
    the usual ``change`` of his like."""
    odds = TOUCHED[0] * math.log(max(change, 1e-6)) + TOUCHED[1]
    return 1.0 / (1.0 + math.exp(-odds))


def likelier(probability: float, factor: float) -> float:
    """Return a ``probability`` whose odds are greater by this ``factor``."""
    return factor * probability / (1 - probability + factor * probability)


def unlikeness(off: Floats) -> Floats:
    """Return by how much points that are ``off`` (…, m, 3) what they were differ from all of them
    alike, in logarithms of light (…): light changes a whole spot, another man does not."""
    return np.asarray(worst(off - np.median(off, -2, keepdims=True)).mean(-1))


def usual_changes(
    bodies: Bodies, difference: Floats, table: Mapping[str, str]
) -> Mapping[str, float]:
    """Return how much men of each body usually change by ``difference``, a picture's from another:
    dark ones in a dim light do so more. Of fewer than FEW nothing is told that is not so of all."""
    changes = {s: float(unlikeness(bodies.points(difference, s))) for s in table}
    usual = {}
    for body in {bodies.body(token) for token in table.values()}:
        some = [c for s, c in changes.items() if bodies.body(table[s]) == body]
        some = some if len(some) >= FEW else list(changes.values())
        usual[body] = max(QUIET, float(np.median(some)))
    return usual
