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
from vision.frames import Frame, Image
from vision.light.changes import GAMMA, linear
from vision.tokens.faces import WHITE, light
from vision.tokens.observe import CLEAR


class Lamp:
    """A face eye that saw the set-up in good light, or veiled by a lamp over the spot ``mirrored``
    that adds to what is seen there ever after, and the table later."""

    def __init__(self, mirrored: str | None = None) -> None:
        self.mirrored = mirrored
        self.game: Any = find_game("victorus")
        setup = self.game.setup(("red", "orange", "blue"))
        self.lying = dict(self.game.expect(self.game.start(setup)))
        self.table = SimulatedTable(self.game, setup, self.lying, seed=5)
        view = fit_view(self.table.board, CameraView(image_size=(960, 720)))
        self.calm = Troubles(hand_frames=0)
        self.camera = SimulatedCamera(self.table, view, self.calm, clock=lambda: 0.0)
        self.shine = np.zeros((720, 960, 3), np.float32)
        image = self._frame().image
        assert image is not None
        found = camera_from_table(self.table.board, self.camera.table_file(), image)
        if mirrored:
            (x, y), far = (
                found.project([self.table.board[mirrored].centre])[0],
                np.indices((720, 960)),
            )
            bell = np.exp(-((far[1] - x) ** 2 + (far[0] - y) ** 2) / (2 * 90.0**2))
            self.shine += 0.25 * bell[..., None].astype(np.float32)
            image = self._lit(image)
        other = self.game.turned_over
        self.eye = FaceEye(self.table.board, found, image, self.game.look, self.lying, None, other)

    def _frame(self) -> Frame:
        while True:
            frame = self.camera.read()
            assert frame is not None
            if not self.camera.busy:
                return frame

    def _lit(self, image: Image) -> Image:
        lit = linear(image.astype(np.float32)) + self.shine
        return np.asarray(255 * np.minimum(lit, 1) ** (1 / GAMMA), np.uint8)

    def look(self, spots: list[str], **troubles: Any) -> Any:
        self.camera.troubles = replace(self.calm, **troubles)
        frame = self._frame()
        assert frame.image is not None
        self.eye.look(replace(frame, image=self._lit(frame.image)), self.lying)
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


def test_a_lamp_over_the_set_up_is_found_by_what_is_bare_round_it() -> None:
    veil = Lamp(mirrored="h5").eye._veil
    assert 0.1 < veil["h5"].mean() < 0.3
    assert max(veil[s].mean() for s in ("a1", "l14", "q1", "h14")) < 0.02


@pytest.mark.slow
@pytest.mark.parametrize("origin", ["g1", "h2", "j2", "k1"])
def test_a_piece_that_stood_under_a_lamp_at_the_set_up_is_known_beside_it(origin: str) -> None:
    lamp = Lamp(mirrored="h1")
    token, target = lamp.lying[origin], "i12"
    lamp.table.move(origin, target)
    seen = lamp.look([target])
    here = {t: seen.error(target, t) for t in {None, *lamp.lying.values()}}
    assert min(here, key=lambda t: here[t]) == token
    assert here[token] < CLEAR


def test_a_set_up_without_a_lamp_has_no_veil() -> None:
    assert Lamp().eye._veil == {}


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
