"""LEDs along the rim: a cell is where all its lines are lit."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import combinations
from typing import Any

import pytest

from companion.games import find_game
from companion.rules import BadInput, Board
from hardware.lights import MEANINGS
from hardware.rim import rim_leds
from hardware.strip import LightShow, SimulatedStrip, render, spot_colours
from hardware.wiring import read_wiring
from tests.checks.loops import some

LEDS = {"heximeros": 99, "victorus": 51, "chess": 16, "invictus": 18}


def board_of(name: str) -> Board:
    game = find_game(name)
    return game.board(game.setup())


@pytest.mark.parametrize("name", LEDS)
def test_no_two_cells_have_the_same_lines(name: str) -> None:
    leds, places = rim_leds(board_of(name))
    assert len(places) == LEDS[name]
    assert len(set(leds.values())) == len(leds)
    assert {len(lines) for lines in leds.values()} == {2 if name in ("chess", "invictus") else 3}


@pytest.mark.parametrize("name", LEDS)
def test_the_leds_lie_outside_every_cell_and_apart_from_each_other(name: str) -> None:
    board = board_of(name)
    _, places = rim_leds(board)
    cells = [spot for spot in board.spots.values() if spot.kind == "cell"]
    for place in some(places.values()):
        assert min(math.dist(place, cell.centre) for cell in cells) > 0.5 * board.pitch
    for one, other in some(combinations(places.values(), 2)):
        assert math.dist(one, other) > 6.0


def test_on_a_chess_board_a_strip_passes_files_and_ranks_in_order() -> None:
    leds, _ = rim_leds(board_of("chess"))
    assert [leds[f"{file}8"][0] for file in "hgfedcba"] == list(range(8))
    assert [leds[f"a{rank}"][1] for rank in range(1, 9)] == list(range(8, 16))
    assert set(leds["a1"]) & set(leds["a8"]) != set()
    assert set(leds["a1"]) & set(leds["h1"]) != set()
    assert set(leds["a1"]) & set(leds["b2"]) == set()


def test_the_other_way_round_the_numbers_run_back() -> None:
    board = board_of("chess")
    _, one = rim_leds(board, start="h1")
    _, other = rim_leds(board, way="counterclockwise", start="h1")
    assert list(other.values()) == [one[0], *reversed(list(one.values())[1:])]


def test_a_strip_begins_where_it_is_said_to() -> None:
    board = board_of("victorus")
    _, places = rim_leds(board, first=7, start="i1")
    nearest = min(places, key=lambda led: math.dist(places[led], board["i1"].centre))
    assert nearest == min(places) == 7


def test_a_file_with_a_rim_is_read_and_shown() -> None:
    board = board_of("chess")
    wiring = read_wiring('first = 4\nrim = "clockwise"\n', board)
    assert wiring.count == 20
    assert set(wiring.places) == set(range(4, 20))
    light = MEANINGS["destination"]
    pixels = render({"e4": light}, wiring, 0.0)
    assert [led for led, pixel in enumerate(pixels) if any(pixel)] == sorted(wiring.leds["e4"])
    assert spot_colours(pixels, wiring) == {"e4": light.colour}


def test_an_led_that_two_cells_share_shows_what_matters_more() -> None:
    wiring = read_wiring('rim = "clockwise"', board_of("chess"))
    (shared,) = set(wiring.leds["a1"]) & set(wiring.leds["a2"])
    frame: Mapping[str, Any] = {"a1": MEANINGS["home"], "a2": MEANINGS["destination"]}
    assert render(frame, wiring, 0.0)[shared] == MEANINGS["home"].colour


def test_the_camera_sees_no_light_under_cells() -> None:
    wiring = read_wiring('rim = "clockwise"', board_of("chess"))
    strip = SimulatedStrip()
    show = LightShow(strip, wiring, lambda: 0.0)
    show.show({"e4": MEANINGS["destination"]})
    assert sum(any(pixel) for pixel in strip.pixels) == 2
    assert show.glow(0.0) == {}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('rim = "left"', "rim is clockwise or counterclockwise, not “left”"),
        ('rim = "clockwise"\nrim_start = "z9"', "“rim_start” “z9” is no cell"),
        ('rim = "clockwise"\norder = ["a1"]', "a wiring with a rim has no “order”"),
        ('rim_start = "a1"', "“rim_start” needs a rim"),
        ('rim = "clockwise"\ncount = 3', "count is 3, but LED 15 is wired"),
    ],
)
def test_a_wrong_rim_is_one_clear_sentence(text: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        read_wiring(text, board_of("chess"))


def test_a_board_without_lines_of_cells_has_no_rim() -> None:
    with pytest.raises(BadInput, match="no lines of cells"):
        rim_leds(board_of("hoplomachus"))
