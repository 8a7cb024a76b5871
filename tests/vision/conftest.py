"""A played game on the simulated table, and the score of a reader against a recording's truth."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from companion.games import find_game
from companion.rules import Action, read_action
from companion.simulation.table_camera import SimulatedCamera, SimulatedTable
from companion.simulation.troubles import Troubles
from vision.board.optics import CameraView, fit_view
from vision.decoding.reader import Reader
from vision.decoding.reading import Reading
from vision.frames import Frame
from vision.sources.sources import open_source


@dataclass
class Play:
    """A game on the simulated table, read frame by frame.

    ``past`` follows the reader's steps as a table would.
    """

    camera: SimulatedCamera
    reader: Reader[Any]
    game: Any
    past: list[Any]

    def settled(self) -> Frame:
        """Return the first frame after the hands are gone, unread."""
        while True:
            frame = self.camera.read()
            if not self.camera.busy and not self.camera.hand_in_view:
                return frame

    def anew(self) -> Reader[Any]:
        """Return another reader for the same table, which has seen nothing."""
        return Reader(self.game, self.camera.table.setup, self.camera.table_file())

    def look(self) -> Reading:
        """Read frames until the hands are gone; return the last reading."""
        while True:
            reading = self.read(self.camera.read())
            if not self.camera.busy and not self.camera.hand_in_view:
                return reading

    def read(self, frame: Frame) -> Reading:
        """Read one frame and carry out its steps."""
        reading = self.reader.read(frame, tuple(self.past))
        follow(self.game, self.past, reading)
        return reading

    def move(self, text: str) -> Reading:
        """Carry a piece, such as ``h2-h4``, and look."""
        action = read_action(text)
        self.camera.table.move(str(action.origin), str(action.target))
        return self.look()


def follow(game: Any, past: list[Any], reading: Reading) -> None:
    """Do to ``past`` what the steps of ``reading`` say."""
    for step in reading.steps:
        if step.takeback:
            del past[-step.takeback :]
        elif step.legal:
            past.append(game.apply(past[-1], step.action))


@pytest.fixture
def play() -> Callable[..., Play]:
    """Begin a game, Victorus unless another is named; the first frame is read."""

    def begin(
        seats: Sequence[str] = ("red", "orange", "blue"),
        view: CameraView | None = None,
        troubles: Troubles | None = None,
        seed: int = 5,
        name: str = "victorus",
    ) -> Play:
        game = find_game(name)
        setup = game.setup(seats if name == "victorus" else None)
        start = game.start(setup)
        table = SimulatedTable(game, setup, game.expect(start), seed=seed)
        fitted = fit_view(table.board, view or CameraView(image_size=(960, 720)))
        camera = SimulatedCamera(
            table, fitted, troubles or Troubles(hand_frames=0), clock=lambda: 0.0
        )
        reader: Reader[Any] = Reader(game, setup, camera.table_file())
        begun = Play(camera, reader, game, [start])
        begun.look()
        return begun

    return begin


@dataclass
class Score:
    """What a reader got right of a recording; ``slips`` says where it did not."""

    stills: int = 0
    right: int = 0
    events: int = 0
    hits: int = 0
    false: int = 0
    slips: list[str] = field(default_factory=list)


@pytest.fixture
def score() -> Callable[[Path], Score]:
    """Return the function that reads a folder and holds it against its ``truth.json``."""
    return score_recording


def score_recording(folder: Path) -> Score:
    """Read the frames of ``folder`` and count stills and events as its truth tells them."""
    table_file = json.loads((folder / "table.json").read_text())
    truth = json.loads((folder / "truth.json").read_text())
    game = find_game(table_file["game"])
    setup = game.setup(table_file["seats"], table_file.get("options"))
    reader: Reader[Any] = Reader(game, setup, table_file)
    past, source, total = [game.start(setup)], open_source(folder), Score()
    for entry in truth:
        frame = source.read()
        assert frame is not None, f"{folder} has fewer frames than its truth"
        reading = reader.read(frame, tuple(past))
        told = [_told(game, past, step) for step in reading.steps]
        follow(game, past, reading)
        _count(total, entry, reading, [event for event in told if event])
    return total


def _told(game: Any, past: Sequence[Any], step: Any) -> tuple[str, str, bool, bool] | None:
    action: Action = step.action
    if action.target is None:
        return None
    legal = step.takeback is not None or bool(step.ruling.allowed)
    return str(action.origin), action.target, legal, step.takeback is not None


def _count(total: Score, entry: Any, reading: Reading, told: list[Any]) -> None:
    wanted = [
        (e["from"], e["to"], e.get("legal", True), e.get("takeback", False))
        for e in entry["events"]
    ]
    total.events += len(wanted)
    total.hits += sum(event in told for event in wanted)
    total.false += sum(event not in wanted for event in told)
    if wanted != told:
        total.slips.append(f"{entry['frame']}: {wanted} read as {told}")
    if entry["kind"] == "still":
        total.stills += 1
        seen = {s: t.removesuffix(" frozen") for s, t in (reading.position or {}).items()}
        true = {s: t.removesuffix(" frozen") for s, t in entry["position"].items()}
        total.right += seen == true
        if seen != true:
            total.slips.append(f"{entry['frame']}: {sorted(set(seen.items()) ^ set(true.items()))}")


@pytest.fixture
def recordings() -> Path:
    """The folder of recordings with truth; the test is skipped where there is none."""
    beside = Path(__file__).parents[3] / "shared" / "photos"
    folder = Path(os.environ.get("COMPANION_RECORDINGS", beside))
    if not folder.is_dir():
        pytest.skip("no recordings: set COMPANION_RECORDINGS to their folder")
    return folder
