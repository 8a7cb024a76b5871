"""HexiMeros at the table: moves are tried and taken back until the Token is passed."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from companion.games.heximeros import GAME
from companion.journal import Journal
from companion.live.control_box import press_at
from companion.rules import BadInput
from companion.table import Table
from hardware.lights import Moment, lights
from hardware.wiring import default_wiring


@pytest.fixture
def table() -> Table[Any]:
    """A table with a new game, in memory."""
    return Table.create(Journal(":memory:"), GAME, GAME.setup())


def test_a_move_is_tried_and_taken_back_without_a_dispute(
    hx: ModuleType, table: Table[Any]
) -> None:
    for target in ((0, 11), (0, 10)):
        assert table.play(hx.move((0, 12), target), "camera").allowed
        table.undo(1, "camera")
    assert table.play(hx.move((1, 12), (2, 10)), "camera").allowed
    assert [event.kind for event in table.events()].count("refused") == 0
    assert GAME.to_move(table.state) == "silver"
    table.play(GAME.parse(table.setup, "token"), "silver")
    assert GAME.to_move(table.state) == "blue"
    assert len(table.actions) == 2


def test_the_turn_button_passes_the_token(hx: ModuleType, table: Table[Any]) -> None:
    with pytest.raises(BadInput, match="moved first"):
        press_at(table, "turn")
    table.play(hx.move((0, 12), (0, 11)), "camera")
    press_at(table, "turn")
    assert GAME.to_move(table.state) == "blue"


def test_the_lights_show_where_a_lifted_piece_may_go(hx: ModuleType) -> None:
    state = GAME.start(GAME.setup())
    lit = lights(GAME, state, Moment(lifted=hx.spot(1, 12)))
    meant = [light.meaning for light in lit.values()]
    assert (meant.count("destination"), meant.count("capture")) == (23, 2)


def test_every_space_has_its_light() -> None:
    wiring = default_wiring(GAME.board(GAME.setup()))
    assert wiring.count == len(wiring.leds) == 655
    seen = default_wiring(GAME.board(GAME.setup(None, {"token": "seen"})))
    assert seen.count == 655
