"""What is drawn on the box of a game: its board as it stands at the start, small enough for a shelf
of many boxes. All of it is the game's own drawing."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import pairwise
from typing import Any

from markupsafe import Markup, escape

from companion.rules import Board, Drawing, Game, Point, Prop, Setup, picture_of, props_of
from web.drawing import number

SIZE = 240.0
"""Units of the longer side of a cover."""
_LEAST_LINE = 0.5
"""Units: what is printed thinner than this is not seen on a cover."""
_LEAST_AREA = 0.03
"""Areas of a token's picture that are smaller, in squares of a pitch, are not seen either; of each
token the largest is."""
_CORNERS = 12

_Layer = tuple[int, str, str]


def cover(game: Game[Any], setup: Setup) -> Markup:
    """Return the board of ``game`` and what stands on it at the start as the inside of an SVG
    element of :data:`SIZE` units; see :func:`framed`."""
    return _drawn(game, setup.seats, tuple(sorted(setup.options.items())))


def framed(inside: Markup) -> Markup:
    """Return a cover as an SVG file."""
    return Markup('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {0}">{1}</svg>').format(
        number(SIZE), inside
    )


@lru_cache(256)
def _drawn(game: Game[Any], seats: tuple[str, ...], options: tuple[tuple[str, str], ...]) -> Markup:
    setup = Setup(seats, dict(options))
    board = game.board(setup)
    left, top, right, bottom = board.bounds
    scale = SIZE / max(right - left, bottom - top)
    shift = ((SIZE / scale - left - right) / 2, (SIZE / scale - top - bottom) / 2)

    def place(outline: Iterable[Point], at: Point = (0.0, 0.0)) -> str:
        x0, y0 = shift[0] + at[0], shift[1] + at[1]
        return _path([((x + x0) * scale, (y + y0) * scale) for x, y in outline])

    shades: dict[str, list[str]] = {}
    for spot in board.spots.values():
        shades.setdefault(spot.shade, []).append(place(spot.outline))
    parts = [
        f'<path d="{"".join(paths)}" fill="{escape(shade)}" stroke="#0005" stroke-width=".6"/>'
        for shade, paths in shades.items()
    ]
    parts += _marks(board, scale, place)
    state = game.start(setup)
    lying = [(0, Prop(board[spot].centre, token)) for spot, token in game.expect(state).items()]
    # What lies beside spots may lie upon its like, such as the cards of a hand.
    lying += [(over, prop) for over, prop in enumerate(props_of(game, state), 1) if prop.token]
    tokens = {prop.token for _, prop in lying}
    pictures = {token: picture_of(game, setup, token) for token in tokens}
    layers: dict[tuple[int, int, str, str], list[str]] = {}
    for over, prop in lying:
        for layer, outline in _areas(pictures[prop.token], board.pitch):
            path = place(_turned(outline, prop), prop.at)
            layers.setdefault((over, *layer), []).append(path)
    for (_, _, fill, colour), paths in sorted(layers.items()):
        edge = f' stroke="{escape(colour)}" stroke-width=".5"' if colour else ""
        parts.append(f'<path d="{"".join(paths)}" fill="{escape(fill)}"{edge}/>')
    return Markup("".join(parts))


def _turned(outline: Iterable[Point], prop: Prop) -> Iterator[Point]:
    turn = math.radians(prop.turn or 0.0)
    cos, sin = prop.size * math.cos(turn), prop.size * math.sin(turn)
    return ((x * cos - y * sin, x * sin + y * cos) for x, y in outline)


def _marks(board: Board, scale: float, place: Callable[..., str]) -> Iterator[str]:
    for mark in board.marks:
        line = mark.width * scale
        if mark.fill or line >= _LEAST_LINE:
            path = place(mark.points)
            path = path if mark.closed else path.removesuffix("z")
            yield (
                f'<path d="{path}" fill="{escape(mark.fill or "none")}"'
                f' stroke="{escape(mark.colour or "none")}" stroke-width="{number(line)}"/>'
            )


def _areas(drawing: Drawing, pitch: float) -> Iterator[tuple[_Layer, list[Point]]]:
    """Yield the areas of a token's picture that are seen from afar, each with its layer."""
    filled = {n: stroke for n, stroke in enumerate(drawing) if stroke.fill and stroke.closed}
    areas = {layer: _area(stroke.points) for layer, stroke in filled.items()}
    least = min(_LEAST_AREA * pitch**2, max(areas.values(), default=0.0))
    for layer, stroke in filled.items():
        if areas[layer] >= least:
            step = -(-len(stroke.points) // _CORNERS)
            yield (layer, stroke.fill, stroke.colour), list(stroke.points[::step])


def _area(outline: tuple[Point, ...]) -> float:
    pairs = zip(outline, (*outline[1:], outline[0]), strict=True)
    return abs(sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in pairs)) / 2


def _path(line: list[Point]) -> str:
    """Return ``line`` as a closed path in tenths of a unit."""
    tenths = [(round(10 * x), round(10 * y)) for x, y in line]
    text = "M{}l".format(" ".join(number(value / 10) for value in tenths[0]))
    steps = (
        f"{number((x1 - x0) / 10)} {number((y1 - y0) / 10)}"
        for (x0, y0), (x1, y1) in pairwise(tenths)
    )
    return text + " ".join(steps).replace(" -", "-") + "z"


def differing(
    game: Game[Any], options: Mapping[str, str], name: str, choices: Iterable[str]
) -> bool:
    """Tell whether the ``choices`` of the option called ``name`` change what is drawn on the box,
    each with the others of ``options``."""
    drawn = {cover(game, game.setup(None, {**options, name: choice})) for choice in choices}
    return len(drawn) > 1
