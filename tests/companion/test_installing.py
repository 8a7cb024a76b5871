"""`make play` chooses an OpenCV by where it runs, and says what it is doing all the while."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
SYSTEM = {"base": "base", "own": {}, "numpy": "1.24.2", "cv2": "4.6.0"}
NOTHING = {"base": "base", "own": {}, "numpy": "", "cv2": ""}


@pytest.fixture
def tool(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    spec = importlib.util.spec_from_file_location("installing", ROOT / "tools" / "install.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    return module


def environment(folder: Path, shared: bool) -> Path:
    text = f"home = /usr/bin\ninclude-system-site-packages = {str(shared).lower()}\n"
    (folder / "pyvenv.cfg").write_text(text)
    return folder


def chosen(
    tool: ModuleType,
    folder: Path,
    here: dict[str, object],
    system: dict[str, object] = NOTHING,
    shared: bool = False,
) -> tuple[str, list[str]]:
    """Return where OpenCV comes from, and what was uninstalled before."""
    removed: list[str] = []
    tool.look = lambda python: system if python == "base" else here
    tool.pip = lambda python, what, *names: removed.extend(names[1:])
    return tool.opencv(Path("python"), environment(folder, shared)), removed


def test_the_systems_opencv_is_taken_where_the_environment_sees_it(tool, tmp_path: Path) -> None:
    assert chosen(tool, tmp_path, SYSTEM, SYSTEM, shared=True) == ("system", [])
    assert (tmp_path / "kept.txt").read_text() == "numpy==1.24.2\n"
    assert str(tmp_path / "kept.txt") in (tmp_path / "pip.conf").read_text()


def test_what_pip_once_laid_over_the_systems_is_put_away(tool, tmp_path: Path) -> None:
    over = {**SYSTEM, "own": {"opencv-python": "5.0.0.93", "numpy": "2.4.6"}, "cv2": "5.0.0"}
    assert chosen(tool, tmp_path, over, SYSTEM, shared=True) == (
        "system", ["opencv-python", "numpy"],
    )  # fmt: skip


def test_an_environment_of_its_own_leaves_the_system_alone(tool, tmp_path: Path) -> None:
    assert chosen(tool, tmp_path, NOTHING, SYSTEM) == ("headless", [])
    assert not (tmp_path / "pip.conf").exists()


@pytest.mark.parametrize("old", ["4.5.1", ""])
def test_a_system_without_a_good_opencv_gets_pips(tool, tmp_path: Path, old: str) -> None:
    system = {**SYSTEM, "cv2": old}
    assert chosen(tool, tmp_path, NOTHING, system, shared=True)[0] == "headless"


def test_an_opencv_that_is_there_stays_unless_it_has_the_hole(tool, tmp_path: Path) -> None:
    def wheel(version: str) -> dict[str, object]:
        return {**NOTHING, "own": {"opencv-python": version}, "cv2": version}

    assert chosen(tool, tmp_path, wheel("4.12.0.88"))[0] == "here"
    assert chosen(tool, tmp_path, wheel("4.8.0.76"))[0] == "headless"


def test_a_desktop_gets_the_one_with_windows(tool, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(tool.ctypes.util, "find_library", lambda name: "libGL.so.1")
    assert chosen(tool, tmp_path, NOTHING)[0] == "desktop"
    monkeypatch.setattr(tool.ctypes.util, "find_library", lambda name: None)
    assert chosen(tool, tmp_path, NOTHING)[0] == "headless"


def test_a_silent_step_is_said_to_go_on(tool, tmp_path: Path, monkeypatch) -> None:
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    told: list[str] = []

    def tell(text: str) -> None:
        if not told:
            gate.write_text("go on")
        told.append(text)

    monkeypatch.setattr(tool, "SILENCE", 0.05)
    monkeypatch.setattr(tool, "tell", tell)
    wait = "import sys; open(sys.argv[1]).read(); print('done')"
    assert tool.run(sys.executable, "-c", wait, str(gate)) == (0, ["done"])
    assert told
    assert all("seconds" in text for text in told)


LINES = [
    ("  Downloading numpy-2.4.6-cp311-cp311-manylinux_2_28_x86_64.whl (16.6 MB)",
     "numpy 2.4.6, 16.6 MB"),
    ("  Using cached segno-1.6.6-py3-none-any.whl (76 kB)", "segno 1.6.6, 76 kB"),
    ("Processing /somewhere/flask-3.1.3-py3-none-any.whl", "flask 3.1.3"),
    ("  Downloading rpi_ws281x-5.0.0.tar.gz (64 kB)", "rpi_ws281x 5.0.0, 64 kB"),
    ("  Downloading numpy-2.4.6-cp311.whl.metadata (62 kB)", ""),
    ("Installing collected packages: numpy, flask", "unpacking 2 packages"),
    ("Requirement already satisfied: flask in /somewhere", ""),
]  # fmt: skip


@pytest.mark.parametrize(("line", "told"), LINES)
def test_of_what_pip_says_people_hear_what_they_wait_for(tool, line: str, told: str) -> None:
    assert tool.matters(line) == told


def test_a_failure_is_one_sentence(tool, tmp_path: Path, capsys) -> None:
    (tmp_path / "file").write_text("")
    assert tool.main([str(tmp_path / "file" / "environment")]) == 1
    complaint = capsys.readouterr().err
    assert complaint.startswith("install: the environment")
    assert complaint.count("\n") == 1


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A machine with apt and without Chromium, whose user may become root with a password only."""
    for name, text in {
        "apt-get": "#!/bin/sh\necho \"$@\" >> \"$(dirname $0)/said\"\n",
        "sudo": '#!/bin/sh\n[ "$1" = -n ] && exit 1\nexec cat /dev/tty\n',
        "id": "#!/bin/sh\necho 1000\n",
    }.items():  # fmt: skip
        path = tmp_path / name
        path.write_text(text)
        path.chmod(0o755)
    for name in ("sh", "make", "dirname"):
        found = subprocess.run(["which", name], capture_output=True, text=True).stdout.strip()
        (tmp_path / name).symlink_to(found)
    return tmp_path


