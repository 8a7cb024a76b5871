"""Boards of sensors under the simulated table: what they feel, and games played on them."""

from __future__ import annotations

import re

import pytest

from companion.games import find_game
from companion.live.composition import Composition, PlayRequest
from companion.live.play_request import SENSING, SIMULATED
from companion.rules import HardwareFault
from companion.simulation.table_sensors import SimulatedBoard
from companion.simulation.tabletop import SimulatedTable

CHESS = find_game("chess")


@pytest.fixture
def table():
    setup = CHESS.setup()
    return SimulatedTable(CHESS, setup, CHESS.expect(CHESS.start(setup)))


@pytest.fixture
def feel(table):
    """What is felt since the last time."""
    board = SimulatedBoard(table, lambda: None)
    board.receive(0.0)
    return lambda: board.receive(0.0)[0]


def test_a_piece_that_is_carried_is_felt_where_it_went(table, feel):
    table.move("e2", "e4")
    felt = feel()
    assert ("e4" in felt.occupied, "e2" in felt.occupied) == (True, False)
    assert felt.left == {"e2"}
    assert felt.tokens is None, "which piece it is nobody feels"
    assert feel().left == frozenset()


def test_a_cell_on_which_a_piece_was_taken_was_bare_for_a_moment(table, feel):
    table.move("e2", "d7")
    assert feel().left == {"e2", "d7"}


def test_what_no_camera_looks_at_is_not_kept_for_one(table):
    board = SimulatedBoard(table, lambda: None, alone=True)
    table.move("e2", "e4")
    assert table.stirred
    board.receive(0.0)
    assert not table.stirred


def played(tmp_path, monkeypatch, **asked):
    monkeypatch.setattr("companion.live.equipping.FRAMES_PER_SECOND", 1000.0)
    play_request = PlayRequest(
        game=CHESS, setup=None, journal=tmp_path / "chess.sqlite3", new=False, table_file=None,
        lights="simulated", wiring=None, host="127.0.0.1", port=0, address="127.0.0.1", **asked,
    )  # fmt: skip
    return Composition(play_request)


def until(stage, done):
    for _ in range(20_000):
        stage.service.look()
        if done():
            return
    raise AssertionError(stage.service.status())


@pytest.mark.parametrize(
    ("camera", "sensors"),
    [(SENSING, ""), pytest.param(SIMULATED, SIMULATED, marks=pytest.mark.thorough)],
    ids=["alone", "under a camera"],
)
def test_a_stranger_plays_on_it_in_the_browser(tmp_path, monkeypatch, camera, sensors):
    with played(tmp_path, monkeypatch, camera=camera, sensors=sensors) as stage:
        until(stage, lambda: stage.service.status()["still"])
        for count, (origin, target) in enumerate((("e2", "e4"), ("d7", "d5"), ("e4", "d5")), 1):
            stage.equipment.hands.move(origin, target)
            until(stage, lambda count=count: len(stage.table.actions) == count)
        assert [str(action) for action in stage.table.actions] == ["e2-e4", "d7-d5", "e4-d5"]
        assert len(stage.box.trial.felt()) == 31
        assert ("sensors", "") in stage.box.trial.steps()


def test_a_board_that_is_felt_alone_shows_no_picture(tmp_path, monkeypatch):
    with played(tmp_path, monkeypatch, camera=SENSING) as stage:
        stage.service.look()
        with pytest.raises(HardwareFault, match="sends no picture"):
            stage.equipment.live_picture.picture()


@pytest.mark.parametrize(
    ("camera", "sensors", "looks"),
    [
        (SENSING, "", False),
        ("udp:0", "", False),
        (SIMULATED, "", True),
        (SIMULATED, SIMULATED, True),
    ],
)
def test_pages_speak_of_a_camera_only_where_there_is_one(
    tmp_path, monkeypatch, camera, sensors, looks
):
    with played(tmp_path, monkeypatch, camera=camera, sensors=sensors) as stage:
        host = stage._app.test_client()
        host.post("/api/name", json={"name": "Ann"})
        pages = [host.get(path) for path in ("/start", "/trial", "/settings", "/join", "/")]
        assert {page.status_code for page in pages} == {200}
        told = " ".join(
            re.sub(r"<(script|style).*?</\1>|<[^>]*>", " ", page.text, flags=re.S) for page in pages
        )
        assert bool(re.search("camera", told, re.I)) == looks, told
        assert ("What the board feels" in pages[0].text) != looks
        assert host.get("/calibrate").status_code == (200 if looks else 404)
