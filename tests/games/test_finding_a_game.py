"""A game is found by its name or by its title, and nothing else is one."""

import pytest

from companion.games import find_game, games
from companion.rules import BadInput


@pytest.mark.parametrize("name", games())
def test_a_game_is_found_by_its_name_and_by_its_title(name):
    game = find_game(name)
    assert game.name == name
    assert find_game(game.title) is game


@pytest.mark.parametrize("name", ["zebra", "", "morris chess", "x" * 10_000])
def test_a_game_that_there_is_not_is_refused_with_those_that_there_are(name):
    with pytest.raises(BadInput) as refused:
        find_game(name)
    assert find_game("chess").title in str(refused.value)
