"""The mat that dice are thrown on: its zones, its corner markers, and the order of reading."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.rules import BadInput, Board, Mat, Point, Spot, Stroke, quoted
from companion.rules.geometry import inside
from vision.board.calibrate import SQUARE, marker_fields
from vision.board.printing import DICTIONARY, marker
from vision.board.raster import Raster, numbered, within
from vision.dice.traycubes import Cube
from vision.frames import TableFile

MARKER_MM = 24.0
LINE_MM = 1.5
"""A die whose middle is so near to another zone may be meant to lie there."""


def tray_board(
    zones: Mapping[str, Sequence[Point]], size: tuple[float, float], die_mm: float
) -> Board:
    """Return the mat as a board whose spots are the zones.

    Raises:
        BadInput: there is no zone, or one with fewer than three corners or off the mat.
    """
    half = size[0] / 2, size[1] / 2
    if not zones:
        raise BadInput("a tray needs at least one zone")
    spots = {}
    for name, outline in zones.items():
        if len(outline) < 3:
            raise BadInput(f"zone {quoted(name)} of the tray needs at least three corners")
        if any(abs(x) > half[0] or abs(y) > half[1] for x, y in outline):
            raise BadInput(
                f"zone {quoted(name)} reaches over the edge of the mat of {size[0]:g} by "
                f"{size[1]:g} mm"
            )
        xs, ys = [x for x, _ in outline], [y for _, y in outline]
        centre = ((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2)
        spots[name] = Spot(name, centre, tuple(outline), kind="zone", shade="#b9b6ae")
    corners = {
        "far left": (-half[0], -half[1]), "far right": (half[0], -half[1]),
        "near right": half, "near left": (-half[0], half[1]),
    }  # fmt: skip
    return Board(
        MappingProxyType(spots), die_mm, corners=MappingProxyType(corners), token_height=die_mm
    )


def tray_markers(size: tuple[float, float]) -> dict[str, Any]:
    """Return where the printed markers 0 to 3 lie, clockwise from the far left, in the corners of
    a mat: the fields of a table file."""
    x, y = size[0] / 2 - 0.75 * MARKER_MM, size[1] / 2 - 0.75 * MARKER_MM
    centres = {"0": [-x, -y], "1": [x, -y], "2": [x, y], "3": [-x, y]}
    return {"markers": {"dictionary": DICTIONARY, "size_mm": MARKER_MM, "centres_mm": centres}}


def printed_mat(mat: Mat, colour: str, shades: Sequence[str]) -> Iterator[Stroke]:
    """Yield what is printed on a game's mat: its ground, zones in ``shades`` by turns, and the
    markers by which it is found."""
    x, y = mat.size[0] / 2, mat.size[1] / 2
    yield Stroke(((-x, -y), (x, -y), (x, y), (-x, y)), fill=colour)
    for number, outline in enumerate(mat.zones.values()):
        yield Stroke(outline, fill=shades[number % len(shades)], colour="#2b2b2b", width=0.6)
    for name, (left, top) in tray_markers(mat.size)["markers"]["centres_mm"].items():
        yield from marker(int(name), (left, top), MARKER_MM)


def areas_of(board: Board, table_file: TableFile, raster: Raster) -> NDArray[np.int32]:
    """Return which zone each raster point belongs to, from 1; 0 is the mat between, and -1 where
    the markers of the table file are printed."""
    areas = numbered(raster, (spot.outline for spot in board.spots.values()))
    if "markers" in table_file:
        _, size, centres = marker_fields(table_file)
        square = SQUARE * 0.75 * size
        areas[within(raster, (square + np.array(at) for at in centres.values())) > 0] = -1
    return areas


def zone_at(board: Board, at: Point, side: float) -> tuple[str, bool]:
    """Return the zone that the middle of a die lies in, "" for none, and whether another is
    hardly farther; a die of ``side`` millimetres in no zone may reach into one."""
    near = zones_near(board, at, side)
    name = near[0] if near and inside(at, board[near[0]].outline) else ""
    return name, any(other != name for other in near)


def zones_near(board: Board, at: Point, side: float) -> tuple[str, ...]:
    """Return the zones that a die of ``side`` millimetres may be meant to lie in, the nearest
    first: the one that holds its middle and those hardly farther, or those it reaches into."""
    inner = {
        spot.name: cv2.pointPolygonTest(np.array(spot.outline, np.float32), at, True)
        for spot in board.spots.values()
    }
    reach = LINE_MM if max(inner.values()) >= 0 else max(LINE_MM, side / 2)
    return tuple(
        sorted((name for name in inner if inner[name] >= -reach), key=lambda name: -inner[name])
    )


def in_rows(cubes: Sequence[Cube], side: float) -> list[Cube]:
    """Return dice as one reads: row by row, each from the left; a row is lower than the one
    before by more than half a die."""
    rows: list[list[Cube]] = []
    for cube in sorted(cubes, key=lambda cube: cube.y):
        if rows and cube.y - float(np.mean([other.y for other in rows[-1]])) < 0.6 * side:
            rows[-1].append(cube)
        else:
            rows.append([cube])
    return [cube for row in rows for cube in sorted(row, key=lambda cube: cube.x)]


def plain_colour(tone: NDArray[Any]) -> str:
    """Return the plain word for a colour (blue-green-red, 1 for white paper)."""
    pixel = np.clip(np.asarray(tone, np.float32) * 255, 0, 255).astype(np.uint8)
    hue, rich, light = (int(v) for v in cv2.cvtColor(pixel[None, None], cv2.COLOR_BGR2HSV)[0, 0])
    if light < 70:
        return "black"
    if rich < 70:
        return "white" if light > 140 else "grey"
    for end, word in ((8, "red"), (20, "orange"), (34, "yellow"), (85, "green"), (125, "blue"),
                      (160, "purple")):  # fmt: skip
        if hue < end:
            return word
    return "red"
