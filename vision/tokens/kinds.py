"""What bare spots and the men of each side look like, learned from spots that show them.

A look is five numbers (:func:`features`); each body has a normal distribution of them on each shade
of the board. Log-likelihoods are in nats.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Collection

import numpy as np

from vision.board.raster import Floats
from vision.tokens.silhouettes import Mask

BARE = ""
"""The body of a spot on which nothing stands."""
FLOOR = np.array([0.15, 0.05, 0.05, 0.3, 0.25, 0.08], np.float32)
"""Least deviation of each feature within one body: men have a light and a shadowed side, and no two
stand alike."""
UPWARD = np.array([False, False, False, True, True, True])
"""Features of which a bare spot may have less than is usual, for it is even."""
SHADED, SHADOW = 0.2, np.array([0.2, 0.06, 0.06, 0.7, 0.4, 0.08], np.float32)
"""Chance that a shadow lies on a bare spot, and the deviations then; its edge makes it as uneven as
one deviation more."""
ROOM, ODD = 10.0, 0.003
"""Logarithm of the room over which the looks of things unknown are spread, and the chance that a
body looks like that."""
MEMORY, ENOUGH = 40, 4
"""Spots from which each look is learned, the latest ones, and how few are enough."""

Distribution = tuple[Floats, Floats]
"""A normal distribution of features: their means, and their deviations."""


def features(points: Floats, basis: Floats, seen: Mask) -> Floats:
    """Return what tells bare spots and bodies apart: mean lightness, two differences of colour, the
    logarithms of how uneven lightness and colour are, and how bright the brightest part is.
    ``points`` (m, 3) is by how much a spot differs from its bare look, ``basis`` (m, 3) spans
    planes over its points; only those that are ``seen`` count."""
    points, basis = points[seen], basis[seen]
    light = points.mean(1)
    red, green = points[:, 2] - points[:, 0], points[:, 1] - (points[:, 0] + points[:, 2]) / 2
    slope = np.linalg.solve(basis.T @ basis + 1e-6 * np.eye(3), basis.T @ light)
    rough = float((light - basis @ slope).std())
    tint = float(np.abs(red - np.median(red)).mean() + np.abs(green - np.median(green)).mean()) / 2
    uneven = np.log(rough + 0.01), np.log(tint + 0.005)
    bright = np.partition(light, -1 - len(light) // 20)[-1 - len(light) // 20]
    return np.array([light.mean(), red.mean(), green.mean(), *uneven, bright], np.float32)


def distribution_of(every: Collection[Floats]) -> Distribution:
    """Return the distribution of the features of ``every`` spot; a few odd ones do not count."""
    some = np.array(list(every))
    mean = np.median(some, 0)
    return mean, 1.5 * np.median(np.abs(some - mean), 0) + FLOOR


class Kinds:
    """The looks of bare spots and of every body, learned spot by spot."""

    def __init__(self) -> None:
        self._samples: dict[tuple[str, str], deque[Floats]] = defaultdict(
            lambda: deque(maxlen=MEMORY)
        )
        self._fits: dict[tuple[str, str], Distribution] = {}

    @property
    def bodies(self) -> tuple[str, ...]:
        """Return every body that was learned, :data:`BARE` among them."""
        return tuple(dict.fromkeys(body for body, _ in self._samples))

    def learn(self, body: str, shade: str, found: Floats) -> None:
        """Learn that ``body`` shows the features ``found`` on a spot of this ``shade``."""
        self._samples[body, shade].append(found)
        self._fits.clear()

    def nats(
        self, shade: str, found: Collection[Floats], bare: Distribution | None = None
    ) -> dict[str, float]:
        """Return the log-likelihood of each body on a spot of this ``shade`` that may show any of
        the features ``found``, against that of the likeliest body or, if that is likelier, of
        something unknown. ``bare`` is how such a spot looks bare, if that is known better than
        from what was learned."""
        looks = {body: self._fit(body, shade) for body in self.bodies}
        if bare is not None and BARE in looks:
            looks[BARE] = _narrower(bare, looks[BARE])
        nats = {body: max(_fits(body, look, f) for f in found) for body, look in looks.items()}
        most = max(-ROOM, *nats.values())
        return {body: value - most for body, value in nats.items()}

    def _fit(self, body: str, shade: str) -> Distribution:
        if (body, shade) not in self._fits:
            some = list(self._samples.get((body, shade), ()))
            if len(some) < ENOUGH:
                some = [f for (b, _), every in self._samples.items() if b == body for f in every]
            self._fits[body, shade] = distribution_of(some)
        return self._fits[body, shade]


def _narrower(look: Distribution, usual: Distribution) -> Distribution:
    """Return ``look`` as far as it is not beyond the ``usual`` one, as where everything moved."""
    (mean, spread), (middle, most) = look, usual
    return np.clip(mean, middle - most, middle + most), np.minimum(spread, most)


def _fits(body: str, look: Distribution, found: Floats) -> float:
    """Return the log-likelihood of the features ``found`` for a ``body`` of this ``look``, or
    something odd."""
    mean, spread = look
    fits = _normal(found, mean, spread, UPWARD if body == BARE else None)
    if body == BARE:
        lies = mean.copy()
        lies[3] += SHADOW[3]
        dim = _normal(found, lies, np.hypot(SHADOW, spread), UPWARD)
        fits = float(np.logaddexp(np.log(1 - SHADED) + fits, np.log(SHADED) + dim))
    return float(np.logaddexp(fits, np.log(ODD) - ROOM))


def _normal(found: Floats, mean: Floats, spread: Floats, upward: Mask | None) -> float:
    off = (found - mean) / spread
    if upward is not None:
        off = np.where(upward, np.maximum(off, 0), off)
    return float(-0.5 * (off @ off) - np.log(spread * np.sqrt(2 * np.pi)).sum())
