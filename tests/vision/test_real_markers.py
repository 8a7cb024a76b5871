"""Printed markers on real photographs."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision._cv import marker_dictionary
from vision.board.calibrate import find_markers


def test_every_marker_of_eight_webcam_photographs_is_found_and_no_other(recordings: Path) -> None:
    photographs = sorted((recordings / "real" / "aruco").glob("*.jpg"))
    if not photographs:
        pytest.skip("no photographs of markers among the recordings")
    dictionary = marker_dictionary("DICT_6X6_1000")
    for photograph in photographs:
        image = np.asarray(cv2.imread(str(photograph)), np.uint8)
        assert find_markers(image, dictionary, set(range(1000))).keys() == set(range(20))
