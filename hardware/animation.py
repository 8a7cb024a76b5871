"""A frame of lights on a strip, made ready to be drawn often."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hardware.effects import Floats, strengths
from hardware.lights import EffectName, LightFrame
from hardware.wiring import Wiring

Levels = NDArray[np.uint8]
"""The colours of a strip's LEDs (n, 3): red, green, blue, 0 to 255."""


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
