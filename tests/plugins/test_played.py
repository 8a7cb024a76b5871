"""Games from elsewhere are on the shelf, keep the law of the house, and are read by a camera."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from companion.games import find_game, games
from companion.rules import Action
from companion.simulation.recorded_game import RecordedScene, record
from companion.simulation.screenplay import Screenplay
from companion.simulation.table_camera import SimulatedCamera
from companion.simulation.tabletop import SimulatedTable

PLAYED = [
    ("draughts", {"rules": "english"}),
    ("draughts", {"rules": "international"}),
    ("morris", {"flying": "yes"}),
    ("morris", {"flying": "no"}),
]
every_game = pytest.mark.parametrize(("name", "options"), PLAYED, ids=lambda value: str(value))


def conceivable(game: Any, state: Any, chance: random.Random) -> list[Action]:
    """Return actions of every kind that a hand, a phone or a file may name."""
    spots = list(game.board(state.setup))
    found = [Action("move", one, other) for one in spots for other in spots]
    found += [Action("place", None, spot) for spot in spots]
    found += [Action("move", spot, None) for spot in spots] + [Action("end"), Action("resign")]
    for legal in game.legal(state):
        via = tuple(chance.sample(spots, 2))
        found += [legal, Action("move", legal.origin, legal.target, "x", legal.via)]
        found += [Action("move", legal.origin, legal.target, "", via)]
    return found


@every_game
@pytest.mark.slow
def test_a_ruling_allows_what_is_legal_and_nothing_else(name: str, options: Any) -> None:
    game, chance, ruled = find_game(name), random.Random(7), 0
    state = game.start(game.setup(None, options))
    for ply in range(400):
        legal = set(game.legal(state))
        if ply % 40 == 0 or not legal:
            for action in conceivable(game, state, chance):
                ruling = game.judge(state, action)
                assert ruling.allowed == (action in legal), (str(action), ruling)
                assert ruling.rule in game.rules, ruling
                ruled += 1
            assert game.load(json.loads(json.dumps(game.dump(state)))) == state
        assert all(game.invariants(state).values())
        if not legal:
            break
        state = game.advance(state, chance.choice(sorted(legal, key=str)))
    assert ruled > 1000
    assert game.outcome(state) is not None


def test_they_are_on_the_shelf_beside_ours(capsys: pytest.CaptureFixture[str]) -> None:
    assert {"chess", "draughts", "morris"} <= {*games()}
    assert main(["perft", "draughts", "4", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["nodes"] == 1469


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("draughts", {"rules": "international"}),
        ("morris", {"flying": "yes"}),
        pytest.param("draughts", {"rules": "english"}, marks=pytest.mark.slow),
        pytest.param("morris", {"flying": "no"}, marks=pytest.mark.slow),
    ],
)
def test_a_camera_reads_a_game_of_it(
    name: str, options: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game, chance = find_game(name), random.Random(4)
    setup = game.setup(None, options)
    state = game.start(setup)
    table = SimulatedTable(game, setup, game.expect(state), seed=4)
    camera, play = SimulatedCamera(table, seed=4, clock=lambda: 0.0), Screenplay(game, state)
    played, scenes = [], [RecordedScene()]
    for _ in range(6):
        played.append(chance.choice(game.legal(play.state)))
        scenes.append(play.play(played[-1]))
    record(tmp_path / "game", camera, scenes)
    assert main(["replay", str(tmp_path / "game"), "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    seen = [action for line in lines for action in line["actions"]]
    assert [(a["from"], a["to"]) for a in seen] == [(a.origin, a.target) for a in played]
    assert all(action["legal"] for action in seen)
