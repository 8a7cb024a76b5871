"""How lights move: effects over time as pure functions.

An effect is told apart without colour: by how long it is on, how often, and how it swells.
No effect flashes three times in a second or more, the rate that can do harm (WCAG 2.3.1).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from hardware.lights import EffectName

Floats = NDArray[np.float64]


def _swell(t: Floats, least: float) -> Floats:
    return least + (1 - least) * (0.5 - 0.5 * np.cos(2 * np.pi * t))


def _double(t: Floats) -> Floats:
    return ((t < 0.08) | ((t >= 0.16) & (t < 0.24))).astype(float)


PERIODS: Mapping[str, float] = MappingProxyType(
    {
        "steady": 1.0,
        "pulse": 1.6,
        "blink": 1.0,
        "double": 2.0,
        "wink": 2.0,
        "beat": 2.4,
        "wave": 2.4,
    }
)
"""Seconds after which each effect begins anew."""

SHAPES: Mapping[str, Callable[[Floats], Floats]] = MappingProxyType(
    {
        "steady": np.ones_like,
        "pulse": lambda t: _swell(t, 0.2),
        "blink": lambda t: (t < 0.5).astype(float),
        "double": _double,
        "wink": lambda t: (t >= 0.125).astype(float),
        "beat": lambda t: (t < 1 / 3).astype(float),
        "wave": lambda t: _swell(t, 0.1),
    }
)
"""How bright each effect is, 0 to 1, by how much of its period has passed, 0 to 1."""


def strengths(effect: EffectName, t: float, phases: Floats) -> Floats:
    """Return how bright lights of one effect are at ``t`` seconds, 0 to 1.

    ``phases`` tells how far each is ahead, in periods."""
    return SHAPES[effect]((t / PERIODS[effect] + phases) % 1.0)


def strength(effect: EffectName, t: float, phase: float = 0.0) -> float:
    """Return how bright one light is at ``t`` seconds, 0 to 1."""
    return float(strengths(effect, t, np.array([phase]))[0])
