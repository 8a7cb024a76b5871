"""Which way round a board lies whose lines look the same after a turn: its colours tell, else the
pieces of the set-up on it.

Two ways are compared only where the print differs between them, spot by spot: each spot votes by
how much more it looks like the one than like the other. Pieces stand side by side, so how light
they are shows against the bare part of the board, not against their neighbours.
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
from vision.board.printed_lines import PrintedLines, lines_of, spin
from vision.board.printing import paint
from vision.board.raster import Floats, Raster, in_view, numbered
from vision.frames import Image

PER_CELL, COARSE = 16, 8
"""Raster points a cell, for the print and for what stands on it."""
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
SURE = 5.0
"""Standard errors by which the votes of the spots are on one side."""
SHOWN = 0.84
"""The share of spots that show the colours of the print. Of three set-up chessboards whose lines
left a doubt the least had 0.88; three grids laid wrong had 0.5 to 0.8, a fourth, with its far rows
half a cell too near, 0.92."""
PLAIN = 0.5
"""Part of the drawn difference that pieces have to show: printed ones and carved ones of twenty
sets showed 0.65 or more, art that gives the colours to other sides 0.38 at most."""
BARE = 0.1
"""Part of the raster that has to be bare for the light on the board to be told by it."""


@dataclass(frozen=True, slots=True, eq=False)
class _Seen:
    """A picture on the raster, with ``fine`` points a cell: what it ``shows`` (height, width, 3),
    and which spot each point belongs to, 0 for none or what is not in the picture.

    ``bare`` are points at which nothing stands whichever way round the board lies; without them
    light is compared near by. ``kin`` gives for each spot's number one for all that change places
    when the board is turned: they vote together."""

    raster: Raster
    fine: int
    shows: Floats
    spots: NDArray[np.int32]
    bare: NDArray[np.bool_] | None = None
    kin: NDArray[np.int32] | None = None


def ways_round(
    image: Image, board: Board, camera: Camera, lines: PrintedLines, men: Mapping[str, Drawing]
) -> tuple[int, ...]:
    """Return which of ``lines.turns`` the board may be turned by, as ``camera`` sees it; only one
    where that is certain. ``men`` are the drawings of what stands on spots at the set-up."""
    if len(lines.turns) < 2:
        return lines.turns
    seen = _seen(image, board, camera, lines)
    left = _best(seen, lines, _print(board), lines.turns)
    return _by_men(image, board, camera, lines, left, men)


def set_up_ways(
    image: Image, board: Board, camera: Camera, men: Mapping[str, Drawing]
) -> tuple[int, ...]:
    """Return which turns of the board's lines (`PrintedLines.turns`) the ``men`` of the set-up may
    stand at, as ``camera`` sees it; the print alone is not asked, for it may be another's."""
    lines = lines_of(board)
    return _by_men(image, board, camera, lines, lines.turns, men)


def shows_print(image: Image, board: Board, camera: Camera, lines: PrintedLines) -> bool:
    """Tell whether the picture shows the colours of the print, one way round or another: lines
    alone may be those of a grid of other cells. True where few spots have colours that tell."""
    seen, strokes = _seen(image, board, camera, lines), _print(board)
    first, *others = (_features(_drawn(strokes, lines, k, seen.raster), seen) for k in lines.turns)
    every = (_votes(seen, first - other) for other in others)
    votes = [v for v in every if 2 * len(v) > len(board.spots)]
    return not votes or any(abs(float((v > 0).mean()) - 0.5) > SHOWN - 0.5 for v in votes)


def _by_men(
    image: Image,
    board: Board,
    camera: Camera,
    lines: PrintedLines,
    turns: tuple[int, ...],
    men: Mapping[str, Drawing],
) -> tuple[int, ...]:
    """Return those of ``turns`` that the print together with ``men`` leaves."""
    if len(turns) < 2 or not men:
        return turns
    dressed = [*_print(board), *(s for m, t in men.items() for s in _at(t, board[m].centre))]
    seen = _seen(image, board, camera, lines, COARSE)
    seen = _beside_men(image, camera, seen, board, lines, turns, men)
    return _best(seen, lines, dressed, turns, PLAIN)


