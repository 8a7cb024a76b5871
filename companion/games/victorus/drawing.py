"""The printed board and the shields, in millimetres."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cache

from companion.games.victorus import geometry as g
from companion.games.victorus.arena import VictorusArena
from companion.games.victorus.lines import EDGE_LINES
from companion.games.victorus.pieces import FACES, FROZEN, PIECES, TITLE, Piece
from companion.rules import Board, Drawing, Stroke, disc, unknown_token
from companion.rules.geometry import Point, hex_board, hex_centre, hex_outline

PITCH = 36.0
"""A cell's size flat to flat (VIC-2.1)."""
SHADES = ("#f4f1e6", "#b9bab5")
DYES = {"red": "#c0242b", "black": "#2b2b2e", "orange": "#e8862a",
        "purple": "#6f3b8f", "blue": "#2358b0", "green": "#2c8446"}  # fmt: skip
WHITE, BLACK, GOLD, DARK = "#ffffff", "#000000", "#e9c15a", "#3a2c10"


@cache
def board(arena: VictorusArena) -> Board:
    """Return the 181 hexagons with coloured edges, walls and portals (VIC-2.2 … VIC-2.6)."""
    shades = {
        cell: SHADES[arena.shade[number]] if number != g.CENTRE else WHITE
        for number, cell in enumerate(g.AXIAL)
    }
    return hex_board(shades, PITCH, (*_edges(arena), *_walls(arena), *_portals(arena)))


@cache
def _outline(cell: int) -> tuple[Point, tuple[Point, ...]]:
    """Return the centre and the corners of ``cell``."""
    centre = hex_centre(*g.AXIAL[cell], PITCH)
    return centre, hex_outline(centre, PITCH)


def _side(cell: int, d: int, scale: float = 1.0) -> tuple[Point, Point]:
    """Return the two ends of the edge of ``cell`` that faces direction ``d``, drawn in by
    ``scale`` toward its centre."""
    (x, y), corners = _outline(cell)
    one, two = corners[(d + 4) % 6], corners[(d + 5) % 6]
    return (
        (x + (one[0] - x) * scale, y + (one[1] - y) * scale),
        (x + (two[0] - x) * scale, y + (two[1] - y) * scale),
    )


def _edges(arena: VictorusArena) -> Iterable[Stroke]:
    """A seat's colour is on the edge that faces away from it, or toward it (VIC-2.6)."""
    turn = 0 if arena.setup["edge"] == "away" else 3
    for cell in range(g.COUNT):
        if cell != g.CENTRE:
            for place, colour in enumerate(arena.colours):
                ends = _side(cell, (place + turn) % 6, 0.93)
                yield Stroke(ends, colour=DYES[colour], width=1.0, closed=False)


def _walls(arena: VictorusArena) -> Iterable[Stroke]:
    for pair in sorted(map(sorted, g.walls(arena.setup["corner"]))):
        found = g.heading(pair[0], pair[1])
        assert found is not None, "a wall stands between neighbours"
        (x, y), (u, v) = _side(pair[0], found[1])
        # Somewhat longer than the side: two walls that meet leave no notch.
        a, b = 0.042 * (u - x), 0.042 * (v - y)
        ends = (x - a, y - b), (u + a, v + b)
        yield Stroke(ends, colour="#1d1d1d", width=3.0, closed=False)


def _portals(arena: VictorusArena) -> Iterable[Stroke]:
    turn = 3 if arena.setup["portal"] == "home" else 0
    for place, colour in enumerate(arena.colours):
        ends = _side(g.CENTRE, (place + turn) % 6, 0.96)
        yield Stroke(((0.0, 0.0), *ends), fill=DYES[colour], colour=WHITE, width=0.5)


# -- shields -------------------------------------------------------------------------------


def draw(arena: VictorusArena, token: str) -> Drawing:
    """Return the shield of ``token``, upright for its owner, half round if it is frozen.

    Raises:
        BadInput: no such token.
    """
    name = token.removesuffix(FROZEN)
    colour, _, face = name.partition(" ")
    if colour not in arena.colours or face not in FACES:
        raise unknown_token(token, TITLE)
    turn = 60.0 * arena.colours.index(colour) + (180.0 if token.endswith(FROZEN) else 0.0)
    return tuple(_turned(stroke, turn) for stroke in shield(colour, PIECES[FACES[face]]))


