"""How lights move: effects over time as pure functions, and a frame made ready to be drawn often.

An effect is told apart without colour: by how long it is on, how often, and how it swells.
No effect flashes three times in a second or more, the rate that can do harm (WCAG 2.3.1).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from hardware.lights import LightFrame
    from hardware.wiring import Wiring

Floats = NDArray[np.float64]
Levels = NDArray[np.uint8]
"""The colours of a strip's LEDs (n, 3): red, green, blue, 0 to 255."""

EffectName = Literal["steady", "pulse", "blink", "double", "wink", "beat", "wave"]


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


@dataclass(frozen=True, eq=False)
class Animation:
    """A frame of lights on the LEDs of a strip, ready to be drawn at any time.

    ``leds`` are the indexes of lit LEDs, ``colours`` (n, 3) their full light, ``effects`` maps
    each effect in use to the rows that have it, ``phases`` (n,).
    """

    count: int
    leds: NDArray[np.intp]
    colours: Floats
    effects: Mapping[EffectName, NDArray[np.intp]]
    phases: Floats

    def at(self, t: float, share: float = 1.0) -> Levels:
        """Return the strip at ``t`` seconds, every light dimmed to ``share`` of its strength.

        What is on never fades quite away: the least light that an LED can give is kept.
        """
        strong = np.zeros(len(self.leds))
        for effect, rows in self.effects.items():
            strong[rows] = strengths(effect, t, self.phases[rows])
        wanted = self.colours * (strong * share)[:, None]
        shown = np.rint(wanted)
        shown[(shown == 0) & (wanted > 0)] = 1
        strip = np.zeros((self.count, 3), np.uint8)
        strip[self.leds] = shown
        return strip


def animate(frame: LightFrame, wiring: Wiring) -> Animation:
    """Return ``frame`` on the LEDs of ``wiring``. Spots without LED are left out; an LED that
    several spots share shows the first of them, which matters most."""
    leds: dict[int, None] = {}
    colours: list[tuple[int, int, int]] = []
    phases: list[float] = []
    rows: dict[EffectName, list[int]] = {}
    for spot, light in frame.items():
        for index in wiring.leds.get(spot, ()):
            if index in leds:
                continue
            rows.setdefault(light.effect, []).append(len(leds))
            leds[index] = None
            colours.append(light.colour)
            phases.append(light.phase)
    return Animation(
        wiring.count,
        np.array(list(leds), np.intp),
        np.array(colours, float).reshape(-1, 3),
        {effect: np.array(found, np.intp) for effect, found in rows.items()},
        np.array(phases, float),
    )
