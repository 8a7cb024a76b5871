"""A game whose tokens are painted with other art: whoever reads them may not rely on the art."""

from __future__ import annotations

import math
import random
from typing import Any

from companion.rules import Drawing, Game, Setup, Stroke
from tests.checks.carved import CARVED, carved

STYLES = ("own", "shapes", "pale", "letters", "photos", "round")
"""The game's own art; bold shapes; low contrast; letters on one colour; busy patches like a
photograph's; round tokens that differ in small marks."""


def repainted(game: Game[Any], style: str) -> Game[Any]:
    """Return ``game`` with every token's picture exchanged.

    Each face gets its own drawing, the same at every seat; a token keeps how far it is turned.
    """
    if style == "own":
        return game
    if style == CARVED:
        return carved(game)
    kind = type(game)

    def draw(self: Game[Any], setup: Setup, token: str) -> Drawing:
        look = self.look(token)
        own = kind.draw(self, setup, look.face)  # type: ignore[arg-type]
        reach = max(math.hypot(x, y) for stroke in own for x, y in stroke.points)
        seats = setup.seats if setup.seats else ("all",)
        seat = next((s for s in self.seats if look.face.startswith(s)), seats[0])
        turn = (look.turn or 0.0) + 60.0 * self.seats.index(seat) if seat in self.seats else 0.0
        return _turned(_paint(style, look.face, seat, 0.92 * reach), turn)

    return type(f"Repainted{kind.__name__}", (kind,), {"draw": draw})()


def _paint(style: str, face: str, seat: str, reach: float) -> Drawing:
    chance = random.Random(f"{style} {face}")
    of_seat = random.Random(f"{style} {seat}")
    body = _colour(of_seat, 40, 215)
    if style == "shapes":
        marks = [_blob(chance, reach, _colour(chance, 0, 256)) for _ in range(3)]
        return (_ring(reach * 0.9, body, 6), *marks)
    if style == "pale":
        light = tuple(min(255, v // 3 + 150) for v in body)
        marks = [_blob(chance, reach, _near(chance, light, 40)) for _ in range(2)]
        return (_ring(reach * 0.85, light, 30), *marks)
    if style == "letters":
        return (_ring(reach * 0.85, body, 4), *_letter(chance, reach, _against(body)))
    if style == "photos":
        marks = [_blob(chance, reach, _near(chance, body, 90), 0.35) for _ in range(14)]
        return (_ring(reach * 0.9, body, 8), *marks)
    spot = (reach * 0.4 * math.cos(len(face)), reach * 0.4 * math.sin(len(face)))
    marks = [_blob(chance, reach, _against(body), 0.3) for _ in range(3)]
    return (_ring(reach * 0.8, body, 30), *marks, _ring(reach * 0.12, _against(body), 12, spot))


Colour = tuple[int, ...]


def _colour(chance: random.Random, low: int, high: int) -> Colour:
    return tuple(chance.randrange(low, high) for _ in range(3))


def _near(chance: random.Random, colour: Colour, reach: int) -> Colour:
    return tuple(min(255, max(0, v + chance.randint(-reach, reach))) for v in colour)


def _against(colour: Colour) -> Colour:
    return (245, 245, 240) if sum(colour) < 380 else (20, 20, 25)


def _css(colour: Colour) -> str:
    return "#" + bytes(colour).hex()


def _ring(
    radius: float, colour: Colour, sides: int, middle: tuple[float, float] = (0.0, 0.0)
) -> Stroke:
    turns = [2 * math.pi * (k + 0.5) / sides for k in range(sides)]
    points = tuple(
        (middle[0] + radius * math.cos(t), middle[1] + radius * math.sin(t)) for t in turns
    )
    return Stroke(points, fill=_css(colour))


def _blob(chance: random.Random, reach: float, colour: Colour, size: float = 0.5) -> Stroke:
    """Return a random triangle to hexagon that stays inside the token."""
    radius = reach * size * chance.uniform(0.5, 1.0)
    far, way = (reach * 0.75 - radius) * chance.random(), chance.uniform(0, 2 * math.pi)
    x, y = far * math.cos(way), far * math.sin(way)
    count, start = chance.randint(3, 6), chance.uniform(0, 2 * math.pi)
    turns = [start + 2 * math.pi * k / count for k in range(count)]
    points = tuple((x + radius * math.cos(t), y + radius * math.sin(t)) for t in turns)
    return Stroke(points, fill=_css(colour))


def _letter(chance: random.Random, reach: float, colour: Colour) -> list[Stroke]:
    """Return strokes between the knots of a grid: something like a letter or a rune."""
    step = reach * 0.42
    knots = [(step * x, step * y) for x in (-1, 0, 1) for y in (-1, 0, 1)]
    at, strokes = chance.choice(knots), []
    for _ in range(4):
        near = [k for k in knots if 0 < math.dist(k, at) < 1.5 * step]
        to = chance.choice(near)
        strokes.append(Stroke((at, to), colour=_css(colour), width=reach * 0.14, closed=False))
        at = to
    return strokes


def _turned(drawing: Drawing, degrees: float) -> Drawing:
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return tuple(
        Stroke(
            tuple((x * cos - y * sin, x * sin + y * cos) for x, y in stroke.points),
            stroke.fill,
            stroke.colour,
            stroke.width,
            stroke.closed,
        )
        for stroke in drawing
    )
