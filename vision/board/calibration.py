"""Calibrating by hand: points that a person drags, snapped to what is printed on the board."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from companion.rules import BadInput, Board, Drawing, Point, quoted, say
from vision._cv import marker_dictionary
from vision.board.calibrate import (
    Camera,
    Points,
    away,
    camera_from_table,
    find_markers,
    fit_camera,
    marker_fields,
    seen_from_above,
)
from vision.board.facing import set_up_ways
from vision.board.find import find_board
from vision.board.fit import refine_to_board
from vision.board.optics import CameraView, fit_view
from vision.board.printed_lines import lines_of, turned
from vision.board.printing import DICTIONARY, marker_centres
from vision.frames import Image, TableFile

PULL = 0.8
"""Pitches by which points may be put right at most: beyond that they would be on the next cell."""


@dataclass(frozen=True, slots=True)
class Located:
    """Where the board lies in a picture. ``how``: ``markers``, ``print`` (snapped to what is
    printed), ``men`` (that, turned as the men of the set-up stand), ``points`` (as a person put
    them) or ``guess``."""

    camera: Camera
    how: str

    @property
    def sure(self) -> bool:
        """Tell whether the picture itself confirms it."""
        return self.how in ("markers", "print", "men")


def handles(board: Board) -> dict[str, Point]:
    """Return the points that a person places, named by spots, in millimetres: the corners of a
    square board, else the middle cell and six cells far out all round."""
    if board.corners:
        return dict(board.corners)
    cells = [spot for spot in board.spots.values() if spot.kind == "cell"]
    chosen = [min(cells, key=lambda spot: math.hypot(*spot.centre))]
    for k in range(6):
        turn = 2 * math.pi * (k + 0.1) / 6
        way = math.cos(turn), math.sin(turn)
        far = max(cells, key=lambda s: s.centre[0] * way[0] + s.centre[1] * way[1])
        if far not in chosen:
            chosen.append(far)
    return {spot.name: spot.centre for spot in chosen}


def guess(board: Board, size: tuple[int, int]) -> Located:
    """Return a first guess: the board fills four fifths of a picture of ``size``, seen from
    straight above."""
    left, top, right, bottom = board.bounds
    scale = 0.8 * min(size[0] / (right - left), size[1] / (bottom - top))
    x = (size[0] - 1) / 2 - scale * (left + right) / 2
    y = (size[1] - 1) / 2 - scale * (top + bottom) / 2
    matrix = np.array([[scale, 0.0, x], [0.0, scale, y], [0.0, 0.0, 1.0]])
    return Located(Camera(matrix, size), "guess")


def locate(
    image: Image, board: Board, points: Mapping[str, Point], covered: Collection[str]
) -> Located:
    """Find the board by ``points`` (handle -> pixel), snapped to the print where it agrees.

    ``covered`` are the spots that tokens lie on.

    Raises:
        BadInput: a point is no handle, fewer than four are given, or they lie on one line.
    """
    names = handles(board)
    if unknown := [name for name in points if name not in names]:
        raise BadInput(
            say("{point} is no point to place; those are {points}", point=quoted(unknown[0]),
                points=list(names))
        )  # fmt: skip
    if len(points) < 4:
        raise BadInput(say("at least four points are needed to find the board"))
    at = np.array([names[name] for name in points])
    pixels = np.array([points[name] for name in points], float)
    camera = fit_camera(at, pixels, (image.shape[1], image.shape[0]))
    if not seen_from_above(camera, board):
        raise BadInput(
            say("the points lie on one line or are mixed up; place each on its own cell")
        )
    return _snapped(image, board, camera, covered) or Located(camera, "points")


def turned_to(
    image: Image, board: Board, located: Located, men: Mapping[str, Drawing]
) -> tuple[Located, ...]:
    """Return ``located``, after the ways round that the ``men`` of the set-up show where those are
    others for certain."""
    turns = set_up_ways(image, board, located.camera, men) if located.sure else (0,)
    if 0 in turns:
        return (located,)
    lines = lines_of(board)
    ways = (turned(located.camera, lines, turn / lines.fold) for turn in turns)
    return (*(Located(camera, "men") for camera in ways), located)


def locate_markers(image: Image, board: Board, covered: Collection[str]) -> Located | None:
    """Find the board by printed markers; None where they, or the board between, are not seen."""
    try:
        camera = camera_from_table(board, marker_layout(board), image)
    except BadInput:
        return None
    found = _snapped(image, board, camera, covered)
    return found and Located(found.camera, "markers")


def locate_print(image: Image, board: Board, men: Mapping[str, Drawing]) -> tuple[Located, ...]:
    """Find the board by what is printed on it: every way round that it may lie, none where it is
    not found for certain. ``men`` are the drawings of what stands on spots at the set-up."""
    return tuple(Located(camera, "print") for camera in find_board(image, board, men))


def marker_layout(board: Board) -> dict[str, Any]:
    """Return where the printed corner markers lie: the fields of a table file."""
    view = fit_view(board, CameraView(marks="markers"))
    centres = {str(n): [round(x, 2), round(y, 2)] for n, (x, y) in marker_centres(view).items()}
    size = round(view.marker_mm, 2)
    markers = {"dictionary": DICTIONARY, "size_mm": size, "centres_mm": centres}
    return {"markers": markers, "cell_mm": board.pitch}


def entered(board: Board, camera: Camera) -> TableFile:
    """Return what a table file says of a board seen through ``camera``: the handles' pixels."""
    names = handles(board)
    pixels = camera.project(np.array(list(names.values())))
    points = {
        name: [round(float(x), 1), round(float(y), 1)]
        for name, (x, y) in zip(names, pixels, strict=True)
    }
    return {"image_size": list(camera.size), "corners" if board.corners else "taps": points}


