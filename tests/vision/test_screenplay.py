"""Games written as scenes: hands that do what the actions say, and a truth that tells them."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from companion.games import find_game
from companion.rules import Action, IllegalAction
from companion.simulation.recorded_game import RecordedScene, perform, record
from companion.simulation.screenplay import Screenplay, random_scenes, refused
from companion.simulation.table_camera import SimulatedCamera, SimulatedTable
from companion.simulation.troubles import Troubles
from vision.board.optics import CameraView, fit_view


@pytest.fixture
def screenplay(tiny: Any) -> Screenplay[Any]:
    return Screenplay(tiny, tiny.start(tiny.setup()))


def act_out(tiny: Any, scenes: list[RecordedScene]) -> SimulatedTable:
    """A table on which the scenes were played."""
    table = SimulatedTable(tiny, tiny.setup(), tiny.expect(tiny.start(tiny.setup())))
    for scene in scenes:
        for line in scene.does:
            perform(table, line)
    return table


def test_a_legal_move_is_one_gesture_and_one_event(screenplay: Screenplay[Any]) -> None:
    scene = screenplay.play(Action("move", "a1", "a2"))
    assert scene.does == ("move a1 a2",)
    (event,) = scene.events
    assert (event["from"], event["to"], event["legal"]) == ("a1", "a2", True)
    assert event["captures"] is None


def test_what_an_action_changes_besides_is_tidied_up(tiny: Any) -> None:
    class Tidy(type(tiny)):  # type: ignore[misc]
        def expect(self, state: Any) -> Any:
            seen = dict(super().expect(state))
            if "a2" in seen:
                seen |= {"b1": "white", "b2": "black"}
                del seen["c1"]
            return seen

    screenplay = Screenplay(Tidy(), tiny.start(tiny.setup()))
    scene = screenplay.play(Action("move", "a1", "a2"))
    assert scene.does[0] == "move a1 a2"
    assert sorted(scene.does[1:]) == ["flip b1 white", "put b2 black", "remove c1"]


def test_a_refused_move_is_played_and_taken_back(tiny: Any, screenplay: Screenplay[Any]) -> None:
    wrong, back = screenplay.cheat(Action("move", "a1", "b3"))
    assert wrong.events[0]["legal"] is False
    assert (back.events[0]["from"], back.events[0]["to"]) == ("b3", "a1")
    assert back.events[0]["takeback"] is True
    start = tiny.expect(tiny.start(tiny.setup()))
    assert act_out(tiny, [wrong]).position["b3"] == "black"
    assert act_out(tiny, [wrong, back]).position == start


def test_where_nothing_lies_there_is_no_move_to_be_refused() -> None:
    game = find_game("victory_honor")
    start = game.start(game.setup())
    assert not game.expect(start)
    assert refused(game, start, random.Random(1)) is None


def test_a_move_that_the_rules_refuse_is_no_play(screenplay: Screenplay[Any]) -> None:
    with pytest.raises(IllegalAction):
        screenplay.play(Action("move", "a1", "c3"))


def test_a_random_game_acted_out_ends_where_the_rules_say(tiny: Any) -> None:
    chance = random.Random(3)
    start = tiny.start(tiny.setup())
    scenes = list(random_scenes(tiny, start, chance, 12, cheats=0.5, events=0.5))
    assert scenes == list(random_scenes(tiny, start, random.Random(3), 12, cheats=0.5, events=0.5))
    events = [event for scene in scenes for event in scene.events]
    assert any(event.get("takeback") for event in events)
    state = start
    for event in events:
        if event.get("legal"):
            state = tiny.apply(state, Action("move", event["from"], event["to"]))
    assert act_out(tiny, scenes).position == tiny.expect(state)
    assert any(scene.troubles for scene in scenes[1:])


def test_a_game_is_recorded_from_its_scenes(tiny: Any, tmp_path: Path) -> None:
    start = tiny.start(tiny.setup())
    table = SimulatedTable(tiny, tiny.setup(), tiny.expect(start))
    view = fit_view(table.board, CameraView(image_size=(160, 120)))
    camera = SimulatedCamera(table, view, clock=lambda: 0.0)
    scenes = list(random_scenes(tiny, start, random.Random(1), 3, troubles=Troubles(hand_frames=0)))
    record(tmp_path, camera, scenes)
    truth = json.loads((tmp_path / "truth.json").read_text())
    assert [entry["kind"] for entry in truth] == ["still"] * len(scenes)
    assert [len(entry["events"]) for entry in truth] == [len(scene.events) for scene in scenes]
    assert truth[-1]["position"] == table.position


def test_a_die_that_came_home_is_put_back_on_the_board_when_that_is_taken_back() -> None:
    game = find_game("invictus")
    lying = {"a8": "black 4", "e5": "white 2"}
    before = game.arrange(game.setup(), lying, "black")
    screenplay = Screenplay(game, before)
    home = Action("move", "a8", "a9")
    assert "a9" not in game.expect(game.advance(before, home))
    screenplay.play(home)
    scene = screenplay.take_back(before, home)
    assert scene.does == ("put a8 black 4",)
    assert [(event["from"], event["to"]) for event in scene.events] == [("a9", "a8")]
    assert screenplay.lying == lying
