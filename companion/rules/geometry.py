"""Where things are: spots with outlines in millimetres, on hexagonal and square grids.

Board frame: the origin is the middle of the board, x points right, y points to the first seat
(the south seat, Black, White in chess), both in millimetres. The same outlines cut camera
patches, place LEDs and draw the board.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

from companion.rules.unknown import unknown_spot

Point = tuple[float, float]


class Spot(NamedTuple):
    """A named place where a token can lie: a cell, a tray, a card position, a dice zone.

    ``shade`` is the printed colour of the place as a CSS colour; ``owner`` the seat that a tray
    belongs to.
    """

    name: str
    centre: Point
    outline: tuple[Point, ...]
    kind: str = "cell"
    shade: str = "#ffffff"
    owner: str | None = None


class Stroke(NamedTuple):
    """A line or a filled area of a printed drawing, in millimetres.

    ``fill`` and ``colour`` are CSS hexadecimal colours or empty; ``width`` is the line's.
    """

    points: tuple[Point, ...]
    fill: str = ""
    colour: str = ""
    width: float = 0.0
    closed: bool = True


Drawing = tuple[Stroke, ...]


NEAR = 0.1
"""Pitches from the middle of a spot within which a way leads over it."""


def disc(radius: float, centre: Point = (0.0, 0.0), corners: int = 48) -> tuple[Point, ...]:
    """Return the outline of a disc, for a :class:`Stroke`; all in millimetres."""
    x, y = centre
    turns = (math.tau * corner / corners for corner in range(corners))
    return tuple((x + radius * math.cos(turn), y + radius * math.sin(turn)) for turn in turns)


@dataclass(frozen=True)
class Board:
    """All spots of a game in play, and what else is printed on the board.

    ``pitch`` is the distance between neighbouring spots' centres in millimetres; ``marks`` are
    lines printed over the spots (walls, coloured edges); ``corners`` are the four outer corners
    of a square board, each named by the spot beside it, else empty. ``token_height`` is how high
    tokens stand in millimetres, 0 for flat ones; ``card_width`` how wide the cards are that lie on
    the spots, 0 where none do.
    """

    spots: Mapping[str, Spot]
    pitch: float
    marks: Drawing = ()
    corners: Mapping[str, Point] = field(default_factory=lambda: MappingProxyType({}))
    token_height: float = 0.0
    card_width: float = 0.0

    def __getitem__(self, name: str) -> Spot:
        """Return the spot called ``name``; raises BadInput where there is none."""
        try:
            return self.spots[name]
        except KeyError:
            raise unknown_spot(name) from None

    def __contains__(self, name: object) -> bool:
        return name in self.spots

    def __iter__(self) -> Iterator[str]:
        return iter(self.spots)

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """Return left, top, right, bottom in millimetres over all outlines."""
        xs = [x for spot in self.spots.values() for x, _ in spot.outline]
        ys = [y for spot in self.spots.values() for _, y in spot.outline]
        return min(xs), min(ys), max(xs), max(ys)

    def nearest(self, point: Point) -> Spot:
        """Return the spot whose centre is nearest to ``point`` (millimetres)."""
        return min(self.spots.values(), key=lambda spot: math.dist(spot.centre, point))

    def at(self, point: Point) -> Spot | None:
        """Return the spot that contains ``point`` (millimetres), or None beside the board."""
        spot = self.nearest(point)
        return spot if inside(point, spot.outline) else None


def inside(point: Point, outline: Iterable[Point]) -> bool:
    """Tell whether ``point`` lies in the polygon, by the even-odd rule."""
    x, y = point
    corners = list(outline)
    result = False
    for (x0, y0), (x1, y1) in zip(corners, corners[1:] + corners[:1], strict=True):
        if (y0 > y) != (y1 > y) and x < x0 + (y - y0) * (x1 - x0) / (y1 - y0):
            result = not result
    return result


def straight_way(board: Board, first: str, last: str) -> tuple[str, ...]:
    """Return the spots of ``board`` that a hand passes between ``first`` and ``last`` where it goes
    straight, in order, without these two: those whose centres it comes near."""
    (x, y), (u, v) = board[first].centre, board[last].centre
    length = math.hypot(u - x, v - y)
    if not length:
        return ()
    along, near = ((u - x) / length, (v - y) / length), NEAR * board.pitch
    passed = []
    for spot in board.spots.values():
        a, b = spot.centre[0] - x, spot.centre[1] - y
        far = a * along[0] + b * along[1]
        if near < far < length - near and abs(b * along[0] - a * along[1]) < near:
            passed.append((far, spot.name))
    return tuple(name for _, name in sorted(passed))


def hex_centre(q: int, r: int, flat_to_flat: float) -> Point:
    """Return the centre of the flat-top hexagon at axial ``(q, r)`` (y down), in millimetres."""
    return q * flat_to_flat * math.sqrt(3) / 2, (r + q / 2) * flat_to_flat


_CORNERS = tuple((math.cos(math.radians(60 * k)), math.sin(math.radians(60 * k))) for k in range(6))


def hex_outline(centre: Point, flat_to_flat: float) -> tuple[Point, ...]:
    """Return the six corners of a flat-top hexagon, from the east corner by way of the south."""
    radius, (x, y) = flat_to_flat / math.sqrt(3), centre
    return tuple((x + radius * cos, y + radius * sin) for cos, sin in _CORNERS)


def column_name(index: int) -> str:
    """Return ``a`` … ``z``, ``aa``, ``ab`` … for 0, 1, 2 …"""
    return chr(97 + index) if index < 26 else "a" + chr(97 + index - 26)


def hex_names(cells: Iterable[tuple[int, int]]) -> dict[tuple[int, int], str]:
    """Name axial cells: a letter for each column from the west, a number from its south end."""
    columns: dict[int, list[int]] = {}
    for q, r in cells:
        columns.setdefault(q, []).append(r)
    west = min(columns)
    return {
        (q, r): f"{column_name(q - west)}{number}"
        for q, rs in sorted(columns.items())
        for number, r in enumerate(sorted(rs, reverse=True), start=1)
    }


def hex_board(
    cells: Mapping[tuple[int, int], str], flat_to_flat: float, marks: Drawing = ()
) -> Board:
    """Build a board of flat-top hexagons from axial cells and their printed shades."""
    names = hex_names(cells)
    spots = {}
    for cell, name in names.items():
        centre = hex_centre(*cell, flat_to_flat)
        spots[name] = Spot(name, centre, hex_outline(centre, flat_to_flat), shade=cells[cell])
    return Board(MappingProxyType(spots), flat_to_flat, marks)


def square_board(
    files: int, rows: int, side: float, shades: tuple[str, str], marks: Drawing = ()
) -> Board:
    """Build a board of squares: ``a1`` is the first seat's left corner and has ``shades[0]``."""
    spots, half = {}, side / 2
    for f in range(files):
        for r in range(rows):
            name = f"{column_name(f)}{r + 1}"
            x, y = (f - (files - 1) / 2) * side, ((rows - 1) / 2 - r) * side
            outline = ((x - half, y - half), (x + half, y - half), (x + half, y + half),
                       (x - half, y + half))  # fmt: skip
            spots[name] = Spot(name, (x, y), outline, shade=shades[(f + r) % 2])
    w, h = files * half, rows * half
    last = column_name(files - 1)
    corners = {
        f"a{rows}": (-w, -h), f"{last}{rows}": (w, -h), f"{last}1": (w, h), "a1": (-w, h),
    }  # fmt: skip
    return Board(MappingProxyType(spots), side, marks, MappingProxyType(corners))
