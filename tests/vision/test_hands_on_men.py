"""Hands that hardly show over a board of carved men, and what is no hand there."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from companion.rules import Action
from tests.vision.test_leftovers import VICTORUS, Told
from tests.vision.test_tall_men import BOARD, camera
from vision.board.raster import Floats
from vision.decoding.decode import Decoder
from vision.decoding.decoded import Decoded
from vision.decoding.decoded import Told as Held
from vision.decoding.reading import Step
from vision.decoding.scene import Scene
from vision.decoding.story import Standing, Story
from vision.tokens.arms import LEAST, left_behind, reaching_in
from vision.tokens.ground import Ground
from vision.tokens.silhouettes import Mask

PITCH = BOARD.pitch


@pytest.fixture(scope="module")
def ground() -> Ground:
    return Ground(BOARD, camera(200.0, 900.0))


def table(ground: Ground, seed: int) -> Floats:
    """Return a table with a little grain, and a plain edge round the board's frame."""
    grain = np.random.default_rng(seed).normal(0, 0.01, (*ground.valid.shape, 1))
    picture = np.asarray(4 + np.repeat(grain, 3, 2), np.float32)
    left, top, right, bottom = BOARD.bounds
    x, y = ground.grid[..., 0], ground.grid[..., 1]
    wide = 0.2 * PITCH
    frame = (x > left - wide) & (x < right + wide) & (y > top - wide) & (y < bottom + wide)
    picture[frame & ~ground.on_board] -= 1.5
    return picture


def arm(ground: Ground, spot: str) -> Mask:
    """Return where an arm lies that reaches from below to the board beside ``spot``."""
    x, y = BOARD[spot].centre
    column = np.abs(ground.grid[..., 0] - x) < 0.5 * PITCH
    return np.asarray(column & (ground.grid[..., 1] > y + 0.5 * PITCH))


def man(ground: Ground, spot: str) -> Mask:
    """Return where a man on ``spot`` is seen."""
    off = np.linalg.norm(ground.grid - BOARD[spot].centre, axis=-1)
    return np.asarray(off < 0.4 * PITCH)


def drawn(picture: Floats, where: Mask) -> Floats:
    """Return ``picture`` with something of nearly the table's colour ``where``, that has a dark
    outline."""
    inner = np.asarray(np.roll(where, 1, 1) & np.roll(where, -1, 1))
    shown = picture.copy()
    shown[where] = 4.1
    shown[where & ~inner] = 3.8
    return shown


def test_a_hand_of_the_colour_of_the_table_is_seen_for_it_hides_the_grain(ground: Ground) -> None:
    before, where = table(ground, 1), arm(ground, "d1")
    now = drawn(before, where)
    differences = ([(now - before) * on[..., None]] for on in (ground.on_board, ~ground.on_board))
    seen, dark = (ground, *differences, now, before), np.zeros_like(where)
    assert reaching_in(*seen, man(ground, "d1"), dark)
    assert not reaching_in(*seen, man(ground, "d5"), dark), "it does not reach so far"
    light = before + 0.3 * cv2.GaussianBlur(where.astype(np.float32), (0, 0), 3)[..., None]
    lit = ([light - before] for _ in range(2))
    assert not reaching_in(ground, *lit, light, before, man(ground, "d1"), dark), (
        "it shines through"
    )


def test_a_hand_that_hides_the_edge_of_a_frame_took_nothing_away(ground: Ground) -> None:
    before = table(ground, 3)
    hand = arm(ground, "d1") & ~ground.on_board
    now = before.copy()
    now[hand] = 3.0
    # Over the frame, which is as dark, it does not show but for that edge.
    assert not left_behind(ground, now - before, now, before).any()
    cup, below = before.copy(), ground.grid[..., 1] > BOARD.bounds[3] + 0.6 * PITCH
    cup[hand & below] = 3.0
    assert left_behind(ground, before - cup, before, cup).any()


