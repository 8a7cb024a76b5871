"""A stage on which one game follows another without a restart."""

from __future__ import annotations

import argparse
import threading

import pytest

from companion.commands.live import announce
from companion.games import find_game
from companion.live.composition import ANSWERING, FETCHING, Composition, PlayRequest
from companion.live.environment import Environment
from companion.live.equipment import PanelLamps
from companion.live.service import Service
from companion.rules import BadInput

VICTORUS, CHESS = find_game("victorus"), find_game("chess")


@pytest.fixture
def play_request(tmp_path):
    return PlayRequest(
        game=VICTORUS,
        setup=VICTORUS.setup(["red", "purple"]),
        journal=tmp_path / "game.sqlite3",
        new=False,
        camera="simulated",
        table_file=None,
        lights="simulated",
        wiring=None,
        host="127.0.0.1",
        port=0,
        address="127.0.0.1",
    )


@pytest.fixture
def stage(play_request, monkeypatch):
    monkeypatch.setattr("companion.live.equipping.FRAMES_PER_SECOND", 1000.0)
    with Composition(play_request) as stage:
        yield stage


def look(stage, times=20):
    for _ in range(times):
        stage.service.look()
    return stage.service.status()


def test_another_game_brings_its_board_its_pieces_and_its_eyes(stage):
    first = stage.equipment
    stage.evening.begin("chess", None, {})
    assert stage.table.game is CHESS
    assert stage.equipment.hands.position["e2"] == "white P"
    assert first.stop.is_set()
    assert not stage.equipment.stop.is_set()
    assert look(stage)["still"]


def test_the_watch_goes_over_to_the_next_game(stage, monkeypatch):
    looked: dict[str, threading.Event] = {name: threading.Event() for name in ("victorus", "chess")}
    look_once = Service.look

    def look(service):
        looked[stage.table.game.name].set()
        return look_once(service)

    monkeypatch.setattr(Service, "look", look)
    stage.start()
    assert looked["victorus"].wait(60)
    stage.evening.begin("chess", None, {})
    assert looked["chess"].wait(60)


def test_the_first_page_is_fetched_before_the_camera_is_loaded(play_request):
    waits = []
    outside = Environment(wait=lambda event, seconds: waits.append((seconds, stage._equipment)))
    with Composition(play_request, outside) as stage:
        page = stage._app.test_client().get("/", base_url="http://127.0.0.1")
        page.close()
        stage._watch()
        assert waits[0] == (FETCHING, None)
        assert stage.equipment.hands is not None


def test_a_first_page_that_takes_its_time_is_waited_for(stage, monkeypatch):
    waits = []
    monkeypatch.setattr("companion.live.composition.HEAD_START", 0.0)
    monkeypatch.setattr(stage._answered, "wait", waits.append)
    stage.head_start()
    assert waits == []
    stage._app.view_functions["phone"] = lambda: str(stage.head_start())
    stage._app.test_client().get("/", base_url="http://127.0.0.1")
    assert waits == [ANSWERING]


def test_the_first_page_is_answered_before_the_code_to_scan_is_drawn(stage, capsys, monkeypatch):
    printed = []
    monkeypatch.setattr(stage, "head_start", lambda: printed.append(capsys.readouterr().out))
    announce(argparse.Namespace(camera="simulated", json=False, record=None), stage)
    assert "The phone page:" in printed[0]
    assert "\N{FULL BLOCK}" not in printed[0]
    assert "\N{FULL BLOCK}" in capsys.readouterr().out


def test_a_page_that_cannot_be_made_is_kept_for_the_doctor(stage):
    def falls():
        raise KeyError("k13")

    stage._app.view_functions["rules"] = falls
    pages = stage._app.test_client()
    assert [pages.get("/rules", base_url="http://127.0.0.1").status_code for _ in "12"] == [500] * 2
    (trouble,) = stage.supervisor.troubles
    assert (trouble.part, trouble.times, trouble.well) == ("answers", 2, True)
    assert trouble.what == "KeyError: 'k13'"


def test_the_next_start_takes_up_the_game_that_the_host_chose(play_request):
    with Composition(play_request) as stage:
        stage.evening.begin("chess", None, {})
    with Composition(play_request) as stage:
        assert stage.table.game is CHESS
    with Composition(play_request._replace(new=True)) as stage:
        assert stage.table.game is VICTORUS


def test_the_new_button_begins_again_when_the_game_is_over(stage):
    with pytest.raises(BadInput, match="goes on"):
        stage.press("new")
    stage.evening.begin("chess", None, {})
    game = stage.table
    game.play(CHESS.parse(game.setup, "resign=white"), "white")
    stage.press("new")
    assert stage.table is not game
    assert stage.table.game is CHESS


def test_the_lights_are_set_from_a_phone_and_stay_set_in_the_next_game(stage):
    lamps = PanelLamps(stage.panel)
    lamps.adjust({"lights": "errors", "brightness": 40})
    stage.evening.begin("chess", None, {})
    assert lamps.settings()["lights"] == "errors"
    assert lamps.settings()["brightness"] == 40
    with pytest.raises(BadInput):
        lamps.adjust({"brightness": 400})


class TestByPhone:
    @pytest.mark.slow
    def test_a_paused_game_is_not_watched(self, stage):
        look(stage)
        stage.table.note("paused", {}, "red")
        stage.equipment.hands.move("h2", "h4")
        assert "paused" in look(stage)["message"]
        assert stage.table.actions == ()
        stage.table.note("continued", {}, "red")
        look(stage)
        assert [str(action) for action in stage.table.actions] == ["h2-h4"]

    def test_a_move_entered_on_a_phone_differs_until_the_piece_is_moved(self, stage):
        look(stage)
        table = stage.table
        table.play(table.game.parse(table.setup, "h2-h4"), "red")
        assert look(stage)["differs"] == ["h2", "h4"]
        stage.equipment.hands.move("h2", "h4")
        assert look(stage)["differs"] == []
        assert [str(action) for action in table.actions] == ["h2-h4"]

    @pytest.mark.slow
    def test_by_the_host_s_will_the_camera_plays_nothing(self, stage):
        look(stage)
        stage.evening.change({"play": "phone"}, "host")
        stage.equipment.hands.move("h2", "h4")
        assert look(stage)["differs"] == ["h2", "h4"]
        assert stage.table.actions == ()
        stage.table.play(stage.table.game.parse(stage.table.setup, "h2-h4"), "red")
        assert look(stage)["differs"] == []

    @pytest.mark.slow
    def test_an_undo_on_a_phone_waits_for_the_piece_to_go_back(self, stage):
        look(stage)
        stage.equipment.hands.move("h2", "h4")
        look(stage)
        stage.table.undo(1, "red")
        assert look(stage)["differs"] == ["h2", "h4"]
        assert stage.table.actions == ()
        stage.equipment.hands.move("h4", "h2")
        assert look(stage)["differs"] == []
        assert stage.table.actions == ()
