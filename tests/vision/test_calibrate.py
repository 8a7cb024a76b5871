"""Where the board lies: cameras fitted to points, and table files that are wrong."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from companion.games import find_game
from companion.rules import BadInput, Board
from vision.board.calibrate import Camera, camera_from_table, fit_camera

pytestmark = pytest.mark.opencv

SIZE = (1640, 1232)
BLANK = np.zeros((1232, 1640, 3), np.uint8)
TILTED = np.array([[1.9, 0.15, 800.0], [-0.1, 1.7, 610.0], [1e-4, 2e-4, 1.0]])
MARKERS: dict[str, Any] = {
    "dictionary": "DICT_4X4_50",
    "size_mm": 40,
    "centres_mm": {"0": [-295, -295], "1": [295, -295], "2": [295, 295], "3": [-295, 295]},
}


@pytest.fixture(scope="module")
def board() -> Board:
    game = find_game("victorus")
    return game.board(game.setup())


def test_a_camera_with_a_bent_lens_is_found_again(board: Board) -> None:
    true = Camera(TILTED, SIZE, (-0.05, 0.01))
    points = np.array([spot.centre for spot in board.spots.values()])
    found = fit_camera(points, true.project(points), SIZE, lens_terms=2)
    assert np.abs(found.project(points) - true.project(points)).max() < 0.05


def test_a_few_points_off_their_place_hardly_move_the_camera(board: Board) -> None:
    true = Camera(TILTED, SIZE)
    points = np.array([spot.centre for spot in board.spots.values()])
    pixels = true.project(points)
    weights = np.ones(len(points))
    pixels[:5] += 30
    weights[:5] = 0.001
    found = fit_camera(points, pixels, SIZE, weights)
    assert np.abs(found.project(points) - true.project(points)).max() < 0.5


def test_taps_find_the_cells_they_name(board: Board) -> None:
    true = Camera(TILTED, SIZE)
    names = ["i7", "a2", "q2", "f1", "l1", "f14", "l14"]
    taps = {n: list(true.project([board[n].centre])[0]) for n in names}
    found = camera_from_table(board, {"taps": taps}, BLANK)
    middle = board["e5"].centre
    assert np.abs(found.project([middle]) - true.project([middle])).max() < 1


def test_taps_of_a_larger_picture_are_scaled(board: Board) -> None:
    true = Camera(TILTED, SIZE)
    taps = {n: list(2 * true.project([board[n].centre])[0]) for n in ("a2", "q2", "f1", "l14")}
    found = camera_from_table(board, {"taps": taps, "image_size": [3280, 2464]}, BLANK)
    assert np.abs(found.project([(0, 0)]) - true.project([(0, 0)])).max() < 1


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ({}, "neither markers nor taps nor corners"),
        ({"taps": {"i7": [1, 2]}}, "at least four"),
        ({"taps": {"z9": [1, 2], "a1": [1, 1], "a2": [2, 2], "a3": [3, 1]}}, "z9"),
        ({"taps": {"i7": ["x", 2], "a1": [1, 1], "a2": [2, 2], "a3": [3, 1]}}, r"taps\.i7"),
        ({"markers": 7}, "markers"),
        ({"markers": {"dictionary": "DICT_4X4_50", "size_mm": 40}}, r"markers\.centres_mm"),
        ({"markers": {**MARKERS, "size_mm": "wide"}}, r"markers\.size_mm"),
        ({"markers": {**MARKERS, "dictionary": "DICT_9X9"}}, "DICT_9X9"),
        ({"markers": MARKERS, "cell_mm": -1}, "cell_mm"),
        ({"markers": MARKERS}, "markers 0, 1, 2, 3 are not found"),
    ],
)
def test_a_wrong_table_file_is_named_in_one_sentence(
    board: Board, table: dict[str, Any], says: str
) -> None:
    with pytest.raises(BadInput, match=says):
        camera_from_table(board, table, BLANK)
