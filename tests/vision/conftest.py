"""A played game on the simulated table, and the score of a reader against a recording's truth."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from companion.games import find_game
from companion.rules import read_action
from companion.simulation.table_camera import SimulatedCamera, SimulatedTable
from companion.simulation.troubles import Troubles
from tests.checks.copies import copied
from vision.board.optics import CameraView, fit_view
from vision.decoding.reader import Reader
from vision.decoding.reading import Reading
from vision.frames import Frame


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


@pytest.fixture(scope="session")
def begun() -> dict[tuple[Any, ...], Play]:
    """Every game that was begun, before anything happened."""
    return {}


@pytest.fixture
def play(begun: dict[tuple[Any, ...], Play]) -> Callable[..., Play]:
    """Begin a game, Victorus unless another is named; the first frame is read."""

    def copy(*asked: Any, **named: Any) -> Play:
        key = (asked, *sorted(named.items()))
        if key not in begun:
            begun[key] = begin(*asked, **named)
        return copied(begun[key])

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
        play = Play(camera, reader, game, [start])
        play.look()
        return play

    return copy