def _beside_men(
    image: Image,
    camera: Camera,
    seen: _Seen,
    board: Board,
    lines: PrintedLines,
    turns: Sequence[int],
    men: Iterable[str],
) -> _Seen:
    """Return ``seen`` with its bare part known, and compared with that; unchanged where there is
    none to speak of."""
    middles = np.array([spot.centre for spot in board.spots.values()]) - lines.middle
    placed = np.stack([middles @ spin(turn / lines.fold).T for turn in turns]) + lines.middle
    column, row = np.moveaxis(np.round(seen.raster.to_pixels(placed)).astype(int), -1, 0)
    numbers = seen.spots[row, column]
    stands = np.isin(list(board.spots), list(men))
    bare = (seen.spots > 0) & ~np.isin(seen.spots, numbers[:, stands])
    if bare.mean() < BARE:
        return seen
    kin = np.r_[0, numbers.min(0)].astype(np.int32)[: int(seen.spots.max()) + 1]
    seen = replace(seen, bare=bare, kin=kin)
    return replace(seen, shows=_features(rectify(image, camera, seen.raster), seen))


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
    plain: float = 0.0,
) -> tuple[int, ...]:
    """Return the turns that no other surely beats, by ``plain`` of their difference at least."""
    drawn = {turn: _features(_drawn(strokes, lines, turn, seen.raster), seen) for turn in turns}

    def beats(one: int, other: int) -> bool:
        difference = drawn[one] - drawn[other]
        votes = _votes(seen, difference)
        seen_of_it = 2 * float((difference * seen.shows).sum())
        if len(votes) < 2 or seen_of_it < plain * float((difference**2).sum()):
            return False
        error = float(votes.std()) / len(votes) ** 0.5 + 1e-9
        return bool(votes.mean() > SURE * error)

    return tuple(turn for turn in turns if not any(beats(other, turn) for other in turns))


def _votes(seen: _Seen, difference: Floats) -> Points:
    """Return for each spot that tells two ways apart how much more it looks like the first."""
    spots, count = seen.spots.ravel(), int(seen.spots.max()) + 1
    size = np.bincount(spots, (difference**2).sum(-1).ravel(), count)
    like = np.bincount(spots, (difference * seen.shows).sum(-1).ravel(), count)
    area = np.maximum(np.bincount(spots, minlength=count), 1)
    if seen.kin is not None:
        size, like, area = (np.bincount(seen.kin, part, count) for part in (size, like, area))
        area = np.maximum(area, 1)
    size[0] = 0.0
    tells = size / area > max(TELLS, CLEARLY * float(np.percentile(size / area, 95)))
    return np.asarray(like[tells] / np.sqrt(size[tells] * area[tells]), np.float64)


def _seen(
    image: Image, board: Board, camera: Camera, lines: PrintedLines, fine: int = PER_CELL
) -> _Seen:
    left, top, right, bottom = board.bounds
    step = lines.cell / fine
    raster = Raster(left, top, int((right - left) / step) + 1, int((bottom - top) / step) + 1, step)
    spots = numbered(raster, (spot.outline for spot in board.spots.values()))
    spots[~in_view(camera, raster, 2)] = 0
    seen = _Seen(raster, fine, np.zeros(0, np.float32), spots)
    return replace(seen, shows=_features(rectify(image, camera, raster), seen))


def _drawn(strokes: Sequence[Stroke], lines: PrintedLines, turn: int, raster: Raster) -> Floats:
    canvas = np.full((raster.height * FINE, raster.width * FINE, 3), 128, np.uint8)
    about = spin(turn / lines.fold).T

    def place(points: Points) -> Points:
        there = raster.to_pixels((points - lines.middle) @ about + lines.middle)
        return (there + 0.5) * FINE - 0.5

    paint(canvas, strokes, place, FINE / raster.step, cv2.LINE_8)
    size = (raster.width, raster.height)
    return np.asarray(cv2.resize(canvas, size, interpolation=cv2.INTER_AREA), np.float32)


def _features(picture: Floats, seen: _Seen) -> Floats:
    """Return lightness less that of the surroundings, and two colours less the usual ones; 0 off
    the spots."""
    mask = (seen.spots > 0).astype(np.float32)
    blue, green, red = np.moveaxis(np.log(cv2.GaussianBlur(picture, (0, 0), 1.0) + DARK), -1, 0)
    light = (blue + green + red) / 3
    around = (0, 0), WIDE * seen.fine
    usual = (
        cv2.GaussianBlur(light * mask, *around) / (cv2.GaussianBlur(mask, *around) + 1e-3)
        if seen.bare is None
        else _plane(light, seen.bare)
    )
    planes = [light - usual, red - green, blue - green]
    for plane in planes[1:]:
        plane -= np.median(plane[mask > 0]) if mask.any() else 0.0
    return np.asarray(np.clip(np.stack(planes, -1), -0.7, 0.7) * mask[..., None], np.float32)


def _plane(light: Floats, bare: NDArray[np.bool_]) -> Floats:
    """Return the light that falls on the whole board, evenly more to one side, by its bare part."""
    y, x = np.indices(light.shape).reshape(2, -1) / max(light.shape)
    slope = np.stack([np.ones_like(x), x, y], -1)
    fitted = np.linalg.lstsq(slope[bare.ravel()], light[bare], rcond=None)[0]
    return np.asarray((slope @ fitted).reshape(light.shape), np.float32)
