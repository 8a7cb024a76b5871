"""Tokens to cut out, fronts and backs: both sides lie in register when the paper is turned over
like a book's page."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from companion.rules import Drawing, Game, Point, Setup, Stroke, disc, other_side, picture_of
from companion.sheets.paper import MARGIN, paper_size
from companion.sheets.sheet import Sheet, box_of, line, moved

GAP = 5.0
"""Millimetres between two tokens."""
BLEED = 1.12
"""Factor by which the ground colour reaches beyond the cut, because paper is never turned over
quite exactly."""
CUT = Stroke((), colour="#808080", width=0.1)
_CROP = (0.5, 2.2)
"""Millimetres from where the ground ends: between them lies a crop mark."""
_TURN = 15
"""Degrees between the directions in which a back is tried."""


@dataclass(frozen=True)
class Cutout:
    """A token's two sides about (0, 0), each on its ground, the ``cut`` of its front; ``reach`` is
    how far they go to the right and down."""

    front: Drawing
    back: Drawing
    cut: Stroke
    reach: Point


def token_sheets(
    game: Game[Any], setup: Setup, tokens: Sequence[str], paper: str, scale: float = 1.0
) -> Iterator[Sheet]:
    """Yield sheets of one page each, every front followed by its back."""
    if not tokens:
        return
    cutouts = {token: cutout(game, setup, token) for token in dict.fromkeys(tokens)}
    across = 2 * max(one.reach[0] for one in cutouts.values()) + GAP
    down = 2 * max(one.reach[1] for one in cutouts.values()) + GAP
    width, height = (length - 2 * MARGIN for length in paper_size(paper))
    columns = max(1, int(width / scale // across))
    rows = max(1, int(height / scale // down))
    box = (-width / 2 / scale, -height / 2 / scale, width / 2 / scale, height / 2 / scale)
    each = columns * rows
    for first in range(0, len(tokens), each):
        front: list[Stroke] = []
        back: list[Stroke] = []
        cuts: list[Stroke] = []
        for number, token in enumerate(tokens[first : first + each]):
            row, column = divmod(number, columns)
            x, y = across * (column - (columns - 1) / 2), down * (row - (rows - 1) / 2)
            front += moved(cutouts[token].front, (x, y))
            cuts += moved((cutouts[token].cut,), (x, y))
            back += moved(cutouts[token].back, (-x, y))
        sheet = first // each + 1
        for side, strokes, cut in (("front", front, cuts), ("back", back, [])):
            title = f"{game.title}: pieces, sheet {sheet}, {side}"
            yield Sheet(title, box, tuple(strokes), cuts=tuple(cut)).scaled(scale)


def cutout(game: Game[Any], setup: Setup, token: str) -> Cutout:
    """Return both sides of ``token``, cut along the larger one; a token that shows the same when it
    is turned over gets a plain back."""
    face = picture_of(game, setup, token)
    outline, other = outline_of(face), other_side(game, token)
    back: Drawing = ()
    if other != token:
        drawn = picture_of(game, setup, other)
        back = moved(drawn, (0.0, 0.0), turn_onto(outline_of(drawn), mirrored(outline)))
        outline = max(outline, mirrored(outline_of(back)), key=_reach)
    cut = CUT._replace(points=outline)
    under, behind = _ground(face, outline), _ground(back, mirrored(outline), _fill(face))
    front = (*under, *face, *crop_marks(cut, under[0]))
    return Cutout(front, (*behind, *back), cut, _reach(under[0].points))


def mirrored(outline: Sequence[Point]) -> tuple[Point, ...]:
    """Return ``outline`` as it lies when the paper is turned over."""
    return tuple((-x, y) for x, y in outline)


def _reach(outline: Sequence[Point]) -> Point:
    """Return how far ``outline`` goes from the middle to the sides, and up and down."""
    return max(abs(x) for x, _ in outline), max(abs(y) for _, y in outline)


def _larger(points: Sequence[Point]) -> tuple[Point, ...]:
    return tuple((x * BLEED, y * BLEED) for x, y in points)


def _fill(face: Drawing) -> str:
    """Return the colour of the ground of a token with this ``face``."""
    under = _body(face) or next((stroke for stroke in face if stroke.fill), None)
    return under.fill if under else "#ffffff"


def _ground(face: Drawing, outline: Sequence[Point], plain: str = "") -> Drawing:
    """Return what lies under ``face`` and reaches beyond the cut along ``outline``: where the face
    has an edge at the cut, that of each part of its edge; ``plain`` without a face."""
    own = outline_of(face)
    edge = [
        Stroke((*_larger(rim.points), *([] if rim.closed else [(0.0, 0.0)])), fill=rim.colour)
        for rim in face
        if rim.points and rim.colour and rim.width and _places(rim.points) <= _places(own)
    ]
    if math.dist(_reach(own), _reach(outline)) > CUT.width:
        edge = []
    fill = edge[0].fill if edge else _fill(face) if face else plain
    return (Stroke(_larger(outline), fill=fill), *edge)


def _places(points: Iterable[Point]) -> set[Point]:
    return {(round(x, 3), round(y, 3)) for x, y in points}


def crop_marks(cut: Stroke, under: Stroke) -> Iterator[Stroke]:
    """Yield the marks beside the ground ``under`` a token, in line with the sides of its ``cut``:
    a blade laid along two of them cuts where the line of the cut is no longer seen."""
    left, top, right, bottom = box_of((cut,))
    a, b, c, d = box_of((under,))
    near, far = _CROP
    for y in (top, bottom):
        yield line((a - far, y), (a - near, y), CUT.width)
        yield line((c + near, y), (c + far, y), CUT.width)
    for x in (left, right):
        yield line((x, b - far), (x, b - near), CUT.width)
        yield line((x, d + near), (x, d + far), CUT.width)


def outline_of(drawing: Drawing) -> tuple[Point, ...]:
    """Return the token's rim: that of the area which holds all the rest, else a circle that leaves
    a millimetre about what is drawn."""
    if body := _body(drawing):
        return body.points
    away = [math.hypot(x, y) + s.width / 2 for s in drawing for x, y in s.points]
    return disc(max(away, default=5.0) + 1.0)


def _body(drawing: Drawing) -> Stroke | None:
    """Return the area of a token that holds all the rest of it, if there is one."""
    a, b, c, d = box_of(drawing)
    for stroke in drawing:
        left, top, right, bottom = box_of((stroke,))
        room = 0.05 * (right - left)
        within = a > left - room and b > top - room and c < right + room and d < bottom + room
        if stroke.fill and stroke.closed and within:
            return stroke
    return None


def turn_onto(outline: Sequence[Point], target: Sequence[Point]) -> float:
    """Return by how many degrees ``outline`` has to be turned to lie best on ``target``."""

    def apart(degrees: int) -> float:
        (stroke,) = moved((Stroke(tuple(outline)),), (0.0, 0.0), degrees)
        return sum(min(math.dist(p, q) for q in target) for p in stroke.points)

    # The least turn wins where several do as well, as for a circle.
    turns = sorted(range(-180, 180, _TURN), key=abs)
    return float(min(turns, key=lambda degrees: round(apart(degrees), 3)))
