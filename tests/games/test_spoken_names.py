"""What a screen reader says of a token: words, no letters of the notation."""

import pytest

from companion.games import find_game
from companion.rules import BadInput, name_of


@pytest.mark.parametrize(
    ("game", "token", "name"),
    [
        ("victorus", "purple white T", "purple Templar, white edge"),
        ("victorus", "red black E+", "red royal Excalibur, black edge"),
        ("victorus", "green half K", "green King"),
        ("victorus", "blue white U frozen", "blue Teutonic, white edge, frozen"),
        ("chess", "white N", "white knight"),
        ("invictus", "black 4", "black die, 4"),
        ("invictus", "white 1", "white die, 1"),
        ("heximeros", "silver R", "silver Regent"),
        ("heximeros", "blue M+", "blue Hatted Militant"),
        ("victory_honor", "yellow G3", "yellow General 3"),
        ("victory_honor", "back", "a card face down"),
    ],
)
def test_a_token_has_a_name_that_can_be_spoken(game, token, name):
    assert find_game(game).spoken(token) == name


@pytest.mark.parametrize(
    ("game", "token"),
    [
        ("victorus", "a pawn"),
        ("victorus", "red white X"),
        ("chess", "N"),
        ("invictus", "red 4"),
        ("heximeros", "silver X"),
    ],
)
def test_what_is_no_token_has_no_name(game, token):
    with pytest.raises(BadInput):
        find_game(game).spoken(token)


def test_a_game_without_names_says_the_token_itself(tiny):
    assert name_of(tiny, "black") == "black"


@pytest.mark.parametrize("name", ["chess", "heximeros", "invictus", "victorus"])
def test_no_two_tokens_at_the_start_share_a_name(name):
    game = find_game(name)
    tokens = set(game.expect(game.start(game.setup())).values())
    assert len({name_of(game, token) for token in tokens}) == len(tokens)


def test_a_field_of_promotion_shows_its_knight_and_how_far_it_is():
    game = find_game("victorus")
    card = game.scorecards(game.start(game.setup()))[0]
    assert [(field.picture, field.value, field.goal) for field in card.fields[:2]] == [
        ("red white T", "0", 2),
        ("red black T", "0", 2),
    ]
    assert (card.fields[-1].picture, card.fields[-1].goal) == ("", 0)
