"""Options and their values have words in sentences, in every game."""

import pytest

from companion.games import find_game, games
from companion.rules import Option, Text, option_words, say, told_options, worded


@pytest.mark.parametrize("name", games())
def test_every_option_and_value_has_words(name):
    options = find_game(name).options
    assert options
    for option in options:
        assert isinstance(option.label, Text), option.name
        assert isinstance(option.about, Text), option.name
        for value in option.choices:
            assert isinstance(option.word(value), Text) or value.isnumeric(), value


def test_an_order_of_seats_is_told_seat_by_seat():
    italian = {"white": "bianco", "blue": "blu", "green": "verde"}
    called = option_words(say("white"), say("blue"), say("green"))
    words = Option("order", "white", (), "X-1", "", called=called).word("white-blue-green")
    assert words == "white-blue-green"
    assert words.told(lambda word: italian.get(word, word)) == "bianco-blu-verde"


def test_what_has_no_words_stands_as_it_is():
    option = Option("no_progress", "1", (), "X-1", "")
    assert option.label == "no progress"
    assert option.word("12") == "12"
    assert option.word("rest_fight") == "rest fight"
    assert option.word("somebody-s") == "somebody-s"


def test_words_are_given_to_all_options_of_a_game_at_once():
    options = worded(option_words(say("no progress")), (Option("no_progress", "1", (), "X-1", ""),))
    assert [option.label for option in options] == ["no progress"]
    assert isinstance(options[0].label, Text)


def test_the_options_in_play_are_one_line():
    game = find_game("chess")
    line = told_options(game.options, game.setup().options)
    assert line == "draws = claimed, minutes = 0, position = 518, increment = 0"
