"""Boards of sensors at the other end of real sockets and terminals: messages, silence, nonsense."""

from __future__ import annotations

import json
import os
import runpy
import socket
from dataclasses import replace
from pathlib import Path

import pytest

from companion.cli import main
from companion.games import find_game
from companion.journal import Journal
from companion.live.composition import Composition, PlayRequest
from companion.live.environment import Environment
from companion.live.recording import Recorder, Recording
from companion.live.replay import replay
from companion.rules import BadInput, HardwareFault
from companion.table import Table
from tests.checks.felt_evenings import FeltEvening
from tests.checks.loops import some
from vision.frames import PATIENCE, Sensed
from vision.readers import open_reader
from vision.sensing import dgt
from vision.sensing.messages import Messages, parse
from vision.sensing.sensor_source import SensorSource, UdpWire, open_sensors
from vision.sources.cameras import is_live, open_source

BOARD = Path(__file__).parents[2] / "docs" / "sensor-board" / "main.py"
CHESS = find_game("chess")
START = frozenset(CHESS.expect(CHESS.start(CHESS.setup())))


def felt(source, wanted):
    """Return what is felt once it is as ``wanted``: a serial line brings its bytes as it likes."""
    left = set()
    for _ in range(100):
        sensed = source.read().sensed
        if sensed is not None:
            left |= sensed.left
            if wanted(sensed):
                return replace(sensed, left=frozenset(left))
    raise AssertionError(f"never felt: {sensed}")


def message(seq, on, **more):
    return json.dumps({"v": 1, "seq": seq, "on": sorted(on, key=str), **more}).encode()


@pytest.fixture
def board():
    """A source that listens, and what sends to it."""
    wire = UdpWire(0)
    line = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    line.connect(("127.0.0.1", wire.port))
    source = SensorSource(lambda: wire, "the board")
    yield source, line
    source.close()
    line.close()


def test_a_frame_tells_what_lies_where_and_what_was_lifted_since(board):
    source, line = board
    line.send(message(1, [0, 1]))
    assert source.read().sensed == Sensed(frozenset([0, 1]))
    line.send(message(2, [0], left=[1]))
    assert source.read().sensed == Sensed(frozenset([0]), frozenset([1]))
    assert source.read().sensed == Sensed(frozenset([0])), "nothing new"


def test_after_a_lost_message_anything_may_have_been_lifted():
    messages = Messages()
    messages.take(message(1, ["a1", "b1"]))
    assert messages.take(message(2, ["a1", "b1"])).left == frozenset()
    assert messages.take(message(4, ["a1"])).left == {"a1", "b1"}


@pytest.mark.parametrize(
    "data",
    [
        b"", b"hello", b"[1]", b"{}", b'{"v": 1}', b'{"v": 1, "seq": 1}', b"\xff\xfe", b"[" * 9000,
        b'{"v": 1, "seq": true, "on": []}', b'{"v": 1, "seq": 1, "on": [1.5]}',
        b'{"v": 1, "seq": 1, "on": "a1"}', b'{"v": 1, "seq": 1, "tokens": {"a1": 3}}',
        b'{"v": 1, "seq": 1, "on": [], "left": [[]]}', b" " * 20_000,
        b'{"v": 2, "seq": 1, "on": []}',
    ],
)  # fmt: skip
def test_what_is_no_message_is_told_in_a_sentence(board, data):
    with pytest.raises(BadInput, match="board of sensors"):
        parse(data)
    source, line = board
    line.send(data)
    frame = source.read()
    assert "board of sensors" in frame.trouble
    assert frame.sensed is None


def test_packets_of_others_are_passed_over_while_the_board_is_heard(board):
    source, line = board
    line.send(message(1, [5]))
    source.read()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
        other.bind(("127.0.0.2", 0))
        other.sendto(message(2, [6]), line.getpeername())
        assert source.read().sensed.occupied == {5}


def test_a_silent_board_is_told_and_looked_for_again():
    now = [0.0]
    wires = []

    def connect():
        wires.append(UdpWire(0))
        return wires[-1]

    source = SensorSource(connect, "the board", clock=lambda: now[0])
    source.read()
    now[0] = PATIENCE + 1
    with pytest.raises(HardwareFault, match="he board is silent"):
        source.read()
    source.read()
    assert len(wires) == 2
    source.close()


