"""CONTRIBUTING.md is true: what it tells people to run runs, and what it points to is there."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import time
from pathlib import Path

import pytest

from companion.cli import main
from companion.games import find_game
from companion.simulation.recorded_game import RecordedScene, record
from companion.simulation.table_camera import SimulatedCamera, SimulatedTable
from tests.checks.loops import some

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
LINES = [
    line.split(" #")[0].strip()
    for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)
    for line in block.splitlines()
]


def lines(begin: str) -> list[str]:
    found = [line for line in LINES if line.startswith(begin)]
    assert found
    return found


def test_the_page_can_be_read_in_the_time_it_names() -> None:
    assert len(PAGE.split()) < 800


def test_every_line_of_it_is_tried_here() -> None:
    tried = ("git clone ", "make ", ".venv/bin/pytest ", "companion ")
    assert [line for line in LINES if not line.startswith(tried)] == []


def test_every_make_target_is_there() -> None:
    targets = {*re.findall(r"`make (\w+)`", PAGE), *(line.split()[1] for line in lines("make "))}
    made = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert {"play", "test", "lint"} <= targets <= made


@pytest.mark.slow
def test_every_selection_of_tests_selects_some() -> None:
    for line in some(lines(".venv/bin/pytest ")):
        words = [sys.executable, "-m", "pytest", "--collect-only", "-p", "no:cacheprovider"]
        words += shlex.split(line)[1:]
        assert subprocess.run(words, cwd=ROOT, capture_output=True, timeout=120).returncode == 0


def test_every_place_it_names_is_there() -> None:
    places = re.findall(r"`((?:tests|vision|companion|docs)/[\w/.]*)`", PAGE)
    places += re.findall(r"\]\(([\w/.-]+)\)", PAGE)
    places += [f"{m.replace('.', '/')}.py" for m in re.findall(r"python -m (tests\S+)", PAGE)]
    assert len(places) > 10
    assert [place for place in places if not (ROOT / place).exists()] == []


@pytest.mark.slow
def test_a_misread_is_looked_into_as_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    game = find_game("victorus")
    setup = game.setup(["red", "purple"])
    table = SimulatedTable(game, setup, game.expect(game.start(setup)), seed=1)
    scenes = [RecordedScene(), RecordedScene(("move h2 h4",))]
    record(tmp_path / "my-recording", SimulatedCamera(table, clock=time.monotonic), scenes)
    monkeypatch.chdir(tmp_path)
    told: dict[str, str] = {}
    for line in lines("companion "):
        assert main(shlex.split(line)[1:]) == 0, line
        told[line] = capsys.readouterr().out
    read = [json.loads(line) for line in told["companion replay my-recording --json"].splitlines()]
    assert [one["actions"][0]["to"] for one in read if one["actions"]] == ["h4"]
    for field in ("position", "actions"):
        assert field in read[0]
    assert "p" in next(one for one in read if one["actions"])["actions"][0]
