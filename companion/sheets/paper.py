"""Papers, and how a sheet is divided into pages that are glued together."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from companion.rules import BadInput, quoted
from companion.sheets.sheet import Box, Sheet, box_of

PAPERS: Mapping[str, tuple[float, float]] = MappingProxyType(
    {
        "a4": (210.0, 297.0),
        "letter": (215.9, 279.4),
        "a3": (297.0, 420.0),
        "tabloid": (279.4, 431.8),
        "a2": (420.0, 594.0),
        "a1": (594.0, 841.0),
        "a0": (841.0, 1189.0),
    }
)
"""Width and height in millimetres, upright."""

MARGIN = 12.0
"""Millimetres round the drawing that stay free: printers leave some, and the ruler lies there."""
OVERLAP = 10.0
"""Millimetres that neighbouring pages have in common, to be glued."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page of a sheet: ``window`` is the part of the sheet that it shows, from the margin on.

    ``row`` and ``column`` count from the upper left; ``glued_right`` and ``glued_below`` tell on
    which sides the next page is glued on.
    """

    width: float
    height: float
    window: Box
    row: int
    column: int
    glued_right: bool
    glued_below: bool

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Return where a point of the sheet lies on the paper."""
        return x - self.window[0] + MARGIN, y - self.window[1] + MARGIN


@dataclass(frozen=True)
class Tiling:
    """How a sheet is divided: ``pages`` without those that would stay empty."""

    rows: int
    columns: int
    pages: tuple[Page, ...]


def paper_size(paper: str) -> tuple[float, float]:
    """Return width and height of a paper, upright, in millimetres.

    Raises:
        BadInput: there is no such paper.
    """
    try:
        return PAPERS[paper.lower()]
    except KeyError:
        raise BadInput(f"there is no paper {quoted(paper)}; choose {', '.join(PAPERS)}") from None


def fitting_scale(sheet: Sheet, paper: str) -> float:
    """Return by how much ``sheet`` has to shrink to lie on one page; 1 if it fits."""
    width, height = paper_size(paper)
    room = (width - 2 * MARGIN, height - 2 * MARGIN)
    upright = min(have / need for have, need in zip(room, sheet.size, strict=True))
    across = min(have / need for have, need in zip(room[::-1], sheet.size, strict=True))
    return min(1.0, max(upright, across))


def divided(sheet: Sheet, paper: str) -> Tiling:
    """Return the pages of ``sheet``, upright or across, whichever takes fewer."""
    width, height = paper_size(paper)
    upright, across = _cut(sheet, width, height), _cut(sheet, height, width)
    return min((upright, across), key=lambda tiling: tiling.rows * tiling.columns)


def _count(length: float, room: float) -> int:
    if length <= room + 1e-6:
        return 1
    return math.ceil((length - OVERLAP - 1e-6) / (room - OVERLAP))


def _cut(sheet: Sheet, width: float, height: float) -> Tiling:
    room_x, room_y = width - 2 * MARGIN, height - 2 * MARGIN
    columns, rows = _count(sheet.size[0], room_x), _count(sheet.size[1], room_y)
    # The drawing lies in the middle of all pages together.
    spare_x = columns * (room_x - OVERLAP) + OVERLAP - sheet.size[0]
    spare_y = rows * (room_y - OVERLAP) + OVERLAP - sheet.size[1]
    left, top = sheet.box[0] - spare_x / 2, sheet.box[1] - spare_y / 2
    boxes = [box_of([stroke]) for stroke in (*sheet.strokes, *sheet.cuts)]
    pages = []
    for row in range(rows):
        for column in range(columns):
            x, y = left + column * (room_x - OVERLAP), top + row * (room_y - OVERLAP)
            window = (x, y, x + room_x, y + room_y)
            if any(meets(box, window) for box in boxes):
                pages.append(
                    Page(width, height, window, row, column, column < columns - 1, row < rows - 1)
                )
    return Tiling(rows, columns, tuple(pages))


def meets(box: Box, window: Box) -> bool:
    """Tell whether two boxes overlap; a line is a box without breadth."""
    across = box[0] <= window[2] and window[0] <= box[2]
    return across and box[1] <= window[3] and window[1] <= box[3]
