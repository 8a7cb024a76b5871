"""A table watched live, ten pictures a second: hands, pieces in hands, a cup, a stubborn move."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games import find_game
from companion.journal import Journal
from companion.live.light_panel import LightPanel
from companion.live.service import Service
from companion.simulation.table_camera import CameraView, SimulatedCamera, SimulatedTable, Troubles
from companion.table import Table
from hardware.strip import LightShow, SimulatedStrip
from hardware.wiring import default_wiring
from vision.board.optics import fit_view

GAME = find_game("victorus")


class Evening:
    """A simulated table with its camera, lights and service; time passes picture by picture."""

    def __init__(self):
        self.time = 0.0
        setup = GAME.setup()
        board = GAME.board(setup)
        self.table = Table.create(Journal(), GAME, setup, now=self.clock)
        show = LightShow(SimulatedStrip(), default_wiring(board), self.clock)
        self.panel = LightPanel(self.table, show, lambda: None)
        self.hands = SimulatedTable(GAME, setup, GAME.expect(self.table.state), seed=4)
        view = fit_view(board, CameraView(image_size=(1280, 960)))
        self.camera = SimulatedCamera(
            self.hands, view, Troubles(hand_frames=6), seed=4, clock=self.clock,
            glow=self.panel.glow,
        )  # fmt: skip
        self.service = Service(
            self.table, self.camera.table_file(), self.camera, self.panel.show, lambda: None
        )

    def clock(self):
        return self.time

    def watch(self, seconds):
        for _ in range(round(10 * seconds)):
            self.time += 0.1
            self.service.look()
        return self.service.status()

    def meanings(self, meaning):
        return {spot for spot, light in self.panel.words().items() if light["meaning"] == meaning}

    def kinds(self):
        return [event.kind for event in self.table.events()]


@pytest.fixture(scope="module")
def begun():
    evening = Evening()
    evening.watch(0.3)
    return evening


def test_one_evening_at_the_table(begun):
    evening, hands = begun, begun.hands

    hands.lift("h2")
    assert evening.watch(1.2)["lifted"] == "h2"
    assert "h4" in evening.meanings("may go here")
    hands.drop("h4")
    assert evening.watch(1.2)["still"]
    assert GAME.to_move(evening.table.state) == "black"

    hands.move("d3", "d4")
    evening.watch(1.2)
    assert GAME.to_move(evening.table.state) == "black", "a refused move changes nothing"
    refusal = next(evening.table.events().newest("refused"))
    assert not evening.service.status()["differs"], "what was refused is no disorder"
    assert evening.meanings("proves the ruling") == set(refusal.ruling.spots)
    hands.move("d4", "d3")
    evening.watch(1.2)
    assert evening.table.events()[-1].kind == "returned"
    assert not evening.meanings("proves the ruling")

    hands.move("d3", "f3")
    evening.watch(1.2)
    assert GAME.to_move(evening.table.state) == "orange"
    assert evening.table.evidence(evening.table.state_id).keys() == {"before", "after"}

    before = evening.table.state
    evening.camera.troubles = replace(evening.camera.troubles, cup="i5")
    assert evening.watch(3.0)["differs"], "a cup that stays is named"
    evening.camera.troubles = replace(evening.camera.troubles, cup=None)
    assert not evening.watch(3.0)["differs"], "and forgotten once it is gone"
    assert evening.table.state == before
    assert evening.kinds()[-2:] == ["differs", "recovered"]

    hands.move("b4", "i4")
    evening.watch(1.2)
    assert GAME.to_move(evening.table.state) == "purple"
    hands.move("i4", "b4")
    evening.watch(1.2)
    assert GAME.to_move(evening.table.state) == "orange", "a piece that goes back undoes its move"
