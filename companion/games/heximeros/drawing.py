"""The printed board and the pieces, in millimetres. The shapes are the companion's own."""

from __future__ import annotations

import math
from functools import cache
from types import MappingProxyType

from companion.games.heximeros import geometry as g
from companion.games.heximeros.arena import HexiMerosArena
from companion.games.heximeros.pieces import COLOURS, DONE, TITLE, TOKEN_NAME
from companion.rules import Board, Drawing, Spot, Stroke, disc, unknown_token
from companion.rules.geometry import Point, hex_board, hex_centre, hex_outline

PITCH = 26.0
"""A space's size flat to flat."""
WHITE, GREY, GOLD, VOID, INK = "#f5f3ea", "#c3c5c4", "#e0b13c", "#3b3f45", "#15171a"
FELT, BAND = "#7a3aa0", "#f7f0ff"
"""A hat from above: no army has its colours, so that a camera knows the first one it sees."""
DYES = {"silver": "#aeb4bb", "blue": "#2456a8", "yellow": "#e6c229",
        "orange": "#e07b1f", "green": "#2b8545", "red": "#b7222b"}  # fmt: skip
TRIM = {"silver": INK, "yellow": INK, "orange": INK,
        "blue": "#ffffff", "green": "#ffffff", "red": "#ffffff"}  # fmt: skip
"""The colour of a piece's sign, for contrast with its body."""


@cache
def board(arena: HexiMerosArena) -> Board:
    """Return the 655 hexagons: one line class grey, Ground Zero gold, the Base Lines edged in
    their colours, the Out of Bounds dark (HX-1.1 … HX-1.4)."""
    shades = {(q, r): (WHITE, GREY, WHITE)[(q - r) % 3] for q, r in g.AXIAL}
    shades[0, 0] = GOLD
    plain = hex_board(shades, PITCH, (*_voids(), *_edges(arena)))
    if not arena.seen:
        return plain
    spots = {**plain.spots, **{spot.name: spot for spot in _token_places(arena)}}
    return Board(MappingProxyType(spots), PITCH, plain.marks)


def _voids() -> Drawing:
    return tuple(
        Stroke(hex_outline(hex_centre(*cell, PITCH), PITCH), fill=VOID) for cell in g.voids()
    )


def _edges(arena: HexiMerosArena) -> Drawing:
    strokes = []
    for colour, cells in zip(COLOURS, arena.base_lines, strict=True):
        for cell in cells:
            outline = hex_outline(hex_centre(*g.AXIAL[cell], PITCH), PITCH * 0.92)
            strokes.append(Stroke(outline, colour=DYES[colour], width=1.2))
    return tuple(strokes)


def _token_places(arena: HexiMerosArena) -> list[Spot]:
    """Return the marked places of the Token, one behind each Base Line (HX-3.1)."""
    found = []
    for name, colour, place in zip(arena.tokens, COLOURS, arena.places, strict=True):
        centre = hex_centre(*g.rotate((0, 15), place), PITCH)
        found.append(Spot(name, centre, hex_outline(centre, PITCH), "tray", VOID, colour))
    return found


# -- pieces ----------------------------------------------------------------------------------------


def draw(arena: HexiMerosArena, token: str) -> Drawing:
    """Return the picture of ``token``, upright for its owner.

    Raises:
        BadInput: no such token.
    """
    if token == TOKEN_NAME:
        return (Stroke(disc(7.0), fill=GOLD, colour=INK, width=1.4),
                Stroke(_star(5.0, 2.0, 6), fill=INK))  # fmt: skip
    colour, _, kind = token.partition(" ")
    if colour not in COLOURS or kind not in DONE:
        raise unknown_token(token, TITLE)
    turn = 60.0 * arena.places[COLOURS.index(colour)]
    dye, trim = DYES[colour], TRIM[colour]
    body = Stroke(disc(10.2), fill=dye, colour=INK, width=0.8)
    if kind in ("M", "M+"):
        body = Stroke(disc(8.2), fill=dye, colour=INK, width=0.8)
    return tuple(_turned(stroke, turn) for stroke in (body, *_signs(kind, dye, trim)))


def _turned(stroke: Stroke, degrees: float) -> Stroke:
    """Turn a stroke clockwise about the middle."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    points = tuple((x * cos - y * sin, x * sin + y * cos) for x, y in stroke.points)
    return Stroke(points, stroke.fill, stroke.colour, stroke.width, stroke.closed)


def _star(outer: float, inner: float, points: int) -> tuple[Point, ...]:
    radii = (outer, inner)
    turns = ((radii[i % 2], math.pi * i / points) for i in range(2 * points))
    return tuple((radius * math.sin(turn), -radius * math.cos(turn)) for radius, turn in turns)


def _signs(kind: str, dye: str, trim: str) -> Drawing:
    """Return what tells one kind from the others, pointing away from its owner."""

    def line(*points: Point, width: float = 1.8) -> Stroke:
        return Stroke(points, colour=trim, width=width, closed=False)

    def area(*points: Point) -> Stroke:
        return Stroke(points, fill=trim)

    hat = (
        Stroke(disc(10.4), fill=FELT, colour=INK, width=0.8),
        Stroke(disc(7.4), fill=dye),
        Stroke(disc(5.6), fill=BAND),
        Stroke(((0, -3.6), (2.4, 1.6), (-2.4, 1.6)), fill=FELT),
    )
    signs: dict[str, Drawing] = {
        "M": (area((0, -4.6), (3.4, 3.2), (-3.4, 3.2)),),
        "M+": hat,
        "Al": (area((-6, 6), (6, 6), (6, -6), (3, -6), (3, -3), (1.4, -3), (1.4, -6), (-1.4, -6),
                    (-1.4, -3), (-3, -3), (-3, -6), (-6, -6)),),
        "Ar": (line((-5.4, 5), (0, -7), (5.4, 5)), line((-5.4, 5), (5.4, 5), width=1.0),
               line((0, 7), (0, -2), width=1.4)),
        "C": (line((-6, 6), (-6, -6), (2, -6), (6, -1), (1.5, 0.5), (4, 6), width=2.4),),
        "D": (area((-7, -2), (7, -2), (4.5, 5), (-4.5, 5)), line((-4, -2), (-4, -7), width=2.0),
              line((0, -2), (0, -7), width=2.0), line((4, -2), (4, -7), width=2.0)),
        "P": (line((0, -7.4), (0, 7.4), width=2.6), line((-5, -2.4), (5, -2.4), width=2.6)),
        "As": (line((-6, -6), (6, 6), width=2.0), line((6, -6), (-6, 6), width=2.0),
               Stroke(disc(2.6), fill=dye, colour=trim, width=1.2)),
        "S": (area((-7, 5.5), (-7, -5), (-3.4, 0), (0, -7), (3.4, 0), (7, -5), (7, 5.5)),),
        "R": (area(*_star(8.0, 3.2, 6)), Stroke(disc(2.0), fill=dye)),
    }  # fmt: skip
    return signs[kind]
