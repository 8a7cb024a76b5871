"""Exposure that holds still: found by the camera's own automatic, then fixed, free of flicker.

Lamps on the mains brighten and darken twice in a period of the current: an exposure of whole half
periods sees every time the same light.
"""

from __future__ import annotations

from dataclasses import dataclass

MAINS = (50, 60)
"""Hertz of the world's mains."""


@dataclass(frozen=True, slots=True)
class Exposure:
    """``time`` in microseconds, ``gain`` as a factor."""

    time: float
    gain: float = 1.0

    @property
    def light(self) -> float:
        """Return how bright the picture gets: time x gain."""
        return self.time * self.gain


def without_flicker(found: Exposure, mains: int, most_gain: float, longest: float) -> Exposure:
    """Return the exposure nearest to ``found`` in brightness whose time is whole half periods.

    The time is the longest one that does not exceed ``found``'s, or one half period where the
    gain allows no less; ``longest`` (microseconds) bounds it, ``most_gain`` the gain. In light so
    bright that even half a period at gain 1 were too much, ``found`` is kept.
    """
    half = 500_000 / mains
    if found.light < half:
        return found
    periods = max(1, int(min(found.time, longest) / half + 1e-6))
    while found.light / (periods * half) > most_gain and (periods + 1) * half <= longest:
        periods += 1
    time = periods * half
    return Exposure(time, min(max(found.light / time, 1.0), most_gain))


def settled(found: list[Exposure]) -> bool:
    """Tell whether the automatic has come to rest: four exposures alike in brightness."""
    last = [exposure.light for exposure in found[-4:]]
    return len(last) == 4 and max(last) - min(last) <= 0.03 * max(last)
