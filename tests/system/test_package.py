"""What is published: built in a fresh environment, installed elsewhere, and used there."""

from __future__ import annotations

import email
import email.message
import json
import os
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from companion.games import find_game
from companion.simulation.recorded_game import RecordedScene, record
from companion.simulation.table_camera import SimulatedCamera, SimulatedTable
from companion.simulation.troubles import Troubles
from vision.board.optics import CameraView, fit_view

ROOT = Path(__file__).parents[2]
PACKAGES = ("companion", "vision", "hardware", "web")
STEP = {"seat": "white", "from": "e2", "to": "e4", "captures": None, "legal": True}
CLEAN = {
    name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")
}


def run(*command: object, cwd: Path, status: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        list(map(str, command)), cwd=cwd, env={**CLEAN, "XDG_DATA_HOME": str(cwd)},
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == status, done.stdout + done.stderr
    return done


def kept() -> list[str]:
    """Return the names of all files that belong to the project."""
    listing = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    if not (ROOT / ".git").exists() or not shutil.which("git"):
        pytest.skip("this is no checkout: what belongs to the project is not known")
    done = subprocess.run(listing, cwd=ROOT, capture_output=True, text=True, check=True)
    return [name for name in done.stdout.splitlines() if (ROOT / name).is_file()]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the source archive and the wheel that was made of it."""
    place = tmp_path_factory.mktemp("built")
    for name in kept():
        target = place / "source" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, target)
    done = run(sys.executable, "-m", "build", "--outdir", place / "dist", cwd=place / "source")
    assert "deprecat" not in (done.stdout + done.stderr).lower()
    return place / "dist"


@pytest.fixture(scope="module")
def source(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The unpacked source archive."""
    place = tmp_path_factory.mktemp("unpacked")
    (archive,) = built.glob("*.tar.gz")
    run("tar", "xf", archive, cwd=place)
    (folder,) = place.iterdir()
    return folder


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    (found,) = built.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def elsewhere(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment that holds the wheel and what it demands, nothing of the source."""
    place = tmp_path_factory.mktemp("elsewhere")
    venv.create(place / "env")
    install(place, wheel)
    return place


def install(place: Path, wanted: object) -> None:
    """Have pip install ``wanted``; what is used is compiled when it is first used."""
    pip = [sys.executable, "-m", "pip", "--python", place / "env/bin/python"]
    run(*pip, "install", "--quiet", "--no-compile", wanted, cwd=place)


def test_the_source_archive_holds_the_whole_project(source: Path) -> None:
    assert [name for name in kept() if not (source / name).is_file()] == []
    assert not list(source.rglob("*.pyc"))


def test_the_tests_run_from_the_source_archive(source: Path) -> None:
    done = run(sys.executable, "-m", "pytest", "tests/rules", "-p", "no:cacheprovider", cwd=source)
    assert " passed" in done.stdout or "100%" in done.stdout


def test_the_wheel_holds_every_file_of_the_packages_and_no_other(wheel: Path) -> None:
    inside = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert inside == {name for name in kept() if name.startswith(tuple(f"{p}/" for p in PACKAGES))}


def facts(wheel: Path) -> email.message.Message:
    with zipfile.ZipFile(wheel) as packed:
        (name,) = [name for name in packed.namelist() if name.endswith("dist-info/METADATA")]
        return email.message_from_bytes(packed.read(name))


def test_the_wheel_tells_who_made_it_under_which_licence_and_what_it_is(wheel: Path) -> None:
    told = facts(wheel)
    assert told["License-Expression"] == "MIT"
    assert told.get_all("License-File") == ["LICENSE"]
    assert told["Author"]
    assert "board games" in str(told["Keywords"])
    links = {text.partition(",")[0] for text in told.get_all("Project-URL", [])}
    assert links >= {"Homepage", "Documentation", "Source", "Issues", "Changelog"}
    kinds = told.get_all("Classifier", [])
    assert "Programming Language :: Python :: 3.11" in kinds
    assert not [kind for kind in kinds if kind.startswith("License")], "the expression says it"
    assert {"desktop", "headless"} <= set(told.get_all("Provides-Extra", []))


def recording(folder: Path) -> None:
    game = find_game("chess")
    setup = game.setup()
    table = SimulatedTable(game, setup, game.expect(game.start(setup)), seed=1)
    view = fit_view(table.board, CameraView(image_size=(960, 720)))
    camera = SimulatedCamera(table, view, Troubles(hand_frames=1), clock=lambda: 0.0)
    record(
        folder, camera, [RecordedScene(stills=2), RecordedScene(("move e2 e4",), (STEP,), stills=2)]
    )


def test_the_installed_companion_works_without_its_source(elsewhere: Path) -> None:
    companion = elsewhere / "env/bin/companion"
    assert "companion play" in run(companion, "--help", cwd=elsewhere).stdout
    listed = json.loads(run(companion, "games", "--json", cwd=elsewhere).stdout)
    assert {"chess", "victorus"} <= {game["name"] for game in listed}
    recording(elsewhere / "game")
    complaint = run(companion, "replay", "game", cwd=elsewhere, status=2).stderr
    assert "tabletop-companion[headless]" in complaint
    install(elsewhere, "tabletop-companion[headless]")
    lines = run(companion, "replay", "game", "--json", cwd=elsewhere).stdout.splitlines()
    told = [action for line in lines for action in json.loads(line)["actions"]]
    assert [(action["from"], action["to"]) for action in told] == [("e2", "e4")]