def _turned(stroke: Stroke, degrees: float) -> Stroke:
    """Turn a stroke clockwise about the middle."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    points = tuple((x * cos - y * sin, x * sin + y * cos) for x, y in stroke.points)
    return Stroke(points, stroke.fill, stroke.colour, stroke.width, stroke.closed)


_RIGHT: tuple[Point, ...] = ((0.0, -12.0), (11.0, -12.0), *disc(11.0, (0.0, 2.0))[:13])
_LEFT: tuple[Point, ...] = tuple((-x, y) for x, y in _RIGHT)
OUTLINE: tuple[Point, ...] = (*_RIGHT, *reversed(_LEFT[1:-1]))
"""A straight top edge and a U-shaped bottom (VIC-1.2)."""


def shield(colour: str, piece: Piece) -> list[Stroke]:
    """Return the shield for the south seat: body, lines of movement, back or front, edge."""
    body = [Stroke(OUTLINE, fill=DYES[colour])]
    edge = {0: (WHITE, WHITE), 1: (BLACK, BLACK), None: (WHITE, BLACK)}[piece.edge]
    rim = [Stroke(half, colour=dye, width=2.4, closed=False)
           for half, dye in zip((_LEFT, _RIGHT), edge, strict=True)]  # fmt: skip
    crest = _head(piece) if piece.royal or piece.kind in "KQ" else []
    return [*body, *_lines(piece.kind), *crest, *rim]


def _bar(degrees: float, width: float) -> Stroke:
    x, y = 9.0 * math.cos(math.radians(degrees)), 9.0 * math.sin(math.radians(degrees))
    return Stroke(((-x, -y - 1.0), (x, y - 1.0)), colour=WHITE, width=width, closed=False)


def _lines(kind: str) -> Sequence[Stroke]:
    """Thick bars for moves across edges, thin ones for moves along spokes (VIC-1.2)."""
    if kind == "H":
        return [
            Stroke(((x - 3.0, y - 3.0), (x + 3.0, y - 3.0), (x + 3.0, y + 3.0), (x - 3.0, y + 3.0)),
                   fill=WHITE)
            for x, y in ((-5.5, -6.5), (4.0, 4.0))
        ]  # fmt: skip
    bars = [] if kind == "U" else [_bar(0.0, 1.0)]
    if kind == "B":
        bars += [_bar(60.0, 1.0), _bar(-60.0, 1.0)]
    if 0 in EDGE_LINES[kind]:
        bars.append(_bar(90.0, 3.0))
    if 1 in EDGE_LINES[kind]:
        bars += [_bar(45.0, 3.0), _bar(-45.0, 3.0)]
    return bars


def _head(piece: Piece) -> list[Stroke]:
    """A lion's head for a royal knight, with wings for the King, without mane for the Queen."""
    mane = Stroke(disc(6.0, (0.0, -1.0)), fill=DARK, colour=GOLD, width=0.8)
    face = Stroke(disc(3.8, (0.0, -1.0)), fill=GOLD)
    wings = [
        Stroke(((4.0 * s, -1.0), (9.5 * s, -9.0), (9.0 * s, 2.0), (4.0 * s, 3.0)),
               fill=GOLD, colour=DARK, width=0.6)
        for s in (-1, 1)
    ]  # fmt: skip
    ears = [
        Stroke(((1.5 * s, -3.0), (4.5 * s, -7.5), (5.0 * s, -2.0)), fill=GOLD, colour=DARK,
               width=0.6)
        for s in (-1, 1)
    ]  # fmt: skip
    if piece.kind == "K":
        return [*wings, mane, face]
    if piece.kind == "Q":
        return [*ears, Stroke(disc(5.0, (0.0, -1.0)), fill=GOLD, colour=DARK, width=0.6)]
    return [mane, face]
