"""The board as SVG: the outlines of the rules kernel, nothing else."""

import pytest

from companion.rules import Stroke
from web import drawing


def test_a_board_is_drawn_from_its_outlines(game):
    picture = drawing.picture(game.board(game.setup()))
    assert picture.view_box == "-64.8 -64.8 129.6 129.6"
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


def test_tokens_that_differ_have_ids_that_differ():
    tokens = ["red white T", "red white T+", "red white T+ frozen", "black 4", "white N"]
    ids = {drawing.token_id(token) for token in tokens}
    assert len(ids) == len(tokens)
    assert drawing.token_id("red white T+") == "t-red_20white_20T_2b"


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
    [("#100000", "#e00000"), ("#081008", "#70e070"), ("#00ff00", "#00ff00"),
     ("#000000", "#000000"), ("red", "red")],
)  # fmt: skip
def test_a_dimmed_light_is_bright_on_the_page(colour, shown):
    assert drawing.vivid(colour) == shown