@pytest.mark.parametrize(
    "address", ["udp:", "udp:70000", "udp:x", "serial:", "dgt:?x", "serial:/d?baud=0"]
)
def test_an_address_that_is_none_names_those_that_are(address):
    with pytest.raises(BadInput, match="udp:4210"):
        open_source(address)


def test_boards_are_live_sources():
    assert all(
        is_live(one) for one in some(("udp:4210", "serial:/dev/ttyUSB0", "dgt:/dev/ttyACM0"))
    )


@pytest.mark.parametrize("words", [["record", "udp:1", "x"], ["calibrate", "udp:1", "chess"]])
def test_what_needs_pictures_says_what_to_do_instead(words, capsys):
    assert main(words) == 2
    assert "a board of sensors" in capsys.readouterr().err


# -- serial lines --------------------------------------------------------------------


@pytest.fixture
def line():
    """The board's end of a serial line, and the name of ours."""
    ours, theirs = os.openpty()
    yield ours, os.ttyname(theirs)
    os.close(ours)
    os.close(theirs)


def test_messages_come_line_by_line_over_a_serial_port(line):
    theirs, name = line
    source = open_sensors(f"serial:{name}")
    source.read()
    whole = message(1, [3]) + b"\n" + message(2, [3, 4])
    os.write(theirs, whole[:-5])
    assert felt(source, lambda sensed: True).occupied == {3}
    os.write(theirs, whole[-5:] + b"\n")
    assert felt(source, lambda sensed: 4 in sensed.occupied).occupied == {3, 4}
    source.close()


def test_a_port_that_is_not_there_is_named():
    with pytest.raises(HardwareFault, match="/dev/none cannot be opened"):
        open_sensors("serial:/dev/none").read()


class DgtBoard:
    """A board as its protocol describes it, at its end of a serial line."""

    def __init__(self, line, position):
        self._line, self.codes = line, bytearray(64)
        for spot, token in position.items():
            self.codes[self.field(spot)] = self.code(token)

    @staticmethod
    def field(spot):
        return "abcdefgh".index(spot[0]) + 8 * (8 - int(spot[1]))

    @staticmethod
    def code(token):
        colour, kind = token.split()
        return 1 + "PRNBKQ".index(kind) + (6 if colour == "black" else 0)

    def dump(self):
        os.write(self._line, bytes([0x86, 0, 67]) + bytes(self.codes))

    def put(self, spot, token):
        self.codes[self.field(spot)] = self.code(token) if token else 0
        os.write(self._line, bytes([0x8E, 0, 5, self.field(spot), self.codes[self.field(spot)]]))

    def asked(self):
        return os.read(self._line, 100)


def test_a_board_that_knows_its_pieces_tells_them(line):
    theirs, name = line
    position = dict(CHESS.expect(CHESS.start(CHESS.setup())))
    board = DgtBoard(theirs, position)
    source = open_sensors(f"dgt:{name}")
    source.read()
    assert board.asked() == dgt.RESET + dgt.SEND_BOARD + dgt.SEND_UPDATES
    os.write(theirs, b"\x00\x12noise")
    board.dump()
    assert felt(source, lambda sensed: True).tokens == position
    board.put("e2", None)
    board.put("e4", "white P")
    sensed = felt(source, lambda sensed: "e4" in sensed.occupied)
    assert "e2" not in sensed.occupied
    assert sensed.tokens["e4"] == "white P"
    assert sensed.left == {"e2"}
    source.close()


def test_a_board_that_stands_the_other_way_is_read_so():
    assert dgt.square(0, turned=False) == "a8"
    assert dgt.square(63, turned=False) == "h1"
    assert dgt.square(0, turned=True) == "h1"


def test_codes_of_no_piece_are_nothing():
    assert [dgt.piece(code) for code in (0, 1, 5, 6, 7, 12, 13, 127)] == [
        None, "white P", "white K", "white Q", "black P", "black Q", None, None,
    ]  # fmt: skip


# -- the whole way -------------------------------------------------------------------


