"""Which part of what lies on a spot is the top of a token, and turns with it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.tokens.faces import Outline, Shift, outlines_of
from vision.tokens.patches import HALF


def outline_of(strange: np.ndarray, most: float, lean: Shift = (0.0, 0.0)) -> Outline | None:
    return outlines_of(strange[None], np.array([most]), [lean])[0]


def token(side: int) -> np.ndarray:
    """Return how strange the points of a patch are under a round token whose side is seen below,
    so many points of it."""
    patch = np.zeros((2 * HALF + 1, 2 * HALF + 1), np.float32)
    for down in range(side + 1):
        cv2.circle(patch, (HALF, HALF + down), 8, (100.0,), -1)
    return patch


@pytest.mark.parametrize("side", [0, 2, 4])
def test_the_side_of_a_token_is_no_part_of_its_face(side: int) -> None:
    found = outline_of(token(side), 10.0, (0.0, -float(side)))
    assert found is not None
    outline, (x, y) = found
    assert abs(x) < 0.3
    assert abs(y) < 0.3, "the middle is that of the top"
    alone = outline_of(token(0), 10.0)
    assert alone is not None
    assert np.abs(outline - alone[0]).max() < 0.35


def test_without_a_lean_the_whole_outline_is_the_face() -> None:
    whole, top = outline_of(token(4), 10.0), outline_of(token(4), 10.0, (0.0, -4.0))
    assert whole is not None
    assert top is not None
    assert whole[0].sum() > 1.2 * top[0].sum()
    assert whole[1][1] > 1.0


def test_a_bare_spot_has_no_outline() -> None:
    assert outline_of(np.zeros((2 * HALF + 1, 2 * HALF + 1), np.float32), 10.0) is None


def test_a_thin_strip_is_no_face_that_would_be_found_everywhere() -> None:
    strip = np.zeros((2 * HALF + 1, 2 * HALF + 1), np.float32)
    strip[HALF + 3 : HALF + 6, HALF - 8 : HALF + 9] = 100.0
    assert outline_of(strip, 10.0, (0.0, -2.0)) is None
    strip[HALF - 5 : HALF + 6] = strip[HALF + 3]
    assert outline_of(strip, 10.0, (0.0, -2.0)) is not None
