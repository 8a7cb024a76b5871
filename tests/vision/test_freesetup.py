"""Set-ups that players choose are read with the help of what a set-up must be."""

from __future__ import annotations

import pytest

from companion.games import find_game
from vision.freesetup import mended

GAME = find_game("invictus")
SETUP = GAME.setup()
RIGHT = dict(GAME.expect(GAME.start(SETUP)))


def test_a_right_set_up_is_taken_as_it_is_read():
    assert mended(GAME, SETUP, RIGHT, {"a2": [("black 6", 0.1)]}) == RIGHT


def test_a_doubtful_die_shows_the_value_that_is_missing():
    read = {**RIGHT, "a2": "black 5"}
    rivals = {"a2": [(RIGHT["a2"], 1.5), ("black 6", 1.0)]}
    assert mended(GAME, SETUP, read, rivals) == RIGHT


def test_two_values_taken_for_each_other_are_both_put_right():
    read = {**RIGHT, "a2": "black 2", "d2": "black 2", "a3": "black 1"}
    rivals = {"a2": [("black 1", 1.0)], "a3": [(RIGHT["a3"], 1.0)]}
    assert mended(GAME, SETUP, read, rivals) == RIGHT


def test_a_ghost_beside_the_set_up_is_left_out():
    read = {**RIGHT, "e5": "white 3"}
    assert mended(GAME, SETUP, read, {"e5": [(None, 2.0)]}) == RIGHT


def test_a_wrong_set_up_plainly_seen_stays_wrong():
    read = {**RIGHT, "a2": "black 5"}
    assert mended(GAME, SETUP, read, {"a2": [(RIGHT["a2"], 9.0)]}) == read


def test_where_two_right_set_ups_are_alike_neither_is_chosen():
    read = {**RIGHT, "a2": "black 5"}
    fours = [spot for spot, token in RIGHT.items() if token == "black 5"]
    rivals = {spot: [(RIGHT["a2"], 1.0)] for spot in ("a2", fours[0])}
    assert mended(GAME, SETUP, read, rivals) == read


@pytest.mark.parametrize("spot", ["a2", "i8"])
def test_a_missing_die_is_not_made_up(spot):
    read = {s: token for s, token in RIGHT.items() if s != spot}
    assert spot not in mended(GAME, SETUP, read, {spot: [(RIGHT[spot], 8.0)]})
