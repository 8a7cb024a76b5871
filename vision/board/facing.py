"""Which way round a board lies whose lines look the same after a turn: its colours tell, else the
pieces of the set-up on it.

Two ways are compared only where the print differs between them, spot by spot: each spot votes by
how much more it looks like the one than like the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.rules import Board, Drawing, Stroke
from vision.board.calibrate import Camera, Points
from vision.board.fit import rectify
from vision.board.printed_lines import PrintedLines, spin
from vision.board.printing import shade
from vision.board.raster import Floats, Raster, in_view
from vision.frames import Image

PER_CELL = 16
"""Raster points a cell."""
FINE = 4
"""By how much finer than that the print is drawn."""
DARK = 12.0
"""Added to every value before its logarithm is taken: dark pixels are noise."""
WIDE = 1.5
"""Cells over which light is taken to be even."""
TELLS = 0.001
"""Mean squared difference (of logarithms) of the print of two ways, from which on a spot tells
them apart."""
CLEARLY = 0.25
"""Part of the difference of the spots that tell most; those that tell less are not asked."""
VOTES = 4
"""Spots that have to tell."""
SURE, AGREE = 5.0, 0.75
"""For colours of the print: standard errors by which the votes are on one side, and the share of
spots that is."""
SURE_BY_MEN, AGREE_BY_MEN = 6.0, 0.9
"""The same for the pieces of the set-up: they may stand elsewhere."""


@dataclass(frozen=True, slots=True, eq=False)
class _Seen:
    """A picture on the raster: what it ``shows`` (height, width, 3), and which spot each point
    belongs to, 0 for none or what is not in the picture."""

    raster: Raster
    shows: Floats
    spots: NDArray[np.int32]


def ways_round(
    image: Image, board: Board, camera: Camera, lines: PrintedLines, men: Mapping[str, Drawing]
) -> tuple[int, ...]:
    """Return which of ``lines.turns`` the board may be turned by, as ``camera`` sees it; only one
    where that is certain. ``men`` are the drawings of what stands on spots at the set-up."""
    if len(lines.turns) < 2:
        return lines.turns
    seen = _seen(image, board, camera, lines)
    bare = _print(board)
    left = _best(seen, lines, bare, lines.turns, SURE, AGREE)
    if len(left) < 2 or not men:
        return left
    dressed = [*bare, *(s for spot, token in men.items() for s in _at(token, board[spot].centre))]
    return _best(seen, lines, dressed, left, SURE_BY_MEN, AGREE_BY_MEN)


def _print(board: Board) -> list[Stroke]:
    spots = board.spots.values()
    return [*(Stroke(spot.outline, fill=spot.shade) for spot in spots), *board.marks]


def _at(drawing: Drawing, centre: tuple[float, float]) -> Iterable[Stroke]:
    x, y = centre
    return (s._replace(points=tuple((x + u, y + v) for u, v in s.points)) for s in drawing)


def _best(
    seen: _Seen,
    lines: PrintedLines,
    strokes: Sequence[Stroke],
    turns: tuple[int, ...],
    sure: float,
    agree: float,
) -> tuple[int, ...]:
    """Return the turns that no other one surely beats."""
    drawn = {turn: _features(_drawn(strokes, lines, turn, seen.raster), seen) for turn in turns}

    def beats(one: int, other: int) -> bool:
        votes = _votes(seen, drawn[one] - drawn[other])
        if len(votes) < VOTES:
            return False
        error = float(votes.std()) / len(votes) ** 0.5 + 1e-9
        return float(votes.mean()) > sure * error and float((votes > 0).mean()) >= agree

    return tuple(turn for turn in turns if not any(beats(other, turn) for other in turns))


def _votes(seen: _Seen, difference: Floats) -> Points:
    """Return for each spot that tells two ways apart how much more it looks like the first."""
    spots, count = seen.spots.ravel(), int(seen.spots.max()) + 1
    size = np.bincount(spots, (difference**2).sum(-1).ravel(), count)
    like = np.bincount(spots, (difference * seen.shows).sum(-1).ravel(), count)
    area = np.maximum(np.bincount(spots, minlength=count), 1)
    size[0] = 0.0
    tells = size / area > max(TELLS, CLEARLY * float(np.percentile(size / area, 95)))
    return np.asarray(like[tells] / np.sqrt(size[tells] * area[tells]), np.float64)


def _seen(image: Image, board: Board, camera: Camera, lines: PrintedLines) -> _Seen:
    left, top, right, bottom = board.bounds
    step = lines.cell / PER_CELL
    raster = Raster(left, top, int((right - left) / step) + 1, int((bottom - top) / step) + 1, step)
    spots = np.zeros((raster.height, raster.width), np.int32)
    for number, spot in enumerate(board.spots.values(), start=1):
        corners = np.round(raster.to_pixels(np.array(spot.outline))).astype(np.int32)
        cv2.fillPoly(spots, [corners], (number,))
    spots[~in_view(camera, raster, 2)] = 0
    seen = _Seen(raster, np.zeros(0, np.float32), spots)
    return replace(seen, shows=_features(rectify(image, camera, raster), seen))


def _drawn(strokes: Sequence[Stroke], lines: PrintedLines, turn: int, raster: Raster) -> Floats:
    canvas = np.full((raster.height * FINE, raster.width * FINE, 3), 128, np.uint8)
    matrix = spin(turn / lines.fold).T
    for stroke in strokes:
        points = (np.array(stroke.points) - lines.middle) @ matrix + lines.middle
        pixels = (raster.to_pixels(points) + 0.5) * FINE - 0.5
        fixed = [np.round(pixels * 16).astype(np.int32)]
        if stroke.fill:
            cv2.fillPoly(canvas, fixed, shade(stroke.fill), cv2.LINE_8, 4)
        if stroke.colour and stroke.width:
            wide = max(1, round(FINE * stroke.width / raster.step))
            cv2.polylines(canvas, fixed, stroke.closed, shade(stroke.colour), wide, cv2.LINE_8, 4)
    size = (raster.width, raster.height)
    return np.asarray(cv2.resize(canvas, size, interpolation=cv2.INTER_AREA), np.float32)


def _features(picture: Floats, seen: _Seen) -> Floats:
    """Return lightness less that of the surroundings, and two colours less the usual ones; 0 off
    the spots."""
    mask = (seen.spots > 0).astype(np.float32)
    blue, green, red = np.moveaxis(np.log(cv2.GaussianBlur(picture, (0, 0), 1.0) + DARK), -1, 0)
    light = (blue + green + red) / 3
    around = (0, 0), WIDE * PER_CELL
    usual = cv2.GaussianBlur(light * mask, *around) / (cv2.GaussianBlur(mask, *around) + 1e-3)
    planes = [light - usual, red - green, blue - green]
    for plane in planes[1:]:
        plane -= np.median(plane[mask > 0]) if mask.any() else 0.0
    return np.asarray(np.clip(np.stack(planes, -1), -0.7, 0.7) * mask[..., None], np.float32)
