"""Backs of royals and whatever else no set-up shows: learned late, doubted, learned anew."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games import find_game
from companion.simulation.table_camera import SimulatedCamera, SimulatedTable
from companion.simulation.troubles import Troubles
from vision.board.calibrate import camera_from_table
from vision.board.optics import CameraView, fit_view
from vision.eyes.face_eye import FaceEye
from vision.tokens.observe import CLEAR

SPOT, FRONT, BACK = "h2", "red black T", "red black T+"
OTHER_WAY = "red black T+ frozen"


class Sight:
    """A face eye before a simulated table, and what it makes of one spot."""

    def __init__(self) -> None:
        game: Any = find_game("victorus")
        setup = game.setup(("red", "orange", "blue"))
        expected = game.expect(game.start(setup))
        self.table = SimulatedTable(game, setup, expected, seed=5)
        view = fit_view(self.table.board, CameraView(image_size=(960, 720)))
        self.camera = SimulatedCamera(self.table, view, Troubles(hand_frames=0), clock=lambda: 0.0)
        self.lying = dict(expected)
        first = self.camera.read()
        assert first is not None
        assert first.image is not None
        image = first.image
        found = camera_from_table(self.table.board, self.camera.table_file(), image)
        self.eye = FaceEye(
            self.table.board, found, image, game.look, expected, None, game.turned_over
        )

    def show(self, token: str) -> Any:
        """Let ``token`` lie on the spot and look at it."""
        self.table.remove(SPOT)
        self.table.put(SPOT, token)
        while True:
            frame = self.camera.read()
            assert frame is not None
            if not self.camera.busy and not self.camera.hand_in_view:
                break
        self.eye.look(frame, self.lying)
        return self.eye.observe([SPOT])

    def believe(self, token: str) -> None:
        """Take what lies there for ``token``."""
        self.eye.learn(SPOT, token)
        self.lying[SPOT] = token
        self.eye.settle(self.lying)


@pytest.fixture
def sight() -> Sight:
    return Sight()


def test_what_is_plainly_not_the_front_may_be_the_back_that_was_never_seen(sight: Sight) -> None:
    seen = sight.show(BACK)
    assert not seen.known(BACK)
    assert seen.error(SPOT, BACK) < seen.error(SPOT, FRONT)
    assert seen.shows(SPOT, BACK)


def test_a_front_is_not_taken_for_a_back_that_was_never_seen(sight: Sight) -> None:
    seen = sight.show(FRONT)
    assert seen.error(SPOT, FRONT) < seen.error(SPOT, BACK)
    turned = sight.show(f"{FRONT} frozen")
    assert turned.error(SPOT, f"{FRONT} frozen") < turned.error(SPOT, BACK)


def test_a_back_that_was_learned_is_known_either_way_round(sight: Sight) -> None:
    sight.show(BACK)
    sight.believe(BACK)
    for token in (BACK, OTHER_WAY):
        seen = sight.show(token)
        assert seen.error(SPOT, BACK) < 0.1
        assert seen.error(SPOT, FRONT) > 2 * seen.error(SPOT, BACK)
        sight.eye.settle(sight.lying)


def test_a_back_learned_before_it_was_turned_over_is_learned_anew(sight: Sight) -> None:
    sight.show(f"{FRONT} frozen")
    sight.believe(BACK)
    late = sight.show(BACK)
    assert late.error(SPOT, BACK) < CLEAR, "one picture is not beyond doubt"
    sight.believe(BACK)
    again = sight.show(BACK)
    assert again.error(SPOT, BACK) < 0.1
    assert again.error(SPOT, FRONT) > 2 * again.error(SPOT, BACK)


def test_a_proven_back_survives_one_spoilt_picture(sight: Sight) -> None:
    for _ in range(3):
        sight.show(BACK)
        sight.believe(BACK)
    sight.show("red white E")
    sight.believe(BACK)
    seen = sight.show(BACK)
    assert seen.error(SPOT, BACK) < 0.1
