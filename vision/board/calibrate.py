"""Where the board lies in the picture: a homography, and the bend of the lens.

The table file gives printed markers, tapped cells or the corners of a square board. The camera
fitted to those is then refined to what is printed on the board (`vision.board.fit`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.rules import BadInput, Board, quoted, say, whole_number
from vision import _cv
from vision.frames import Image, TableFile

Points = NDArray[np.float64]
SQUARE = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
"""Corners of a square round the origin, two wide, clockwise from the left upper one."""
LARGEST = 10_000.0
"""Millimetres; no cell and no marker is longer."""


@dataclass(frozen=True, slots=True, eq=False)
class Camera:
    """Board millimetres (default size of the board) -> pixels.

    ``homography`` is 3x3; ``lens`` holds the radial terms k1, k2 about the middle of the picture,
    with the half diagonal as unit radius: ``p = c + (u - c)(1 + k1 r^2 + k2 r^4)``.
    ``size`` is the width and height of the picture.
    """

    homography: Points
    size: tuple[int, int]
    lens: tuple[float, float] = (0.0, 0.0)

    def project(self, points: Sequence[tuple[float, float]] | Points) -> Points:
        """Return the pixels (n, 2) of board points (n, 2) in millimetres."""
        _, bent, square = self._seen(np.asarray(points, np.float64).reshape(-1, 2))
        (middle, radius), (k1, k2) = self._lens_frame(), self.lens
        square = square[:, None]
        return np.asarray(middle + radius * bent * (1 + square * (k1 + square * k2)), np.float64)

    def spreads(self, points: Points) -> NDArray[np.bool_]:
        """Tell for which board points (n, 2) the lens terms are valid: farther out than where they
        were fitted they may map two points to the same pixel."""
        (depth, _, square), (k1, k2) = self._seen(points), self.lens
        # Where the slope along the ray, 1 + 3 k1 r^2 + 5 k2 r^4, is least on the way there.
        turn = np.minimum(square, -0.3 * k1 / k2) if k1 < 0 < k2 else square
        slope = 1 + turn * (3 * k1 + turn * 5 * k2)
        return np.asarray((slope > 0) & (depth > 0), bool)

    def slopes(self, points: Points) -> Points:
        """Return the derivatives of the pixels of board points (n, 2) by the first eight numbers of
        the homography, row by row, and by k1 and k2: (n, 2, 10)."""
        depth, bent, square = self._seen(points)
        (middle, radius), (k1, k2) = self._lens_frame(), self.lens
        u, square = middle + radius * bent, square[:, None, None]
        # Derivative of the lens: a scaled identity and, along the ray, what the radius adds.
        along = bent[:, :, None] * bent[:, None, :]
        lens = (1 + square * (k1 + square * k2)) * np.eye(2) + along * (2 * k1 + 4 * square * k2)
        row = np.c_[points, np.ones(len(points))] / depth[:, None]
        plane = np.zeros((len(points), 2, 8))
        plane[:, 0, 0:3] = plane[:, 1, 3:6] = row
        plane[:, :, 6:8] = -u[:, :, None] * row[:, None, :2]
        shift = radius * bent[:, :, None] * square
        return np.concatenate([lens @ plane, shift, shift * square], 2)

    def pixels_per_mm(self) -> float:
        """Return the scale at the middle of the board."""
        ring = self.project([(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)])
        return float((np.linalg.norm(ring[0] - ring[1]) + np.linalg.norm(ring[2] - ring[3])) / 4)

    def zoomed(self, across: float, down: float, size: tuple[int, int]) -> Camera:
        """Return how the board is seen in a picture so many times wider and higher, of ``size``."""
        more = np.array([[across, 0, (across - 1) / 2], [0, down, (down - 1) / 2], [0, 0, 1.0]])
        return Camera(more @ self.homography, size, self.lens)

    def moved(self, turn: Points, by: Points) -> Camera:
        """Return how the board is seen once its points p lie at ``turn`` (2, 2) p + ``by``."""
        move = np.eye(3)
        move[:2, :2], move[:2, 2] = turn, by
        return Camera(self.homography @ move, self.size, self.lens)

    def _seen(self, points: Points) -> tuple[Points, Points, Points]:
        """Return the depths (n,) of board points (n, 2), where a lens without terms shows them off
        the middle, in radii (n, 2), and the square of how far (n,)."""
        flat = points @ self.homography[:, :2].T + self.homography[:, 2]
        middle, radius = self._lens_frame()
        bent = (flat[:, :2] / flat[:, 2:] - middle) / radius
        return flat[:, 2], bent, np.einsum("ij,ij->i", bent, bent)

    def _lens_frame(self) -> tuple[Points, float]:
        width, height = self.size
        return np.array([(width - 1) / 2, (height - 1) / 2]), float(np.hypot(width, height) / 2)


def fit_camera(
    board_points: Points,
    pixels: Points,
    size: tuple[int, int],
    weights: Points | None = None,
    lens_terms: int = 0,
    start: Camera | None = None,
    across: Points | None = None,
    steps: int = 12,
) -> Camera:
    """Fit a camera to matching points by least squares (Gauss-Newton with damping).

    ``lens_terms`` is how many of k1, k2 are fitted; the points must pin them down. The terms are
    held near zero by a weak prior, so that few points cannot bend the picture. ``across`` (n, 2)
    are directions in which alone points must match: those of a line may slide along it. At most
    so many ``steps`` are made.
    """
    weight = np.ones(len(pixels)) if weights is None else weights
    if start is None:
        start = Camera(_homography(board_points, pixels), size)
    unit = float(np.abs(board_points).max())
    scale = np.diag([1 / unit, 1 / unit, 1.0])
    matrix = start.homography @ np.linalg.inv(scale)
    values = np.r_[(matrix / matrix[2, 2]).ravel()[:8], start.lens]
    free = [*range(8), *range(8, 8 + lens_terms)]

    def residual(vector: Points) -> Points:
        camera = _camera(vector, scale, size)
        off = (camera.project(board_points) - pixels) * np.sqrt(weight)[:, None]
        if across is not None:
            off = (off * across).sum(1)
        prior = vector[8:] * 0.01 * np.hypot(*size) / 2
        return np.asarray(np.r_[off.ravel(), prior], np.float64)

    def slope(vector: Points) -> Points:
        off = _camera(vector, np.eye(3), size).slopes(board_points / unit)
        off *= np.sqrt(weight)[:, None, None]
        if across is not None:
            off = np.einsum("nij,ni->nj", off, across)
        prior = np.eye(10)[8:] * 0.01 * np.hypot(*size) / 2
        return np.concatenate([off.reshape(-1, 10), prior])[:, free]

    return _camera(_least_squares(residual, slope, values, free, steps), scale, size)


def _least_squares(
    residual: Callable[[Points], Points],
    slope: Callable[[Points], Points],
    values: Points,
    free: list[int],
    steps: int,
) -> Points:
    """Return ``values`` with those at ``free`` changed so that the squares of ``residual`` are
    least (Levenberg and Marquardt); ``slope`` is its derivative by them."""
    damping, error = 1e-3, residual(values)
    for _ in range(steps):
        jacobian = slope(values)
        normal = jacobian.T @ jacobian
        move = np.linalg.solve(
            normal + damping * np.diag(np.diag(normal) + 1e-9), jacobian.T @ error
        )
        trial = values.copy()
        trial[free] -= move
        new = residual(trial)
        if new @ new < error @ error:
            gain = 1 - (new @ new) / (error @ error)
            values, error, damping = trial, new, damping / 10
            if gain < 1e-5:
                break
        else:
            damping *= 10
    return values


def camera_from_table(board: Board, table: TableFile, image: Image) -> Camera:
    """Find the board by what the table file gives: markers, corners or taps.

    Taps are good to about half a cell; refine before use.

    Raises:
        BadInput: a field is missing or wrong, markers are not in the picture, or no camera can see
            the board where they seem to be.
    """
    for name in ("markers", "corners", "taps"):
        if name in table:
            camera = _camera_by(name, board, table, image)
            if not seen_from_above(camera, board):
                raise BadInput(
                    say("the {field} of the table file are mirrored or mixed up: no camera sees "
                        "the board like that; calibrate again", field=name)
                )  # fmt: skip
            return camera
    raise BadInput(
        "the camera does not know where the board lies: calibrate it (the table file has neither "
        "markers nor taps nor corners)"
    )


def _camera_by(name: str, board: Board, table: TableFile, image: Image) -> Camera:
    """Return the camera by the field ``name`` of the table file."""
    if name == "markers":
        return camera_from_markers(board, table, image)
    size = (image.shape[1], image.shape[0])
    points = read_points(table, name, board)
    at = board.corners if name == "corners" else {s: board[s].centre for s in points}
    missing = [spot for spot in points if spot not in at]
    if missing:
        raise BadInput(f"{name} of the table file names {quoted(missing[0])}, which is no corner")
    given = _scaled(table, points, size)
    return fit_camera(np.array([at[spot] for spot in points]), given, size)


def seen_from_above(camera: Camera, board: Board) -> bool:
    """Tell whether the whole board is seen from above, not mirrored and not from behind."""
    left, top, right, bottom = board.bounds
    corners = np.array([(left, top), (right, top), (right, bottom), (left, bottom)])
    depth = np.c_[corners, np.ones(4)] @ camera.homography[2]
    pixels = camera.project(corners)
    sides = np.roll(pixels, -1, 0) - pixels
    following = np.roll(sides, -1, 0)
    turns = sides[:, 0] * following[:, 1] - sides[:, 1] * following[:, 0]
    return bool((depth * depth[0] > 0).all() and (turns > 0).all() and np.isfinite(pixels).all())


def away(one: Camera, other: Camera, board: Board) -> float:
    """Return how far apart two cameras see the same spot, at most, in pitches."""
    centres = np.array([spot.centre for spot in board.spots.values()])
    far = np.linalg.norm(one.project(centres) - other.project(centres), axis=1).max()
    return float(far / (other.pixels_per_mm() * board.pitch))


def read_points(table: TableFile, name: str, board: Board) -> Mapping[str, tuple[float, float]]:
    """Return the named pixels of field ``name``: spot -> (x, y).

    Raises:
        BadInput: fewer than four points, an unknown spot, a value that is no pair of numbers.
    """
    given = table[name]
    if not isinstance(given, Mapping) or len(given) < 4:
        raise BadInput(f"field {name} of the table file must name at least four cells and pixels")
    points = {}
    for spot, pixel in given.items():
        if spot not in board and spot not in board.corners:
            raise BadInput(f"field {name} of the table file names {quoted(spot)}, which is no spot")
        points[spot] = read_pair(pixel, f"field {name}.{spot} of the table file")
    return points


def read_pair(value: Any, where: str) -> tuple[float, float]:
    """Return ``value`` as two numbers.

    Raises:
        BadInput: it is something else; the message begins with ``where``.
    """
    try:
        x, y = (float(part) for part in value)
    except (TypeError, ValueError):
        raise BadInput(f"{where} must be two numbers, not {quoted(value)}") from None
    if not (np.isfinite(x) and np.isfinite(y)):
        raise BadInput(f"{where} must be two numbers, not {quoted(value)}")
    return x, y


def _scaled(
    table: TableFile, points: Mapping[str, tuple[float, float]], size: tuple[int, int]
) -> Points:
    """Return the pixels for a picture of ``size``; the table file may speak of another size."""
    pixels = np.array(list(points.values()), np.float64)
    if "image_size" not in table:
        return pixels
    width, height = read_pair(table["image_size"], "field image_size of the table file")
    if width <= 0 or height <= 0:
        raise BadInput("field image_size of the table file must be two positive numbers")
    return np.asarray(pixels * (size[0] / width, size[1] / height), np.float64)


def camera_from_markers(board: Board, table: TableFile, image: Image) -> Camera:
    """Find the board by its printed markers, wherever they lie in ``image``.

    Raises:
        BadInput: a field is missing or wrong, or fewer than three markers are in the picture.
    """
    dictionary, size_mm, centres = marker_fields(table)
    cell = table.get("cell_mm", board.pitch)
    if not isinstance(cell, int | float) or not 0 < cell < LARGEST:
        raise BadInput(f"field cell_mm of the table file must be a length, not {quoted(cell)}")
    seen = find_markers(image, dictionary, set(centres))
    if len(seen) < min(3, len(centres)):
        lost = ", ".join(str(number) for number in centres if number not in seen)
        raise BadInput(
            f"markers {lost} are not found in the first picture; uncover them, light them evenly "
            "and keep their white rims visible"
        )
    square = size_mm / 2 * SQUARE
    ids = sorted(seen)
    pixels = np.concatenate([seen[number] for number in ids])
    middles = np.array([centres[number] for number in ids])
    # A marker may be printed turned by quarters: the turn that fits all corners best is right.
    best: tuple[float, Camera, Points] | None = None
    for turn in range(4):
        points = np.concatenate([m + np.roll(square, -turn, 0) for m in middles])
        points = points * board.pitch / cell
        camera = Camera(_homography(points, pixels), (image.shape[1], image.shape[0]))
        off = float(np.linalg.norm(camera.project(points) - pixels, axis=1).mean())
        if best is None or off < best[0]:
            best = off, camera, points
    assert best is not None
    terms = 1 if len(ids) > 3 else 0
    return fit_camera(best[2], pixels, best[1].size, lens_terms=terms, start=best[1])


def marker_fields(table: TableFile) -> tuple[Any, float, dict[int, tuple[float, float]]]:
    """Return dictionary, size and centres (millimetres) of the table file's markers.

    Raises:
        BadInput: a field is missing or wrong.
    """
    markers = table["markers"]
    if not isinstance(markers, Mapping):
        raise BadInput("field markers of the table file must hold dictionary, size_mm, centres_mm")
    for name in ("dictionary", "size_mm", "centres_mm"):
        if name not in markers:
            raise BadInput(f"the table file lacks markers.{name}")
    size_mm, given = markers["size_mm"], markers["centres_mm"]
    if not isinstance(size_mm, int | float) or not 0 < size_mm < LARGEST:
        raise BadInput(
            f"field markers.size_mm of the table file must be a length, not {quoted(size_mm)}"
        )
    if not isinstance(given, Mapping) or len(given) < 3:
        raise BadInput(
            "field markers.centres_mm of the table file must hold at least three markers"
        )
    if not all(whole_number(str(number)) is not None for number in given):
        raise BadInput("field markers.centres_mm of the table file must be keyed by marker numbers")
    where = "field markers.centres_mm.{} of the table file"
    centres = {int(n): read_pair(at, where.format(n)) for n, at in given.items()}
    return _cv.marker_dictionary(str(markers["dictionary"])), float(size_mm), centres


def find_markers(image: Image, dictionary: Any, wanted: set[int]) -> dict[int, Points]:
    """Return the corners (4, 2) in pixels of the wanted markers that are seen.

    It looks on the half-size picture first, quickly: that is ten times cheaper.
    """
    gray = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    seen: dict[int, Points] = {}
    if min(gray.shape) >= 800:
        half = cv2.resize(gray, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        for quick in (True, False):
            found = _cv.detect_markers(np.asarray(half, np.uint8), dictionary, quick)
            seen = {n: corners * 2 + 0.5 for n, corners in found.items() if n in wanted}
            if seen.keys() == wanted:
                return {n: _sharpen(gray, corners) for n, corners in seen.items()}
    for number, corners in _cv.detect_markers(gray, dictionary).items():
        if number in wanted:
            seen[number] = corners
    return seen


def _sharpen(gray: NDArray[np.uint8], corners: Points) -> Points:
    """Refine marker corners found on the half-size picture to those of the whole one."""
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 0.02)
    start = corners.astype(np.float32).reshape(-1, 1, 2)
    return np.asarray(cv2.cornerSubPix(gray, start, (3, 3), (-1, -1), stop), np.float64)[:, 0]


def _homography(board_points: Points, pixels: Points) -> Points:
    matrix, _ = cv2.findHomography(board_points, pixels)
    if matrix is None:
        raise BadInput("the points of the table file lie on one line; choose them all round")
    return np.asarray(matrix, np.float64)


def _camera(values: Points, scale: Points, size: tuple[int, int]) -> Camera:
    homography = np.append(values[:8], 1.0).reshape(3, 3) @ scale
    return Camera(homography, size, (float(values[8]), float(values[9])))
