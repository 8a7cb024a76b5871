"""The board of 181 hexagons (VIC-2.1 … 2.7): cells as small numbers, colours, kingdoms, walls.

Cells are axial coordinates ``(q, r)`` of flat-top hexagons with y down; a cell's number is its
place in the order of the names (column from the west, then from the south end upward).
"""

from __future__ import annotations

import math
from functools import cache
from typing import Final

from companion.rules import Action
from companion.rules.geometry import hex_names

Axial = tuple[int, int]

EDGE_STEPS: Final[tuple[Axial, ...]] = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
"""N, NE, SE, S, SW, NW: clockwise, so that turning the table by a seat adds one."""
SPOKE_STEPS: Final[tuple[Axial, ...]] = tuple(
    (EDGE_STEPS[d][0] + EDGE_STEPS[(d + 1) % 6][0], EDGE_STEPS[d][1] + EDGE_STEPS[(d + 1) % 6][1])
    for d in range(6)
)
"""Spoke ``d`` runs between the neighbours ``d`` and ``d + 1``."""


def _diff(q: int, r: int) -> int:
    s = -q - r
    return max(abs(q - r), abs(r - s), abs(s - q))


def ring_of(cell: Axial) -> int:
    """Return the number of the concentric ring around the centre (VIC-2.2)."""
    q, r = cell
    return max(abs(q), abs(r), abs(q + r))


def rotate(cell: Axial, times: int = 1) -> Axial:
    """Turn ``cell`` about the centre by ``times`` sixths of a circle clockwise (VIC-2.3)."""
    q, r = cell
    for _ in range(times % 6):
        q, r = -r, q + r
    return q, r


_NAMED: Final = hex_names((q, r) for q in range(-9, 10) for r in range(-9, 10) if _diff(q, r) <= 13)
AXIAL: Final[tuple[Axial, ...]] = tuple(_NAMED)
NAMES: Final[tuple[str, ...]] = tuple(_NAMED.values())
INDEX: Final[dict[str | None, int]] = {name: i for i, name in enumerate(NAMES)}
NUMBER: Final[dict[Axial, int]] = {cell: i for i, cell in enumerate(AXIAL)}
COUNT: Final = len(AXIAL)
CENTRE: Final = NUMBER[0, 0]
BLOCKER: Final = COUNT
VACANT: Final = COUNT + 1
"""Two numbers beyond the cells: the board always holds a blocker there, and never anything."""
SIZE: Final = COUNT + 2
BATTLEFIELD: Final = 6
MIDDLE: Final = 7
"""What :func:`kingdoms` calls cells that lie in none."""

_SOUTH: Final = {13: (-3, -1, 1, 3), 12: (-2, 0, 2), 11: (-3, -1, 1, 3)}


def south_kingdom(corner: str) -> tuple[Axial, ...]:
    """Return the twelve cells of the south seat's kingdom, row by row from the rim, west first."""
    cells = []
    for height, columns in _SOUTH.items():
        extra = () if height != 12 else (4,) if corner == "right" else (-4,)
        cells += [(q, (height - q) // 2) for q in sorted((*columns, *extra))]
    return tuple(cells)


@cache
def kingdoms(corner: str) -> bytes:
    """Return for each cell the place whose kingdom it is, BATTLEFIELD or MIDDLE."""
    land = bytearray([BATTLEFIELD] * SIZE)
    land[CENTRE] = MIDDLE
    for place in range(6):
        for cell in south_kingdom(corner):
            land[NUMBER[rotate(cell, place)]] = place
    return bytes(land)


@cache
def colours(ring1: str) -> bytes:
    """Return for each cell 0 for white, 1 for grey; ``ring1`` is the innermost ring's colour."""
    odd = 0 if ring1 == "white" else 1
    return bytes((odd if ring_of(cell) % 2 else 1 - odd) for cell in AXIAL) + bytes(2)


def _wall(corner: str) -> tuple[tuple[Axial, Axial], ...]:
    """Return the three wall edges between the south kingdom and the one to its right."""
    if corner == "right":
        return ((4, 3), (3, 4)), ((4, 3), (4, 4)), ((5, 3), (4, 4))
    return ((4, 3), (3, 4)), ((4, 4), (3, 4)), ((4, 4), (3, 5))


@cache
def walls(corner: str) -> dict[frozenset[int], tuple[int, int]]:
    """Return the 18 wall edges as pairs of cells, each with the two places it keeps apart."""
    return {
        frozenset((NUMBER[rotate(a, place)], NUMBER[rotate(b, place)])): ((place - 1) % 6, place)
        for place in range(6)
        for a, b in _wall(corner)
    }


def neighbour(cell: int, step: Axial) -> int | None:
    """Return the cell one ``step`` from ``cell``, None beyond the rim."""
    q, r = AXIAL[cell]
    return NUMBER.get((q + step[0], r + step[1]))


def distance(one: int, other: int) -> int:
    """Return how many cell steps lie between two cells."""
    (q, r), (u, v) = AXIAL[one], AXIAL[other]
    return ring_of((q - u, r - v))


@cache
def heading(origin: int, target: int) -> tuple[bool, int, int] | None:
    """Return (along a spoke?, direction 0 … 5, steps) from ``origin`` straight to ``target``.

    None where no line of the game joins the two.
    """
    dq, dr = AXIAL[target][0] - AXIAL[origin][0], AXIAL[target][1] - AXIAL[origin][1]
    for spoke, steps in ((False, EDGE_STEPS), (True, SPOKE_STEPS)):
        for d, (q, r) in enumerate(steps):
            n = max(abs(dq), abs(dr)) // max(abs(q), abs(r))
            if n and (q * n, r * n) == (dq, dr):
                return spoke, d, n
    return None


@cache
def track(origin: int, target: int) -> tuple[int, ...]:
    """Return the cells from ``origin`` to ``target`` along their line, both ends included;
    the centre may be among them. The two must be in line."""
    found = heading(origin, target)
    assert found is not None, "only cells in line have a track"
    spoke, d, n = found
    q, r = (SPOKE_STEPS if spoke else EDGE_STEPS)[d]
    u, v = AXIAL[origin]
    return tuple(NUMBER[u + q * i, v + r * i] for i in range(n + 1))


def flanks(cell: int, d: int) -> tuple[int | None, int | None]:
    """Return the two cells between which spoke ``d`` leaves ``cell``; None beyond the rim."""
    return neighbour(cell, EDGE_STEPS[d]), neighbour(cell, EDGE_STEPS[(d + 1) % 6])


@cache
def angle(cell: int, place: int) -> float:
    """Return the angle of ``cell`` about the centre, clockwise from the axis of the seat at
    ``place``, in degrees from -180 up to and including 180 (VIC-7.2)."""
    q, r = rotate(AXIAL[cell], -place)
    x, y = q * math.sqrt(3) / 2, r + q / 2
    turn = math.degrees(math.atan2(-x, y))
    return 180.0 if math.isclose(turn, -180.0) else turn


@cache
def move_action(origin: int, target: int) -> Action:
    """Return the one shared action that moves a piece from ``origin`` to ``target``."""
    return Action("move", NAMES[origin], NAMES[target])
