"""The way of King and Queen around the centre (VIC-7.1, VIC-7.2), kept exactly.

The way is ``360 * laps + angle(cell)`` degrees, clockwise from the owner's axis, with the angle
of the cell in (-180, 180]. Only the whole number of laps is stored.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from companion.games.victorus import geometry as g
from companion.games.victorus.pieces import KING, OWNER, SUB
from companion.games.victorus.state import VictorusState

TOLERANCE: Final = 1e-6


def start_laps(code: int, cell: int) -> int:
    """Return the laps of a royal that starts from ``cell``: none, and straight opposite its own
    kingdom the half round still counts as to be gone."""
    opposite = g.angle(cell, OWNER[code]) == 180.0
    return -1 if opposite and SUB[code] == KING else 0


def laps_after(laps: int, place: int, path: tuple[int, ...]) -> int:
    """Return the laps after single steps along ``path`` (cells, the first is the origin)."""
    for here, there in pairwise(path):
        change = g.angle(there, place) - g.angle(here, place)
        laps += (change < -180.0 - TOLERANCE) - (change > 180.0 + TOLERANCE)
    return laps


def way(state: VictorusState, code: int, cell: int) -> float:
    """Return the degrees gone clockwise about the centre by the royal ``code`` on ``cell``."""
    return 360.0 * state.angle_laps(code) + g.angle(cell, OWNER[code])


def is_round(state: VictorusState, code: int, cell: int) -> bool:
    """Tell whether the royal on ``cell``, its own axis, has gone right round in its own sense."""
    gone = way(state, code, cell)
    return (gone if SUB[code] == KING else -gone) >= needed(state) - TOLERANCE


def needed(state: VictorusState) -> float:
    """Return the degrees that make the way round complete."""
    return 360.0 if state.arena.setup["portal"] == "home" else 540.0