def test_a_refused_move_is_put_back_though_little_is_seen_of_that() -> None:
    token = "red white E"
    start = VICTORUS.start(VICTORUS.setup(("red", "orange", "blue")))
    table = dict(VICTORUS.expect(start))
    del table["g1"]
    table["i7"] = token
    astray = Standing(Action("move", "g1", "i7"), (("g1", token), ("i7", None)))
    spots = frozenset({"g1", "i7"})
    seen = Told({"g1": {token: 0.05, None: 0.12}, "i7": {None: 0.05, token: 0.12}})
    decoder = Decoder(VICTORUS, Scene(seen, table, spots, spots))
    best = decoder.decode([start], (), (astray,)).best
    assert best is not None
    assert [step.action for step in best.story.steps] == [Action("move", "i7", "g1")]


def test_what_lay_strangely_under_a_hand_came_from_where_the_hand_was() -> None:
    start = VICTORUS.start(VICTORUS.setup(("red", "orange", "blue")))
    table, token, spots = VICTORUS.expect(start), "red white E", frozenset({"g1", "i7"})
    seen = Told({"g1": {token: 2.0, None: 0.01}, "i7": {None: 0.6, token: 0.2}})
    stale = frozenset({"i7"})

    def told(unlike: frozenset[str]) -> Any:
        scene = Scene(seen, table, spots, spots, opened=stale, stale=stale, unlike=unlike)
        return Decoder(VICTORUS, scene).decode([start], (), ()).best

    assert told(frozenset()) is None
    assert [step.action.target for step in told(frozenset({"g1"})).story.steps] == ["i7"]


@pytest.mark.parametrize(
    ("evidence", "unmoved", "weak"),
    [(-19.0, -26.0, True), (-8.0, -12.0, False), (-19.0, -60.0, False)],
)
def test_a_story_that_explains_little_is_weak(evidence: float, unmoved: float, weak: bool) -> None:
    start = VICTORUS.start(VICTORUS.setup(("red", "orange", "blue")))
    still: Story[Any] = Story(start, {})
    moved = replace(still, steps=(Step(Action("move", "g1", "g3"), 1.0),), cost=5.0)
    best = Held(moved, {}, evidence - moved.cost, ())
    assert Decoded(best, 1.0, unmoved=unmoved).weak(poor=11.0) == weak
    nothing = Held(still, {}, evidence, ())
    assert not Decoded(nothing, 1.0, unmoved=unmoved).weak(poor=11.0), "nothing is told"


@pytest.mark.parametrize("shove", [(8.0, -5.0), (-40.0, 25.0)])
def test_a_shoved_board_lies_on_the_table_that_was_there_before(shove: tuple[float, float]) -> None:
    before = camera(200.0, 900.0)
    now = before.moved(np.eye(2), np.array(shove))
    left, top, right, bottom = BOARD.bounds
    corners = np.array([(left, top), (right, top), (right, bottom), (left, bottom)])
    cloth = np.random.default_rng(3).integers(60, 200, (100, 125, 3), np.uint8)
    cloth = np.asarray(cv2.resize(cloth, before.size, interpolation=cv2.INTER_CUBIC))
    then, since = (
        cv2.fillPoly(cloth.copy(), [np.round(c.project(corners)).astype(np.int32)], (20, 20, 20))
        for c in (before, now)
    )
    ground = Ground(BOARD, before)
    kept, hidden = ground.kept(then), ground.on_board
    ground.look_through(now)
    table, shows = ground.table(kept, before, hidden)
    beside = shows & ~ground.on_board
    beside &= cv2.dilate(ground.on_board.view(np.uint8), np.ones((5, 5), np.uint8)) == 0
    assert beside.sum() > 0.1 * beside.size
    assert np.abs(table - ground.lay(since))[beside].max() < LEAST
    assert np.exp(table[shows]).min() > 40.0, "the board is not taken for the table"
