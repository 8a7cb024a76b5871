"""A new table tells its address by lights that can be counted, and by speech."""

from __future__ import annotations

import shutil

import pytest

from companion.games import find_game
from companion.journal import Journal
from companion.live.greeting import (
    DARK,
    DIGIT,
    MARK,
    PAUSE,
    SHOWN,
    Greeting,
    counting_cells,
    say_aloud,
    spoken,
)
from companion.live.light_panel import LightPanel
from companion.table import Table
from hardware.lights import Moment
from hardware.strip import LightShow, SimulatedStrip
from hardware.wiring import default_wiring


def board_of(name):
    game = find_game(name)
    return game.board(game.setup())


def read_off(greeting, now, characters):
    """Write down what is lit, as somebody would who counts cells."""
    text = ""
    for place in range(characters):
        now[0] = place * (SHOWN + DARK) + SHOWN / 2
        lit = greeting.frame()
        if set(lit.values()) == {DIGIT}:
            text += str(len(lit) % 10)
        else:
            assert set(lit.values()) == {MARK}
            text += ".:"[len(lit) - 1]
        now[0] += SHOWN / 2 + DARK / 2
        assert greeting.frame() == {}
    return text


@pytest.mark.parametrize("name", ["victorus", "invictus", "chess"])
def test_the_address_can_be_counted_off_the_board(name):
    now = [0.0]
    address = "192.168.0.47:8000"
    greeting = Greeting(board_of(name), address, lambda: now[0])
    assert read_off(greeting, now, len(address)) == address
    now[0] = len(address) * (SHOWN + DARK) + PAUSE / 2
    assert greeting.frame() == {}, "a pause before it begins anew"
    now[0] += PAUSE / 2 + 0.1
    assert len(greeting.frame()) == 1


@pytest.mark.parametrize("name", ["victorus", "invictus", "chess"])
def test_ten_cells_lie_in_two_rows_of_five(name):
    board = board_of(name)
    cells = counting_cells(board)
    assert len(set(cells)) == 10
    for row in (cells[:5], cells[5:]):
        assert len({round(board[cell].centre[1]) for cell in row}) == 1
        across = [board[cell].centre[0] for cell in row]
        assert across == sorted(across)


def test_the_panel_shows_the_address_until_somebody_has_joined():
    game = find_game("chess")
    strip, table = SimulatedStrip(), Table.create(Journal(), game, game.setup())
    board = game.board(table.setup)
    panel = LightPanel(table, LightShow(strip, default_wiring(board), lambda: 0.0), lambda: None)
    panel.greeting = Greeting(board, "3", lambda: 0.0)
    panel.show(Moment())
    panel.tick()
    assert sum(any(pixel) for pixel in strip.pixels) == 3
    panel.greeting = None
    panel.tick()
    assert sum(any(pixel) for pixel in strip.pixels) == 10, "who may move"


def test_the_address_is_spoken_digit_by_digit(monkeypatch):
    assert "1 9 2 dot 1 colon 8 0" in spoken("192.1:80")
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert not say_aloud("hello")
