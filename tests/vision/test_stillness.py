"""Small things that roll are no rest: told from picture to picture of a film."""

from __future__ import annotations

import numpy as np
import pytest

from vision.frames import Frame
from vision.watching.motion import Motion
from vision.watching.stillness import PATIENCE, Stillness

CHANCE = np.random.default_rng(3)


def picture(x=None, noise=3.0, light=0.0):
    """Return a grey picture with a die at column ``x``, None for none."""
    image = np.full((480, 640, 3), 110.0) + light
    if x is not None:
        image[200:222, x : x + 22] -= 50
    return np.clip(image + CHANCE.normal(0, noise, image.shape), 0, 255).astype(np.uint8)


def rests(stillness, *images, every=0.1, begin=0.0):
    return [
        stillness.rests(Frame(image, begin + every * number, str(number)))
        for number, image in enumerate(images)
    ]


def test_a_single_die_that_rolls_is_seen_though_it_is_no_hand():
    film = [picture(x) for x in (100, 112, 120, 124, 124, 124, 124)]
    assert rests(Stillness(), *film) == [True, False, False, False, False, True, True]
    motion = Motion()
    assert not any(motion.moves(Frame(image, n / 10, "")) for n, image in enumerate(film))


@pytest.mark.parametrize("noise", [0.5, 3.0, 9.0])
def test_noise_and_a_lamp_that_is_turned_up_are_rest(noise):
    film = [picture(100, noise, light) for light in (0, 0, 0, 20, 20)]
    assert rests(Stillness(), *film)[2:] == [True, True, True]


def test_pictures_taken_one_by_one_are_no_film():
    assert rests(Stillness(), picture(100), picture(300), every=1.0) == [True, True]


def test_a_light_that_flickers_for_long_is_taken_for_rest():
    film = [picture(100 if n % 2 else 300) for n in range(PATIENCE + 2)]
    told = rests(Stillness(), *film)
    assert not any(told[1:PATIENCE])
    assert told[-1]
