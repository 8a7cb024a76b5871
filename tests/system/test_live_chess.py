"""Chess watched live on the simulated table, with the lights under the squares lit."""

from __future__ import annotations

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

GAME = find_game("chess")


def sat_down(setup):
    """Return a table of ``setup`` with hands, what watches them, and the words of the lights."""
    time = [0.0]
    board = GAME.board(setup)
    table = Table.create(Journal(), GAME, setup, now=lambda: time[0])
    show = LightShow(SimulatedStrip(), default_wiring(board), lambda: time[0])
    panel = LightPanel(table, show, lambda: None)
    hands = SimulatedTable(GAME, setup, GAME.expect(table.state), seed=2)
    camera = SimulatedCamera(
        hands, fit_view(board, CameraView(image_size=(1024, 768))), Troubles(hand_frames=4), seed=2,
        clock=lambda: time[0], glow=panel.glow,
    )  # fmt: skip
    service = Service(table, camera.table_file(), camera, panel.show, lambda: None)
    show.brightness = service.light

    def watch():
        for _ in range(14):
            time[0] += 0.1
            service.look()
        return service.status()

    return table, hands, watch, panel.words


@pytest.mark.slow
def test_men_are_lifted_moved_and_castled_over_lit_squares():
    table, hands, watch, words = sat_down(GAME.setup())
    watch()
    hands.lift("e2")
    assert watch()["lifted"] == "e2"
    lit = {spot for spot, light in words().items() if light["meaning"] == "may go here"}
    assert lit == {"e3", "e4"}
    hands.drop("e4")
    watch()
    for move in ("e7 e5", "g1 f3", "b8 c6", "f1 c4", "g8 f6", "e1 g1", "h1 f1", "f6 e4"):
        hands.move(*move.split())
        watch()
    assert [str(action) for action in table.actions] == [
        "e2-e4", "e7-e5", "g1-f3", "b8-c6", "f1-c4", "g8-f6", "e1-g1", "f6-e4",
    ]  # fmt: skip


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("position", "opening", "step"),
    [
        # King and rook on f1 and h1: the king's step alone is a move, until the rook has gone, too.
        (192, ("g1 f3", "e7 e6"), "g1"),
        # King and rook on g1 and h1: the king stays.
        pytest.param(96, ("f1 e3", "e7 e6"), None, marks=pytest.mark.slow),
    ],
)
@pytest.mark.slow
def test_castling_from_other_squares_is_told_step_by_step(position, opening, step):
    table, hands, watch, words = sat_down(GAME.setup(options={"position": str(position)}))
    watch()
    for move in opening:
        hands.move(*move.split())
        watch()
    if step:
        hands.move("f1", step)
        watch()
        assert str(table.actions[-1]) == "f1-g1"
    else:
        hands.lift("h1")
        assert watch()["lifted"] == "h1"
        assert words()["f1"]["meaning"] == "may go here"
        hands.drop("h1")
        watch()
    hands.move("h1", "f1")
    watch()
    hands.move("e6", "e5")
    watch()
    assert [str(action) for action in table.actions[2:]] == ["h1-f1", "e6-e5"]
    standing = GAME.expect(table.state)
    assert (standing["g1"], standing["f1"]) == ("white K", "white R")
