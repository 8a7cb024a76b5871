"""The board and its tokens as SVG: the same outlines that cut the camera's picture."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from markupsafe import Markup, escape

from companion.rules import (
    Board,
    Drawing,
    Game,
    Point,
    Setup,
    Stroke,
    coordinates,
    owner_of,
    picture_of,
)

if TYPE_CHECKING:
    from flask import Flask

MARGIN, LETTERED = 0.06, 0.62
"""Room around the board, in pitches: around one without coordinates, and with them."""
LETTER = 0.58
"""How wide a letter is on average, in sizes of its type."""
VIVID = 224
"""Least value (0 to 255) of the strongest channel of a light as the page draws it."""
QUIET, FAINT = 64, "66"
"""Lights darker than this only inform: they are drawn this much transparent (hexadecimal)."""
_COLOURS = frozenset(
    ("black", "blue", "brown", "cyan", "gold", "gray", "green", "grey", "lime", "magenta",
     "maroon", "navy", "olive", "orange", "pink", "purple", "red", "silver", "teal", "violet",
     "white", "yellow")
)  # fmt: skip


class Lettering(NamedTuple):
    """Words as they fit: ``size`` of their letters, ``lines`` from top to bottom."""

    size: float
    lines: tuple[str, ...]


def lettered(words: str, size: float, room: float = 0.0) -> Lettering:
    """Return ``words`` in letters as large as fit ``room`` across, ``size`` at most, on one line
    or, where that makes them larger, on two; without ``room`` they are as large as asked for."""
    whole = Lettering(size, (words,))
    if not room:
        return whole
    parts = words.split(" ")
    ways = [
        tuple(" ".join(part) for part in (parts[:cut], parts[cut:]) if part)
        for cut in range(len(parts))
    ]
    sized = [Lettering(min(size, room / (LETTER * max(map(len, way)))), way) for way in ways]
    return max(sized, key=lambda one: (one.size, -len(one.lines)))


class DrawnPlace(NamedTuple):
    """A spot on the page: its middle, its outline about the middle as SVG points."""

    name: str
    x: str
    y: str
    points: str
    shade: str


class Picture(NamedTuple):
    """A board ready to be drawn, turned clockwise by ``turn`` degrees: ``rows`` from top to
    bottom, each from left to right."""

    view_box: str
    rows: tuple[tuple[DrawnPlace, ...], ...]
    marks: Markup
    pitch: float
    turn: int = 0
    names: tuple[tuple[str, str, str], ...] = ()
    """Coordinates beside the board: what is written, where (x, y)."""


@lru_cache(1 << 14)
def number(value: float) -> str:
    """Return ``value`` as text, exact to a hundredth of a millimetre, in as few characters as
    possible."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


@lru_cache(1 << 10)
def points(outline: tuple[Point, ...], middle: Point = (0.0, 0.0)) -> str:
    """Return ``outline`` about ``middle`` as the points of an SVG polygon."""
    return " ".join(f"{number(x - middle[0])},{number(y - middle[1])}" for x, y in outline)


def picture(board: Board, turn: int = 0) -> Picture:
    """Lay ``board`` out as it lies before somebody who sits ``turn`` degrees counter-clockwise
    from the first seat; its spots are grouped in the rows that a screen reader walks."""
    turned = _turning(turn)
    corners = [turned(point) for spot in board.spots.values() for point in spot.outline]
    left, right = min(x for x, _ in corners), max(x for x, _ in corners)
    top, bottom = min(y for _, y in corners), max(y for _, y in corners)
    named = coordinates(board)
    margin = board.pitch * (LETTERED if named else MARGIN)
    box = (left - margin, top - margin, right - left + 2 * margin, bottom - top + 2 * margin)
    centres = {name: turned(spot.centre) for name, spot in board.spots.items()}
    rows: dict[int, list[DrawnPlace]] = {}
    for spot in sorted(board.spots.values(), key=lambda spot: round(centres[spot.name][0], 6)):
        x, y = spot.centre
        place = DrawnPlace(
            spot.name, number(x), number(y), points(spot.outline, spot.centre), spot.shade
        )
        rows.setdefault(round(4 * centres[spot.name][1] / board.pitch), []).append(place)
    return Picture(
        " ".join(number(value) for value in box),
        tuple(tuple(rows[key]) for key in sorted(rows)),
        lines(board.marks),
        board.pitch,
        turn,
        tuple((text, number(x), number(y)) for text, (x, y) in named),
    )


@lru_cache(32)
def _kept(
    game: Game[Any], seats: tuple[str, ...], chosen: tuple[tuple[str, str], ...]
) -> tuple[Picture, Callable[[str], Markup]]:
    setup = Setup(seats, dict(chosen))
    pictured = cache(lambda token: symbol(token, picture_of(game, setup, token)))
    return picture(game.board(setup)), pictured


def kept(game: Game[Any], setup: Setup) -> tuple[Picture, Callable[[str], Markup]]:
    """Return the board of ``game``, and what returns the picture of a token as :func:`symbol` does
    without more of it: each is drawn once."""
    return _kept(game, setup.seats, tuple(setup.options.items()))


