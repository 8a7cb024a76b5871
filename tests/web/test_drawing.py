"""The board as SVG: the outlines of the rules kernel, nothing else."""

from xml.etree import ElementTree

import pytest

from companion.games import find_game
from companion.rules import Stroke
from web import drawing


def test_a_board_is_drawn_from_its_outlines(game):
    picture = drawing.picture(game.board(game.setup()))
    assert picture.view_box == "-84.8 -84.8 169.6 169.6"
    assert [[place.name for place in row] for row in picture.rows] == [
        ["a3", "b3", "c3"],
        ["a2", "b2", "c2"],
        ["a1", "b1", "c1"],
    ]
    place = picture.rows[2][0]
    assert (place.x, place.y, place.points) == ("-40", "40", "-20,-20 20,-20 20,20 -20,20")


def test_lines_stay_open_and_areas_are_closed():
    line = Stroke(((0, 0), (1, 2)), colour="#ff0000", width=0.5, closed=False)
    area = Stroke(((0, 0), (1, 0), (0, 1)), fill="#00ff00")
    assert drawing.strokes((line, area)) == (
        '<polyline points="0,0 1,2" fill="none" stroke="#ff0000" stroke-width="0.5"/>'
        '<polygon points="0,0 1,0 0,1" fill="#00ff00"/>'
    )


def test_words_are_as_large_as_asked_for_where_they_fit():
    assert drawing.lettered("left flank", 12.0) == (12.0, ("left flank",))
    assert drawing.lettered("left flank", 12.0, 100.0) == (12.0, ("left flank",))


def test_words_that_do_not_fit_are_on_two_lines_before_they_are_small():
    assert drawing.lettered("flanco izquierdo", 12.0, 65.0) == (12.0, ("flanco", "izquierdo"))


def test_the_longest_word_decides_how_small_letters_are():
    size, lines = drawing.lettered("campo d'addestramento", 15.0, 87.0)
    assert lines == ("campo", "d'addestramento")
    assert size == pytest.approx(10.0)


def test_a_board_is_turned_to_whoever_sits_at_it(game):
    picture = drawing.picture(game.board(game.setup()), 180)
    assert [[place.name for place in row] for row in picture.rows] == [
        ["c1", "b1", "a1"],
        ["c2", "b2", "a2"],
        ["c3", "b3", "a3"],
    ]
    assert picture.turn == 180


def test_every_seat_has_its_army_before_it(game):
    assert drawing.sides(game, game.setup()) == {"red": 0, "blue": 180}


def test_a_sixth_of_the_board_is_turned_to_each_of_six():
    victorus = find_game("victorus")
    sides = drawing.sides(victorus, victorus.setup())
    assert list(sides.values()) == [0, 300, 240, 180, 120, 60]
    assert list(sides) == ["red", "black", "orange", "purple", "blue", "green"]


def test_open_lines_of_one_kind_are_one_path():
    thin = Stroke(((0, 0), (1, 2)), colour="#ff0000", width=0.5, closed=False)
    more = Stroke(((3, 3), (2.5, 3), (2.5, 4)), colour="#ff0000", width=0.5, closed=False)
    area = Stroke(((0, 0), (1, 0), (0, 1)), fill="#00ff00")
    assert drawing.lines((thin, area, more)) == (
        '<path d="M0 0l1 2M3 3l-0.5 0l0 1" fill="none" stroke="#ff0000" stroke-width="0.5"/>'
        '<polygon points="0,0 1,0 0,1" fill="#00ff00"/>'
    )


def test_tokens_that_differ_have_ids_that_differ():
    tokens = ["red white T", "red white T+", "red white T+ frozen", "black 4", "white N"]
    ids = {drawing.token_id(token) for token in tokens}
    assert len(ids) == len(tokens)
    assert drawing.token_id("red white T+") == "t-red_20_white_20_T_2b_"


@pytest.mark.parametrize("upright", [True, False])
def test_a_picture_that_comes_later_can_be_read_as_xml(game, upright):
    """The page reads it with a parser that takes nothing else."""
    drawn = drawing.symbol("red man", (Stroke(((0, 0), (1, 1))),), "man & men", "red", upright)
    element = ElementTree.fromstring(drawn)
    assert ("data-upright" in element.attrib) is upright
    assert element.attrib["data-name"] == "man & men"


def test_a_seat_has_a_coin_where_its_name_is_a_colour():
    assert 'fill="red"' in drawing.swatch("red")
    assert drawing.swatch("north") == ""


@pytest.mark.parametrize(
    ("value", "text"), [(0.0, "0"), (-0.001, "0"), (1.5, "1.5"), (2.0, "2"), (1.239, "1.24")]
)
def test_numbers_are_as_short_as_they_can_be(value, text):
    assert drawing.number(value) == text


@pytest.mark.parametrize(
    ("colour", "shown"),
    [("#100000", "#e0000066"), ("#081008", "#70e07066"), ("#406040", "#95e095"),
     ("#00ff00", "#00ff00"),
     ("#000000", "#000000"), ("red", "red")],
)  # fmt: skip
def test_a_dark_light_is_bright_on_the_page_and_the_board_is_seen_through_it(colour, shown):
    assert drawing.vivid(colour) == shown
