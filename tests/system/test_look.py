"""`companion look`: what one photograph shows, told from the corners alone."""

from __future__ import annotations

import json

import cv2
import numpy as np
import pytest

from companion.cli import main
from tests.checks.recordings import recording

TURNS = (("a8", "h8", "h1", "a1"), ("h8", "h1", "a1", "a8"))
"""The corners from the top left, clockwise: White below, and White to the right."""


def _look(photo, corners, folder, capsys, names=TURNS[0]):
    table = folder / "table.json"
    table.write_text(
        json.dumps(
            {
                "game": "chess",
                "seats": ["white", "black"],
                "corners": dict(zip(names, corners, strict=True)),
            }
        )
    )
    assert main(["look", str(photo), "--table", str(table), "--json"]) == 0
    return json.loads(capsys.readouterr().out)["position"]


@pytest.mark.parametrize(
    ("number", "names"),
    [
        *((number, TURNS[0]) for number in range(1, 14)),
        *((number, TURNS[1]) for number in (1, 8)),
        *(
            pytest.param(number, TURNS[1], marks=pytest.mark.slow)
            for number in range(1, 14)
            if number not in (1, 8)
        ),
    ],
)
def test_an_empty_board_and_the_set_up_are_told_apart(number, names, tmp_path, capsys):
    stills = recording("real/chess")
    name = f"chessBoard{number:03d}.jpg"
    truth = json.loads((stills / "stills_ground_truth.json").read_text())[name]
    seen = _look(stills / name, truth["corners_px"], tmp_path, capsys, names)
    assert seen == truth["position"]


CORNERS = [[40, 30], [600, 40], [590, 610], [30, 600]]


@pytest.fixture
def photograph(tmp_path):
    """Return a function that paints a board with men on the given (column, row) and saves it."""

    def paint(men):
        flat = np.zeros((640, 640, 3), np.float32)
        for row in range(8):
            for column in range(8):
                shade = (170, 200, 215) if (row + column) % 2 == 0 else (70, 100, 140)
                flat[row * 80 : row * 80 + 80, column * 80 : column * 80 + 80] = shade
        for (column, row), colour in men.items():
            x, y = column * 80 + 44, row * 80 + 38
            cv2.circle(flat, (x, y), 26, tuple(c * 0.7 for c in colour), -1, cv2.LINE_AA)
            cv2.circle(flat, (x - 4, y - 6), 13, colour, -1, cv2.LINE_AA)
        flat *= np.linspace(0.6, 1.1, 640)[None, :, None]
        flat += np.random.default_rng(3).normal(0, 3, flat.shape)
        square = np.float32([[0, 0], [640, 0], [640, 640], [0, 640]])
        matrix = cv2.getPerspectiveTransform(square, np.float32(CORNERS))
        picture = cv2.warpPerspective(flat, matrix, (640, 640))
        path = tmp_path / "photo.png"
        cv2.imwrite(str(path), np.clip(picture, 0, 255).astype(np.uint8))
        return path

    return paint


WHITE, BLACK = (190, 215, 225), (40, 40, 45)


def test_a_painted_board_without_men_is_empty(photograph, tmp_path, capsys):
    assert _look(photograph({}), CORNERS, tmp_path, capsys) == "empty"


def test_men_on_four_rows_are_the_set_up(photograph, tmp_path, capsys):
    men = {(c, r): BLACK if r < 2 else WHITE for c in range(8) for r in (0, 1, 6, 7)}
    assert _look(photograph(men), CORNERS, tmp_path, capsys) == "start"


def test_after_a_move_it_is_no_longer_the_set_up_but_every_man_is_found(
    photograph, tmp_path, capsys
):
    men = {(3, 3): BLACK, (4, 4): WHITE, (0, 7): WHITE, (7, 0): BLACK, (6, 6): WHITE}
    men |= {(2, 5): WHITE, (5, 1): BLACK}
    seen = _look(photograph(men), CORNERS, tmp_path, capsys)
    assert set(seen) == {"d5", "e4", "a1", "h8", "g2", "c3", "f7"}


def test_a_file_that_is_no_picture_is_refused(tmp_path, capsys):
    broken = tmp_path / "broken.jpg"
    broken.write_bytes(b"no picture")
    assert main(["look", str(broken)]) == 2
    told = capsys.readouterr().err
    assert "broken.jpg cannot be read" in told
    assert len(told.splitlines()) == 1


def test_people_are_told_in_words(photograph, tmp_path, capsys):
    table = tmp_path / "photo.table.json"
    table.write_text(
        json.dumps(
            {
                "game": "chess",
                "seats": ["white", "black"],
                "corners": dict(zip(TURNS[0], CORNERS, strict=True)),
            }
        )
    )
    assert main(["look", str(photograph({}))]) == 0
    assert "empty" in capsys.readouterr().out
