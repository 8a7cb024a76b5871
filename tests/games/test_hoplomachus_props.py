"""What is seen beside the open cards: their names, and all dice."""

from __future__ import annotations

import random

from companion.games import find_game

GAME = find_game("hoplomachus")


def test_every_die_is_seen_as_it_should_lie():
    state, choose = GAME.start(GAME.setup()), random.Random(3)
    compared = 0
    while GAME.outcome(state) is None and compared < 60:
        shown = sorted(prop.token for prop in GAME.props(state) if prop.token)
        assert shown == sorted(die for dice in GAME.dice(state).values() for die in dice)
        state = GAME.advance(state, choose.choice(GAME.legal(state)))
        compared += 1
    assert compared > 10


def test_open_cards_are_seen_with_their_names():
    state = GAME.start(GAME.setup())
    said = {prop.words for prop in GAME.props(state)}
    assert set(GAME.expect(state).values()) <= said


def test_a_die_that_shows_nothing_is_drawn_bare():
    assert len(GAME.draw(GAME.setup(), "red")) == 1
    assert GAME.spoken("red") == "red die"
