"""A game is found by its name or by its title, and nothing else is one."""

import pytest

from companion.games import find_game, games, table_game
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


def test_a_table_file_names_the_game_who_plays_and_by_which_options():
    options = {"divide_scores": "yes"}
    file = {"game": "invictus", "seats": ["white", "black"], "options": options}
    game, setup = table_game(file)
    assert game is find_game("invictus")
    assert set(setup.seats) == {"white", "black"}
    assert setup.options["divide_scores"] == "yes"


@pytest.mark.parametrize(
    ("file", "told"),
    [
        ({"seats": []}, "no field “game”"),
        ({"game": "chess"}, "no field “seats”"),
        ({"game": "chess", "seats": "white"}, "“seats” of the table file is a list"),
        ({"game": "chess", "seats": ["white"], "options": []}, "“options” of the table file"),
    ],
)
def test_a_table_file_that_names_no_game_to_play_is_refused_in_a_sentence(file, told):
    with pytest.raises(BadInput, match=told):
        table_game(file)
