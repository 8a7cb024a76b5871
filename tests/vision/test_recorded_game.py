"""Recordings made on the simulated table: numbered pictures, the table file, the truth."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import pytest

from companion.rules import BadInput
from companion.simulation.recorded_game import RecordedScene, perform, record
from companion.simulation.table_camera import SimulatedCamera, SimulatedTable
from companion.simulation.troubles import Troubles
from vision.board.optics import CameraView, fit_view


@pytest.fixture
def camera(tiny: Any) -> SimulatedCamera:
    setup = tiny.setup()
    table = SimulatedTable(tiny, setup, tiny.expect(tiny.start(setup)), seed=1)
    view = fit_view(table.board, CameraView(image_size=(320, 240)))
    return SimulatedCamera(table, view, Troubles(hand_frames=1), clock=lambda: 0.0)


def test_a_recording_holds_every_frame_its_truth_and_the_table_file(
    camera: SimulatedCamera, tmp_path: Path
) -> None:
    start = camera.position
    step = {"seat": "black", "from": "a1", "to": "a2", "captures": None, "legal": True}
    record(
        tmp_path / "game",
        camera,
        [
            RecordedScene(stills=2),
            RecordedScene(("move a1 a2",), (step,)),
            RecordedScene(("nudge b1 3 0 10", "turn c1")),
            RecordedScene(troubles=replace(camera.troubles, lamp=0.6)),
        ],
    )
    truth = json.loads((tmp_path / "game" / "truth.json").read_text())
    assert [entry["kind"] for entry in truth] == [
        "still", "still", "hand", "still", "hand", "hand", "still", "still",
    ]  # fmt: skip
    assert [entry["events"] for entry in truth] == [[], [], [], [step], [], [], [], []]
    assert truth[0]["position"] == start
    assert truth[-1]["position"] == camera.table.position
    names = sorted(path.name for path in (tmp_path / "game").glob("*.jpg"))
    assert names == [entry["frame"] for entry in truth]
    brightness = [cv2.imread(str(tmp_path / "game" / name)).mean() for name in names]
    assert brightness[-1] < 0.7 * brightness[0]
    entered = json.loads((tmp_path / "game" / "table.json").read_text())
    assert entered == camera.table_file()


def test_an_unreadable_frame_is_recorded_as_one(camera: SimulatedCamera, tmp_path: Path) -> None:
    camera.troubles = replace(camera.troubles, lost=0.5)
    record(tmp_path, camera, [RecordedScene(stills=6)])
    truth = json.loads((tmp_path / "truth.json").read_text())
    broken = [entry["frame"] for entry in truth if entry["kind"] == "unreadable"]
    assert broken
    assert all(cv2.imread(str(tmp_path / name)) is None for name in broken)
    assert sum(entry["kind"] == "still" for entry in truth) == 6


def test_every_operation_can_be_written_as_a_line(camera: SimulatedCamera) -> None:
    table = camera.table
    for line in (
        "move a1 a2", "remove a2", "put b2 black", "turn b2", "flip b2 white",
        "nudge b2 1 -1 5", "lift b2", "drop c2",
    ):  # fmt: skip
        perform(table, line)
    assert table.position["c2"] == "white"
    assert "a1" not in table.position


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("jump a1 a2", "the table knows move"),
        ("move a1", "needs at least 2"),
        ("nudge a1 far", "needs at least 3"),
        ("nudge a1 a b c", "in numbers"),
        ("move b2 a1", "nothing lies on b2"),
    ],
)
def test_a_line_that_cannot_be_done_is_refused(
    camera: SimulatedCamera, line: str, says: str
) -> None:
    with pytest.raises(BadInput, match=says):
        perform(camera.table, line)
