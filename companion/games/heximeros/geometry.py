"""The board of 655 hexagons (HX-1.1 … HX-1.5): cells as small numbers, axes, arms.

Cells are axial coordinates ``(q, r)`` of flat-top hexagons with y down; a cell's number is its
place in the order of the names. Places are the six arms, clockwise from the south (0 … 5).
"""

from __future__ import annotations

from functools import cache
from typing import Final

from companion.rules import Action
from companion.rules.geometry import hex_names

Axial = tuple[int, int]

FLATS: Final[tuple[Axial, ...]] = ((0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1), (1, 0))
"""S, SW, NW, N, NE, SE: clockwise, so that turning the table by a place adds one (HX-1.1)."""
LINES: Final[tuple[Axial, ...]] = tuple(
    (FLATS[d][0] + FLATS[(d + 1) % 6][0], FLATS[d][1] + FLATS[(d + 1) % 6][1]) for d in range(6)
)
"""Line ``d`` runs along the edge between the neighbours ``d`` and ``d + 1`` (HX-1.3)."""


def on_board(q: int, r: int) -> bool:
    """Tell whether ``(q, r)`` is a space: it lies in one of three strips, each 13 files wide, that
    join opposite players (HX-1.1)."""
    s = -q - r
    return (
        (abs(q) <= 6 and abs(r - s) <= 26)
        or (abs(r) <= 6 and abs(s - q) <= 26)
        or (abs(s) <= 6 and abs(q - r) <= 26)
    )


_NAMED: Final = hex_names((q, r) for q in range(-16, 17) for r in range(-16, 17) if on_board(q, r))
AXIAL: Final[tuple[Axial, ...]] = tuple(_NAMED)
NAMES: Final[tuple[str, ...]] = tuple(_NAMED.values())
INDEX: Final[dict[str | None, int]] = {name: i for i, name in enumerate(NAMES)}
NUMBER: Final[dict[Axial, int]] = {cell: i for i, cell in enumerate(AXIAL)}
COUNT: Final = len(AXIAL)
BLOCKER: Final = COUNT
"""A cell number beyond the board, where there always is something that nobody can capture."""
GROUND_ZERO: Final = NUMBER[0, 0]


def rotate(cell: Axial, times: int = 1) -> Axial:
    """Turn ``cell`` about the centre by ``times`` sixths of a circle clockwise: to the next seat
    on the left (HX-1.4)."""
    q, r = cell
    for _ in range(times % 6):
        q, r = -r, q + r
    return q, r


def add(cell: Axial, step: Axial, times: int = 1) -> Axial:
    """Return the coordinates ``times`` steps from ``cell``."""
    return cell[0] + step[0] * times, cell[1] + step[1] * times


def depth(cell: int, place: int) -> int:
    """Return how far ``cell`` is on the side of the arm at ``place``: 26 and 25 its Base Line, 0
    its Center Line, below 0 beyond it (HX-1.4)."""
    q, r = rotate(AXIAL[cell], -place)
    return 2 * r + q


BASE_LINES: Final[tuple[tuple[int, ...], ...]] = tuple(
    tuple(cell for cell in range(COUNT) if depth(cell, place) >= 25) for place in range(6)
)
"""The thirteen cells of each place's Base Line."""
BASE_OF: Final[dict[int, int]] = {
    cell: place for place, cells in enumerate(BASE_LINES) for cell in cells
}
"""From a cell on a Base Line to the place whose it is."""


def voids() -> tuple[Axial, ...]:
    """Return the Out of Bounds: 1 + 2 + 3 spaces in each of six notches (HX-1.2)."""
    return tuple(
        (q, r)
        for q in range(-16, 17)
        for r in range(-16, 17)
        if max(abs(q), abs(r), abs(q + r)) <= 16
        and max(abs(2 * r + q), abs(2 * q + r), abs(q - r)) <= 26
        and not on_board(q, r)
    )


@cache
def ray(cell: int, step: Axial) -> tuple[int, ...]:
    """Return the cells from ``cell`` along ``step`` up to the rim or the Out of Bounds; along a
    line the two spaces beside each edge never matter (HX-1.3)."""
    found = []
    here = add(AXIAL[cell], step)
    while here in NUMBER:
        found.append(NUMBER[here])
        here = add(here, step)
    return tuple(found)


@cache
def heading(origin: int, target: int) -> tuple[Axial, int] | None:
    """Return the step and how many of them lead straight from ``origin`` to ``target``, whether
    or not there are spaces between; None where no axis joins the two."""
    dq, dr = AXIAL[target][0] - AXIAL[origin][0], AXIAL[target][1] - AXIAL[origin][1]
    for q, r in (*FLATS, *LINES):
        n = max(abs(dq), abs(dr)) // max(abs(q), abs(r))
        if n and (q * n, r * n) == (dq, dr):
            return (q, r), n
    return None


@cache
def move_action(origin: int, target: int, detail: str = "") -> Action:
    """Return the one shared action that moves a piece from ``origin`` to ``target``."""
    return Action("move", NAMES[origin], NAMES[target], detail)
