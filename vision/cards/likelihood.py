"""The fitted numbers of the likelihood of cards; where they come from stands beside them."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Fitted:
    """``deviation``: what a point of a card differs from its face by, in parts of white, once the
    light is accounted for; ``quietest`` how much less that may be in a clear picture, squared.
    ``spoilt``: the mean square of that, in squared deviations, from which on a part of a card says
    no more. ``temperature``: the factor on the sum over parts that makes it the logarithm of a
    likelihood. ``other``: the logarithm of how many times as much as the best face its rivals have
    to leave unexplained, beyond what that does, for a picture to be as likely that face as anything
    else, were these as frequent; ``sharpness``: the change of the logarithm of these odds with
    that; ``outline``: by how much they are less where no outline of a card is seen. ``alone``: the
    sum of a rival that stands in where too few faces are known.
    """

    deviation: float
    quietest: float
    spoilt: float
    temperature: float
    other: float
    sharpness: float
    outline: float
    alone: float


def _load() -> Fitted:
    text = Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
    return Fitted(**tomllib.loads(text)["fitted"])


FITTED = _load()
