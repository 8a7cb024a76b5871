"""Letters and numbers round a board."""

from __future__ import annotations

import itertools
import math

import pytest

from companion.games import find_game
from companion.rules import Board, Spot, coordinates
from companion.rules.geometry import inside


def written(name):
    game = find_game(name)
    board = game.board(game.setup())
    return board, coordinates(board)


def test_both_ends_of_every_line_of_chess_are_lettered():
    texts = [text for text, _ in written("chess")[1]]
    assert sorted(texts) == sorted([*"abcdefgh", *"12345678"] * 2)


@pytest.mark.parametrize("name", ["chess", "victorus", "invictus", "heximeros"])
def test_coordinates_stand_beside_the_board_and_not_on_a_cell(name):
    board, found = written(name)
    assert found
    assert [text for text, at in found if board.at(at) is not None] == []
    dark = [mark.points for mark in board.marks if mark.fill]
    assert [text for text, at in found if any(inside(at, points) for points in dark)] == []
    places = [at for _, at in found]
    assert all(
        math.dist(one, two) > board.pitch / 4 for one, two in itertools.combinations(places, 2)
    )


def test_boards_whose_spots_have_names_of_their_own_have_none():
    assert written("victory_honor")[1] == []


def test_a_line_that_bends_has_no_letter():
    bent = {"a1": (0.0, 0.0), "a2": (0.0, 10.0), "a3": (-20.0, 20.0)}
    even = {"b1": (10.0, 0.0), "b2": (10.0, 10.0), "b3": (10.0, 20.0)}
    board = Board({name: Spot(name, at, ()) for name, at in (bent | even).items()}, 10.0)
    assert sorted(text for text, _ in coordinates(board)) == [*"112233", "b", "b"]
