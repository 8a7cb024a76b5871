"""The cards of our own deck: drawn in millimetres about the card's middle, upright.

A regiment is told by its colour and by its sign, a rank by a large figure or by stars. A code in
two corners names the card to a camera (see :mod:`companion.rules.corner_code`).
"""

from __future__ import annotations

import math

from companion.games.victory_honor.cards import DOWN, FIRST_GENERAL
from companion.games.victory_honor.geometry import CARD_MM
from companion.rules import Drawing, Point, Stroke
from companion.rules.corner_code import code_strokes

WIDTH, HEIGHT = CARD_MM
PAPER, INK, EDGE = "#fbf8ef", "#16161a", "#8d8678"
COLOURS = {
    "red": "#c42032",
    "blue": "#1f56b5",
    "green": "#1d7d45",
    "black": "#26262b",
    "yellow": "#e0a90c",
}

_FIGURE = {
    1: (((-0.25, -0.6), (0.1, -1), (0.1, 1)), ((-0.3, 1), (0.5, 1))),
    2: (((-0.5, -0.65), (-0.3, -0.95), (0.3, -0.95), (0.5, -0.6), (0.45, -0.2), (-0.5, 1),
         (0.55, 1)),),
    3: (((-0.5, -0.95), (0.5, -0.95), (-0.05, -0.15), (0.4, 0.05), (0.5, 0.5), (0.25, 0.95),
         (-0.25, 1), (-0.55, 0.75)),),
    4: (((0.25, 1), (0.25, -1), (-0.55, 0.4), (0.6, 0.4)),),
    5: (((0.5, -0.95), (-0.4, -0.95), (-0.5, -0.1), (0.1, -0.25), (0.5, 0.1), (0.5, 0.6),
         (0.2, 0.95), (-0.25, 1), (-0.55, 0.75)),),
    6: (((0.4, -1), (-0.2, -0.5), (-0.5, 0.1), (-0.45, 0.7), (0, 1), (0.45, 0.75), (0.5, 0.3),
         (0.15, -0.05), (-0.4, 0.1)),),
    7: (((-0.5, -0.95), (0.5, -0.95), (-0.15, 1)),),
}  # fmt: skip
_FIGURE_MM = 21.0


def draw(colours: tuple[str, ...], card: int) -> Drawing:
    """Return the picture of ``card``, of its back if it is ``DOWN``."""
    if card == DOWN:
        return _back()
    colour, rank = divmod(card, 10)
    paint = COLOURS[colours[colour]]
    code = code_strokes(card, WIDTH, HEIGHT, INK)
    strokes = [_rounded(WIDTH, HEIGHT, 4, PAPER, EDGE), *_signs(colour, paint), *code]
    if rank >= FIRST_GENERAL:
        strokes += _stars(rank - FIRST_GENERAL + 1, paint)
    else:
        strokes += _figure(rank + 1, paint)
    return tuple(strokes)


def _rounded(width: float, height: float, radius: float, fill: str, colour: str) -> Stroke:
    points = []
    for quarter, (sx, sy) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        x, y = sx * (width / 2 - radius), sy * (height / 2 - radius)
        for step in range(5):
            angle = math.radians(90 * quarter + 22.5 * step)
            points.append((x + radius * math.cos(angle), y + radius * math.sin(angle)))
    return Stroke(tuple(points), fill, colour, 0.4)


def _back() -> Drawing:
    """Return the back of every card: a plain lattice, the same upside down."""
    strokes = [
        _rounded(WIDTH, HEIGHT, 4, PAPER, EDGE),
        _rounded(WIDTH - 8, HEIGHT - 8, 2, "#5b4a3a", ""),
    ]
    for row in range(-2, 3):
        for column in range(-1, 2):
            x, y = 15.0 * column, 15.0 * row
            strokes.append(_polygon((x, y), 5.5, 4, 0, "#d9c9a8"))
    return tuple(strokes)


def _polygon(centre: Point, radius: float, sides: int, turn: float, fill: str) -> Stroke:
    points = tuple(
        (
            centre[0] + radius * math.sin(math.radians(turn + 360 * k / sides)),
            centre[1] - radius * math.cos(math.radians(turn + 360 * k / sides)),
        )
        for k in range(sides)
    )
    return Stroke(points, fill)


def _signs(colour: int, paint: str) -> Drawing:
    """Return the regiment's sign in the two corners without a code: a triangle, a disc, a square
    or a lozenge, so that nobody has to go by colour alone; and its bands."""
    x, y = WIDTH / 2 - 10, HEIGHT / 2 - 10
    sides, turn = ((3, 0), (20, 0), (4, 45), (4, 0))[colour]
    bands = [
        Stroke(((-10, s * 40.5), (10, s * 40.5), (10, s * 36.5), (-10, s * 36.5)), paint)
        for s in (-1, 1)
    ]
    return (
        _polygon((x, -y), 6, sides, turn, paint),
        _polygon((-x, y), 6, sides, turn + 180, paint),
        *bands,
    )


def _figure(number: int, paint: str) -> Drawing:
    return tuple(
        Stroke(tuple((x * _FIGURE_MM, y * _FIGURE_MM) for x, y in line), "", paint, 7.5, False)
        for line in _FIGURE[number]
    )


def _stars(count: int, paint: str) -> Drawing:
    """Return a general's stars, one under the other, on a shield."""
    shield = ((-19, -24), (19, -24), (19, 14), (0, 29), (-19, 14))
    gap = 15.0
    rows = (-1.0 - gap * (count - 1) / 2 + gap * k for k in range(count))
    return Stroke(shield, paint), *(_star((0, y), 7.5, "#ffffff") for y in rows)


def _star(centre: Point, radius: float, fill: str) -> Stroke:
    points = []
    for k in range(10):
        reach, angle = (radius, 0.42 * radius)[k % 2], math.radians(36 * k)
        points.append((centre[0] + reach * math.sin(angle), centre[1] - reach * math.cos(angle)))
    return Stroke(tuple(points), fill)
