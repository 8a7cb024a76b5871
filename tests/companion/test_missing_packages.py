"""Without OpenCV, or with a wrong one: one sentence names the extra; what needs none works."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from companion.machine.doctor import check_opencv
from companion.machine.findings import lacking

WITHOUT = (
    "import sys; sys.modules['cv2'] = None; from companion.cli import main; "
    "sys.exit(main(sys.argv[1:]))"
)


def without_opencv(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", WITHOUT, *arguments],
        capture_output=True, text=True, cwd=folder, env={"XDG_DATA_HOME": str(folder), "PATH": "",
        "PYTHONPATH": str(Path(__file__).parents[2])},
    )  # fmt: skip


@pytest.mark.parametrize(
    "command",
    ["play", "look x.jpg", "dice x.jpg", "replay x", "record v4l2:0 y", "calibrate v4l2:0 chess"],
)
def test_what_needs_opencv_names_the_extra_in_one_sentence(tmp_path: Path, command: str) -> None:
    done = without_opencv(tmp_path, *command.split())
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("companion: OpenCV is not installed")
    assert "tabletop-companion[headless]" in done.stderr
    assert "python3-opencv" in done.stderr


@pytest.mark.parametrize("command", ["games", "legal chess", "judge chess e2-e4", "lights chess"])
def test_what_needs_no_pictures_needs_no_opencv(tmp_path: Path, command: str) -> None:
    done = without_opencv(tmp_path, *command.split())
    assert done.returncode == 0, done.stderr


def test_the_doctor_says_it_too_and_goes_on(tmp_path: Path) -> None:
    done = without_opencv(tmp_path, "doctor", "--json")
    found = {finding["check"]: finding for finding in json.loads(done.stdout)}
    assert found["cv2"]["level"] == "fault"
    assert "[headless]" in found["cv2"]["advice"]
    assert found["numpy"]["level"] == "ok"
    assert {"disk", "clock"} <= set(found)


@pytest.mark.parametrize(
    ("version", "wheels", "level", "said"),
    [
        ("4.5.1", {}, "fault", "too old"),
        ("4.6.0", {}, None, ""),
        ("4.8.0", {"opencv-python": "4.8.0.76"}, "fault", "has a hole"),
        ("4.8.1", {"opencv-python": "4.8.1.78"}, None, ""),
        ("4.7.0", {"opencv-python-headless": "4.7.0.72"}, "fault", "has a hole"),
        ("5.0.0", {"opencv-python": "5.0.0.93", "opencv-python-headless": "5.0.0.93"}, "note",
         "both installed"),
        ("10.0.0", {}, None, ""),
    ],
)  # fmt: skip
def test_an_opencv_that_is_old_or_open_or_there_twice_is_told(
    version: str, wheels: dict[str, str], level: str | None, said: str
) -> None:
    found = list(check_opencv(version, wheels.get))
    assert [finding.level for finding in found] == ([level] if level else [])
    assert all(said in finding.message and finding.advice for finding in found)


def test_a_module_of_ours_that_is_missing_is_no_matter_of_packages() -> None:
    with pytest.raises(ImportError):
        lacking(ImportError("cannot import name 'x'", name="companion.rules"))
    broken = ImportError("libGL.so.1: cannot open shared object file", name="cv2")
    assert "apt install libgl1" in str(lacking(broken))
