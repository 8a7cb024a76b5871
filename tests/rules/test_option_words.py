"""Options and their values have words in sentences, in every game."""

import pytest

from companion.games import find_game, games
from companion.rules import Text
from companion.rules.option_words import option_word, told_options


@pytest.mark.parametrize("name", games())
def test_every_option_and_value_has_words(name):
    options = find_game(name).options
    values = {value for option in options for value in option.choices}
    for word in {option.name for option in options} | values:
        assert isinstance(option_word(word), Text) or word.isnumeric(), word


def test_an_order_of_seats_is_told_seat_by_seat():
    italian = {"white": "bianco", "blue": "blu", "green": "verde"}
    words = option_word("white-blue-green")
    assert words == "white-blue-green"
    assert words.told(lambda word: italian.get(word, word)) == "bianco-blu-verde"


def test_what_has_no_words_stands_as_it_is():
    assert option_word("12") == "12"
    assert option_word("somebody-s") == "somebody-s"


def test_the_options_in_play_are_one_line():
    game = find_game("chess")
    assert told_options(game.setup().options) == "draws = claimed, minutes = 0, increment = 0"
