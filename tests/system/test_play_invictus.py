"""Invictus at the simulated table: hands, camera, reader, table and phones together."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games import find_game
from companion.journal import Journal
from companion.live.equipment import HandTable
from companion.live.live_picture import LivePicture
from companion.live.service import Service
from companion.simulation.table_camera import SimulatedCamera, SimulatedTable, Troubles
from companion.table import Table
from vision.board.optics import CameraView, fit_view

GAME = find_game("invictus")


class Evening:
    """A watched game; ``hands`` is what the browser's page can do to the dice."""

    def __init__(self) -> None:
        setup = GAME.setup()
        dice = SimulatedTable(GAME, setup, GAME.expect(GAME.start(setup)), tidy=0.9)
        view = fit_view(dice.board, CameraView(image_size=(960, 720), tilt=15.0))
        self.camera = SimulatedCamera(dice, view, Troubles(hand_frames=1), clock=lambda: 0.0)
        window = LivePicture(self.camera)
        self.table: Table[Any] = Table.create(Journal(":memory:"), GAME, setup)
        self.service: Service[Any] = Service(
            self.table, self.camera.table_file(), window, lambda moment: None, lambda: None
        )
        self.hands = HandTable(lambda: dice, window.picture, lambda button: None)
        self.look()

    def look(self) -> None:
        """Watch until the hands are gone and the picture has stood still for a moment."""
        for calm in range(4):
            self.service.look()
            while calm == 0 and (self.camera.busy or self.camera.hand_in_view):
                self.service.look()

    def move(self, *moves: str) -> None:
        for text in moves:
            origin, target = text.split("-")
            self.hands.move(origin, target)
            self.look()

    def put_back(self, spot: str, captured: str, lower: str) -> None:
        """Bring a die from beside the board and turn it until it shows its lower value."""
        self.hands.put(spot, captured)
        while self.hands.tokens()[spot] != lower:
            self.hands.flip(spot)
        self.look()

    def card(self, seat: str) -> dict[str, str]:
        cards = {card.seat: card for card in GAME.scorecards(self.table.state)}
        return {field.label: field.value for field in cards[seat].fields}

    def agrees(self) -> bool:
        return dict(GAME.expect(self.table.state)) == self.hands.tokens()


@pytest.fixture
def evening() -> Evening:
    return Evening()


def test_the_set_up_on_the_table_begins_the_game(evening: Evening) -> None:
    assert evening.service.status()["message"] == ""
    assert [event.kind for event in evening.table.events()][-1] == "arranged"
    assert evening.agrees()


@pytest.mark.slow
def test_a_lifted_die_is_noticed_and_its_move_is_played(evening: Evening) -> None:
    evening.hands.lift("c3")
    evening.look()
    assert evening.service.status()["lifted"] == "c3"
    evening.hands.drop("c4")
    evening.look()
    assert [str(action) for action in evening.table.actions] == ["c3-c4"]
    assert evening.service.status()["lifted"] is None


TO_A_CAPTURE = ("i3-i4", "i7-i6", "i4-i5", "h7-h6", "i5-h6")


@pytest.mark.slow
def test_a_captured_die_is_turned_down_and_put_back_from_beside_the_board(
    evening: Evening,
) -> None:
    evening.move(*TO_A_CAPTURE)
    assert tuple(evening.hands.off()) == ("white 4",)
    assert evening.table.state.pending == 3
    assert evening.card("white")["To put back"] is not None

    evening.put_back("e9", "white 4", "white 3")

    assert str(evening.table.actions[-1]) == "*e9"
    assert evening.table.state.pending == 0
    assert evening.agrees()


@pytest.mark.slow
def test_a_wrong_value_put_back_is_not_taken_until_it_is_turned(evening: Evening) -> None:
    evening.move(*TO_A_CAPTURE)
    evening.hands.put("e9", "white 4")
    evening.look()
    assert evening.table.state.pending == 3, "the die still shows its old value"
    assert "e9" in evening.service.status()["differs"]
    while evening.hands.tokens()["e9"] != "white 3":
        evening.hands.flip("e9")
    evening.look()
    assert str(evening.table.actions[-1]) == "*e9"


@pytest.mark.slow
def test_prisoners_and_dice_at_home_are_on_the_card_and_score(evening: Evening) -> None:
    evening.move(*TO_A_CAPTURE)
    evening.put_back("e9", "white 4", "white 3")
    evening.move("a7-a6", "h6-g7")
    evening.put_back("d9", "white 4", "white 3")
    evening.move("a6-a5", "g7-h8")
    assert evening.card("black")["Prisoners"] == "1"
    evening.move("b7-b6", "h8-h9")
    evening.hands.remove("h9")
    evening.look()
    assert evening.card("black") == {"Home": "6", "Prisoners": "1", "In enemy territory": "0"}
    assert evening.agrees()
