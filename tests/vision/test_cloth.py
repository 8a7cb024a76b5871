"""Whether anything lies on a place of a card table, in whatever light."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.checks.card_evenings import CardEvening
from vision.board.calibrate import camera_from_table
from vision.cards.card_sight import CardSight
from vision.cards.printed_cards import printed

GAMMA = 2.2


@pytest.fixture(scope="module")
def evening():
    return CardEvening(0, trouble=False, size=(1280, 960))


@pytest.fixture(scope="module")
def bare(evening):
    """The table with nothing on it."""
    return evening.camera.read().image


@pytest.fixture(scope="module")
def laid(evening):
    """The same table with a card before each of three players, another on a reserve."""
    cards = {"south.C": "blue 2", "west.R": "red 7", "north.L": "yellow 5", "east.reserve": "back"}
    for spot, token in cards.items():
        evening.cards.put(spot, token)
    evening.watch()
    yield evening.camera.read().image, frozenset(cards)
    for spot in cards:
        evening.cards.remove(spot)


@pytest.fixture(scope="module")
def camera(evening, bare):
    return camera_from_table(evening.cards.board, evening.camera.table_file(), bare)


@pytest.fixture
def sight(evening, bare, camera):
    """What has seen the table bare."""
    sight = CardSight(evening.cards.board, printed(evening.table.game, evening.table.setup))
    sight.look(bare, camera, evening.cards.board)
    return sight


def in_light(image, change):
    """Return the picture with what ``change`` makes of linear light (height, width, 3)."""
    linear = (image / 255.0) ** GAMMA
    return np.round(255 * np.clip(change(linear), 0, 1) ** (1 / GAMMA)).astype(np.uint8)


def mist(light):
    return light * 0.7 + 0.12


def hard_contrast(light):
    levels = light ** (1 / GAMMA)
    return np.clip(0.5 + 1.4 * (levels - 0.5), 0, 1) ** GAMMA


def patch_of_sun(light):
    across = np.linspace(-1, 1, light.shape[1])[None, :, None]
    return light * np.where(abs(across) < 0.42, 1.5, 0.6)


def lamp(light):
    across = np.linspace(-1, 1, light.shape[1])[None, :, None]
    return light * (0.3 + np.exp(-3 * across**2) * [0.6, 0.9, 1.1])


LIGHTS = [mist, hard_contrast, patch_of_sun, lamp]


@pytest.mark.parametrize("light", LIGHTS)
def test_a_bare_place_is_bare_in_any_light(light, sight, bare, evening, camera):
    places = sight.look(in_light(bare, light), camera, evening.cards.board)
    assert [spot for spot, place in places.items() if not place.bare] == []


@pytest.mark.parametrize("light", LIGHTS)
def test_a_card_is_no_bare_place_in_any_light(light, sight, laid, evening, camera):
    image, cards = laid
    places = sight.look(in_light(image, light), camera, evening.cards.board)
    assert {spot for spot, place in places.items() if not place.bare} == cards


def test_a_place_under_something_black_is_not_bare(sight, bare, evening, camera):
    spot = evening.cards.board["south.C"]
    outline = camera.project(np.array(spot.centre) + 1.6 * (np.array(spot.outline) - spot.centre))
    covered = bare.copy()
    cv2.fillConvexPoly(covered, np.round(outline).astype(np.int32), (24, 22, 22))
    places = sight.look(covered, camera, evening.cards.board)
    assert not places["south.C"].bare
