"""Pictures for tokens that have none of their own: discs that a camera and people tell apart."""

from __future__ import annotations

import math
from functools import lru_cache
from zlib import crc32

from companion.rules.geometry import Drawing, Point, Stroke, disc

PAPER, INK = "#f2ecdc", "#20242c"
_BODIES = ("#c0392b", "#2d6fb3", "#3d8b4f", "#d6a21e", "#7b4fa3", "#d9722b", "#3aa6a0", "#8a6d52")
_NAMED = {
    "amber": "#e0a526", "black": "#2a2a2e", "blue": "#2d6fb3", "brown": "#7a5230",
    "gold": "#c9a227", "green": "#3d8b4f", "grey": "#8c8f94", "orange": "#d9722b",
    "purple": "#7b4fa3", "red": "#c0392b", "silver": "#b9bcc2", "white": "#f7f4ec",
    "yellow": "#e4c22f",
}  # fmt: skip
RINGS, BEAMS = 2, 8
"""The pattern on a disc: so many rings of so many fields, each filled or not."""
SHARE = 0.36
"""The radius of a disc, as a share of the distance between spots."""


@lru_cache(1024)
def plain_disc(token: str, owner: str, pitch: float) -> Drawing:
    """Return a disc for ``token`` on a board whose spots are ``pitch`` millimetres apart: its rim
    in the colour of its ``owner``, a pattern of its own inside."""
    radius = SHARE * pitch
    body = _NAMED.get(owner) or _BODIES[crc32((owner or token).encode()) % len(_BODIES)]
    bits = crc32(token.encode())
    strokes = [Stroke(disc(radius), body, INK, 0.02 * pitch)]
    strokes.append(Stroke(disc(0.72 * radius), PAPER))
    for ring in range(RINGS):
        inner, outer = 0.72 * radius * ring / RINGS, 0.72 * radius * (ring + 1) / RINGS
        filled = (beam for beam in range(BEAMS) if bits >> (ring * BEAMS + beam) & 1)
        strokes += [Stroke(_field(inner, outer, beam), INK) for beam in filled]
    return tuple(strokes)


def _field(inner: float, outer: float, beam: int) -> tuple[Point, ...]:
    first, last = 360 * beam / BEAMS, 360 * (beam + 1) / BEAMS
    middle = (first + last) / 2
    out = tuple(_on(outer, degrees) for degrees in (first, middle, last))
    return (*out, *(_on(inner, degrees) for degrees in (last, middle, first)))


def _on(radius: float, degrees: float) -> Point:
    angle = math.radians(degrees)
    return radius * math.sin(angle), -radius * math.cos(angle)
