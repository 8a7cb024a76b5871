"""Men who were touched: nudged, or another of their colour put in their place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from companion.games import find_game
from tests.vision.test_tall_men import BOARD, drawn, silhouettes
from vision.tokens.bodies import Bodies
from vision.tokens.body_sight import BodyObservation
from vision.tokens.ground import DISC, Ground
from vision.tokens.touches import likelier, touched, unlikeness

GAME: Any = find_game("chess")
SPOTS = {"white": "d1", "black": "d8"}


def chessmen() -> tuple[Ground, Bodies, Any, dict[str, str]]:
    shapes, ground = silhouettes(south=500.0)
    table = dict(GAME.expect(GAME.start(GAME.setup())))
    picture = drawn(shapes, ground, table)
    return ground, Bodies(BOARD, ground, GAME.look, picture, table), picture, table


def disc(ground: Ground, spot: str) -> Any:
    off = np.linalg.norm(ground.grid - BOARD[spot].centre, axis=-1)
    return off < DISC * BOARD.pitch


@pytest.mark.parametrize("change", [0.0, 0.3, -0.3])
def test_light_that_changes_a_whole_spot_makes_it_unlike_nothing(change: float) -> None:
    assert unlikeness(np.full((9, 3), change, np.float32)) == pytest.approx(0.0)


def test_the_greater_a_change_is_the_likelier_is_a_touch() -> None:
    changes = [touched(change) for change in (0.0, 1.0, 2.0, 4.0, 8.0)]
    assert changes == sorted(changes)
    assert changes[1] < 0.5 < changes[-1]


def test_where_somebody_must_have_been_touched_each_is_likelier_to_have_been() -> None:
    assert likelier(0.05, 19.0) == pytest.approx(0.5)
    assert likelier(0.0, 19.0) == 0.0
    assert likelier(1.0, 19.0) == 1.0


@pytest.mark.parametrize(("side", "found"), [("white", True), ("black", False)])
def test_a_change_is_held_against_that_of_the_men_of_his_own_colour(side: str, found: bool) -> None:
    """The black men of this picture are as noisy as he whose spot has changed."""
    ground, bodies, picture, table = chessmen()
    noise = np.where((np.indices(picture.shape[:2]).sum(0) % 2)[..., None], 0.03, -0.03)
    now = picture.copy()
    for spot, token in table.items():
        if token.startswith("black"):
            where = disc(ground, spot)
            now[where] += noise[where]
    here = disc(ground, SPOTS[side])
    now[here] = picture[here] + 1.2 * noise[here]
    origin = {"white": "a1", "black": "a8"}[side]
    now[disc(ground, origin)] = 0.0
    seen = BodyObservation(bodies, ground, now.astype(np.float32), table)
    assert (SPOTS[side] in seen.other_ends(frozenset({origin}))) is found


@pytest.mark.parametrize(("near", "taken"), [(0.95, False), (1.5, True)])
def test_light_where_the_shadow_of_who_left_lay_is_no_touch_of_his_neighbour(
    near: float, taken: bool
) -> None:
    shapes, ground = silhouettes(south=500.0)
    table = dict(GAME.expect(GAME.start(GAME.setup())))
    bodies = Bodies(BOARD, ground, GAME.look, drawn(shapes, ground, table), table)
    after = {spot: token for spot, token in table.items() if spot != "d8"}
    picture = drawn(shapes, ground, after)
    x, y = BOARD["d8"].centre
    off = np.linalg.norm(ground.grid - (x, y), axis=-1) / BOARD.pitch
    lit = (off < near) & (ground.grid[..., 0] > x + 0.5 * BOARD.pitch)
    picture[lit] += (0.2 * (np.indices(lit.shape).sum(0) % 2))[lit, None]
    seen = BodyObservation(bodies, ground, picture, table)
    assert "d8" in seen.changed
    assert ("e8" in seen.other_ends(frozenset({"d8"}))) is taken


def middle(mask: Any) -> Any:
    some = np.zeros_like(mask)
    some[10:-10, 10:-10] = True
    return some


@pytest.mark.parametrize(
    ("was", "also"), [(lambda mask: np.ones_like(mask), True), (middle, False)]
)
def test_what_has_come_into_the_picture_is_not_new_on_the_table(
    was: Callable[[Any], Any], also: bool
) -> None:
    _, ground = silhouettes(south=0.0)
    before = ground.valid & was(ground.valid)
    shown = ground.shown_also(before)
    assert shown[30, 30]
    assert bool(shown[5, 40]) is also
