"""What docs/adding-a-game.md promises, walked through with a tiny game: a folder is enough."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import companion.games
from companion.cli import main
from companion.journal import Journal
from companion.rules import Action
from companion.simulation.recorded_game import RecordedScene, record
from companion.simulation.table_camera import SimulatedCamera, SimulatedTable
from companion.table import Table
from hardware.lights import Moment, lights
from tests.checks.loops import some

TINY = Path(__file__).parents[1] / "tiny" / "tiny_game.py"
GUIDE = Path(__file__).parents[2] / "docs" / "adding-a-game.md"


@pytest.fixture
def added(tmp_path, monkeypatch):
    """Put the tiny game into a folder of its own among the games; return the game."""
    folder = tmp_path / "games" / "tiny"
    folder.mkdir(parents=True)
    shutil.copy(TINY, folder / "slide.py")
    (folder / "__init__.py").write_text(
        "from companion.games.tiny.slide import TinyGame\n\nGAME = TinyGame()\n"
    )
    monkeypatch.setattr(companion.games, "__path__", [str(folder.parent)])
    companion.games.games.cache_clear()
    companion.games.find_game.cache_clear()
    yield companion.games.find_game("tiny")
    companion.games.games.cache_clear()
    companion.games.find_game.cache_clear()


def lines(capsys):
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_a_folder_with_a_game_is_found_by_its_name(added, capsys):
    assert main(["games", "--json"]) == 0
    assert [game["name"] for game in lines(capsys)[0]] == ["tiny"]


def test_the_commands_rule_on_it(added, capsys):
    assert main(["judge", "tiny", "a1-a2", "a1-a2", "--json"]) == 0
    allowed, refused = lines(capsys)
    assert (allowed["allowed"], refused["allowed"], refused["rule"]) == (True, False, "TINY-2")
    assert main(["perft", "tiny", "2", "--json"]) == 0
    assert lines(capsys)[0]["nodes"] == 9


def test_a_table_keeps_it_and_takes_it_up_again(added, tmp_path):
    journal = tmp_path / "tiny.sqlite3"
    with Journal(journal) as kept:
        Table.create(kept, added, added.setup()).play(Action("move", "a1", "a2"), "black")
    with Journal(journal) as kept:
        assert Table.resume(kept).state == added.advance(
            added.start(added.setup()), Action("move", "a1", "a2")
        )


def test_the_lights_show_where_a_lifted_peg_may_go(added):
    lit = lights(added, added.start(added.setup()), Moment(lifted="a1"))
    assert {spot for spot, light in lit.items() if light.meaning == "destination"} == {"a2"}


def test_a_camera_reads_a_game_of_it(added, tmp_path, capsys):
    setup = added.setup()
    table = SimulatedTable(added, setup, added.expect(added.start(setup)), seed=3)
    camera = SimulatedCamera(table, seed=3, clock=lambda: 0.0)
    moves = ["a1 a2", "c3 c2", "a2 b2"]
    record(
        tmp_path / "game",
        camera,
        [RecordedScene(), *(RecordedScene((f"move {move}",)) for move in moves)],
    )
    assert main(["replay", str(tmp_path / "game"), "--json"]) == 0
    seen = [action for line in lines(capsys) for action in line["actions"]]
    assert [f"{action['from']} {action['to']}" for action in seen] == moves
    assert all(action["legal"] for action in seen)


def test_the_guide_names_everything_a_game_has_to_write(added):
    guide = GUIDE.read_text()
    for name in some(type(added).__abstractmethods__ | companion.rules.Game.__abstractmethods__):
        if name not in ("rules", "setup_of", "to_move"):
            assert f"`{name}" in guide, name
