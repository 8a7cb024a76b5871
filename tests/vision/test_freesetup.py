"""Set-ups that players choose are read with the help of what a set-up must be."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from companion.games import find_game
from vision.tokens.freesetup import LIMIT, MARGIN, MORE, deal, free_set_up, together

GAME = find_game("invictus")
SETUP = GAME.setup()
USUAL = dict(GAME.expect(GAME.start(SETUP)))
TOKENS = [f"{body} {value}" for body in GAME.seats for value in range(1, 7)]
SPOTS = list(GAME.board(SETUP))
MIRRORED = {f"{chr(97 + 105 - ord(spot[0]))}{spot[1]}": die for spot, die in USUAL.items()}


def seen(position, doubts=()):
    """What a picture of ``position`` tells, clearly but for ``doubts``: (spot, token, nats)."""
    nats = {
        spot: {token: 0.0 if position.get(spot) == token else 11.0 for token in [None, *TOKENS]}
        for spot in SPOTS
    }
    for spot, token, behind in doubts:
        nats[spot][token] = behind
    return nats


def read(position, *doubts):
    return free_set_up(GAME, SETUP, USUAL, seen(position, doubts))


@pytest.mark.parametrize("position", [USUAL, MIRRORED])
def test_a_right_set_up_is_taken_as_it_is_read(position):
    found = read(position, ("a2", "black 6", 4.0))
    assert found.sure
    assert found.position == position
    assert found.behind == 0
    assert found.doubtful == ()


def test_a_misread_die_shows_the_value_that_is_missing():
    found = read({**USUAL, "a2": "black 5"}, ("a2", USUAL["a2"], 2.0))
    assert found.sure
    assert found.position == USUAL


def test_many_misread_dice_are_put_right_together():
    wrong = {"a2": "black 2", "d2": "black 2", "a3": "black 1", "c7": "white 6", "e8": "white 5"}
    doubts = [(spot, USUAL[spot], 0.8) for spot in wrong]
    found = read({**USUAL, **wrong}, *doubts)
    assert found.sure
    assert found.position == USUAL


def test_a_ghost_beside_the_set_up_is_left_out():
    found = read({**USUAL, "e5": "white 3"}, ("e5", None, 2.0))
    assert found.sure
    assert found.position == USUAL


def test_sides_of_dice_beside_a_complete_set_up_are_no_dice():
    found = read({**USUAL, "b6": "white 5", "c6": "white 6", "g6": "white 6"})
    assert found.sure
    assert found.position == USUAL


def test_a_die_that_lies_beside_its_spot_is_not_dealt_to_it():
    aside = {spot: token for spot, token in USUAL.items() if spot != "b7"}
    found = read({**aside, "b6": USUAL["b7"]})
    assert not found.sure
    assert found.position.get("b6") == USUAL["b7"]


def test_a_wrong_set_up_plainly_seen_stays_wrong():
    wrong = {**USUAL, "a2": "black 5", "b2": "black 5", "c2": "black 5"}
    found = read(wrong)
    assert not found.fair
    assert found.position == wrong
    assert set(found.doubtful) & {"a2", "b2", "c2"}


def test_two_dice_that_may_be_exchanged_are_asked_about():
    first, second = "a2", next(s for s in USUAL if s[1] in "23" and USUAL[s] != USUAL["a2"])
    doubts = [(first, USUAL[second], 0.6), (second, USUAL[first], 0.6)]
    found = read(USUAL, *doubts)
    assert found.fair
    assert not found.sure
    assert found.doubtful == tuple(sorted((first, second)))
    assert found.margin == pytest.approx(1.2)
    assert found.margin < MARGIN


@pytest.mark.parametrize("spot", ["a2", "i8"])
def test_a_missing_die_is_not_made_up(spot):
    found = read({s: token for s, token in USUAL.items() if s != spot})
    assert not found.sure
    assert spot in found.doubtful


def test_a_set_up_that_fits_badly_is_not_taken_without_asking():
    found = read({**USUAL, "a2": "black 5"}, ("a2", USUAL["a2"], LIMIT + 1))
    assert not found.sure
    assert "a2" in found.doubtful


def test_a_die_plainly_standing_elsewhere_is_no_set_up():
    moved = {**USUAL, "e5": USUAL["a3"]}
    del moved["a3"]
    found = read(moved)
    assert not found.fair
    assert {"a3", "e5"} <= set(found.doubtful)


@pytest.mark.parametrize("seed", range(30))
def test_the_cheapest_deal_and_how_far_the_next_is_behind_are_found(seed):
    chance = np.random.default_rng(seed)
    expected = {f"s{k}": "abc"[k % 3] for k in range(6)}
    nats = {spot: {token: float(chance.exponential(2)) for token in "abc"} for spot in expected}
    deals = sorted(
        sum(nats[spot][token] for spot, token in zip(expected, tokens, strict=True))
        for tokens in set(itertools.permutations(expected.values()))
    )
    dealt, margin, _ = deal(expected, nats)
    assert sum(nats[spot][token] for spot, token in dealt.items()) == pytest.approx(deals[0])
    assert margin == pytest.approx(deals[1] - deals[0])


def test_tokens_that_are_all_alike_leave_no_choice():
    assert deal({"a": "x", "b": "x"}, {s: {"x": 1.0} for s in "ab"})[1] == np.inf


def test_many_looks_say_little_more_than_one():
    look = seen(USUAL)
    assert together([look]) == look
    assert together([look] * 50)["a2"]["black 6"] == pytest.approx(11.0 * MORE, rel=0.02)


def test_a_set_up_in_doubt_is_settled_by_what_later_looks_show():
    first, second = "a2", next(s for s in USUAL if s[1] in "23" and USUAL[s] != USUAL["a2"])
    hard = seen(USUAL, [(first, USUAL[second], 0.5), (second, USUAL[first], 0.5)])
    assert not free_set_up(GAME, SETUP, USUAL, hard).sure
    assert free_set_up(GAME, SETUP, USUAL, together([hard, seen(USUAL)])).sure
