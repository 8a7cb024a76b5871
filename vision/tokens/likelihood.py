"""Errors as log-likelihoods: where what an eye measured becomes what is reckoned with."""

from __future__ import annotations

import math

SHARP = 40.0
"""Nats that a whole unit of error costs. Measured errors of right faces scatter by about 0.03."""
SLIGHT, AT_ONCE = 5.0, 0.05
"""Further nats that already a small error costs, and the error by which 63 % of them are due. Right
faces mostly leave less, and a pale token that came or went changes little more."""


ODD = -16.0
"""Nats of a spot that shows what no token explains: a glare, dirt, a finger. No picture of a spot
speaks more strongly against anything."""


def log_likelihood(error: float) -> float:
    """Return the log-likelihood, in nats, of a picture of a spot in which a token leaves ``error``
    (:meth:`vision.tokens.eye.Seen.error`): 0 for a perfect fit, about :data:`ODD` for a
    plain contradiction.

    It is not normalised and was not fitted: only differences between tokens on one spot say
    anything.
    """
    fits = -(SHARP * min(error, 1.0) + SLIGHT * (1.0 - math.exp(-error / AT_ONCE)))
    return ODD + math.log1p(math.exp(fits - ODD))
