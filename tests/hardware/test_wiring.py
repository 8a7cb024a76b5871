"""Which LED lies under which spot."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.rules import BadInput, Board
from hardware.wiring import (
    Part,
    default_wiring,
    load_wiring,
    read_wiring,
    write_wiring,
)


@pytest.fixture
def board(tiny: Any) -> Board:
    board: Board = tiny.board(tiny.setup())
    return board


def test_the_usual_strip_runs_up_one_column_and_down_the_next(board: Board) -> None:
    wiring = default_wiring(board)
    assert wiring.count == 9
    assert wiring.leds == {
        "a1": (0,), "a2": (1,), "a3": (2,), "b3": (3,), "b2": (4,), "b1": (5,),
        "c1": (6,), "c2": (7,), "c3": (8,),
    }  # fmt: skip
    wiring.check(board)


def test_runs_gaps_first_led_and_leds_per_spot_are_read(board: Board) -> None:
    wiring = read_wiring(
        'first = 2\nleds_per_spot = 2\norder = ["a1 a2 a3", "b3 - b2 b1", "c1 -3 c2 c3"]', board
    )
    assert wiring.leds == {
        "a1": (2, 3), "a2": (4, 5), "a3": (6, 7), "b3": (8, 9), "b2": (11, 12), "b1": (13, 14),
        "c1": (15, 16), "c2": (20, 21), "c3": (22, 23),
    }  # fmt: skip
    assert wiring.count == 24


def test_a_serpentine_turns_every_second_run_round(board: Board) -> None:
    text = 'serpentine = true\norder = ["a1 a2 a3", "b1 b2 b3", "c1 c2 c3"]'
    assert read_wiring(text, board) == default_wiring(board)


def test_a_single_spot_may_be_wired_by_hand(board: Board) -> None:
    text = 'count = 20\norder = ["a1 a2 a3 b3 b2 b1 c1 c2 c3"]\n[leds]\nc3 = [8, 15]'
    wiring = read_wiring(text, board)
    assert wiring.leds["c3"] == (8, 15)
    assert wiring.count == 20


def test_a_written_wiring_is_read_back(board: Board) -> None:
    wiring = default_wiring(board)
    assert read_wiring(write_wiring(wiring), board) == wiring


ALL = "a1 a2 a3 b3 b2 b1 c1 c2"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (f'order = ["{ALL}"]', "spot c3 has no LED"),
        (f'order = ["{ALL} c3 a1"]', "spot “a1” stands twice"),
        (f'order = ["{ALL} c3 d1"]', "“d1”, which this board does not have"),
        (f'order = ["{ALL}"]\n[leds]\nc3 = [4]', "LED 4 is wired twice, under b2 and under c3"),
        (f'order = ["{ALL}"]\n[leds]\nc3 = 8', "spot “c3” in the wiring's “leds” needs a list"),
        (f'order = ["{ALL} -x c3"]', "“-x” in the wiring's order is no gap"),
        (f'count = 4\norder = ["{ALL} c3"]', "count is 4, but LED 8 is wired"),
        ('first = -1\norder = ["a1"]', "“first” is a whole number from 0"),
        ("leds_per_spot = 0", "“leds_per_spot” is a whole number from 1"),
        ('order = "a1"', "order is a list of texts"),
        ("leds = [1]", "is a table such as"),
        ("ordre = []", "no field “ordre”; it has “first”"),
        ("order = [", "is no TOML"),
    ],
)
def test_a_wrong_wiring_is_refused_by_name(board: Board, text: str, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        read_wiring(text, board)


def test_a_wiring_file_that_is_not_there_is_named(board: Board, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"none\.toml cannot be read"):
        load_wiring(tmp_path / "none.toml", board)
    (tmp_path / "some.toml").write_text(write_wiring(default_wiring(board)))
    assert load_wiring(tmp_path / "some.toml", board) == default_wiring(board)


def test_several_strips_are_numbered_through(board: Board) -> None:
    text = (
        f'order = ["{ALL} c3"]\n[[strips]]\ncount = 4\nlights = "spi:0.0"\nlimit_ma = 500\n'
        '[[strips]]\ncount = 5\nlights = "wled:lamp"\ncolours = "RGB"'
    )
    wiring = read_wiring(text, board)
    assert wiring.count == 9
    assert wiring.parts == (Part(4, "spi:0.0", 500.0), Part(5, "wled:lamp", 2000.0, "RGB"))
    assert read_wiring(write_wiring(wiring), board) == wiring


def test_a_single_strip_is_one_part(board: Board) -> None:
    assert default_wiring(board).parts == (Part(9),)


@pytest.mark.parametrize(
    ("strips", "says"),
    [
        ("strips = 3", r"begins with “\[\[strips\]\]"),
        ("strips = [{}]", "strip 1 of the wiring needs its count"),
        ("strips = [{count = 9, limit = 3}]", "strip 1 of the wiring has no field “limit”"),
        ("strips = [{count = 9, limit_ma = -1}]", "“limit_ma” of strip 1"),
        ('strips = [{count = 9, colours = "RGW"}]', "an order of the letters R, G and B"),
        ("strips = [{count = 9, lights = 1}]", "the lights of strip 1 are an address"),
        ("count = 10\nstrips = [{count = 9}]", "count is 10, but its strips have 9"),
        ("strips = [{count = 8}]", "count is 8, but LED 8 is wired"),
    ],
)
def test_a_wrong_strip_is_refused_by_number(board: Board, strips: str, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        read_wiring(f'{strips}\norder = ["{ALL} c3"]', board)


def test_a_tray_beside_the_board_needs_no_led(board: Board) -> None:
    corner = board["c3"]
    spots = {**board.spots, "c3": corner._replace(kind="tray", owner="white")}
    with_tray = replace(board, spots=spots)
    assert "c3" not in default_wiring(with_tray).leds
    read_wiring(f'order = ["{ALL}"]', with_tray)
