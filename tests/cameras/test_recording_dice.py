"""A recorded game with dice on a mat: what was told on the phones is told again in a replay."""

from __future__ import annotations

import json
from itertools import count

import pytest

from companion import cli
from companion.games import find_game
from companion.journal import Journal
from companion.live.recording import Recorder, Recording
from companion.live.service import Service
from companion.rules import BadInput
from companion.simulation.dice_camera import SimulatedDiceCamera
from companion.simulation.troubles import Troubles
from companion.simulation.tumbling_dice import SimulatedDice
from companion.table import Table
from vision.board.optics import CameraView
from vision.readers import open_reader

GAME = find_game("hoplomachus")
SETUP = GAME.setup()


@pytest.fixture
def evening(tmp_path):
    """A table whose dice are watched and recorded in ``tmp_path / "evening"``."""
    ticks = count()
    with Journal(":memory:") as journal:
        table = Table.create(journal, GAME, SETUP)
        dice = SimulatedDice(GAME.mat(SETUP), GAME.dice(table.state), seed=4)
        view = CameraView(image_size=(1024, 768), tilt=12.0)
        camera = SimulatedDiceCamera(
            dice, view, Troubles(hand_frames=2, noise=1.5), clock=lambda: next(ticks) / 10
        )
        recorder = Recorder(Recording(tmp_path / "evening"), table)
        service = Service(
            table, camera.table_file(), camera, lambda moment: None, lambda: None, recorder
        )
        camera.show_faces(service.learn)
        yield table, dice, service


def look(service, wanted):
    """Let the camera look until ``wanted`` holds."""
    for _ in range(20):
        service.look()
        if wanted():
            return
    raise AssertionError(service.status())


def said(table, *texts):
    """Tell the table on a phone; return the enemy that is faced."""
    for text in texts:
        assert table.play(GAME.parse(SETUP, text), "player").allowed, text


@pytest.mark.slow
def test_a_throw_after_words_on_the_phone_is_read_again(evening, tmp_path, capsys):
    table, dice, service = evening
    look(service, lambda: service.status()["still"])
    said(table, f"hero {table.state.offered[0]}", "tactic Rally", "move 1.1", "activate")
    while table.state.awaited[0] != "engage":
        table.play(GAME.legal(table.state)[0], "player")
    said(table, "engage yellow", "health -1")
    table.undo(1, "player")
    look(service, lambda: "Still to be rolled" in service.status()["message"])
    dice.throw([dice.colours.index("yellow")])
    look(service, lambda: table.actions[-1].verb == "roll")

    file = json.loads((tmp_path / "evening" / "table.json").read_text())
    (told,) = file["told"].values()
    assert told[-3:] == ["engage yellow", "health -1", "undo 1"]
    assert cli.main(["replay", str(tmp_path / "evening")]) == 0
    assert f": {GAME.format(table.actions[-1])}\n" in capsys.readouterr().out
    assert cli.main(["replay", str(tmp_path / "evening"), "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    rolled = [entry for line in lines for entry in line["dice"]]
    assert rolled == [{"action": GAME.format(table.actions[-1]), "legal": True}]


def test_faces_of_a_table_file_that_are_none_are_told():
    with pytest.raises(BadInput, match="field faces of the table file"):
        open_reader(GAME, SETUP, {"faces": "bm9uZQ=="})
