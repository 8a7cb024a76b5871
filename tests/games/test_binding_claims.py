"""Whose will a claim is: nobody announces for others what binds them."""

from __future__ import annotations

import random

import pytest

from companion.games import find_game, games
from companion.rules import Action, Claims

CHESS, CARDS = find_game("chess"), find_game("victory_honor")


def dealt():
    """Return a round of cards whose hands are dealt, and not passed yet."""
    state = CARDS.start(CARDS.setup())
    return CARDS.apply(state, CARDS.parse(CARDS.setup(), "dealt"))


def test_what_ends_a_game_binds_all_who_do_not_win_by_it():
    setup = CHESS.setup()
    state = CHESS.start(setup)
    for move in ("e2-e4", "e7-e5"):
        state = CHESS.apply(state, CHESS.parse(setup, move))
    agreed = next(claim for claim in CHESS.claims(state) if claim.verb == "agree")
    assert Claims.binds(CHESS, state, agreed) == ("white", "black")


def test_a_claim_that_names_a_seat_is_that_seats():
    state = CHESS.start(CHESS.setup())
    assert Claims.binds(CHESS, state, Action("resign", detail="black")) == ("black",)


def test_any_other_claim_is_the_will_of_the_seat_to_move():
    state = dealt()
    passed = next(c for c in CARDS.claims(state) if c.verb == "pass")
    assert Claims.binds(CARDS, state, passed) == (CARDS.to_move(state),)


def test_a_new_deal_is_everybodys_will_and_a_pass_is_a_fact():
    state = dealt()
    bound = {c.verb: CARDS.binds(state, c) for c in CARDS.claims(state)}
    assert bound["redeal"] == CARDS.setup().seats
    assert bound["pass"] == ()


def test_partners_are_sides_where_they_play_and_nobody_is_one_where_they_do_not():
    assert CARDS.sides(CARDS.setup()) == (("south", "north"), ("west", "east"))
    alone = CARDS.setup(None, {"partners": "no"})
    assert CARDS.sides(alone) == tuple((seat,) for seat in alone.seats)


@pytest.mark.parametrize("name", games())
def test_every_claim_binds_seats_of_the_game(name):
    game, chance, seen = find_game(name), random.Random(1), 0
    setup = game.setup()
    state = game.start(setup)
    for _ in range(40):
        for claim in game.claims(state):
            seen += 1
            assert set(game.binds(state, claim)) <= set(setup.seats), claim
        state = game.apply(state, chance.choice(game.legal(state)))
    assert seen or name == "victorus"  # Only its clocks announce anything, and only they.
