"""LEDs along the rim of a board: one at an end of every line of cells, none under the cells.

A cell shines where all its lines are lit: two on squares, three on hexagons. That takes far fewer
LEDs than one a cell; the price is that several lit cells may light a further one between them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Literal

from companion.rules import BadInput, Board, Point, Spot

Way = Literal["clockwise", "counterclockwise"]
WAYS: tuple[Way, ...] = ("clockwise", "counterclockwise")
End = tuple[Point, tuple[str, ...]]
"""Where the LED of a line of cells lies, and the names of these cells."""
OUTSIDE = 0.85
"""Pitches from the middle of a line's last cell to its LED."""
_NEAR = 0.25
"""Pitches: cells whose middles are closer than this to a line belong to it."""


def rim_leds(
    board: Board, first: int = 0, way: Way = "clockwise", start: str | None = None
) -> tuple[dict[str, tuple[int, ...]], dict[int, Point]]:
    """Return the LEDs of every cell's lines, and where each LED lies, in millimetres.

    The strip runs ``way`` round the board, as seen from above; LED ``first`` is the one nearest
    to the cell ``start``, by default the one after the longest gap.

    Raises:
        BadInput: the board has no cells in lines.
    """
    cells = [spot for spot in board.spots.values() if spot.kind == "cell"]
    if len(cells) < 2 or len(cells[0].outline) not in (4, 6):
        raise BadInput("this board has no lines of cells; light its spots one by one")
    ends = [end for axis in _axes(cells[0]) for end in _ends(cells, axis, board.pitch)]
    begin = None if start is None else board[start].centre
    leds: dict[str, tuple[int, ...]] = {cell.name: () for cell in cells}
    places = {}
    for led, (place, line) in enumerate(_round(ends, way, begin), start=first):
        places[led] = place
        for name in line:
            leds[name] += (led,)
    return leds, places


def _axes(cell: Spot) -> Iterator[Point]:
    """Yield the directions, of length 1, towards the rim in which the lines of cells end in LEDs.

    Cells adjoin through the middles of their edges. On hexagons every second edge is taken: on
    each side of the board then lie the ends of one kind of line, a whole cell apart.
    """
    x, y = cell.centre
    corners = (*cell.outline, cell.outline[0])
    lines = len(cell.outline) // 2
    for number in range(0, 2 * lines, 2) if lines % 2 else range(lines, 2 * lines):
        (a, b), (c, d) = corners[number], corners[number + 1]
        across = ((a + c) / 2 - x, (b + d) / 2 - y)
        length = math.hypot(*across)
        yield across[0] / length, across[1] / length


def _ends(cells: list[Spot], axis: Point, pitch: float) -> Iterator[End]:
    """Yield the end of every line along ``axis``."""
    lines: dict[int, list[tuple[float, Spot]]] = {}
    for cell in cells:
        x, y = cell.centre
        beside = round((axis[0] * y - axis[1] * x) / (_NEAR * pitch))
        lines.setdefault(beside, []).append((axis[0] * x + axis[1] * y, cell))
    for line in lines.values():
        x, y = max(line, key=lambda found: found[0])[1].centre
        place = (x + OUTSIDE * pitch * axis[0], y + OUTSIDE * pitch * axis[1])
        yield place, tuple(cell.name for _, cell in line)


def _round(ends: list[End], way: Way, begin: Point | None) -> list[End]:
    """Return the ends as a strip passes them."""
    turn = 1 if way == "clockwise" else -1
    # y grows towards the near side, so that growing angles run clockwise seen from above.
    ends = sorted(ends, key=lambda end: turn * math.atan2(end[0][1], end[0][0]))
    if begin is None:
        first = max(range(len(ends)), key=lambda n: math.dist(ends[n][0], ends[n - 1][0]))
    else:
        first = min(range(len(ends)), key=lambda n: math.dist(ends[n][0], begin))
    return ends[first:] + ends[:first]
