"""The look of the pages: lights are drawn alike everywhere, and seats look like their pieces."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import web
from companion.games import find_game, games
from companion.rules import owner_of, picture_of
from hardware.lights import MEANINGS
from web import drawing

STATIC = Path(web.__file__).parent / "static"
STYLE = (STATIC / "style.css").read_text(encoding="utf-8")


def written(colour):
    return "#{:02x}{:02x}{:02x}".format(*colour)


def test_the_lights_of_the_style_are_those_of_the_strip():
    named = dict(re.findall(r"--light-(\w+): (#[0-9a-f]{6})", STYLE))
    assert named == {name: written(light.colour) for name, light in MEANINGS.items()}


def test_every_effect_of_a_light_has_a_shape_of_its_own_on_the_page():
    shapes = {
        effect: re.search(rf'\[data-effect="{effect}"\] \.lit {{ ([^}}]*)}}', STYLE)
        for effect in {light.effect for light in MEANINGS.values()} - {"steady"}
    }
    assert all(shapes.values()), shapes
    assert len({found[1] for found in shapes.values()}) == len(shapes)


def test_the_sign_shines_as_a_cell_does_where_a_piece_may_go():
    sign = (STATIC / "icon.svg").read_text(encoding="utf-8")
    assert written(MEANINGS["destination"].colour) in sign


@pytest.mark.parametrize("name", games())
def test_a_seat_has_the_colour_of_its_pieces(name):
    game = find_game(name)
    setup = game.setup()
    fills = {
        seat: {stroke.fill for stroke in picture_of(game, setup, token)}
        for token in game.expect(game.start(setup)).values()
        if (seat := owner_of(game, token))
    }
    colours = drawing.colours(game, setup)
    assert colours.keys() == fills.keys()
    assert [seat for seat, colour in colours.items() if colour not in fills[seat]] == []
    drawn = {seat: drawing.swatch(seat, colour) for seat, colour in colours.items()}
    assert [seat for seat, coin in drawn.items() if colours[seat] not in coin] == []
