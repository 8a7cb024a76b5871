"""Where the lines of a board may lie in a picture: a search over every lean, turn, size and place.

The picture is laid as if seen from straight above. The lines of each direction are summed along
themselves: sizes are told by the rows of peaks that this gives. For the likeliest sizes
the whole pattern of lines is then correlated with the picture, at every place at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.board.calibrate import Camera, Points
from vision.board.from_above import StraightView, leans
from vision.board.printed_lines import Complex, Gray, PrintedLines, line_field, spin
from vision.board.raster import Floats

FINENESS, SMALLEST, LARGEST = 8, 260, 560
"""Pixels a cell of a board that fills little of the picture, and of the shorter side of the
picture, in which it is searched for."""
ROOM = 1.5
"""How much larger than the picture what is seen from above is."""
LEAST, MOST = 0.35, 1.3
"""The board's longer side, in parts of the picture's shorter one."""
SIZES = 12
"""Sizes, of all leans, for which places are searched, and places that are returned."""
PLACES = 2
"""Places of each size that are kept."""
QUIET = 0.02
"""Added to the energy of the picture, a pixel, so that a few lines on plain ground do not count
as a board."""


@dataclass(frozen=True, slots=True, eq=False)
class _Flat:
    """The picture from above: its ``field`` of lines, how pixels come there (``matrix``), and the
    direction of lines in circles."""

    field: Complex
    matrix: Points
    angle: float


def likely_places(gray: Gray, lines: PrintedLines) -> list[Camera]:
    """Return where the board may lie in the picture, the likeliest place first; roughly, and but
    for turns that change nothing about the lines."""
    across = lines.extent / lines.cell
    side = float(np.clip(FINENESS * across / 0.45, SMALLEST, LARGEST))
    shrink = side / min(gray.shape)
    step = 1.02 if across < 12 else 1.012
    count = int(np.log(MOST / LEAST) / np.log(step))
    sizes = [side / lines.extent * LEAST * step**number for number in range(count)]
    turns = range(lines.fold) if len(lines.turns) == 1 else range(lines.fold // len(lines.turns))
    tries = []
    for lean in leans(gray, lines.fold):
        flat = _laid(gray, lean, shrink)
        tries += [(like, flat, scale, flat.angle + turn / lines.fold)
                  for like, scale, turn in _like_rows(flat, lines, sizes, turns)]  # fmt: skip
    tries.sort(key=lambda one: -one[0])
    found = [
        place
        for _, flat, scale, angle in tries[:SIZES]
        for place in _places(lines, flat, scale, angle)
    ]
    found.sort(key=lambda one: -one[0])
    size = (gray.shape[1], gray.shape[0])
    return [Camera(matrix / matrix[2, 2], size) for _, matrix in found[:SIZES]]


def _laid(gray: Gray, lean: StraightView, shrink: float) -> _Flat:
    height, width = gray.shape
    middle = lean.homography @ ((width - 1) / 2, (height - 1) / 2, 1.0)
    scale, (columns, rows) = (
        shrink / lean.stretch,
        (int(ROOM * shrink * s) for s in (width, height)),
    )
    x, y = middle[:2] / middle[2]
    place = np.array([[scale, 0, columns / 2 - scale * x], [0, scale, rows / 2 - scale * y],
                      [0, 0, 1.0]])  # fmt: skip
    matrix = place @ lean.homography
    step = max(1, int(0.8 / shrink))
    small = cv2.resize(gray, (width // step, height // step), interpolation=cv2.INTER_AREA)
    coarse = matrix @ np.diag([step, step, 1.0])
    seen = cv2.warpPerspective(small, coarse, (columns, rows), flags=cv2.INTER_LINEAR)
    whole = cv2.warpPerspective(np.full_like(small, 255), coarse, (columns, rows))
    inside = cv2.erode(whole, np.ones((9, 9), np.uint8)) > 0
    field = line_field(np.asarray(seen, np.uint8)) * np.asarray(inside)
    return _Flat(field, matrix, lean.angle / 360)


def _like_rows(
    flat: _Flat, lines: PrintedLines, sizes: Sequence[float], turns: range
) -> Iterator[tuple[float, float, int]]:
    """Yield for each size and turn how well rows of lines agree: the correlation, the size in
    pixels a millimetre, and the turn."""
    rows, columns = np.nonzero(np.abs(flat.field) > 0.05)
    values, reach = flat.field[rows, columns], sum(flat.field.shape)
    seen, wanted = [], {turn: list[tuple[Points, Points]]() for turn in turns}
    for part in range(lines.fold // 2):
        normal = 2 * np.pi * (flat.angle + 0.25 + part / lines.fold)
        way = np.array([np.cos(normal), np.sin(normal)])
        weight = np.maximum((values * np.exp(-2j * normal)).real, 0)
        at = np.round(columns * way[0] + rows * way[1]).astype(int) + reach
        seen.append(np.bincount(at, weight, 2 * reach + 1).astype(np.float64))
        for turn, lists in wanted.items():
            ends = lines.ends @ spin(flat.angle + turn / lines.fold).T
            run = ends[:, 1] - ends[:, 0]
            long = np.hypot(*run.T)
            level = np.abs(run @ way) < 0.05 * long
            lists.append((ends[level].mean(1) @ way, long[level]))
    for scale in sizes:
        wide = lines.cell * scale
        peaks = [_sharp(row, wide) for row in seen]
        for turn, lists in wanted.items():
            like = [
                _row_likeness(peak, at * scale, long, wide)
                for peak, (at, long) in zip(peaks, lists, strict=True)
            ]
            yield float(np.mean(like)), scale, turn


def _row_likeness(peaks: Floats, at: Points, long: Points, wide: float) -> float:
    """Return the best correlation of lines at ``at``, ``long`` millimetres long, with ``peaks``."""
    if not len(at):
        return 0.0
    lines = np.bincount(np.round(at - at.min()).astype(int), long).astype(np.float64)
    row = _sharp(np.convolve(lines, (0.2, 0.6, 0.2)), wide)
    if row.shape[1] >= peaks.shape[1]:
        return 0.0
    return float(_likeness(peaks, row, 0.1 * float((peaks**2).sum())).max())


def _sharp(row: Points, wide: float) -> Floats:
    """Return ``row`` less its mean over ``wide``, and somewhat beyond both ends: (1, n, 1)."""
    wide = max(3, int(wide) | 1)
    padded = np.pad(row, wide)
    sharp = padded - np.convolve(padded, np.full(wide, 1 / wide), "same")
    return np.asarray(sharp[None, :, None], np.float32)


def _places(
    lines: PrintedLines, flat: _Flat, scale: float, angle: float
) -> Iterator[tuple[float, Points]]:
    """Yield the likeliest places of the lines at that scale and turn: the correlation, and the
    homography from millimetres to pixels."""
    pattern, corner = _pattern(lines, scale, angle)
    (height, width), (rows, columns) = pattern.shape, flat.field.shape
    if height >= rows or width >= columns:
        return
    like = _likeness(_planes(flat.field), _planes(pattern), QUIET * width * height)
    for _ in range(PLACES):
        y, x = np.unravel_index(int(like.argmax()), like.shape)
        place = np.eye(3)
        place[:2, :2] = scale * spin(angle)
        place[:2, 2] = np.array([x, y]) - corner
        yield float(like[y, x]), np.linalg.inv(flat.matrix) @ place
        near = int(0.4 * lines.cell * scale) + 1
        like[max(0, y - near) : y + near + 1, max(0, x - near) : x + near + 1] = -1


def _pattern(lines: PrintedLines, scale: float, angle: float) -> tuple[Complex, Points]:
    """Draw the lines as :func:`line_field` sees them; return the point of its left upper pixel."""
    ends = scale * lines.ends @ spin(angle).T
    corner = ends.reshape(-1, 2).min(0) - 3
    ends = ends - corner
    width, height = (int(v) + 4 for v in np.ceil(ends.reshape(-1, 2).max(0)))
    run = ends[:, 1] - ends[:, 0]
    way = np.round(np.degrees(np.arctan2(run[:, 1], run[:, 0])) % 180).astype(int)
    pattern = np.zeros((height, width), np.complex64)
    for degrees in np.unique(way):
        drawn = np.zeros((height, width), np.uint8)
        some = list(np.round(ends[way == degrees] * 16).astype(np.int32))
        cv2.polylines(drawn, some, False, (255,), 1, cv2.LINE_AA, 4)
        soft = cv2.GaussianBlur(drawn.astype(np.float32) / 255, (0, 0), 0.9)
        pattern += np.asarray(soft) * np.complex64(np.exp(2j * np.radians(degrees + 90)))
    return pattern, corner


def _planes(field: Complex) -> Floats:
    """Return what is real and what is imaginary, (rows, columns, 2)."""
    return np.ascontiguousarray(np.stack([field.real, field.imag], -1))


def _likeness(seen: Floats, pattern: Floats, rest: float) -> Floats:
    """Return the correlation of a pattern (rows, columns, planes) with what is ``seen`` at every
    place; the ``rest`` is added to the energy there."""
    height, width = pattern.shape[:2]
    both = np.asarray(cv2.matchTemplate(seen, pattern, cv2.TM_CCORR))
    square = (seen**2).sum(2).astype(np.float64)
    energy = cv2.boxFilter(square, -1, (width, height), normalize=False, anchor=(0, 0))
    there = np.asarray(energy)[: both.shape[0], : both.shape[1]] + rest
    return np.asarray(both / np.sqrt(float((pattern**2).sum()) * there + 1e-9), np.float32)