def programs(machine: Path) -> str:
    """Return what ``make programs`` says on ``machine``."""
    done = subprocess.run(
        ["make", "-s", "-C", str(ROOT), "programs", f"GAMES={machine}",
         f"SERVERS={machine}", f"POSTGRESQL={machine}/postgresql"],
        capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL,
        env={**os.environ, "PATH": str(machine)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_no_password_is_asked_for_to_install_programs(machine: Path) -> None:
    every = "chromium-headless-shell stockfish mosquitto ffmpeg systemd postgresql"
    assert f"(sudo apt-get install {every})" in programs(machine)
    assert not (machine / "said").exists()
    (machine / "postgresql" / "15" / "bin").mkdir(parents=True)
    for name in (
        "chromium", "stockfish", "mosquitto", "ffmpeg", "systemd-analyze",
        "postgresql/15/bin/postgres",
    ):  # fmt: skip
        (machine / name).symlink_to(machine / "id")
    assert programs(machine) == "", "the whole browser is one as well"


def test_where_there_is_no_shell_of_the_browser_the_whole_is_installed(machine: Path) -> None:
    (machine / "id").write_text("#!/bin/sh\necho 0\n")
    apt = machine / "apt-get"
    (machine / "env").symlink_to("/usr/bin/env")
    apt.write_text(apt.read_text() + 'case "$*" in *-shell) exit 100;; esac\n')
    programs(machine)
    asked = (machine / "said").read_text().splitlines()
    named = [line.split()[-1] for line in asked[1:]]
    assert named[:2] == ["chromium-headless-shell", "chromium"]
    assert named[2:] == ["stockfish", "mosquitto", "ffmpeg", "systemd", "postgresql"]
