"""The board: 24 points on three squares, and beside it a row of nine places for each seat."""

from companion.rules import Board, Point, Spot, Stroke
from companion.rules.geometry import disc

SEATS = ("white", "black")
SIDE_MM = 36.0
RADIUS_MM = 15.0
SHADE = "#cdb583"
"""Of all places: a camera has to see some bare before the first man leaves his row."""
MILLS = (
    ("a7", "d7", "g7"), ("b6", "d6", "f6"), ("c5", "d5", "e5"), ("a4", "b4", "c4"),
    ("e4", "f4", "g4"), ("c3", "d3", "e3"), ("b2", "d2", "f2"), ("a1", "d1", "g1"),
    ("a1", "a4", "a7"), ("b2", "b4", "b6"), ("c3", "c4", "c5"), ("d1", "d2", "d3"),
    ("d5", "d6", "d7"), ("e3", "e4", "e5"), ("f2", "f4", "f6"), ("g1", "g4", "g7"),
)  # fmt: skip
"""The lines of three points."""
POINTS = tuple(sorted({point for line in MILLS for point in line}))
NEXT = {
    point: tuple(
        other
        for line in MILLS
        for one, two in (line[:2], line[1:])
        for other in {one, two} - {point}
        if point in (one, two)
    )
    for point in POINTS
}
"""The points one step along a line away from each."""
STOCK = {seat: tuple(f"{seat}{place}" for place in range(1, 10)) for seat in SEATS}
"""Each seat's places beside the board: for its men before they are placed, and for those it
takes."""


def _centre(spot: str) -> Point:
    if spot in POINTS:
        return (ord(spot[0]) - ord("d")) * SIDE_MM, (4 - int(spot[1])) * SIDE_MM
    return (int(spot[-1]) - 5) * SIDE_MM, (4.25 if spot in STOCK["white"] else -4.25) * SIDE_MM


def _spot(name: str) -> Spot:
    owner = None if name in POINTS else name[:5]
    return Spot(name, _centre(name), disc(RADIUS_MM, _centre(name)), "cell", SHADE, owner)


def _line(one: str, other: str) -> Stroke:
    """Return the line from one point to the next, outside of both: men do not stand on lines, so
    that a place looks alike wherever it is."""
    (x, y), (to_x, to_y) = _centre(one), _centre(other)
    part = RADIUS_MM / (abs(to_x - x) + abs(to_y - y))
    ends = ((x + (to_x - x) * t, y + (to_y - y) * t) for t in (part, 1 - part))
    return Stroke(tuple(ends), "", "#b08d4c", 2.5, False)


BOARD = Board(
    {name: _spot(name) for name in (*POINTS, *STOCK["white"], *STOCK["black"])},
    SIDE_MM,
    tuple(_line(*pair) for a, b, c in MILLS for pair in ((a, b), (b, c))),
)
