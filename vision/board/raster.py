"""The board seen from straight above: a raster of points in millimetres, and the camera's picture
laid on it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.rules import Board, Point
from vision.board.calibrate import Camera, Points
from vision.board.printing import shade
from vision.frames import Image

Floats = NDArray[np.float32]
DARK = 6.0
"""Grey levels added before logarithms are taken, so that the noise of dark pixels counts little."""


@dataclass(frozen=True, slots=True)
class Raster:
    """A grid of points over the board's bounds and ``margin`` millimetres round them.

    ``step`` is the distance of neighbouring points in millimetres.
    """

    left: float
    top: float
    width: int
    height: int
    step: float

    def to_pixels(self, points: Points) -> Points:
        """Return raster columns and rows (n, 2) of board points (n, 2)."""
        return (np.asarray(points, np.float64) - (self.left, self.top)) / self.step

    def to_board(self, pixels: Points) -> Points:
        """Return board points (n, 2) of raster columns and rows (n, 2)."""
        return np.asarray(pixels, np.float64) * self.step + (self.left, self.top)

    def maps(self, camera: Camera, shrink: float) -> tuple[Floats, Floats]:
        """Return the columns and rows of a picture, shrunk ``shrink`` times, under the raster.

        The lens bends slowly: the projection is exact on every eighth point and linear between.
        """
        return _maps(self, camera, shrink)


@lru_cache(maxsize=2)
def _maps(raster: Raster, camera: Camera, shrink: float) -> tuple[Floats, Floats]:
    pixels = (coarse_project(camera, raster) + 0.5) / shrink - 0.5
    return np.ascontiguousarray(pixels[..., 0]), np.ascontiguousarray(pixels[..., 1])


def halved(image: Image, shrink: int) -> Image:
    """Return the picture made half as large as often as ``shrink`` can be halved."""
    while shrink > 1:
        size = (image.shape[1] // 2, image.shape[0] // 2)
        image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
        shrink //= 2
    return image


def raster_over(board: Board, per_pitch: float, margin: float) -> Raster:
    """Return a raster with ``per_pitch`` points a pitch and ``margin`` pitches round the board."""
    left, top, right, bottom = board.bounds
    step, rim = board.pitch / per_pitch, margin * board.pitch
    width = int(np.ceil((right - left + 2 * rim) / step)) + 1
    height = int(np.ceil((bottom - top + 2 * rim) / step)) + 1
    return Raster(left - rim, top - rim, width, height, step)


def coarse_project(camera: Camera, raster: Raster) -> Floats:
    """Return the pixel (x, y) under every raster point, (height, width, 2)."""
    every = 8
    columns = np.arange(0, raster.width + every, every, dtype=np.float64)
    rows = np.arange(0, raster.height + every, every, dtype=np.float64)
    grid = np.stack(np.meshgrid(columns, rows), -1)
    knots = camera.project(raster.to_board(grid.reshape(-1, 2))).reshape(grid.shape)
    # warpAffine interpolates linearly between the knots and keeps them where they are.
    back = np.array([[1 / every, 0, 0], [0, 1 / every, 0]])
    return np.asarray(
        cv2.warpAffine(
            knots.astype(np.float32),
            back,
            (raster.width, raster.height),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        ),
        np.float32,
    )


def in_view(camera: Camera, raster: Raster, rim: float) -> NDArray[np.bool_]:
    """Return a mask (height, width) of the raster points that the picture shows, at least ``rim``
    pixels from its edge."""
    where, (width, height) = coarse_project(camera, raster), camera.size
    x, y = where[..., 0], where[..., 1]
    inside = (x > rim) & (y > rim) & (x < width - 1 - rim) & (y < height - 1 - rim)
    grid = np.stack(np.meshgrid(np.arange(raster.width), np.arange(raster.height)), -1)
    points = raster.to_board(grid.reshape(-1, 2).astype(np.float64))
    unfolded = camera.spreads(points).reshape(inside.shape)
    return np.asarray(inside & unfolded, bool)


def draw_board(board: Board, raster: Raster, covered: Collection[str]) -> Floats:
    """Draw the lightness of the printed board: shades, outlines and marks; 0 beside it.

    Spots in ``covered`` are drawn middle grey, for what lies on them is not printed.
    """
    fine, shift = np.zeros((raster.height * 2, raster.width * 2), np.uint8), 4
    spots = board.spots.values()
    # Twice as fine, and in parts of a pixel: the middle of a point lies between two pixels.
    outlines = _drawn(raster, (spot.outline for spot in spots), 2 << shift, 1 << shift - 1)
    for spot, polygon in zip(spots, outlines, strict=True):
        blue, green, red = shade("#808080" if spot.name in covered else spot.shade)
        grey = round(0.299 * red + 0.587 * green + 0.114 * blue)
        cv2.fillPoly(fine, [polygon], (grey,), cv2.LINE_AA, shift)
    thick = max(1, round(0.05 * board.pitch / raster.step * 2))
    cv2.polylines(fine, outlines, True, (90,), thick, cv2.LINE_AA, shift)
    return np.asarray(
        cv2.resize(fine, (raster.width, raster.height), interpolation=cv2.INTER_AREA), np.float32
    )


def cut_out(image: Image, corners: Points, size: tuple[int, int]) -> Image:
    """Return what lies within ``corners`` (4, 2) of a picture, clockwise from the left upper one,
    as a flat picture of ``size`` (width, height)."""
    width, height = size
    goal = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    way = cv2.getPerspectiveTransform(corners.astype(np.float32), goal)
    cut = cv2.warpPerspective(image, way, size, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cut, np.uint8)


def discs(raster: Raster, middles: Points, radius: float) -> NDArray[np.int64]:
    """Return the numbers of the points (n, m) of ``raster`` that lie within ``radius`` points of
    each of the ``middles`` (n, 2), in points."""
    reach = int(radius)
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    inside = np.hypot(x, y) <= radius
    at = np.round(middles).astype(np.int64)
    columns = at[:, :1] + x[inside]
    return np.asarray((at[:, 1:] + y[inside]) * raster.width + columns)


def numbered(raster: Raster, outlines: Iterable[Points | Sequence[Point]]) -> NDArray[np.int32]:
    """Return which of ``outlines`` (n, 2), in millimetres, each point of ``raster`` lies in, from
    1; 0 for none."""
    numbers = np.zeros((raster.height, raster.width), np.int32)
    for number, outline in enumerate(_drawn(raster, outlines), start=1):
        cv2.fillPoly(numbers, [outline], (number,))
    return numbers


def within(raster: Raster, outlines: Iterable[Points | Sequence[Point]]) -> NDArray[np.uint8]:
    """Return a mask of ``raster``, 1 within ``outlines`` (n, 2), in millimetres."""
    mask = np.zeros((raster.height, raster.width), np.uint8)
    for outline in _drawn(raster, outlines):
        cv2.fillConvexPoly(mask, outline, (1,))
    return mask


def _drawn(
    raster: Raster, outlines: Iterable[Points | Sequence[Point]], finer: int = 1, more: int = 0
) -> list[NDArray[np.int32]]:
    """Return ``outlines`` (n, 2), in millimetres, as whole numbers to draw by: so much ``finer``
    than the points of ``raster`` and so many ``more``. All are worked out at once."""
    every = [*outlines]
    corners = np.array([point for outline in every for point in outline])
    points = raster.to_pixels(corners.reshape(-1, 2))
    whole, ends = np.round(points * finer + more).astype(np.int32), [*accumulate(map(len, every))]
    return [whole[first:end] for first, end in zip([0, *ends], ends, strict=False)]


def across(way: Callable[[Any, Any], Any], picture: NDArray[Any]) -> NDArray[Any]:
    """Return ``way``, such as ``np.minimum``, of the three channels of ``picture`` (…, 3). NumPy's
    own reductions take twenty times as long where the last axis is so short."""
    return np.asarray(way(way(picture[..., 0], picture[..., 1]), picture[..., 2]))


def worst(difference: Floats) -> Floats:
    """Return the largest absolute value over the channels of ``difference`` (…, 3)."""
    return across(np.maximum, np.abs(difference))


def grey(picture: Floats) -> Floats:
    """Return the mean over the channels of ``picture`` (…, 3)."""
    return np.asarray(across(np.add, picture) / 3, np.float32)


def quantile(values: NDArray[Any], share: float = 0.5) -> Any:
    """Return of each row of ``values`` (…, n) the one that ``share`` of all do not exceed."""
    most = min(int(share * values.shape[-1]), values.shape[-1] - 1)
    # Sorted in full: NumPy does that with wide registers, and is slow to divide many equal ones.
    return np.sort(values)[..., most]


def edge_of(known: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the mask of the points two wide along the edge of what is ``known``."""
    window = np.ones((5, 5), np.uint8)
    inside = cv2.erode(
        known.astype(np.uint8), window, borderType=cv2.BORDER_CONSTANT, borderValue=0
    )
    return np.asarray(known & (np.asarray(inside) == 0), np.bool_)
