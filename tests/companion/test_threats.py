"""What could be taken next is what the rules allow in somebody else's turn."""

from __future__ import annotations

import random
from typing import Any

import pytest

from companion.games import find_game
from companion.referee.threats import threats
from companion.rules import owner_of

CHESS: Any = find_game("chess")


def told(fen: str, seat: str) -> set[tuple[str, tuple[str, ...]]]:
    state = CHESS.read_position(CHESS.setup(), fen)
    return {(CHESS.format(one.action), one.spots) for one in threats(CHESS, state, seat)}


def test_a_piece_is_threatened_whoever_is_to_move() -> None:
    for mover in "wb":
        fen = f"4k3/8/8/3p4/4P3/8/8/4K3 {mover} - - 0 1"
        assert told(fen, "black") == {("e4-d5", ("d5",))}
        assert told(fen, "white") == {("d5-e4", ("e4",))}


def test_what_the_rules_forbid_is_no_threat() -> None:
    # The white rook may not leave the file: behind it stands its king.
    assert told("4r1k1/8/8/8/p3R3/8/8/4K3 w - - 0 1", "black") == {("e4-e8", ("e8",))}


def test_a_pawn_that_is_taken_in_passing_stands_beside_where_the_taker_goes() -> None:
    fen = "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1"
    assert told(fen, "white") == {("d4-e3", ("e4",))}


def test_nothing_is_threatened_when_the_game_is_over() -> None:
    assert told("R5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1", "black") == set()


@pytest.mark.parametrize("name", ["heximeros", "invictus", "victorus"])
def test_in_every_game_threats_are_captures_of_ones_own(name: str) -> None:
    game: Any = find_game(name)
    chance, state, seen = random.Random(2), game.start(game.setup()), 0
    for ply in range(61):
        state = game.advance(state, chance.choice(list(game.legal(state))))
        if ply % 20 or game.to_move(state) is None:
            continue
        position, seat = game.expect(state), game.to_move(state)
        for one in threats(game, state, seat):
            assert game.judge(one.there, one.action).allowed
            assert {owner_of(game, position[spot]) for spot in one.spots} == {seat}
            seen += 1
    assert seen
