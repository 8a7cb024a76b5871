"""The one place for OpenCV calls whose shape changed between 4.6 and 5."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.rules import BadInput

Points = NDArray[np.float64]
Gray = NDArray[np.uint8]


def marker_dictionary(name: str) -> Any:
    """Return the marker dictionary called ``name``, such as ``DICT_4X4_50``.

    Raises:
        BadInput: OpenCV knows no dictionary of that name.
    """
    number = getattr(cv2.aruco, name, None) if name.startswith("DICT_") else None
    if not isinstance(number, int):
        raise BadInput(
            f"the table file names the marker dictionary {name!r}, which does not exist; "
            "write the name printed with the markers, such as DICT_4X4_50"
        )
    return cv2.aruco.getPredefinedDictionary(number)


def detect_markers(gray: Gray, dictionary: Any, quick: bool = False) -> dict[int, Points]:
    """Find square markers: id -> (4, 2) corners in pixels, clockwise from the marker's top left.

    A ``quick`` look thresholds once instead of three times: it finds most that are lit evenly.
    OpenCV 4.7 replaced a function by a class; the shape of the ids changed in 5.
    """
    aruco: Any = cv2.aruco
    if hasattr(aruco, "ArucoDetector"):
        parameters = _parameters(aruco.DetectorParameters(), quick)
        corners, ids, _ = aruco.ArucoDetector(dictionary, parameters).detectMarkers(gray)
    else:
        parameters = _parameters(aruco.DetectorParameters_create(), quick)
        corners, ids, _ = aruco.detectMarkers(gray, dictionary, parameters=parameters)
    if ids is None:
        return {}
    flat = np.asarray(ids).reshape(-1)
    return {
        int(number): np.asarray(corner, np.float64).reshape(4, 2)
        for number, corner in zip(flat, corners, strict=True)
    }


def _parameters(parameters: Any, quick: bool) -> Any:
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    if quick:
        parameters.adaptiveThreshWinSizeMin = parameters.adaptiveThreshWinSizeMax = 13
    return parameters
