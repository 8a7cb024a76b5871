"""A few moves of machines (see soak/soak_machines.py), and proof that it sees what is wrong."""

from __future__ import annotations

import random

import pytest

from companion.games import find_game
from companion.games.chess.fen import from_fen
from tests.soak import soak_machines as soak

GAME = find_game("chess")
TAKES = "1n5k/P7/8/8/8/8/8/4K3 w - - 0 1"


@pytest.mark.slow
def test_machines_play_a_few_moves_by_hand_and_the_camera_confirms_each():
    played = soak.run("chess", 2, level="greedy", by="steps", limit=6)
    assert played.failures == []
    assert played.counts["by camera"] == played.counts["moved"] == 6


@pytest.mark.slow
def test_a_hand_that_makes_another_move_than_was_told_is_seen(monkeypatch):
    def another(game, state, action, chance):
        other = next(one for one in game.legal(state) if one.origin != action.origin)
        return [f"move {other.origin} {other.target}"]

    monkeypatch.setattr(soak, "steps", another)
    played = soak.run("chess", 1, level="greedy", by="steps", limit=4)
    assert played.counts["wrong"] == 1
    assert played.failures[0].startswith("another move, action 1: ")


@pytest.mark.parametrize("seed", range(4))
def test_who_takes_and_promotes_takes_off_the_man_and_exchanges_the_pawn(seed):
    state = from_fen(GAME.setup(), TAKES)
    action = GAME.parse(state.setup, "a7-b8=Q")
    does = list(soak.steps(GAME, state, action, random.Random(seed)))
    assert does[-2:] == ["remove b8", "put b8 white Q"]
    assert set(does[:-2]) <= {"remove b8", "move a7 b8", "lift a7", "drop b8"}
