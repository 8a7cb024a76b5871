"""Printed markers on real photographs."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.checks.recordings import recording
from vision._cv import Gray, Points, detect_markers, marker_dictionary
from vision.board.calibrate import find_markers

pytestmark = pytest.mark.opencv


def test_every_marker_of_eight_webcam_photographs_is_found_and_no_other() -> None:
    photographs = sorted(recording("real/aruco").glob("*.jpg"))
    assert len(photographs) == 8
    dictionary = marker_dictionary("DICT_6X6_1000")
    for photograph in photographs:
        image = np.asarray(cv2.imread(str(photograph)), np.uint8)
        assert find_markers(image, dictionary, set(range(1000))).keys() == set(range(20))


@pytest.mark.parametrize("side", [24, 36, 90])
@pytest.mark.parametrize("quick", [True, False])
def test_the_corners_of_a_small_marker_are_its_own_and_not_its_rims(side: int, quick: bool) -> None:
    picture, wanted = on_dark_wood(side)
    found = detect_markers(picture, marker_dictionary("DICT_4X4_50"), quick)
    assert found.keys() == wanted.keys()
    for number, corners in found.items():
        assert np.abs(corners - wanted[number]).max() < 2.0, "the rim's are four pixels away"


def on_dark_wood(side: int) -> tuple[Gray, dict[int, Points]]:
    """Return a picture of four markers, ``side`` pixels wide, each with the narrow white rim with
    which it was cut out, and where their corners are."""
    large, rim = 8, side // 6
    picture = np.full((300 * large, 400 * large), 70, np.uint8)
    wanted = {}
    for number in range(4):
        # The rims of two that are cut out alike are not the same in the picture.
        left, top = 40 + 220 * (number % 2) + number / 4, 30 + 150 * (number // 2) + number / 8
        x, y, width = (round(large * value) for value in (left, top, side))
        white = (
            slice(y - large * rim, y + width + large * rim),
            slice(x - large * rim, x + width + large * rim),
        )
        picture[white] = 235
        drawn = drawn_marker(number)
        picture[y : y + width, x : x + width] = 25 + 200 * (
            cv2.resize(drawn, (width, width), interpolation=cv2.INTER_NEAREST) > 0
        )
        square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) * width
        wanted[number] = (np.array([(x, y)]) + square) / large - 0.5
    small = cv2.resize(picture, (400, 300), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small, (0, 0), 0.7), np.uint8), wanted


def drawn_marker(number: int) -> Gray:
    dictionary = marker_dictionary("DICT_4X4_50")
    draw = getattr(cv2.aruco, "generateImageMarker", None) or cv2.aruco.drawMarker
    return np.asarray(draw(dictionary, number, 6), np.uint8)
