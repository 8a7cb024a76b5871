"""Tokens to cut out, fronts and backs: both sides lie in register when the paper is turned over
like a book's page."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from companion.rules import Drawing, Game, Point, Setup, Stroke, other_side, picture_of
from companion.sheets.paper import MARGIN, paper_size
from companion.sheets.sheet import Sheet, box_of, circle, line, moved

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
    """Return both sides of ``token``; a token that shows the same when it is turned over gets a
    plain back."""
    face = picture_of(game, setup, token)
    outline = outline_of(face)
    ground = next((stroke.fill for stroke in face if stroke.fill), "#ffffff")
    mirrored = tuple((-x, y) for x, y in outline)
    under = Stroke(tuple((x * BLEED, y * BLEED) for x, y in outline), fill=ground)
    behind = Stroke(tuple((x * BLEED, y * BLEED) for x, y in mirrored), fill=ground)
    cut = CUT._replace(points=outline)
    back: Drawing = (behind,)
    other = other_side(game, token)
    if other != token:
        drawn = picture_of(game, setup, other)
        back = (behind, *moved(drawn, (0.0, 0.0), turn_onto(outline_of(drawn), mirrored)))
    left, top, right, bottom = box_of((under,))
    front = (under, *face, *crop_marks(cut, under))
    return Cutout(front, back, cut, (max(-left, right), max(-top, bottom)))


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
    """Return the token's rim: its first filled area if that holds all the rest, else a circle."""
    if drawing and drawing[0].fill and drawing[0].closed:
        left, top, right, bottom = box_of(drawing[:1])
        a, b, c, d = box_of(drawing)
        room = 0.05 * (right - left)
        if a > left - room and b > top - room and c < right + room and d < bottom + room:
            return drawing[0].points
    radius = max((math.hypot(x, y) for stroke in drawing for x, y in stroke.points), default=5.0)
    return circle((0.0, 0.0), radius + 1.0)


def turn_onto(outline: Sequence[Point], target: Sequence[Point]) -> float:
    """Return by how many degrees ``outline`` has to be turned to lie best on ``target``."""

    def apart(degrees: int) -> float:
        (stroke,) = moved((Stroke(tuple(outline)),), (0.0, 0.0), degrees)
        return sum(min(math.dist(p, q) for q in target) for p in stroke.points)

    # The least turn wins where several do as well, as for a circle.
    turns = sorted(range(-180, 180, _TURN), key=abs)
    return float(min(turns, key=lambda degrees: round(apart(degrees), 3)))
