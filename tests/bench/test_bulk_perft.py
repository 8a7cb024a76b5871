"""Counting in bulk counts what playing counts."""

from __future__ import annotations

import random

from companion.games.victorus import GAME
from companion.rules import perft
from tests.bench.bulk_perft import bulk_perft, two_plies


def test_two_plies_are_counted_in_bulk_as_if_they_were_played() -> None:
    rng, counted = random.Random(7), 0
    for seats in (None, ("red", "purple")):
        state = GAME.start(GAME.setup(seats))
        for ply in range(120):
            legal = list(GAME.legal(state))
            if not legal:
                break
            if ply % 12 == 0:
                assert two_plies(state) == perft(GAME, state, 2)
                counted += 1
            hits = [a for a in legal if a.target in GAME.expect(state)]
            state = GAME.advance(state, rng.choice(hits or legal))
    assert counted > 12


def test_deeper_counts_are_those_of_playing() -> None:
    state = GAME.start(GAME.setup(("red", "purple")))
    assert bulk_perft(state, 3) == perft(GAME, state, 3) == 59435
