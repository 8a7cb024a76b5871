"""The walk-through: one LED after the other is lit, and the answers make the wiring."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from companion.rules import BadInput, Board
from hardware.finding import Walk, colour_test, colours_seen
from hardware.parts import reordered
from hardware.wiring import COLOURS, Part, default_wiring, read_wiring, write_wiring

ON, OFF = (0, 160, 0), (0, 0, 0)


@pytest.fixture
def board(tiny: Any) -> Board:
    board: Board = tiny.board(tiny.setup())
    return board


def test_a_walk_lights_one_led_after_the_other_and_can_go_back(board: Board) -> None:
    walk = Walk(board, 3)
    assert walk.pixels() == (ON, OFF, OFF)
    walk = walk.answer("a1")
    assert walk.pixels() == (OFF, ON, OFF)
    assert walk.back().pixels() == (ON, OFF, OFF)
    walk = walk.answer(None).answer("a2")
    assert walk.done
    assert walk.pixels() == (OFF, OFF, OFF)
    assert Walk(board, 3).back() == Walk(board, 3)


def test_an_answer_that_is_no_spot_is_refused_and_the_led_stays_lit(board: Board) -> None:
    walk = Walk(board, 3)
    with pytest.raises(BadInput, match="no spot “z9”"):
        walk.answer("z9")
    assert walk.pixels() == (ON, OFF, OFF)


def test_the_answers_of_a_walk_make_the_wiring(board: Board) -> None:
    walk = Walk(board, 11)
    for spot in ("c3", None, "c2", "c2", "c1", "b1", "b2", "b3", "a3", "a2"):
        walk = walk.answer(spot)
    with pytest.raises(BadInput, match="spot a1 has no LED"):
        walk.wiring()
    wiring = walk.answer("a1").wiring("RGB", "spi:0.0", 700)
    assert wiring.leds["c2"] == (2, 3)
    assert wiring.leds["a1"] == (10,)
    assert wiring.parts == (Part(11, "spi:0.0", 700, "RGB"),)
    assert read_wiring(write_wiring(wiring), board) == wiring


def test_a_straight_strip_is_guessed_up_to_the_rim(board: Board) -> None:
    guesses = []
    walk = Walk(board, 9)
    for spot in default_wiring(board).leds:
        guesses.append(walk.guess())
        walk = walk.answer(spot)
    assert guesses == [None, None, "a3", None, "c3", "b1", None, None, "c3"]


def through(order: str, sent: tuple[int, int, int]) -> tuple[int, int, int]:
    """Return what an LED that takes its colours in ``order`` shows of bytes meant as GRB."""
    red, green, blue = sent
    taken = dict(zip(order, (green, red, blue), strict=True))
    return taken["R"], taken["G"], taken["B"]


@pytest.mark.parametrize("order", ["".join(order) for order in permutations("RGB")])
def test_any_order_of_colours_is_found_by_looking_and_put_right(order: str) -> None:
    seen = ["RGB"[shown.index(160)] for shown in (through(order, p) for p in colour_test(3))]
    found = colours_seen(*seen)
    assert found == order
    for colour in ((255, 0, 0), (1, 2, 3)):
        assert through(order, reordered((colour,), found)[0]) == colour


def test_the_usual_order_changes_nothing() -> None:
    assert reordered(((1, 2, 3),), COLOURS) == ((1, 2, 3),)


def test_two_leds_of_one_colour_cannot_be() -> None:
    with pytest.raises(BadInput, match="one each of r, g and b"):
        colours_seen("r", "r", "b")
    assert colour_test(2) == ((160, 0, 0), (0, 160, 0))
