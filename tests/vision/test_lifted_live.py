"""A live table: what left the board may be in a hand that is not seen."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games import find_game
from companion.games.invictus.geometry import SPOTS
from companion.games.invictus.state import InvictusState
from companion.simulation.table_camera import SimulatedCamera, SimulatedTable
from companion.simulation.troubles import Troubles
from vision.board.optics import CameraView, fit_view
from vision.decoding.in_hand import LIFTED
from vision.decoding.reader import Reader
from vision.decoding.reading import Reading

GAME: Any = find_game("invictus")
SETUP = GAME.setup()


class NearHome:
    """A game of Invictus in which black may bring the die on ``c8`` home or move it elsewhere;
    ``at`` is the time of the next picture."""

    def __init__(self, live: bool = True) -> None:
        board = [0] * len(SPOTS)
        for spot, die in GAME.expect(GAME.start(SETUP)).items():
            seat, value = die.split()
            board[SPOTS.index(spot)] = int(value) * (1 if seat == "black" else -1)
        for spot in ("b8", "b9", "c8", "c9", "d8", "d9"):
            board[SPOTS.index(spot)] = 0
        board[SPOTS.index("c8")] = 4
        state = InvictusState(SETUP, tuple(board), begun=True)
        self.past, self.at = [GAME.start(SETUP), state], 0.0
        self.table = SimulatedTable(GAME, SETUP, GAME.expect(state), seed=5)
        view = fit_view(self.table.board, CameraView(image_size=(960, 720)))
        self.camera = SimulatedCamera(
            self.table, view, Troubles(hand_frames=0), clock=lambda: self.at
        )
        self.reader: Reader[Any] = Reader(GAME, SETUP, self.camera.table_file(), live=live)
        self.look()

    def look(self, after: float = 0.5) -> Reading:
        """Return what the reader tells of the next two pictures, ``after`` seconds later; what it
        says of the second where it tells nothing."""
        self.at += after
        for _ in range(2):
            picture = self.camera.read()
            assert picture is not None
            if (reading := self.reader.read(picture, tuple(self.past))).steps:
                break
        return reading


def told(reading: Reading) -> list[str]:
    return [GAME.format(step.action) for step in reading.steps]


@pytest.fixture
def near_home() -> NearHome:
    return NearHome()


def test_a_die_that_may_go_home_or_elsewhere_is_in_the_hand_at_first(near_home: NearHome) -> None:
    near_home.table.lift("c8")
    lifted = near_home.look()
    assert (lifted.lifted, told(lifted)) == ("c8", [])
    near_home.table.drop("b8")
    assert told(near_home.look()) == ["c8-b8"]


def test_a_die_that_stays_away_has_come_home(near_home: NearHome) -> None:
    near_home.table.lift("c8")
    assert near_home.look().lifted == "c8"
    [home] = told(near_home.look(LIFTED))
    assert home.startswith("c8-")
    assert home.endswith("9")


def test_a_die_lifted_twice_is_in_the_hand_anew(near_home: NearHome) -> None:
    near_home.table.lift("c8")
    assert near_home.look().lifted == "c8"
    near_home.table.drop("c8")
    assert near_home.look(LIFTED).lifted is None
    near_home.table.lift("c8")
    assert near_home.look().lifted == "c8"


def test_a_recording_shows_each_move_once_and_a_die_home_at_once() -> None:
    recorded = NearHome(live=False)
    recorded.table.lift("c8")
    [home] = told(recorded.look())
    assert home.startswith("c8-")


def test_a_die_is_home_at_once_if_the_next_player_has_moved(near_home: NearHome) -> None:
    near_home.table.lift("c8")
    assert near_home.look().lifted == "c8"
    near_home.table.move("a7", "a6")
    home, answer = told(near_home.look())
    assert home.startswith("c8-")
    assert answer == "a7-a6"
