"""What is printed beside and on a board, as strokes in millimetres: mat, spots, corner markers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.rules import BadInput, Board, Point, Stroke, quoted
from vision._cv import marker_dictionary
from vision.board.optics import CameraView

DICTIONARY = "DICT_4X4_50"
_MODULES = 6
_PAPER, _INK = "#f6f4ee", "#1b1a1a"

Shade = tuple[int, int, int]
"""Blue, green, red."""


def shade(text: str) -> Shade:
    """Return a CSS hexadecimal colour as blue, green, red.

    Raises:
        BadInput: ``text`` is not ``#rgb`` or ``#rrggbb``.
    """
    digits = text.removeprefix("#")
    if len(digits) == 3:
        digits = "".join(2 * digit for digit in digits)
    try:
        red, green, blue = bytes.fromhex(digits)
    except ValueError:
        raise BadInput(f"{quoted(text)} is not a colour; write it as #rrggbb") from None
    return blue, green, red


def paint(
    canvas: NDArray[np.uint8],
    strokes: Iterable[Stroke],
    place: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    per_mm: float,
    edge: int,
) -> None:
    """Paint ``strokes`` on a picture, later ones on top: ``place`` says which pixels points (n, 2)
    in millimetres are, ``per_mm`` how wide a millimetre is, ``edge`` is a line type of OpenCV."""
    for stroke in strokes:
        at = [np.round(place(np.array(stroke.points, np.float64)) * 16).astype(np.int32)]
        if stroke.fill:
            cv2.fillPoly(canvas, at, shade(stroke.fill), edge, 4)
        if stroke.colour and stroke.width:
            thick = max(1, round(stroke.width * per_mm))
            cv2.polylines(canvas, at, stroke.closed, shade(stroke.colour), thick, edge, 4)


def marker_centres(view: CameraView) -> dict[int, Point]:
    """Return the centres of the corner markers 0 to 3 in millimetres, clockwise from the left
    of the far side."""
    reach = view.reach
    return {0: (-reach, -reach), 1: (reach, -reach), 2: (reach, reach), 3: (-reach, reach)}


def mat_half(board: Board, view: CameraView) -> float:
    """Return half the side of the mat in millimetres."""
    if view.marks == "markers":
        return view.reach + 0.75 * view.marker_mm
    return 1.14 * max(abs(value) for value in board.bounds)


def printed(board: Board, view: CameraView) -> Iterator[Stroke]:
    """Yield what is printed: mat, spots, the board's marks, corner markers; later on top."""
    if view.mat:
        half = mat_half(board, view)
        yield Stroke(tuple(_square(0.0, 0.0, half, 24)), fill=view.mat)
    for spot in board.spots.values():
        yield Stroke(spot.outline, fill=spot.shade, colour="#6b6864", width=0.3)
    yield from board.marks
    if view.marks == "markers":
        for number, centre in marker_centres(view).items():
            yield from marker(number, centre, view.marker_mm)


def _square(x: float, y: float, half: float, pieces: int = 1) -> list[Point]:
    """Return a square's outline, each side in ``pieces`` so that the lens can bend it."""
    steps = [2 * half * k / pieces - half for k in range(pieces)]
    return (
        [(x + s, y - half) for s in steps]
        + [(x + half, y + s) for s in steps]
        + [(x - s, y + half) for s in steps]
        + [(x - half, y - s) for s in steps]
    )


def marker(number: int, centre: Point, size: float) -> Iterator[Stroke]:
    """Yield a printed corner marker of ``size`` millimetres with its white rim."""
    aruco: Any = cv2.aruco
    # Called drawMarker before OpenCV 4.7.
    make = getattr(aruco, "generateImageMarker", None) or aruco.drawMarker
    modules = make(marker_dictionary(DICTIONARY), number, _MODULES)
    side = size / _MODULES
    yield Stroke(tuple(_square(*centre, size / 2 + side)), fill=_PAPER)
    yield Stroke(tuple(_square(*centre, size / 2)), fill=_INK)
    for row, column in zip(*np.nonzero(modules), strict=True):
        x = centre[0] + (column + 0.5) * side - size / 2
        y = centre[1] + (row + 0.5) * side - size / 2
        yield Stroke(tuple(_square(x, y, side / 2)), fill=_PAPER)
