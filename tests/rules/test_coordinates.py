"""Letters and numbers round a board."""

from __future__ import annotations

import pytest

from companion.games import find_game
from companion.rules import coordinates


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


def test_boards_whose_spots_have_names_of_their_own_have_none():
    assert written("victory_honor")[1] == []
