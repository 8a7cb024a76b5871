"""Tokens of HexiMeros, set up on spots whose print is like that of no bare spot."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from companion.games import find_game
from companion.journal import Journal
from companion.live.replay import replay
from companion.table import Table
from tests.checks.evenings import Evening, Plan
from vision.decoding.reader import Reader
from vision.tokens.appearance import Appearances
from vision.tokens.observe import CLEAR
from vision.tokens.patches import HALF, PER_PITCH, cores, disc

GAME = find_game("victorus")
SETUP = GAME.setup(("red", "purple"))
BOARD = GAME.board(SETUP)
START = GAME.expect(GAME.start(SETUP))
PAPER, EDGE, BODY, MARK = (np.array(c, np.float32) for c in (
    (200, 210, 220), (160, 90, 60), (120, 180, 150), (40, 40, 60)
))  # fmt: skip
SMALL = 0.27
"""Pitches: the radius of the tokens."""


def patch(edged, number):
    """Return a small token with a mark of its own, a little off the middle of its spot."""
    chance = np.random.default_rng(number)
    picture = np.broadcast_to(PAPER, (2 * HALF + 1, 2 * HALF + 1, 3)).copy()
    if edged:
        outside = disc(0.4, 0.02)[..., None]
        picture = outside * picture + (1 - outside) * EDGE
    right, down = (int(v) for v in chance.integers(-2, 3, 2))
    body = np.roll(disc(SMALL, 0.03), (down, right), (0, 1))[..., None]
    mark = np.roll(disc(0.1, 0.03), (down + number % 5 - 2, right), (0, 1))[..., None]
    picture = (1 - body) * picture + body * BODY
    picture = (1 - mark) * picture + mark * MARK
    return (picture + chance.normal(0, 1, picture.shape)).astype(np.float32)


def home(token: bool, number: int) -> Any:
    """Return a home with a broad edge in its side's colour, under a small token or bare."""
    inside = disc(0.33, 0.03)[..., None]
    picture = inside * (patch(False, number) if token else PAPER) + (1 - inside) * EDGE
    return picture.astype(np.float32)


def test_a_home_that_was_never_seen_bare_is_empty_whatever_is_printed_along_its_rim():
    bare = np.broadcast_to(PAPER, (2 * HALF + 1, 2 * HALF + 1, 3)).astype(np.float32)
    patches = {spot: bare.copy() for spot in BOARD.spots}
    patches |= {spot: home(True, number) for number, spot in enumerate(sorted(START))}
    known = Appearances(BOARD, patches, START)
    known.enrol({spot: GAME.look(START[spot]) for spot in START}, patches)
    spot = min(START)
    left = home(False, 0)
    assert known.emptiness(spot, left) < 0.02 < CLEAR < known.emptiness(spot, patches[spot])
    known.bare(spot, left)
    assert known.emptiness(spot, left) < 1e-3
    assert known.emptiness(spot, patches[spot]) > CLEAR


@pytest.mark.parametrize("share", [0.75, 1.0])
def test_the_coloured_edge_of_its_home_is_no_part_of_a_piece(share):
    covered = sorted(START)
    edged = {s for n, s in enumerate(covered) if n < share * len(covered)}
    patches = {s: patch(s in edged, n) for n, s in enumerate(covered)}
    bare = np.broadcast_to(PAPER, (2 * HALF + 1, 2 * HALF + 1, 3)).astype(np.float32)
    patches |= {s: bare.copy() for s in BOARD.spots if s not in START}
    known = Appearances(BOARD, patches, START)
    known.enrol({s: GAME.look(START[s]) for s in covered}, patches)
    assert covered
    for spot in covered:
        face = known.faces[GAME.look(START[spot]).face]
        seen = cores(face.picture, [(0.0, 0.0)], [0.0])[0]
        edge = np.abs(seen - EDGE).max(-1) < 20
        assert (face.weight[..., 0] * edge).sum() < 0.01 * face.weight.sum(), spot
        assert face.outline.sum() < np.pi * (SMALL * PER_PITCH) ** 2 * 1.2, spot


def test_a_face_learned_badly_from_one_piece_is_learned_from_another_like_it() -> None:
    evening = Evening(find_game("heximeros"), Plan(99326, size=(1280, 960)))
    reader: Any = Reader(evening.game, evening.setup, evening.camera.table_file())
    frame = evening.read()
    assert frame is not None
    reader.read(frame, (evening.game.start(evening.setup),))
    standing = evening.game.expect(evening.game.start(evening.setup))
    seen = reader.sight(frozenset(standing))
    assert [spot for spot, token in standing.items() if seen.error(spot, token) > CLEAR] == []


@pytest.mark.slow
def test_a_piece_that_a_dark_hand_carries_over_a_space_has_not_landed_there() -> None:
    evening = Evening(find_game("heximeros"), Plan(99322, size=(1280, 960)))
    table = Table.create(Journal(":memory:"), evening.game, evening.setup)
    reader = Reader(evening.game, evening.setup, evening.camera.table_file())
    told = []
    for line in replay(evening, reader, table):
        told = line["actions"] or told
        if evening.truth.frame.startswith("000044"):
            break
    assert [(action["from"], action["to"]) for action in told] == [("t25", "s26")]
