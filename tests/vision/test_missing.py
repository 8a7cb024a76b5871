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


def test_a_pale_token_of_its_spots_own_shade_is_not_missing():
    random = np.random.default_rng(2)
    size = 2 * HALF + 1
    shades = {shade: 90 + 30 * k for k, shade in enumerate({s.shade for s in BOARD.spots.values()})}
    patches = {
        name: (shades[spot.shade] + random.normal(0, 1, (size, size, 3))).astype(np.float32)
        for name, spot in BOARD.spots.items()
    }
    gone, pale, *rest = STANDING
    for spot in rest:
        patches[spot] += disc(0.3, 0.05)[..., None] * np.float32([60, -40, 50])
    patches[pale] += disc(0.1, 0.05)[..., None] * np.float32([-8, 9, -4])
    known = Appearances(BOARD, patches, STANDING)
    for spot in rest[:4]:
        known.enrol(GAME.look(GAME.expect(GAME.start(SETUP))[spot]), spot, patches[spot])
    known.measure()
    assert known.emptiness(pale, patches[pale]) < 0.02
    assert known.missing(patches, STANDING) == {gone}
