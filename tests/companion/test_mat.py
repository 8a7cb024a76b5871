"""A table with dice on a mat: the simulated hands, and what is kept of the faces."""

from __future__ import annotations

import numpy as np
import pytest

from companion.games import find_game
from companion.journal import Journal
from companion.live.composition import Composition, PlayRequest
from companion.live.equipment import HandTable, awaited_dice
from companion.live.face_file import FaceFile
from companion.live.service import Service
from companion.rules import BadInput
from companion.simulation.tumbling_dice import SimulatedDice
from companion.table import Table
from hardware.lights import Moment, lights
from hardware.wiring import default_wiring
from vision.dice.dice_reader import DiceReader
from vision.dice.traymat import tray_markers
from vision.frames import Frame

GAME = find_game("hoplomachus")
SETUP = GAME.setup()
MAT = GAME.mat(SETUP)


@pytest.fixture
def dice():
    return SimulatedDice(MAT, GAME.dice(GAME.start(SETUP)), seed=1)


@pytest.fixture
def hands(dice):
    lying = {"reserve": ("yellow",) * 2, "active": ("yellow", "red")}
    return HandTable(lambda: None, bytes, print, dict, lambda: dice, lambda: lying)


def lying(dice, zone):
    return sorted(c for n, c in enumerate(dice.colours) if dice.zone(n) == zone)


def test_the_dice_that_the_game_waits_for_are_thrown(hands, dice):
    hands.throw([])
    assert lying(dice, "active") == ["red", "yellow"]
    numbers = awaited_dice(dice, {"active": ("yellow hit", "red")})
    assert {dice.zone(n) for n in numbers} == {"active"}, "those that lie there go first"
    hands.throw([0, 1])
    (first, second) = (die for die in hands.dice() if die["number"] in (0, 1))
    assert first["zone"] == second["zone"] == "active"


def test_dice_are_carried_and_tipped(hands, dice):
    before = dice.dice[0].shows
    hands.carry(0, "exhausted")
    hands.tip(0)
    (die,) = (die for die in hands.dice() if die["number"] == 0)
    assert (die["zone"], die["flat"], die["token"]) == ("exhausted", False, before)
    hands.tip(0)
    assert not dice.dice[0].doubtful
    for wrong in (lambda: hands.carry(99, "reserve"), lambda: hands.carry(0, "moon"),
                  lambda: dice.throw([])):  # fmt: skip
        with pytest.raises(BadInput):
            wrong()


def test_a_table_without_a_mat_has_no_dice():
    hands = HandTable(lambda: None, bytes, print)
    assert hands.dice() is None
    with pytest.raises(BadInput):
        hands.throw([1])


def test_dice_beside_the_mat_come_to_it_and_none_lie_on_each_other(dice):
    dice.show(["yellow hit"])
    with pytest.raises(BadInput):
        dice.tip(16)
    with pytest.raises(BadInput):
        dice.stack(16, 15)
    dice.carry(16, "active")
    assert lying(dice, "active") == ["red"]
    dice.lay({"exhausted": tuple(dice.colours)})
    assert len(lying(dice, "exhausted")) == 17
    places = [(die.x, die.y) for die in dice.dice]
    near = min(np.hypot(a[0] - b[0], a[1] - b[1]) for a in places for b in places if a != b)
    assert near > MAT.side_mm


def test_faces_are_kept_from_one_evening_to_the_next(tmp_path, caplog):
    reader, file = DiceReader(GAME, SETUP, MAT, {}), FaceFile(tmp_path / "x.npz", GAME.name)
    file.recall(reader)
    file.see(reader)
    assert not list(tmp_path.iterdir()), "nothing was shown yet"
    face = np.full((24, 24, 3), 0.5, np.float32)
    kept = {"names": np.array(["red hit"]), "faces": face[None], "shape": np.array([16.0, 0.1, 1])}
    reader.recall(kept)
    reader._lessons = 1
    file.see(reader)
    again = DiceReader(GAME, SETUP, MAT, {})
    FaceFile(tmp_path / "x.npz", GAME.name).recall(again)
    assert again.tray.faces == ("red hit",)
    np.savez(tmp_path / "x.dice.npz", names=np.array(["red hit"]))
    FaceFile(tmp_path / "x.npz", GAME.name).recall(again)
    assert "does not hold the faces" in caplog.text


def test_a_new_calibration_leaves_the_faces_known():
    with Journal(":memory:") as journal:
        table = Table.create(journal, GAME, SETUP)
        service = Service(table, {}, Still(), lambda moment: None, lambda: None)
        face = np.full((24, 24, 3), 0.5, np.float32)
        service._reader.recall(
            {"names": np.array(["red hit"]), "faces": face[None], "shape": np.array([16.0, 0.1, 1])}
        )
        before = service._reader
        service.recalibrate(tray_markers(MAT.size))
        service.look()
        assert service._reader is not before
        assert service._reader.tray.faces == ("red hit",)


class Still:
    """A source of one picture, again and again."""

    def __init__(self):
        self.at = 0.0

    def read(self):
        self.at += 0.1
        return Frame(np.full((120, 160, 3), 90, np.uint8), self.at, "x")


def test_dice_are_shown_while_the_game_is_paused():
    with Journal(":memory:") as journal:
        table = Table.create(journal, GAME, SETUP)
        service = Service(table, {}, Still(), lambda moment: None, lambda: None)
        assert set(service.board) == set(MAT.zones)
        for _ in range(4):
            service.look()
        assert "does not know these dice" in service.status()["message"]
        with pytest.raises(BadInput, match="pause the game"):
            service.teach({})
        table.note("paused", {}, "player")
        for _ in range(3):
            service.look()
        with pytest.raises(BadInput, match="markers"):
            service.teach({})


def test_zones_of_awaited_dice_are_lit_and_those_that_differ_blink():
    state = GAME.start(SETUP)._replace(stage="roll", chip=0)
    wiring = default_wiring(GAME.board(SETUP))
    assert wiring.leds.keys() == set(GAME.board(SETUP))
    assert lights(GAME, state, Moment())["active"].effect == "pulse"
    lit = lights(GAME, state, Moment(differs=("active", "reserve")))
    assert {spot: light.effect for spot, light in lit.items()} == {
        "active": "blink", "reserve": "blink",
    }  # fmt: skip


def test_a_game_with_a_mat_brings_its_dice_and_its_camera(tmp_path):
    play_request = PlayRequest(
        game=GAME, setup=None, journal=tmp_path / "game.sqlite3", new=False, camera="simulated",
        table_file=None, lights="simulated", wiring=None, host="127.0.0.1", port=0,
        address="127.0.0.1",
    )  # fmt: skip
    with Composition(play_request) as stage:
        scene, table = stage.equipment, stage.table
        assert lying(scene.dice, "reserve") == sorted(GAME.dice(table.state)["reserve"])
        table.play(GAME.parse(SETUP, f"hero {table.state.offered[0]}"), "player")
        assert scene.hands.position == dict(GAME.expect(table.state)), "cards are told"
        stage.evening.begin("chess", None, {})
        assert stage.equipment.dice is None