def measured_markers(image: Image, board: Board, camera: Camera) -> TableFile:
    """Return the fields of a table file for the corner markers in the picture, measured on the
    board's plane: they need not have been printed or laid exactly. Empty with fewer than three.
    """
    layout = marker_layout(board)
    wanted = {int(number): at for number, at in layout["markers"]["centres_mm"].items()}
    seen = find_markers(image, marker_dictionary(DICTIONARY), set(wanted))
    if len(seen) < 3:
        return {}
    centres, sides = {}, []
    for number, corners in sorted(seen.items()):
        plane = np.array([board_point(camera, pixel, wanted[number]) for pixel in corners])
        centres[str(number)] = [round(float(v), 1) for v in plane.mean(0)]
        sides.append(float(np.linalg.norm(np.roll(plane, 1, 0) - plane, axis=1).mean()))
    markers = {
        "dictionary": DICTIONARY,
        "size_mm": round(float(np.median(sides)), 1),
        "centres_mm": centres,
    }
    return {"markers": markers, "cell_mm": board.pitch}


def missing_markers(image: Image, board: Board, table_file: TableFile) -> tuple[int, ...]:
    """Return the numbers of the markers that should be seen and are not: those of the table file,
    else the rest of the usual ones where at least one of them is seen."""
    asked = "markers" in table_file
    dictionary, _, centres = marker_fields(table_file if asked else marker_layout(board))
    seen = find_markers(image, dictionary, set(centres))
    return tuple(sorted(centres.keys() - seen.keys())) if asked or seen else ()


def board_point(camera: Camera, pixel: Points, start: Point) -> Points:
    """Return the board point (millimetres) that ``camera`` shows at ``pixel``, by Newton's method
    from ``start``."""
    at, steps = np.array(start, float), np.array([(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)])
    for _ in range(12):
        here, right, down = camera.project(at + steps)
        at = at + np.linalg.solve(np.stack([right - here, down - here], 1), pixel - here)
    return at


def _snapped(
    image: Image, board: Board, camera: Camera, covered: Collection[str]
) -> Located | None:
    fit = refine_to_board(image, board, camera, covered)
    near = away(fit.camera, camera, board) < PULL
    return (
        Located(fit.camera, "print")
        if fit.agrees and near and seen_from_above(fit.camera, board)
        else None
    )
