"""Faces that were learned on another evening: what they tell of a set-up, and what they do not."""

from __future__ import annotations

from functools import partial

import cv2
import numpy as np
import pytest

from companion.games import find_game
from companion.rules import other_side
from companion.simulation.table_camera import SimulatedCamera
from companion.simulation.tabletop import SimulatedTable
from companion.simulation.troubles import Troubles
from tests.checks.carved import carved
from vision.board.calibrate import camera_from_table
from vision.board.optics import CameraView, fit_view
from vision.decoding.opening import open_eye
from vision.eyes.body_eye import BodyEye
from vision.eyes.face_eye import FaceEye


class Evenings:
    """A game that is set up again and again; each evening's pictures are of another quality."""

    def __init__(self, name, width):
        self.game = find_game(name)
        self.setup = self.game.setup()
        self.board = self.game.board(self.setup)
        self.start = dict(self.game.expect(self.game.start(self.setup)))
        self.view = fit_view(
            self.board, CameraView(image_size=(width, width * 3 // 4), marks="taps")
        )

    def eye(self, quality, noise=1.5, album=None, table=None):
        """Return the eye that was opened on a picture of this JPEG ``quality``."""
        hands = SimulatedTable(self.game, self.setup, table or self.start, seed=7)
        sensor = SimulatedCamera(hands, self.view, Troubles(noise=noise), clock=lambda: 0.0)
        sent = cv2.imencode(".jpg", sensor.read().image, [cv2.IMWRITE_JPEG_QUALITY, quality])
        image = np.asarray(cv2.imdecode(sent[1], cv2.IMREAD_COLOR), np.uint8)
        camera = camera_from_table(self.board, sensor.table_file(), image)
        turned = partial(other_side, self.game)
        return FaceEye(self.board, camera, image, self.game.look, self.start, album, turned)


@pytest.mark.slow
@pytest.mark.parametrize("poor", [6, 12])
@pytest.mark.parametrize(
    ("name", "small", "large"),
    [("chess", 288, 1280), ("chess", 640, 1280), ("chess", 480, 480), ("victorus", 640, 960)],
)
def test_faces_from_a_poor_picture_call_no_piece_wrong(name, small, large, poor):
    album = Evenings(name, small).eye(poor).album(name)
    for quality in (95, 12):
        assert not Evenings(name, large).eye(quality, album=album).faults


@pytest.mark.slow
@pytest.mark.parametrize("quality", [95, 25])
@pytest.mark.parametrize(
    ("name", "swapped"),
    [("chess", ("b1", "c1")), ("chess", ("f8", "g8")), ("victorus", ("b3", "g1"))],
)
def test_pieces_that_stand_on_each_others_spots_are_found(name, swapped, quality):
    evenings = Evenings(name, 640)
    album = evenings.eye(quality).album(name)
    one, other = (evenings.start[spot] for spot in swapped)
    table = {**evenings.start, swapped[0]: other, swapped[1]: one}
    assert evenings.eye(95, album=album, table=table).faults == dict.fromkeys(swapped, "wrong")


def eye_of(game, table, album=None):
    """Return the eye that is opened where ``table`` stands in ``game``."""
    setup = game.setup()
    board = game.board(setup)
    view = fit_view(board, CameraView(image_size=(800, 600), marks="taps"))
    sensor = SimulatedCamera(
        SimulatedTable(game, setup, table, seed=3), view, Troubles(), clock=lambda: 0.0
    )
    frame = sensor.read()
    camera = camera_from_table(board, sensor.table_file(), frame.image)
    tokens = set(game.expect(game.start(setup)).values())
    return open_eye(game, board, camera, frame, table, tokens, album)


def test_printed_men_that_are_known_have_faces_though_none_of_them_has_its_like_any_more():
    """The companion is started again late in a game."""
    late = {"e2": "white K", "d5": "white R", "f6": "black K", "g7": "black N"}
    printed = find_game("chess")
    start = printed.expect(printed.start(printed.setup()))
    album = eye_of(printed, start).album("chess")
    assert isinstance(eye_of(printed, late, album), FaceEye)
    assert isinstance(eye_of(carved(printed), late, album), BodyEye), "carved men stand there now"
    assert isinstance(eye_of(carved(printed), start, album), BodyEye)
