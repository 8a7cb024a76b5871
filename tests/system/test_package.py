"""What is published: built in a fresh environment, installed elsewhere, and used there."""

from __future__ import annotations

import email
import email.message
import json
import os
import shutil
import subprocess
import sys
import sysconfig
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
    """A folder with the source archive and the wheel that was made of it, by the tools that are
    here: see ``test_what_the_project_demands_builds_it``."""
    return build(tmp_path_factory.mktemp("built"), "--no-isolation")


def build(place: Path, *how: str) -> Path:
    """Build a copy of the project in ``place``; return the folder of what was built."""
    for name in kept():
        target = place / "source" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, target)
    command = [sys.executable, "-m", "build", *how, "--outdir", place / "dist"]
    done = run(*command, cwd=place / "source")
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


def install(place: Path, wanted: object, *how: str) -> None:
    """Have pip install ``wanted``; what is used is compiled when it is first used."""
    pip = [sys.executable, "-m", "pip", "--python", place / "env/bin/python"]
    run(*pip, "install", "--quiet", "--no-compile", *how, wanted, cwd=place)


def names(folder: Path) -> list[list[str]]:
    """Return the names of the files in each archive of ``folder``."""
    listed = [["tar", "tf", path] for path in folder.glob("*.tar.gz")]
    listed += [[sys.executable, "-m", "zipfile", "-l", path] for path in folder.glob("*.whl")]
    return [
        sorted(line.split()[0] for line in run(*command, cwd=folder).stdout.splitlines())
        for command in listed
    ]


@pytest.mark.slow
def test_what_the_project_demands_builds_it(built: Path, tmp_path: Path) -> None:
    """In an environment of its own, with the tools that pyproject.toml names and no others."""
    assert names(build(tmp_path)) == names(built)
    assert len(names(built)) == 2


@pytest.mark.slow
def test_the_source_archive_holds_the_whole_project(source: Path) -> None:
    assert [name for name in kept() if not (source / name).is_file()] == []
    assert not list(source.rglob("*.pyc"))


@pytest.mark.slow
def test_the_tests_run_from_the_source_archive(source: Path) -> None:
    done = run(sys.executable, "-m", "pytest", "tests/rules", "-p", "no:cacheprovider", cwd=source)
    assert " passed" in done.stdout or "100%" in done.stdout


@pytest.mark.slow
def test_the_wheel_holds_every_file_of_the_packages_and_no_other(wheel: Path) -> None:
    inside = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert inside == {name for name in kept() if name.startswith(tuple(f"{p}/" for p in PACKAGES))}


def facts(wheel: Path) -> email.message.Message:
    with zipfile.ZipFile(wheel) as packed:
        (name,) = [name for name in packed.namelist() if name.endswith("dist-info/METADATA")]
        return email.message_from_bytes(packed.read(name))


@pytest.mark.slow
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


@pytest.mark.slow
def test_the_wheel_brings_all_that_it_runs_by(wheel: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "env")
    install(tmp_path, wheel, "--no-deps")
    (own,) = (tmp_path / "env/lib").glob("python*/site-packages")
    # What it demands is that of this environment; its own modules are found before.
    (own / "demanded.pth").write_text(sysconfig.get_path("purelib"))
    companion = tmp_path / "env/bin/companion"
    python = tmp_path / "env/bin/python"
    where = run(python, "-c", "import companion; print(companion.__file__)", cwd=tmp_path).stdout
    assert Path(where.strip()).is_relative_to(own)
    assert "companion play" in run(companion, "--help", cwd=tmp_path).stdout
    recording(tmp_path / "game")
    assert read(run(companion, "replay", "game", "--json", cwd=tmp_path)) == [("e2", "e4")]


def read(done: subprocess.CompletedProcess[str]) -> list[tuple[str, str]]:
    """Return the moves that ``companion replay`` told."""
    told = [one for line in done.stdout.splitlines() for one in json.loads(line)["actions"]]
    return [(action["from"], action["to"]) for action in told]


@pytest.mark.slow
def test_the_installed_companion_works_without_its_source(elsewhere: Path) -> None:
    companion = elsewhere / "env/bin/companion"
    assert "companion play" in run(companion, "--help", cwd=elsewhere).stdout
    listed = json.loads(run(companion, "games", "--json", cwd=elsewhere).stdout)
    assert {"chess", "victorus"} <= {game["name"] for game in listed}
    recording(elsewhere / "game")
    complaint = run(companion, "replay", "game", cwd=elsewhere, status=2).stderr
    assert "tabletop-companion[headless]" in complaint
    install(elsewhere, "tabletop-companion[headless]")
    assert read(run(companion, "replay", "game", "--json", cwd=elsewhere)) == [("e2", "e4")]
