"""The one place for OpenCV calls whose shape changed between 4.6 and 5."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.rules import BadInput, quoted

Points = NDArray[np.float64]
Gray = NDArray[np.uint8]

VERY_CLOSE, CLOSE_TOGETHER = 0.01, 0.05
"""Share of a quadrilateral's perimeter within which another one counts as the same: VERY_CLOSE
tells a marker from its rim, and also from what lies within it; CLOSE_TOGETHER is OpenCV's own
value."""
PART_OF_SQUARE, WIDEST_WINDOW = 0.3, 5
"""The window in which a corner is refined: a part of the side of a marker's squares, and pixels at
most."""


def capture(place: int | str, *how: Any) -> cv2.VideoCapture:
    """Open a film or a camera.

    Raises:
        BadInput: its name is no text: OpenCV ends the whole process over such a one.
    """
    try:
        str(place).encode("utf-8")
    except UnicodeEncodeError:
        raise BadInput(f"{quoted(place)} has letters that are none; give it another name") from None
    return cv2.VideoCapture(place, *how)


def marker_dictionary(name: str) -> Any:
    """Return the marker dictionary called ``name``, such as ``DICT_4X4_50``.

    Raises:
        BadInput: OpenCV knows no dictionary of that name.
    """
    number = getattr(cv2.aruco, name, None) if name.startswith("DICT_") else None
    if not isinstance(number, int):
        raise BadInput(
            f"the table file names the marker dictionary {quoted(name)}, which does not exist; "
            "write the name printed with the markers, such as DICT_4X4_50"
        )
    return cv2.aruco.getPredefinedDictionary(number)


def detect_markers(gray: Gray, dictionary: Any, quick: bool = False) -> dict[int, Points]:
    """Find square markers: id -> (4, 2) corners in pixels, clockwise from the marker's top left.

    A ``quick`` look thresholds once instead of three times: it finds most that are lit evenly.
    OpenCV 4.7 replaced a function by a class; the shape of the ids changed in 5.
    """
    aruco: Any = cv2.aruco
    if not hasattr(aruco, "ArucoDetector"):
        return _detect_before_4_7(gray, dictionary, quick)
    parameters = _parameters(aruco.DetectorParameters(), quick)
    parameters.cornerRefinementMethod = aruco.CORNER_REFINE_SUBPIX
    corners, ids, _ = aruco.ArucoDetector(dictionary, parameters).detectMarkers(gray)
    return _by_id(corners, ids)


def _detect_before_4_7(gray: Gray, dictionary: Any, quick: bool) -> dict[int, Points]:
    """Find markers without two faults of the old function: corners were refined in windows larger
    than a small marker's squares, which pulled them to its white rim; and of two quadrilaterals
    close together, such as a marker and that rim, only the larger was looked into."""
    aruco: Any = cv2.aruco
    found: dict[int, Points] = {}
    for close in (CLOSE_TOGETHER,) if quick else (VERY_CLOSE, CLOSE_TOGETHER):
        parameters = _parameters(aruco.DetectorParameters_create(), quick)
        parameters.minMarkerDistanceRate = close
        corners, ids, _ = aruco.detectMarkers(gray, dictionary, parameters=parameters)
        squares = dictionary.markerSize + 2
        found |= _by_id([_refined(gray, corner, squares) for corner in corners], ids)
    return found


def _by_id(corners: Any, ids: Any) -> dict[int, Points]:
    if ids is None:
        return {}
    flat = np.asarray(ids).reshape(-1)
    return {
        int(number): np.asarray(corner, np.float64).reshape(4, 2)
        for number, corner in zip(flat, corners, strict=True)
    }


def _parameters(parameters: Any, quick: bool) -> Any:
    if quick:
        parameters.adaptiveThreshWinSizeMin = parameters.adaptiveThreshWinSizeMax = 13
    return parameters


def _refined(gray: Gray, corners: Any, squares: int) -> Any:
    """Refine the corners of a marker of so many squares as OpenCV 4.7 and newer do."""
    square = cv2.arcLength(corners, True) / 4 / squares
    window = int(np.clip(round(PART_OF_SQUARE * square), 1, WIDEST_WINDOW))
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 30, 0.1)
    start = np.asarray(corners, np.float32).reshape(-1, 1, 2)
    return cv2.cornerSubPix(gray, start, (window, window), (-1, -1), stop)
