"""A camera and a board of sensors as one source: each goes on while the other is gone."""

from __future__ import annotations

import socket

import numpy as np
import pytest

from companion.commands.live import check_sensors
from companion.games import find_game
from companion.journal import Journal
from companion.live.composition import Composition
from companion.live.environment import Environment
from companion.live.play_request import PlayRequest
from companion.live.recording import Recorder, Recording
from companion.live.replay import replay
from companion.rules import BadInput, HardwareFault
from companion.table import Table
from tests.cameras.test_sensor_source import START, Slow, message
from tests.checks.both_evenings import BothEvening
from vision.frames import PATIENCE, Frame, Sensed
from vision.readers import open_reader
from vision.sensing.both_source import BothSource
from vision.sensing.sensor_source import SensorSource
from vision.sources.sources import open_source

CHESS = find_game("chess")


class Camera:
    """A camera that is there or gone."""

    def __init__(self):
        self.gone, self.asked, self.frames = False, 0, 1000

    def read(self):
        self.asked += 1
        if self.gone:
            raise HardwareFault("no camera")
        self.frames -= 1
        return Frame(np.zeros((4, 4, 3), np.uint8), 1.0, "one") if self.frames >= 0 else None

    def close(self):
        self.gone = True


class Wire:
    """A line to a board that is there or gone."""

    def __init__(self, board):
        self._board = board

    def receive(self, seconds):
        if self._board.gone:
            raise HardwareFault("no board")
        return [Sensed(frozenset({"e2"}))]

    def close(self):
        pass


class Board:
    gone = False


@pytest.fixture
def both():
    """A camera, a board, and both as one source, with a clock that can be set."""
    camera, board, now = Camera(), Board(), [0.0]
    sensors = SensorSource(lambda: Wire(board), "the board", clock=lambda: now[0])
    return camera, board, now, BothSource(camera, sensors)


def test_a_frame_holds_a_picture_and_what_was_felt(both):
    *_, source = both
    frame = source.read()
    assert frame.image is not None
    assert frame.sensed.occupied == {"e2"}


def test_without_the_board_pictures_come_and_say_so(both):
    _, board, _, source = both
    board.gone = True
    frame = source.read()
    assert (frame.image is not None, frame.sensed, frame.trouble) == (True, None, "no board")


def test_without_the_camera_what_is_felt_comes_and_the_camera_is_asked_again_later(both):
    camera, _, now, source = both
    camera.gone = True
    for _ in range(3):
        frame = source.read()
        assert (frame.image, frame.trouble) == (None, "no camera")
        assert frame.sensed is not None
    assert camera.asked == 1
    now[0], camera.gone = PATIENCE, False
    assert source.read().image is not None


def test_without_both_there_is_a_fault_and_each_try_asks_again(both):
    camera, board, _, source = both
    camera.gone = board.gone = True
    for tries in (1, 2):
        with pytest.raises(HardwareFault, match="no camera"):
            source.read()
        assert camera.asked == tries
    camera.gone = board.gone = False
    assert source.read().sensed is not None


def test_the_end_of_a_film_is_the_end(both):
    camera, *_, source = both
    camera.frames = 0
    assert source.read() is None
    source.close()
    assert camera.gone


def test_a_table_whose_camera_cannot_be_reached_plays_by_its_sensors(tmp_path):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    asked = PlayRequest(
        game=CHESS, setup=None, journal=tmp_path / "chess.sqlite3", new=False,
        camera="http://127.0.0.1:9/none", table_file=None, lights="simulated", wiring=None,
        host="127.0.0.1", port=0, address="127.0.0.1", sensors=f"udp:{port}",
    )  # fmt: skip
    line = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    line.connect(("127.0.0.1", port))
    with Composition(asked, Environment(camera=Slow)) as stage, line:
        stage.service.look()
        for seq, on in enumerate([START] * 3 + [START - {"e2"} | {"e4"}] * 3, 1):
            line.send(message(seq, on))
            stage.service.look()
        assert [str(action) for action in stage.table.actions] == ["e2-e4"]
        assert "sensors go on" in stage.service.status()["message"]


@pytest.mark.slow
def test_a_recording_of_both_is_read_alike(tmp_path):
    evening = BothEvening("chess", 1)
    recorder = Recorder(Recording(tmp_path / "both"), evening.table)
    recorder.begin(evening.table_file)
    evening.recorder = recorder
    evening.look()
    for move in ("move e2 e4", "move d7 d5"):
        evening.does(move)
    again = Table.create(Journal(":memory:"), CHESS, CHESS.setup())
    reader = open_reader(CHESS, CHESS.setup(), dict(evening.table_file))
    lines = list(replay(open_source(tmp_path / "both"), reader, again))
    assert [str(action) for action in again.actions] == ["e2-e4", "d7-d5"]
    frames = list(iter(open_source(tmp_path / "both").read, None))
    assert len(frames) == len(lines)
    assert all(frame.image is not None and frame.sensed is not None for frame in frames)


@pytest.mark.parametrize("camera", ["simulated", "simulated-sensors", "udp:4211", "films/one.mp4"])
def test_sensors_beside_no_camera_are_refused(camera):
    with pytest.raises(BadInput, match="--camera udp:4210"):
        check_sensors("udp:4210", camera)


def test_sensors_that_are_none_are_refused():
    check_sensors("", "simulated")
    check_sensors("udp:4210", "v4l2:0")
    check_sensors("simulated", "simulated")
    with pytest.raises(BadInput, match="board of sensors"):
        check_sensors("simulated", "v4l2:0")
    with pytest.raises(BadInput, match="board of sensors"):
        check_sensors("v4l2:0", "v4l2:1")
