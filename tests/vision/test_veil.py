"""Light adds as well as multiplies: what a lamp veils is still read."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from companion.games import find_game
from companion.simulation.table_camera import SimulatedCamera, SimulatedTable
from companion.simulation.troubles import Troubles
from vision.board.calibrate import camera_from_table
from vision.board.optics import CameraView, fit_view
from vision.eyes.face_eye import FaceEye
from vision.frames import Frame
from vision.tokens.faces import WHITE, light
from vision.tokens.observe import CLEAR


class Lamp:
    """A face eye that saw the set-up in good light, and the table after that."""

    def __init__(self) -> None:
        self.game: Any = find_game("victorus")
        setup = self.game.setup(("red", "orange", "blue"))
        self.lying = dict(self.game.expect(self.game.start(setup)))
        self.table = SimulatedTable(self.game, setup, self.lying, seed=5)
        view = fit_view(self.table.board, CameraView(image_size=(960, 720)))
        self.calm = Troubles(hand_frames=0)
        self.camera = SimulatedCamera(self.table, view, self.calm, clock=lambda: 0.0)
        image = self._frame().image
        assert image is not None
        found = camera_from_table(self.table.board, self.camera.table_file(), image)
        other = self.game.turned_over
        self.eye = FaceEye(self.table.board, found, image, self.game.look, self.lying, None, other)

    def _frame(self) -> Frame:
        while True:
            frame = self.camera.read()
            assert frame is not None
            if not self.camera.busy:
                return frame

    def look(self, spots: list[str], **troubles: Any) -> Any:
        self.camera.troubles = replace(self.calm, **troubles)
        self.eye.look(self._frame(), self.lying)
        return self.eye.observe(spots)


@pytest.mark.slow
@pytest.mark.parametrize("levels", [40.0, 80.0])
@pytest.mark.parametrize("origin", ["g1", "h2", "j2", "k1"])
def test_a_piece_that_went_under_a_veil_is_read(origin: str, levels: float) -> None:
    lamp = Lamp()
    token, target = lamp.lying[origin], "i4"
    lamp.table.move(origin, target)
    seen = lamp.look([origin, target], veil=(target, levels))
    here = {t: seen.error(target, t) for t in {None, *lamp.lying.values()}}
    assert min(here, key=lambda t: here[t]) == token
    assert here[token] < CLEAR
    assert here[token] < 0.8 * here[None]
    assert 4 * seen.error(origin, None) < seen.error(origin, token)


def test_light_is_found_from_what_is_seen() -> None:
    chance = np.random.default_rng(3)
    face = chance.uniform(20, WHITE, 600)
    seen = 0.5 * face + 0.5 * WHITE
    means = face.mean(), (face * face).mean(), seen.mean(), (seen * seen).mean()
    veil, gain, error = light(0.01, *means, (face * seen).mean())
    assert veil == pytest.approx(0.5 * WHITE, rel=0.05)
    assert gain == pytest.approx(0.5, rel=0.05)
    assert error < 1


def test_a_face_of_few_pixels_is_not_excused_by_light() -> None:
    """The less of a face is compared, the less it tells of the light it is seen in."""
    chance = np.random.default_rng(3)
    face, seen = chance.uniform(20, WHITE, (2, 600))
    means = face.mean(), (face * face).mean(), seen.mean(), (seen * seen).mean()
    of_large, of_small = (light(prior, *means, (face * seen).mean())[2] for prior in (0.5, 20.0))
    assert of_small > 1.2 * of_large
