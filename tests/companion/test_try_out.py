"""What whoever is new may try: it follows from what a game allows and refuses."""

from __future__ import annotations

import random

import pytest

from companion.games import find_game, games
from companion.referee.try_out import try_out
from companion.rules import Action
from tests.checks.loops import some

MOVING = ("chess", "heximeros", "invictus", "victorus")
"""Games whose pieces are moved at the start."""


def states(name):
    """Return the start and positions of a random game."""
    game, chance = find_game(name), random.Random(7)
    state = game.start(game.setup())
    yield game, state
    for ply in range(12):
        state = game.advance(state, chance.choice(list(game.legal(state))))
        if ply % 4 == 3:
            yield game, state


@pytest.mark.parametrize("name", MOVING)
def test_every_game_whose_pieces_move_has_something_to_try(name):
    assert try_out(*next(states(name))) is not None


@pytest.mark.parametrize("name", games())
def test_what_is_to_be_refused_is_refused_and_what_is_right_is_allowed(name):
    found = [(game, state, try_out(game, state)) for game, state in states(name)]
    for game, state, one in some(found):
        if one is None:
            continue
        standing = game.expect(state)
        assert one.origin in standing
        assert not {one.target, one.wrong} & standing.keys()
        assert not game.judge(state, Action("move", one.origin, one.wrong)).allowed
        assert one.ruling == game.judge(state, Action("move", one.origin, one.wrong))
        assert game.judge(state, Action("move", one.origin, one.target)).allowed


def test_a_refusal_that_shows_its_proof_is_taken_before_others():
    game = find_game("victorus")
    one = try_out(game, game.start(game.setup(("red", "purple"))))
    assert len({*one.ruling.spots} - {one.origin, one.wrong}) == 2


def test_where_no_piece_moves_there_is_nothing_to_try():
    game = find_game("victory_honor")
    assert try_out(game, game.start(game.setup())) is None
