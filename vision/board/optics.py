"""Where a simulated camera stands, and where it sees a point of the table."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from companion.rules import Board

Array = NDArray[np.float64]

_ROOM = 1.08
"""How much larger than everything printed the view of the camera is."""


@dataclass(frozen=True, slots=True)
class CameraView:
    """How a table stands before a camera. Lengths in millimetres, angles in degrees.

    ``aim`` is the board point in the middle of the picture, ``distance`` how far the lens is from
    it; ``tilt`` 0 looks straight down, more
    looks from the first seat's side; ``turn`` walks the camera round the table; ``roll`` turns
    the camera about its own axis. ``lens`` is the focal length in picture widths; ``distortion``
    the first radial coefficient (negative = barrel). ``marks`` tells how the table is found:
    ``markers`` (printed corner markers), ``taps`` (tapped spots) or ``corners`` (square boards).
    ``reach`` is how far from the middle the markers' centres lie, ``thickness`` how high tokens
    are (0: as the board says, else flat pieces). ``mat`` and ``table`` are CSS colours; an empty
    ``mat`` is none.
    """

    image_size: tuple[int, int] = (1640, 1232)
    aim: tuple[float, float] = (0.0, 0.0)
    distance: float = 900.0
    tilt: float = 26.0
    turn: float = 4.0
    roll: float = 1.0
    lens: float = 0.95
    distortion: float = -0.035
    marks: str = "markers"
    marker_mm: float = 40.0
    reach: float = 295.0
    thickness: float = 0.0
    mat: str = "#474543"
    table: str = "#8a5f43"


def fit_view(board: Board, view: CameraView | None = None) -> CameraView:
    """Return ``view`` moved so far off that board and markers fill its picture.

    Markers, where there are any, are put just outside the board; their size, the tokens'
    thickness and the distance follow the board's size.
    """
    given = view or CameraView()
    left, top, right, bottom = board.bounds
    half = max(-left, right, -top, bottom)
    marker = min(40.0, max(12.0, half * 0.13))
    outlines = (point for spot in board.spots.values() for point in spot.outline)
    # A marker with its rim lies in a corner only where no spot does.
    crowded = any(min(abs(x), abs(y)) > half - 0.4 * marker for x, y in outlines)
    sized = replace(
        given,
        marker_mm=marker,
        reach=half + (1.0 if crowded else 0.35) * marker,
        thickness=given.thickness or board.token_height or 0.08 * board.pitch,
        distance=4 * half,
    )
    edge = sized.reach + 0.75 * marker if given.marks == "markers" else half
    square = [(-edge, -edge), (edge, -edge), (edge, edge), (-edge, edge)]
    for _ in range(4):
        sized = replace(sized, distance=_nearest(sized, square))
        optics = Optics(sized)
        seen = optics.project(square)
        u, v = (seen.min(axis=0) + seen.max(axis=0)) / 2
        sized = replace(sized, aim=optics.board_point((float(u), float(v))))
    return replace(sized, distance=_nearest(sized, square))


def _nearest(view: CameraView, points: list[tuple[float, float]]) -> float:
    """Return the least distance from which all points are seen."""
    low = max(abs(value) for point in points for value in point)
    high = 40 * low
    for _ in range(30):
        middle = (low + high) / 2
        if _fits(replace(view, distance=middle), points):
            high = middle
        else:
            low = middle
    return high


def _fits(view: CameraView, points: list[tuple[float, float]]) -> bool:
    optics = Optics(view)
    if min(optics.depth(point) for point in points) < 0.2 * view.distance:
        return False
    pixels = optics.project(points)
    size = np.array(view.image_size, float)
    offset = np.abs(pixels - size / 2) * _ROOM
    return bool((offset < size / 2).all())


class Optics:
    """A camera's projection. ``shift`` moves and turns the board on the table (mm, mm, degrees),
    ``bump`` moves the picture (pixels) and ``twist`` turns the camera about its axis (degrees)."""

    def __init__(
        self,
        view: CameraView,
        shift: tuple[float, float, float] = (0.0, 0.0, 0.0),
        bump: tuple[float, float] = (0.0, 0.0),
        twist: float = 0.0,
    ) -> None:
        self.view = view
        tilt, turn = math.radians(view.tilt), math.radians(view.turn)
        forward = np.array(
            [
                -math.sin(tilt) * math.sin(turn),
                -math.sin(tilt) * math.cos(turn),
                math.cos(tilt),
            ]
        )
        # The board frame has x right and y down as seen from above, so its z points into the
        # table and the camera stands at negative z.
        self.eye: Array = np.array([*view.aim, 0.0]) - view.distance * forward
        down = np.array([math.sin(turn), math.cos(turn), 0.0]) * math.cos(tilt)
        down += np.array([0.0, 0.0, math.sin(tilt)])
        right = np.cross(down, forward)
        roll = math.radians(view.roll + twist)
        self._axes: Array = np.array(
            [
                right * math.cos(roll) + down * math.sin(roll),
                down * math.cos(roll) - right * math.sin(roll),
                forward,
            ]
        )
        width, height = view.image_size
        self._focal = view.lens * width
        self._centre: Array = np.array([width / 2 + bump[0], height / 2 + bump[1]])
        angle = math.radians(shift[2])
        self._turn: Array = np.array(
            [[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]]
        )
        self._shift: Array = np.array(shift[:2], float)

    def project(self, points: ArrayLike, height: float | Array = 0.0) -> Array:
        """Return the pixels (n, 2) of board points (n, 2) in millimetres, ``height`` above it.

        Radial distortion as in Brown's model with its first coefficient alone.
        """
        local = self._seen(points, height)
        flat = local[:, :2] / local[:, 2:]
        factor = 1 + self.view.distortion * (flat**2).sum(axis=1, keepdims=True)
        pixels: Array = flat * factor * self._focal + self._centre
        return pixels

    def scales(self, points: ArrayLike) -> Array:
        """Return pixels per millimetre (n,) at board points (n, 2), across the line of sight."""
        scales: Array = self._focal / self._seen(points, 0.0)[:, 2]
        return scales

    def depth(self, point: tuple[float, float], height: float = 0.0) -> float:
        """Return how far before the lens a board point lies, in millimetres."""
        return float(self._seen([point], height)[0, 2])

    def scale(self, point: tuple[float, float], height: float = 0.0) -> float:
        """Return pixels per millimetre at a board point, across the line of sight."""
        return self._focal / self.depth(point, height)

    def board_point(self, pixel: tuple[float, float]) -> tuple[float, float]:
        """Return the board point (mm) seen at ``pixel``; lens distortion is undone."""
        distorted = (np.asarray(pixel, float) - self._centre) / self._focal
        flat = distorted.copy()
        for _ in range(6):
            flat = distorted / (1 + self.view.distortion * float(flat @ flat))
        ray = np.array([flat[0], flat[1], 1.0]) @ self._axes
        world = self.eye[:2] - ray[:2] * self.eye[2] / ray[2]
        x, y = (world - self._shift) @ self._turn
        return float(x), float(y)

    def _seen(self, points: ArrayLike, height: float | Array) -> Array:
        plane = np.asarray(points, float).reshape(-1, 2) @ self._turn.T + self._shift
        world = np.column_stack([plane, np.broadcast_to(-np.asarray(height), len(plane))])
        seen: Array = (world - self.eye) @ self._axes.T
        return seen