def test_a_table_plays_by_a_board_of_sensors(tmp_path):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    play_request = PlayRequest(
        game=CHESS, setup=None, journal=tmp_path / "chess.sqlite3", new=False, camera=f"udp:{port}",
        table_file=None, lights="simulated", wiring=None, host="127.0.0.1", port=0,
        address="127.0.0.1", record=tmp_path / "felt",
    )  # fmt: skip
    line = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    line.connect(("127.0.0.1", port))
    with Composition(play_request, Environment(camera=Slow)) as stage, line:
        service = stage.service
        service.look()  # listens from now on

        def feel(seq, on):
            """Say what lies there until it is taken for settled; return the next number."""
            for again in range(3):
                line.send(message(seq + again, on))
                service.look()
            assert service.status()["still"]
            return seq + 3

        seq = feel(1, START)
        seq = feel(seq, START - {"e2"})
        assert service.status()["lifted"] == "e2"
        seq = feel(seq, START - {"e2"} | {"e4"})
        assert [str(action) for action in stage.table.actions] == ["e2-e4"]
        assert ("sensors", "") in stage.box.trial.steps()
        assert set(stage.box.trial.felt()) == START - {"e2"} | {"e4"}
        line.send(message(seq, [*(START - {"e2"} | {"e4"}), 99]))
        service.look()
        assert stage.box.trial.felt()[-1] == "#99", "a cell that the wiring has not"
        seq += 1
        stage.table.play(CHESS.parse(stage.table.setup, "e7-e5"), "black")
        feel(seq, START - {"e2"} | {"e4"})
        assert set(service.status()["differs"]) == {"e5", "e7"}
        with pytest.raises(HardwareFault, match="no picture"):
            stage.equipment.calibrator.picture()
    again = Table.create(_journal(), CHESS, CHESS.setup())
    table_file = json.loads((tmp_path / "felt" / "table.json").read_text())
    reader = open_reader(CHESS, CHESS.setup(), table_file)
    lines = list(replay(open_source(tmp_path / "felt"), reader, again))
    assert [str(action) for action in again.actions][:1] == ["e2-e4"]
    assert len(lines) >= 3


class Slow:
    """A source whose frames come half a second after one another."""

    def __init__(self, source):
        self._source, self._count = source, 0

    def read(self):
        self._count += 1
        return replace(self._source.read(), at=0.5 * self._count)

    def close(self):
        self._source.close()


def _journal():
    return Journal(":memory:")


def test_a_recording_of_what_was_felt_is_read_alike(tmp_path):
    evening = FeltEvening("invictus", 3)
    recorder = Recorder(Recording(tmp_path / "felt"), evening.table)
    recorder.begin({"sensors": []})
    evening.recorder = recorder
    evening.play(10)
    read = Table.create(_journal(), evening.game, evening.table.setup)
    reader = open_reader(evening.game, read.setup, {"sensors": []})
    for _ in replay(open_source(tmp_path / "felt"), reader, read):
        pass
    assert read.actions == evening.table.actions
    assert len(read.actions) > 5


@pytest.mark.parametrize("text", ["{", '{"at": 1}', "[]", '{"frame": "1", "at": 0, "on": 3}'])
def test_a_recording_that_is_none_is_told_in_a_sentence(tmp_path, text):
    (tmp_path / "sensors.jsonl").write_text(text + "\n")
    with pytest.raises(BadInput, match="board of sensors"):
        open_source(tmp_path)


def test_the_sender_for_a_microcontroller_speaks_the_language():
    sender = runpy.run_path(str(BOARD))
    cells = sender["Cells"](64)
    closed = [cell < 16 or cell >= 48 for cell in range(64)]
    assert [cells.take(closed) for _ in range(3)] == [False, False, True]
    seq, sensed = parse(sender["messages"](cells, 9))
    assert (seq, sensed.occupied) == (9, {*range(16), *range(48, 64)})
    closed[12] = False
    for _ in range(3):
        cells.take(closed)
    closed[12] = True
    for _ in range(3):
        cells.take(closed)
    _, sensed = parse(sender["messages"](cells, 10))
    assert (12 in sensed.occupied, sensed.left) == (True, {12})


def test_the_sender_speaks_by_packets_and_by_a_serial_line(board, line, monkeypatch):
    sender = runpy.run_path(str(BOARD))
    cells = sender["Cells"](8)
    for _ in range(3):
        cells.take([True] * 8)
    source, to = board
    packets = sender["Udp"]("127.0.0.1", to.getpeername()[1])
    packets.send(sender["messages"](cells, 1))
    packets.close()
    assert felt(source, lambda sensed: True).occupied == set(range(8))
    theirs, name = line
    serial = open_sensors(f"serial:{name}")
    serial.read()
    with os.fdopen(os.dup(theirs), "w") as console:
        monkeypatch.setattr("sys.stdout", console)
        sender["Serial"]().send(sender["messages"](cells, 1))
    assert felt(serial, lambda sensed: True).occupied == set(range(8))
    serial.close()
