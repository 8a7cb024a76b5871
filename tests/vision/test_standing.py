"""Men who stand on a board, told from one picture of a camera that leans."""

from __future__ import annotations

import itertools
import json
import random
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from companion.games import find_game
from companion.rules import Game, Position, Setup
from companion.simulation.table_camera import SimulatedCamera, SimulatedTable
from companion.simulation.troubles import Troubles
from tests.checks.carved import HEIGHT, carved
from tests.checks.recordings import recording
from vision.board.calibrate import Camera
from vision.board.optics import CameraView, fit_view
from vision.dice.single import START, look_once
from vision.frames import Image, TableFile
from vision.tokens.standing import standing

pytestmark = pytest.mark.opencv

GAME: Game[Any] = carved(find_game("chess"))
SETUP: Setup = GAME.setup()
BOARD = GAME.board(SETUP)


def played(seed: int, count: int) -> Position:
    """Return what stands after ``count`` moves of chance."""
    chance, state = random.Random(seed), GAME.start(SETUP)
    for _ in range(count):
        state = GAME.advance(state, chance.choice(sorted(GAME.legal(state), key=str)))
    return GAME.expect(state)


def photographed(position: Position, tilt: float, turn: float) -> tuple[Image, TableFile]:
    """Return a picture of carved men and a table file with the corners of the board."""
    view = CameraView(image_size=(1280, 960), marks="corners", mat="", tilt=tilt, turn=turn,
                      thickness=HEIGHT * BOARD.pitch)  # fmt: skip
    near, ticks = fit_view(BOARD, view), itertools.count()
    camera = SimulatedCamera(
        SimulatedTable(GAME, SETUP, dict(position), seed=3),
        replace(near, distance=1.1 * near.distance), Troubles(), clock=lambda: next(ticks) / 10,
    )  # fmt: skip
    frame = camera.read()
    assert frame is not None
    assert frame.image is not None
    optics = camera._optics()
    corners = {name: [float(v) for v in optics.project([at])[0]]
               for name, at in BOARD.corners.items()}  # fmt: skip
    return frame.image, {"corners": corners, "image_size": [1280, 960]}


@pytest.mark.parametrize(("tilt", "wrong"), [(0.0, 0), (20.0, 0), (40.0, 6)])
@pytest.mark.slow
def test_men_who_lean_over_other_squares_do_not_stand_there(tilt: float, wrong: int) -> None:
    position = played(2, 40)
    image, table = photographed(position, tilt, 200.0)
    found = look_once(GAME, SETUP, table, image)
    assert isinstance(found, dict)
    assert len(found.keys() ^ position.keys()) <= wrong


def test_a_set_up_that_is_seen_aslant_is_the_set_up() -> None:
    position = GAME.expect(GAME.start(SETUP))
    assert look_once(GAME, SETUP, *photographed(position, 40.0, 330.0)[::-1]) == START


def test_a_plain_board_with_one_dark_man_has_one_man() -> None:
    side, pitch = 800, BOARD.pitch
    scale = side / (10 * pitch)
    matrix = np.array([[scale, 0, side / 2], [0, scale, side / 2], [0, 0, 1.0]])
    camera = Camera(matrix, (side, side))
    image = np.full((side, side, 3), 120, np.uint8)
    for spot in BOARD.spots.values():
        shade = (200, 215, 225) if spot.shade == BOARD["a2"].shade else (70, 90, 110)
        outline = camera.project(np.array(spot.outline)).round().astype(np.int32)
        cv2.fillConvexPoly(image, outline, shade)
    assert standing(image, camera, BOARD, {1.0}) == frozenset()
    x, y = camera.project([BOARD["e5"].centre])[0].round().astype(int).tolist()
    cv2.circle(image, (x, y), round(0.3 * pitch * scale), (25, 25, 30), -1, cv2.LINE_AA)
    assert standing(image, camera, BOARD, {1.0}) == {"e5"}


@pytest.mark.slow
def test_men_on_boards_of_other_makers_are_told_on_photographs() -> None:
    folder = recording("real/chess") / "stills"
    game = find_game("chess")
    missed = wrong = count = 0
    for name, told in json.loads((folder / "truth.json").read_text()).items():
        image: Image = np.asarray(cv2.imread(str(folder / name)), np.uint8)
        found = look_once(game, game.setup(), told["table"], image)
        assert isinstance(found, dict), name
        count += len(told["position"])
        missed += len(told["position"].keys() - found.keys())
        wrong += len(found.keys() - told["position"].keys())
    # Leaning up to 48 degrees, two of the boards worn; before, 38 were missed and 42 wrong.
    assert count == 136
    assert missed <= 9
    assert wrong <= 14
