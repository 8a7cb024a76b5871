"""How the top faces of dice stand off their spots before a camera: learned at the set-up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.rules import Point
from vision.dice.dice import DieReading, Stance


@dataclass(frozen=True, slots=True)
class Lean:
    """How top faces stand off the middles of their spots, as the camera sees them from its side:
    by ``slope`` times the way from ``foot``, the board point under the camera (millimetres).
    ``spacing`` is that of the dice in millimetres, ``astray`` the deviation by which dice lie off
    the middles of their spots, right and down, in millimetres."""

    slope: float
    foot: Point
    spacing: float
    astray: float = 0.0

    def stance(self, centre: Point, width: float, loose: bool = False) -> Stance:
        """Return where a die on the spot round ``centre`` shows its top, in a patch of ``width``
        millimetres; ``loose`` where this is how dice in general lean."""
        x, y = (self.slope * (c - f) / width for c, f in zip(centre, self.foot, strict=True))
        if loose:
            return Stance((x, y), 0.08, 0.22, self.spacing / width, 0.20)
        astray = max(NEATLY, self.astray / width)
        return Stance((x, y), astray, REACH * astray, self.spacing / width, 0.08)


HELD = 0.3, 1.2
"""How far the dice of a table usually are off the common lean: as a part of their height, and in
millimetres, for the board itself is found no better."""
NEATLY, REACH = 0.05, 3.2
"""Least deviation by which dice lie off their spots, in patch widths, and how many deviations off
they are looked for."""
ASKEW = 4.0
"""Square millimetres by which a die lies off its place, times the number of dice that err alike."""


def learn_lean(
    centres: Sequence[Point], readings: Sequence[DieReading], width: float, usual: Lean
) -> Lean | None:
    """Learn from dice on known spots how the top faces lean; None if too few are clear.

    ``width`` is that of the patches in millimetres; ``usual`` is how common dice would lean
    before this camera. The top of a die of height h seen from the height Z lies off by
    h / (Z - h) of its way from the foot of the camera: height and foot are fitted again and again
    without the dice that fit worst, and held to the usual ones, which tells tops from sides.
    """
    clear = [k for k, reading in enumerate(readings) if reading.die * max(reading.faces) > 0.5]
    if len(clear) < 4:
        return None
    way = np.array([centres[k] for k in clear], float) - np.array(usual.foot)
    off = np.array([readings[k].middle for k in clear], float) * width
    sizes = np.array([readings[k].spacing for k in clear]) * width
    # Least squares in slope and shift, held to the usual ones.
    one, none = np.ones(len(way)), np.zeros(len(way))
    rows = np.stack([np.c_[way[:, 0], one, none], np.c_[way[:, 1], none, one]], 1)
    hold = np.diag(ASKEW**0.5 / np.array([HELD[0] * usual.slope, HELD[1], HELD[1]]))
    solved = np.array([usual.slope, 0.0, 0.0])
    held = hold @ solved
    solved[1:] = np.median(off - usual.slope * way, 0)
    for _ in range(5):
        error = np.hypot(*(off - rows @ solved).T)
        keep = error <= max(2.5 * float(np.median(error)), 0.02 * width)
        design = np.concatenate([*rows[keep], hold])
        solved = np.linalg.lstsq(design, np.append(off[keep], held), rcond=None)[0]
    spacing = float(np.median(sizes[keep]))
    slope = max(float(solved[0]), 1e-4)
    x, y = (float(f - c / slope) for f, c in zip(usual.foot, solved[1:], strict=True))
    # Of errors that scatter alike both ways half are within 1.18 deviations.
    error = np.hypot(*(off - rows @ solved).T)
    return Lean(slope, (x, y), spacing, float(np.median(error)) / 1.18)
