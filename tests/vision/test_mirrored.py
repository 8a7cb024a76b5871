"""A lamp mirrored on the board adds white light, and hides no more than what it covers."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.test_dark import LitTable
from vision.board.raster import Floats
from vision.light.mirrored import MirroredLamp
from vision.tokens.patches import HALF

SIDE = 2 * HALF + 1
GREY, WHITE = 90.0, 255.0


DARK = np.zeros((60, 60), np.float32)
NONE = MirroredLamp(DARK > 0, 8)


def picture(*ways: tuple[slice, slice]) -> Floats:
    """Return a grey picture of 60 points a side that is white in places."""
    flat = np.full((60, 60, 3), GREY, np.float32)
    for way in ways:
        flat[way] = WHITE
    return flat


def mirror(*ways: tuple[slice, slice]) -> MirroredLamp:
    """Return where a lamp is mirrored that was not before, on a raster with a pitch of 8."""
    flat = picture(*ways)
    return NONE.now(flat, flat[..., 1] - GREY, DARK)


def test_lights_under_spots_and_white_print_are_no_mirrored_lamp() -> None:
    light = mirror((slice(10, 13), slice(10, 13)))
    assert not light.middle.any()
    white = slice(10, 20), slice(10, 20)
    assert not NONE.now(picture(white), DARK, DARK).middle.any()
    assert mirror(white).middle.any()


def test_a_mirrored_lamp_is_known_as_long_as_it_shines() -> None:
    white = slice(10, 20), slice(10, 20)
    seen = mirror(white)
    assert (seen.now(picture(white), DARK, DARK).middle == seen.middle).all()
    assert not seen.now(picture(), DARK, DARK).middle.any()


def test_near_a_mirrored_lamp_what_is_seen_may_be_darker_and_in_its_middle_be_anything() -> None:
    lamp = mirror((slice(10, 20), slice(10, 20)))
    patch = np.full((SIDE, SIDE, 3), GREY, np.float32)
    blown = np.zeros_like(patch)
    patch[:HALF], blown[:HALF] = WHITE, 1.0
    span = lamp.span(patch, blown, np.array([15.0, 20.0]), 3.0)
    assert span is not None
    token = np.full_like(patch, 30.0)
    assert np.allclose(span.nearest(token)[HALF - 5], 30.0)
    assert 20.0 < span.nearest(token)[HALF + 5].mean() < GREY
    assert lamp.span(patch, blown, np.array([15.0, 58.0]), 3.0) is None


@pytest.mark.parametrize("under", [False, True])
def test_a_move_is_read_beside_a_mirrored_lamp_and_one_out_of_its_halo(under: bool) -> None:
    table = LitTable(told=False)
    board = table.reader.board
    at = board["g3" if under else "k7"].centre
    shine = np.zeros(table.camera.read().image.shape[:2], np.float32)
    x, y = table.reader.camera.project(np.array([at]))[0]
    pitch = table.reader.camera.pixels_per_mm() * board.pitch
    cv2.ellipse(shine, (int(x + pitch), int(y)), (int(pitch), int(pitch / 2)), 0, 0, 360, 1.0, -1)
    shine = cv2.GaussianBlur(shine, (0, 0), pitch / 4)[..., None]
    table.spoil = lambda image: np.clip(image + 180 * shine, 0, 255).astype(np.uint8)
    assert table.look().differs == ()
    table.table.move("g1", "g3")
    assert [str(step.action) for step in table.look().steps] == ["g1-g3"]