def _turning(degrees: int) -> Callable[[Point], Point]:
    """Return what turns a point clockwise about the middle of the board."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return lambda point: (point[0] * cos - point[1] * sin, point[0] * sin + point[1] * cos)


def sides(game: Game[Any], setup: Setup) -> Mapping[str, int]:
    """Return by how many degrees clockwise the board is turned for each seat, so that its army
    stands before it at the start, else the places that are its own; 0 where it has neither, and
    for who plays alone.

    Boards of hexagons are turned by whole sixths, all others by quarters.
    """
    board, position = game.board(setup), game.expect(game.start(setup))
    step = 60 if all(len(spot.outline) == 6 for spot in board.spots.values()) else 90
    found = dict.fromkeys(setup.seats, 0)
    if len(found) < 2:
        return found
    for seat in found:
        own = [
            board[spot].centre for spot, token in position.items() if owner_of(game, token) == seat
        ] or [spot.centre for spot in board.spots.values() if spot.owner == seat]
        x, y = sum(x for x, _ in own), sum(y for _, y in own)
        away = math.degrees(math.atan2(x, y)) if math.hypot(x, y) > board.pitch else 0.0
        found[seat] = round(away / step) * step % 360
    return found


def strokes(drawing: Drawing) -> Markup:
    """Return ``drawing`` as SVG elements."""
    return Markup("".join(map(_element, drawing)))


def lines(drawing: Drawing) -> Markup:
    """Return ``drawing`` as SVG. All open lines of one colour and width become a single path, in
    the order in which each kind came first, because a big board has thousands of lines."""
    paths: dict[tuple[str, float], list[str]] = {}
    parts: list[Stroke | tuple[str, float]] = []
    for stroke in drawing:
        kind = (stroke.colour, stroke.width)
        if stroke.closed or stroke.fill or not stroke.colour:
            parts.append(stroke)
            continue
        if kind not in paths:
            parts.append(kind)
        paths.setdefault(kind, []).append(_path(stroke.points))
    return Markup(
        "".join(
            _element(part)
            if isinstance(part, Stroke)
            else f'<path d="{"".join(paths[part])}" fill="none" stroke="{escape(part[0])}" '
            f'stroke-width="{number(part[1])}"/>'
            for part in parts
        )
    )


def _path(line: Sequence[Point]) -> str:
    """Return ``line`` as a move and relative steps, in tenths of a millimetre."""
    tenths = [(round(10 * x), round(10 * y)) for x, y in line]
    x, y = tenths[0]
    text = f"M{x / 10:g} {y / 10:g}"
    for (x0, y0), (x1, y1) in pairwise(tenths):
        text += f"l{(x1 - x0) / 10:g} {(y1 - y0) / 10:g}"
    return text


def _element(stroke: Stroke) -> str:
    """Return ``stroke`` as an SVG element. A board has hundreds: each is put together by hand,
    what a game says of colours escaped."""
    name = "polygon" if stroke.closed else "polyline"
    text = f'<{name} points="{points(stroke.points)}" fill="{escape(stroke.fill or "none")}"'
    if stroke.colour:
        text += f' stroke="{escape(stroke.colour)}" stroke-width="{number(stroke.width)}"'
    return text + "/>"


def install(app: Flask) -> None:
    """Let the templates of ``app`` draw a board that stands still, with what lies on it and
    beside."""
    app.jinja_env.filters["token_id"] = token_id
    app.jinja_env.globals["lettered"] = lettered


def token_id(token: str) -> str:
    """Return an XML id for ``token``; board.js makes the same one, and the token of the id."""
    return "t-" + re.sub(r"[^A-Za-z0-9]", lambda match: f"_{ord(match[0]):x}_", token)


def symbol(
    token: str, drawing: Drawing, name: str = "", owner: str | None = None, upright: bool = False
) -> Markup:
    """Return ``token``'s picture as a group that ``<use>`` can draw anywhere; it carries the
    ``name`` by which people call the token, for those who do not see it, and the seat that is its
    ``owner``. ``upright`` are tokens that look to nobody: they are not turned with the board."""
    own = f' data-owner="{escape(owner)}"' if owner else ""
    free = ' data-upright=""' * upright
    named = f'id="{token_id(token)}" class="token" data-name="{escape(name or token)}"'
    return Markup(f"<g {named}{own}{free}>{strokes(drawing)}</g>")


def colours(game: Game[Any], setup: Setup) -> Mapping[str, str]:
    """Return the colour of each seat that has pieces at the start: that of the pieces."""
    found: dict[str, str] = {}
    for token in game.expect(game.start(setup)).values():
        seat = owner_of(game, token)
        if seat and seat not in found:
            body = next(
                (stroke.fill for stroke in picture_of(game, setup, token) if stroke.fill), ""
            )
            found[seat] = body or (seat if seat in _COLOURS else "")
    return found


@lru_cache(64)
def colour_named(seat: str) -> str:
    """Return the colour that the name of a seat is, empty for no colour."""
    return seat if seat in _COLOURS else ""


def swatch(seat: str, colour: str = "") -> Markup:
    """Return a small coin in a seat's ``colour``, else in that of its name where that is one; the
    name stands beside it."""
    colour = colour or colour_named(seat)
    if not colour:
        return Markup("")
    return Markup(
        '<svg class="swatch" viewBox="-8 -8 16 16" aria-hidden="true">'
        '<circle r="6.5" fill="{}"/></svg>'
    ).format(colour)


def label(spot: str, token: str | None, meanings: Sequence[str] = ()) -> str:
    """Return what a screen reader says of a spot; board.js says the same."""
    return ", ".join((token or "empty", spot, *meanings))


def vivid(colour: str) -> str:
    """Return the colour of a light as bright as a page needs it: a strip may be dimmed to suit a
    dark room, and that would look black here. Anything but ``#rrggbb`` is returned as it is."""
    if not re.fullmatch(r"#[0-9a-fA-F]{6}", colour):
        return colour
    channels = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    strongest = max(channels)
    if strongest in (0, *range(VIVID, 256)):
        return colour
    bright = "".join(f"{channel * VIVID // strongest:02x}" for channel in channels)
    return f"#{bright}{FAINT if strongest < QUIET else ''}"
