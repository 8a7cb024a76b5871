"""The build guide's tables are computed, and agree with a pinhole and a ruler."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from companion.games import find_game, games
from companion.sheets.camera_placement import (
    LEAN,
    LENSES,
    across_of_lens,
    filled,
    main,
    site,
    tables,
)
from tests.checks.loops import some
from vision.board.optics import CameraView, fit_view

GUIDE = Path(__file__).parents[2] / "docs" / "build.md"


def board_of(name):
    game = find_game(name)
    return game.board(game.setup())


def titled(row):
    return row.split("|")[1].strip()


def test_the_tables_of_the_guide_are_those_that_are_computed():
    guide = GUIDE.read_text(encoding="utf-8")
    for name, table in some(tables(games()).items()):
        written = guide.split(f"<!-- {name} -->")[1].strip().splitlines()
        computed = table.splitlines()
        told = {titled(row) for row in written[2:]}
        assert {"Victorus", "Invictus", "Chess"} <= told
        assert written[:2] == computed[:2]
        # A game that came since is computed when the guide is written anew.
        assert written[2:] == [row for row in computed[2:] if titled(row) in told]


@pytest.mark.parametrize("name", ["victorus", "invictus", "chess"])
@pytest.mark.parametrize("lens", LENSES, ids=lambda lens: lens.name)
def test_the_height_is_that_of_a_pinhole_over_the_sheet(name, lens):
    board = board_of(name)
    view = fit_view(board, CameraView(marks="markers"))
    side = 2 * (view.reach + 0.75 * view.marker_mm)
    width, height = lens.size
    upright = 2 * math.atan(math.tan(math.radians(lens.across) / 2) * height / width)
    pinhole = side / 2 / math.tan(upright / 2)
    above = site(board, lens, 0.0)
    assert above.height == pytest.approx(1.08 * pinhole, rel=0.01)
    assert above.beside == pytest.approx(0.0, abs=1.0)
    assert above.pixels == pytest.approx(board.pitch * height / side / 1.08, rel=0.01)


def test_a_leaning_camera_stands_beside_the_board_and_sees_all_of_it():
    leaning = site(board_of("victorus"), LENSES[0], LEAN)
    assert 0 < leaning.beside < leaning.height
    assert np.degrees(np.arctan2(leaning.beside, leaning.height)) == pytest.approx(LEAN, abs=4)


def test_an_angle_follows_from_focal_length_and_sensor():
    assert across_of_lens(6.287 / 2, 6.287) == pytest.approx(90)


def test_the_guide_is_written_anew_between_its_marks(tmp_path, monkeypatch):
    monkeypatch.setattr("companion.sheets.camera_placement.games", lambda: ("chess",))
    text = "a\n<!-- boards -->\nold\n<!-- boards -->\nb\n"
    assert filled(text, {"boards": "new", "cameras": "x"}) == text.replace("old", "new")
    copy = tmp_path / "build.md"
    copy.write_text(GUIDE.read_text(encoding="utf-8"), encoding="utf-8")
    assert main([str(copy)]) == 0
    written = copy.read_text(encoding="utf-8")
    assert "| Chess | Pi Camera Module 3 |" in written
    assert "| Victorus | Pi Camera Module 3 |" not in written
