"""`companion new-game` and `companion check-game`, as somebody calls them who writes a game."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from companion.cli import main
from companion.conformance.new_game import write_skeleton
from companion.rules import BadInput

ROOT = Path(__file__).parents[2]
HIDDEN = """    def turned_over(self, token: str) -> str:
        return token

    # -- inside"""


def companion(*words: object, cwd: Path, status: int = 0) -> subprocess.CompletedProcess[str]:
    """Run the command in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "companion", *map(str, words)],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT), "XDG_DATA_HOME": str(cwd)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done


@pytest.fixture(scope="module")
def fox(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a game that was just begun."""
    place = tmp_path_factory.mktemp("author")
    companion("new-game", "fox-hunt", cwd=place)
    return place / "fox-hunt"


@pytest.mark.slow
def test_a_new_game_is_gold_at_once(fox: Path) -> None:
    told = companion("check-game", "fox-hunt", cwd=fox.parent)
    assert "fox_hunt: gold" in told.stdout
    assert "Traceback" not in told.stdout + told.stderr


def test_no_name_of_the_skeleton_is_left_in_it(fox: Path) -> None:
    written = [path for path in fox.rglob("*") if path.suffix not in ("", ".pyc")]
    texts = {path: path.read_text("utf-8") for path in written}
    assert texts
    for path, text in texts.items():
        assert "mygame" not in f"{path.name} {text}".lower().replace(" ", ""), path
        assert "MG-" not in text, path


@pytest.mark.thorough
def test_what_is_broken_and_missing_is_told_to_programs(fox: Path, tmp_path: Path) -> None:
    write_skeleton("goose", tmp_path / "goose")
    package = tmp_path / "goose" / "companion_goose"
    (package / "manual.md").unlink()
    (package / "conformance.toml").write_text('[exempt]\nit_is_printed = "nobody prints it here"\n')
    code = package / "game.py"
    code.write_text(code.read_text().replace("    # -- inside", HIDDEN))
    done = companion("check-game", "goose", "--json", cwd=tmp_path, status=1)
    told = json.loads(done.stdout)
    assert told["level"] == ""
    wanting = {one["check"]: one for one in told["wanting"]}
    assert wanting["it_declares_what_it_has"]["status"] == "failed"
    assert "TwoSides" in wanting["it_declares_what_it_has"]["why"]
    assert wanting["its_manual_names_rules_and_options"]["status"] == "missing"
    assert [one["why"] for one in told["exempt"]] == ["nobody prints it here"]


@pytest.mark.parametrize(
    "name",
    ["Fox", "1fox", "fox hunt", "../fox", "fox--hunt", "-", "class", "companion", "f" * 31, ""],
)
def test_names_that_no_game_can_have_are_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="is no name for a game"):
        write_skeleton(name, tmp_path / "game")
    assert not (tmp_path / "game").exists()


def test_nothing_is_overwritten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "fox").mkdir()
    assert main(["new-game", "fox"]) == 2
    assert list((tmp_path / "fox").iterdir()) == []
    assert main(["new-game", "chess"]) == 2
    assert not (tmp_path / "chess").exists()


@pytest.mark.parametrize("text", ["", "[project]\nname = 'x'\n", "[project\n", "project = 3\n"])
def test_a_folder_that_declares_no_game_is_told_in_a_sentence(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "pyproject.toml").write_text(text)
    assert main(["check-game", str(tmp_path)]) == 2
    complaint = capsys.readouterr().err
    assert complaint.count("\n") == 1
    assert "pyproject.toml" in complaint


def test_a_game_that_is_not_there_is_told_in_a_sentence(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["check-game", "nothing"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_without_pytest_a_sentence_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "pytest", None)
    for module in ("companion.commands.check_game", "companion.conformance.running"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    assert main(["check-game", "chess"]) == 2
    complaint = capsys.readouterr().err
    assert "pip install pytest" in complaint
    assert complaint.count("\n") == 1
