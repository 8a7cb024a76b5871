"""Where the camera stands is known from how it sees the board."""

from __future__ import annotations

import math

import numpy as np
import pytest

from companion.games import find_game
from vision.board.calibrate import fit_camera
from vision.board.optics import CameraView, Optics, fit_view
from vision.board.viewpoint import viewpoint

pytestmark = pytest.mark.opencv

GAME = find_game("invictus")
BOARD = GAME.board(GAME.setup())


@pytest.mark.parametrize("tilt", [0.0, 15.0, 35.0])
@pytest.mark.parametrize("lens", [0.75, 0.95, 1.3])
def test_tall_tokens_lean_as_the_found_viewpoint_says(tilt: float, lens: float) -> None:
    given = CameraView(image_size=(1280, 960), tilt=tilt, turn=12.0, lens=lens, distortion=0.0)
    optics = Optics(fit_view(BOARD, given))
    points = np.array([spot.centre for spot in BOARD.spots.values()])
    camera = fit_camera(points, optics.project(points), (1280, 960))

    x, y, height = viewpoint(camera)

    # The tops of dice of 16 mm, seen where they would lie flat on the board.
    lean = 16.0 / (height - 16.0)
    tops = camera.project(points + lean * (points - (x, y)))
    off = np.hypot(*(tops - optics.project(points, 16.0)).T) / camera.pixels_per_mm()
    assert off.max() < (1.5 if tilt < 10 else 0.8)
    assert math.isfinite(height)
    assert height > 100
