"""What moves in a film is waited for; what lies still too long is looked at after all."""

from __future__ import annotations

import numpy as np
import pytest

from vision.frames import Frame
from vision.watching.motion import FILM, PATIENCE, Motion


@pytest.fixture
def frame():
    """Make a noisy picture at a time, with a dark square of so many pixels at a place."""
    chance = np.random.default_rng(1)

    def frame(at, place=None, size=160):
        image = chance.normal(150, 4, (960, 1280, 3)).clip(0, 255).astype(np.uint8)
        if place is not None:
            x, y = place
            image[y : y + size, x : x + size] = 60
        return Frame(image, at)

    return frame


def test_the_first_picture_shows_no_motion(frame):
    assert not Motion().moves(frame(0.0))


def test_noise_is_no_motion(frame):
    motion = Motion()
    assert not any(motion.moves(frame(0.1 * n)) for n in range(5))


def test_a_hand_that_goes_on_moves(frame):
    motion = Motion()
    motion.moves(frame(0.0, (300, 300)))
    assert motion.moves(frame(0.1, (400, 300)))
    assert not motion.moves(frame(0.2, (400, 300)))


def test_a_light_under_a_cell_is_no_motion(frame):
    motion = Motion()
    motion.moves(frame(0.0))
    assert not motion.moves(frame(0.1, (640, 480), size=18))


def test_single_pictures_are_no_film(frame):
    motion = Motion()
    motion.moves(frame(0.0, (300, 300)))
    assert not motion.moves(frame(FILM + 0.1, (700, 300)))


@pytest.mark.slow
def test_patience_is_over_once_in_a_calm(frame):
    motion = Motion()
    times = [0.1 * n for n in range(int(PATIENCE / 0.1) + 6)]
    over = []
    for at in times:
        motion.moves(frame(at))
        over.append(motion.patience_is_over())
    assert over.count(True) == 1
    assert times[over.index(True)] == pytest.approx(PATIENCE, abs=0.11)


@pytest.mark.slow
def test_motion_makes_patience_begin_anew(frame):
    motion = Motion()
    for n in range(15):
        motion.moves(frame(0.1 * n))
    motion.moves(frame(1.5, (300, 300)))
    for n in range(16, 30):
        motion.moves(frame(0.1 * n, (300, 300)))
        assert not motion.patience_is_over()
