"""The board and its tokens as SVG: the same outlines that cut the camera's picture."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from companion.rules import Board, Drawing, Point, Stroke

MARGIN = 0.12
"""Room around the board, in pitches."""
VIVID = 224
"""How strong the strongest channel of a light is on the page, at least."""
_COLOURS = frozenset(
    ("black", "blue", "brown", "cyan", "gold", "gray", "green", "grey", "lime", "magenta",
     "maroon", "navy", "olive", "orange", "pink", "purple", "red", "silver", "teal", "violet",
     "white", "yellow")
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Place:
    """A spot on the page: its middle, its outline about the middle as SVG points."""

    name: str
    x: str
    y: str
    points: str
    shade: str


@dataclass(frozen=True, slots=True)
class Picture:
    """A board ready to be drawn: ``rows`` from top to bottom, each from left to right."""

    view_box: str
    rows: tuple[tuple[Place, ...], ...]
    marks: Markup
    pitch: float


def number(value: float) -> str:
    """Return ``value`` in as few characters as a hundredth of a millimetre needs."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def points(outline: Iterable[Point], middle: Point = (0.0, 0.0)) -> str:
    """Return ``outline`` about ``middle`` as the points of an SVG polygon."""
    return " ".join(f"{number(x - middle[0])},{number(y - middle[1])}" for x, y in outline)


def picture(board: Board) -> Picture:
    """Lay ``board`` out; its spots are grouped in the rows that a screen reader walks."""
    left, top, right, bottom = board.bounds
    margin = board.pitch * MARGIN
    box = (left - margin, top - margin, right - left + 2 * margin, bottom - top + 2 * margin)
    rows: dict[int, list[Place]] = {}
    for spot in sorted(board.spots.values(), key=lambda spot: spot.centre[0]):
        x, y = spot.centre
        place = Place(
            spot.name, number(x), number(y), points(spot.outline, spot.centre), spot.shade
        )
        rows.setdefault(round(4 * y / board.pitch), []).append(place)
    return Picture(
        " ".join(number(value) for value in box),
        tuple(tuple(rows[key]) for key in sorted(rows)),
        strokes(board.marks),
        board.pitch,
    )


def strokes(drawing: Drawing) -> Markup:
    """Return ``drawing`` as SVG elements."""
    return Markup("").join(_element(stroke) for stroke in drawing)


def _element(stroke: Stroke) -> Markup:
    name = "polygon" if stroke.closed else "polyline"
    text = Markup('<{} points="{}" fill="{}"').format(
        name, points(stroke.points), stroke.fill or "none"
    )
    if stroke.colour:
        text += Markup(' stroke="{}" stroke-width="{}"').format(stroke.colour, number(stroke.width))
    return text + Markup("/>")


def token_id(token: str) -> str:
    """Return an XML id for ``token``; board.js makes the same one."""
    return "t-" + re.sub(r"[^A-Za-z0-9]", lambda match: f"_{ord(match[0]):x}", token)


def symbol(token: str, drawing: Drawing) -> Markup:
    """Return ``token``'s picture as a group that ``<use>`` can draw anywhere."""
    return Markup('<g id="{}" class="token">{}</g>').format(token_id(token), strokes(drawing))


def swatch(seat: str) -> Markup:
    """Return a small coin in the seat's colour where its name is one; the name stands beside it."""
    if seat not in _COLOURS:
        return Markup("")
    return Markup(
        '<svg class="swatch" viewBox="-8 -8 16 16" aria-hidden="true">'
        '<circle r="6.5" fill="{}"/></svg>'
    ).format(seat)


def label(spot: str, token: str | None, meanings: Sequence[str] = ()) -> str:
    """Return what a screen reader says of a spot; board.js says the same."""
    return ", ".join((token or "empty", spot, *meanings))


def vivid(colour: str) -> str:
    """Return ``colour`` as bright as a page needs it: a strip may be dimmed to the room, and what
    glows in the dark there would be black here. Anything but ``#rrggbb`` comes back as it is."""
    if not re.fullmatch(r"#[0-9a-fA-F]{6}", colour):
        return colour
    channels = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    strongest = max(channels)
    if strongest in (0, *range(VIVID, 256)):
        return colour
    return "#" + "".join(f"{channel * VIVID // strongest:02x}" for channel in channels)
