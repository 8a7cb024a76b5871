"""What makes a printed board worth framing, in one hand for all games: engraved bands between the
corner markers, the game's name, and rosettes where nothing else is printed or, faintly, on squares.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from companion.rules import Board, Point, Spot, Stroke, disc
from companion.sheets.leaflet import wide
from companion.sheets.sheet import Box, Sheet, Words
from vision.board.optics import CameraView
from vision.board.printing import marker_centres, shade

INK = "#9a8560"
"""A sepia that the eye takes for engraving and a camera for paper that is a little darker."""
_FINE = 0.25
_PLACES = 41
"""So many columns and rows of middles are tried for a rosette."""
_LEAST, _ALIKE, _MOST = 0.05, 0.8, 4
"""Rosettes are as large as this share of the sheet or larger, and nearly as large as there is room
for one; so many at most."""
_DARKER = 0.85
"""How bright lines on a square are, as a part of its own shade: for a camera they are its grain."""
_NAME = 0.017
"""How high the name of a square board is, as a share of the sheet."""
_ENGRAVED = 40.0
"""Millimetres: on smaller squares the lines of a rosette would run together to a dark disc as large
as a die."""


def framed(sheet: Sheet, board: Board, view: CameraView, name: str) -> Sheet:
    """Return the ``sheet`` of ``board`` at its usual size with its ornament."""
    edge = sheet.box[2]
    deep = 0.28 * view.marker_mm
    captions = [_box(words) for words in sheet.words]
    clear = [turn for turn in range(4) if not _in_the_way(captions, edge - 1.3 * deep, turn)]
    # Without bands there is room for a larger name.
    size = _NAME * sheet.size[0] if board.corners else 0.62 * deep
    title = Words(name.upper(), (0.0, edge - size), size, INK)
    gap = wide(title.text, title.size) / 2 + deep
    strokes: list[Stroke] = []
    # Where a side of a square board is hidden, a band beside it is taken for one more row, and
    # so is a plait without any straight line.
    for turn in () if board.corners else clear:
        strokes += _band(edge, deep, view.reach - 0.95 * view.marker_mm, gap * (turn == 0), turn)
    petals = len(next(iter(board.spots.values())).outline)
    for middle, radius in _free(sheet, board, view, captions, edge - 1.6 * deep):
        strokes += _rosette(middle, 0.86 * radius, petals)
    return replace(
        sheet,
        strokes=(*strokes, *sheet.strokes, *_inlays(board)),
        words=(*sheet.words, *((title,) if 0 in clear else ())),
    )


def _inlays(board: Board) -> Iterator[Stroke]:
    """Yield what is engraved in a chequered board: a rosette on each darker square or, where
    squares are small, one over them all."""
    shades = {spot.shade for spot in board.spots.values()}
    if not board.corners or len(shades) != 2:
        return
    dark = min(shades, key=lambda text: sum(shade(text)))
    if board.pitch < _ENGRAVED:
        great = _rosette((0.0, 0.0), 0.97 * board.bounds[3], 8)
        yield from _parted(great, list(board.spots.values()), board.pitch)
        return
    for spot in board.spots.values():
        if spot.shade == dark:
            rosette = _rosette(spot.centre, 0.43 * board.pitch, 4, 3)
            yield from _parted(rosette, [spot], board.pitch)


def _parted(rosette: Iterator[Stroke], spots: Sequence[Spot], pitch: float) -> Iterator[Stroke]:
    """Yield what of a ``rosette`` lies on each of ``spots``, in its shade a little darker; what is
    printed between them stays clear."""
    middles = np.array([spot.centre for spot in spots])
    for stroke in rosette:
        points = np.array((*stroke.points, stroke.points[0]))
        away = np.abs(points[:, None] - middles).max(axis=-1)
        on = np.where(away.min(axis=1) < 0.47 * pitch, away.argmin(axis=1), -1)
        for part in np.split(np.arange(len(points)), np.flatnonzero(np.diff(on)) + 1):
            if on[part[0]] >= 0 and len(part) > 1:
                blue, green, red = (round(_DARKER * v) for v in shade(spots[on[part[0]]].shade))
                way = tuple((x, y) for x, y in points[part].tolist())
                ink = f"#{red:02x}{green:02x}{blue:02x}"
                yield Stroke(way, colour=ink, width=_FINE, closed=False)


def _box(words: Words) -> Box:
    (x, y), half = words.at, wide(words.text, words.size) / 2
    return x - half, y - 0.5 * words.size, x + half, y + 0.5 * words.size


def _in_the_way(captions: Sequence[Box], beyond: float, turn: int) -> bool:
    """Tell whether a caption reaches ``beyond`` on a side: near, left, far or right."""
    return any((b[3], -b[0], -b[1], b[2])[turn] > beyond for b in captions)


def _band(edge: float, deep: float, half: float, gap: float, turn: int) -> Iterator[Stroke]:
    """Yield the band of one side, from marker to marker, open for ``gap`` about its middle."""
    middle = edge - 0.62 * deep
    parts = ((-half, -gap), (gap, half)) if gap else ((-half, half),)
    for start, end in parts:
        waves = max(1, round((end - start) / (1.6 * deep)))
        along = np.linspace(0.0, 1.0, 24 * waves + 1)
        for phase in np.arange(6) / 6:
            swell = np.sin(2 * math.pi * (waves * along + phase)) * np.sin(math.pi * along) ** 0.25
            yield _line(start + along * (end - start), middle + 0.34 * deep * swell, turn)
        for off in (-0.5, -0.42, 0.42, 0.5):
            yield _line(np.array((start, end)), np.full(2, middle + off * deep), turn)


def _line(x: NDArray[np.float64], y: NDArray[np.float64], turn: int) -> Stroke:
    """Return a line of the near side, walked ``turn`` quarters about the board."""
    points = [(float(u), float(v)) for u, v in zip(x, y, strict=True)]
    for _ in range(turn):
        points = [(-v, u) for u, v in points]
    return Stroke(tuple(points), colour=INK, width=_FINE, closed=False)


def _rosette(middle: Point, radius: float, petals: int, strands: int = 6) -> Iterator[Stroke]:
    """Yield a rosette with as many petals as a place of the board has corners, or twice and four
    times as many, each ring of so many ``strands``."""
    each = 12 + round(radius / 2)  # points a wave: no corner is seen, however large
    for size in (1.0, 0.97, 0.6, 0.3):
        yield Stroke(disc(size * radius, middle, 16 * each), colour=INK, width=_FINE)
    for mean, swing, folds in (
        (0.785, 0.175, 4 * petals),
        (0.45, 0.14, 2 * petals),
        (0.16, 0.12, petals),
    ):
        angles = np.linspace(0.0, 2 * math.pi, each * folds, endpoint=False)
        for phase in np.arange(strands) / strands:
            away = radius * (mean + swing * np.sin(folds * angles + 2 * math.pi * phase))
            x, y = middle[0] + away * np.cos(angles), middle[1] + away * np.sin(angles)
            yield Stroke(tuple(zip(x.tolist(), y.tolist(), strict=True)), colour=INK, width=_FINE)


def _free(
    sheet: Sheet, board: Board, view: CameraView, captions: Sequence[Box], inner: float
) -> Iterator[tuple[Point, float]]:
    """Yield middle and radius of circles of one size within which nothing is printed."""
    steps = np.linspace(-inner, inner, _PLACES)
    places = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    room = inner - np.abs(places).max(axis=1)
    for spot in board.spots.values():
        room = np.minimum(room, _away(places, np.array(spot.outline)))
    kept = 0.8 * view.marker_mm
    boxes = [
        *captions,
        *((x - kept, y - kept, x + kept, y + kept) for x, y in marker_centres(view).values()),
    ]
    for left, top, right, bottom in boxes:
        beside = np.maximum(np.maximum((left, top) - places, places - (right, bottom)), 0.0)
        room = np.minimum(room, np.linalg.norm(beside, axis=1))
    # They are mirrored about one upright line: that about which there is most of them, the middle
    # of the sheet if any. Between two columns of places lies such a line, too.
    lines = sorted(range(2 * _PLACES - 1), key=lambda line: abs(line - (_PLACES - 1)))
    far = np.round(room.reshape(_PLACES, _PLACES), 3)
    found = (_mirrored(steps, far, line, _LEAST * sheet.size[0]) for line in lines)
    rows, columns, radius = max(found, key=lambda some: len(some[0]) * some[2] ** 2)
    for row, column in zip(rows, columns, strict=True):
        yield (float(steps[column]), float(steps[row])), radius


def _mirrored(
    steps: NDArray[np.float64], room: NDArray[np.float64], line: int, least: float
) -> tuple[list[int], list[int], float]:
    """Return rows, columns and radius of circles for which there is ``room``, alike in size and
    mirrored about the line between the columns that together are ``line``."""
    here = np.arange(len(steps))
    there = line - here
    both = np.minimum(room, room[:, there.clip(0, len(steps) - 1)])
    apart = np.where(here == there, np.inf, abs(here - there) * (steps[1] - steps[0]) / 2)
    both = np.where((there < 0) | (there >= len(steps)), 0.0, np.minimum(both, apart))
    rows, columns, radius = list[int](), list[int](), 0.0
    while len(rows) < _MOST and both.max() >= least:
        radius = float(both.max())
        # Of places that are alike the same one above and below: that nearest to the middle.
        row, column = min(np.argwhere(both == radius).tolist(), key=lambda at: abs(steps[at[1]]))
        for other in {column, line - column}:
            rows.append(row)
            columns.append(other)
            away = np.hypot(*np.meshgrid(steps - steps[other], steps - steps[row]))
            both = np.minimum(both, away - radius)
        least = max(least, _ALIKE * radius)
    return rows, columns, radius


def _away(places: NDArray[np.float64], outline: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how far each of ``places`` (n, 2) is from a convex ``outline`` (m, 2), 0 within it."""
    starts, ways = outline, np.roll(outline, -1, axis=0) - outline
    to = places[:, None] - starts
    share = np.clip((to * ways).sum(-1) / (ways**2).sum(-1), 0.0, 1.0)
    far = np.linalg.norm(to - share[..., None] * ways, axis=-1).min(axis=1)
    side = to[..., 0] * ways[:, 1] - to[..., 1] * ways[:, 0]
    within = (side >= 0).all(axis=1) | (side <= 0).all(axis=1)
    return np.where(within, 0.0, far)
