"""Which spots of a set-up look bare in the first picture."""

from __future__ import annotations

import numpy as np

from companion.games import find_game
from vision.tokens.appearance import Appearances
from vision.tokens.patches import HALF, disc

GAME = find_game("victorus")
SETUP = GAME.setup()
BOARD = GAME.board(SETUP)
STANDING = list(GAME.expect(GAME.start(SETUP)))


LOOKS = {spot: GAME.look(token) for spot, token in GAME.expect(GAME.start(SETUP)).items()}


def bare_spots():
    random = np.random.default_rng(2)
    size = 2 * HALF + 1
    shades = {shade: 90 + 30 * k for k, shade in enumerate({s.shade for s in BOARD.spots.values()})}
    return {
        name: (shades[spot.shade] + random.normal(0, 1, (size, size, 3))).astype(np.float32)
        for name, spot in BOARD.spots.items()
    }


def test_a_grey_token_with_a_small_letter_is_as_large_as_the_others_of_its_set():
    patches = bare_spots()
    top, letter = disc(0.3, 0.05)[..., None], disc(0.12, 0.05)[..., None]
    grey, *rest = STANDING
    for spot in rest:
        patches[spot] += top * np.float32([60, -40, 50]) - letter * 20
    # As dark as a shadow would make the print: but for its letter it may well be one.
    patches[grey] *= 1 - 0.25 * top
    patches[grey] += letter * np.float32([70, -50, 60])
    known = Appearances(BOARD, patches, STANDING)
    known.enrol({spot: LOOKS[spot] for spot in STANDING}, patches)
    areas = {spot: float(known.faces[LOOKS[spot].face].outline.sum()) for spot in STANDING}
    usual = np.median(list(areas.values()))
    assert abs(areas[grey] / usual - 1) < 0.15


def test_a_pale_token_of_its_spots_own_shade_is_not_missing():
    patches = bare_spots()
    gone, pale, *rest = STANDING
    for spot in rest:
        patches[spot] += disc(0.3, 0.05)[..., None] * np.float32([60, -40, 50])
    patches[pale] += disc(0.1, 0.05)[..., None] * np.float32([-8, 9, -4])
    known = Appearances(BOARD, patches, STANDING)
    known.enrol({spot: LOOKS[spot] for spot in rest[:4]}, patches)
    assert known.emptiness(pale, patches[pale]) < 0.02
    assert known.missing(patches, STANDING) == {gone}
