"""Where cameras stand agrees with a pinhole, a ruler and what their makers say."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from companion.games import find_game
from companion.sheets.camera_placement import (
    LEAN,
    LENSES,
    CameraLens,
    across_of_lens,
    site,
)
from vision.board.optics import CameraView, Optics, fit_view


def board_of(name):
    game = find_game(name)
    return game.board(game.setup())


def titled(row):
    return row.split("|")[1].strip()


@pytest.mark.parametrize("name", ["victorus", "invictus", "chess"])
@pytest.mark.parametrize("lens", [one for one in LENSES if not one.up], ids=lambda lens: lens.name)
def test_the_height_is_that_of_a_pinhole_over_the_sheet(name, lens):
    board = board_of(name)
    view = fit_view(board, CameraView(marks="markers"))
    side = 2 * (view.reach + 0.75 * view.marker_mm)
    width, height = lens.picture
    upright = 2 * math.atan(0.5 / lens.focal * height / width)
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


def test_a_lens_that_is_no_pinhole_sees_as_far_across_and_up_as_its_maker_says():
    lens = next(one for one in LENSES if one.up)
    view = CameraView(
        image_size=lens.size, tilt=0.0, turn=0.0, roll=0.0, distortion=lens.distortion,
        lens=CameraLens("", lens.across, lens.size, lens.size, lens.up).focal,
    )  # fmt: skip
    optics = Optics(view)
    across, up = (view.distance * math.tan(math.radians(one) / 2) for one in (lens.across, lens.up))
    (right, _), (_, bottom) = optics.project([(across, 0.0), (0.0, up)])
    assert (right, bottom) == pytest.approx(lens.size, abs=0.5)
    pinhole = replace(lens, up=0.0)
    assert site(board_of("chess"), lens, 0.0).height > site(board_of("chess"), pinhole, 0.0).height


def test_a_picture_is_cut_from_the_middle_of_what_the_camera_sees():
    lens = LENSES[0]
    whole = replace(lens, picture=lens.size)
    cut, all_of_it = (site(board_of("chess"), one, 0.0) for one in (lens, whole))
    assert cut.height == pytest.approx(all_of_it.height, rel=0.001)
    smaller = lens.picture[1] / lens.size[1]
    assert cut.pixels == pytest.approx(smaller * all_of_it.pixels, rel=0.001)
