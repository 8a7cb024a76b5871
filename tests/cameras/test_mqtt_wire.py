"""Boards of sensors by a real MQTT broker: what is retained, nonsense, a broker that is away."""

from __future__ import annotations

import json
import runpy
import sys
from pathlib import Path
from types import ModuleType

import paho.mqtt.client as paho
import pytest

from companion.rules import BadInput, HardwareFault
from tests.checks.club_servers import lone_broker
from vision.sensing.messages import MOST_BYTES
from vision.sensing.mqtt_wire import MOST_PACKET, Topic, read_topic
from vision.sensing.sensor_source import open_sensors
from vision.sources.cameras import is_live, open_source


@pytest.fixture
def broker():
    with lone_broker() as running:
        yield running


class Board:
    """A board that publishes at a broker as it is done: each message is there before the next."""

    def __init__(self, port):
        self._client = paho.Client(paho.CallbackAPIVersion.VERSION2)
        self._client.connect("127.0.0.1", port)
        self._client.loop_start()

    def say(self, data, retain=False):
        self._client.publish("table/board", data, qos=1, retain=retain).wait_for_publish(20)

    def feel(self, seq, on, retain=False, **more):
        self.say(json.dumps({"v": 1, "seq": seq, "on": on, **more}), retain)

    def close(self):
        self._client.disconnect()
        self._client.loop_stop()


@pytest.fixture
def board(broker):
    client = Board(broker.port)
    yield client
    client.close()


@pytest.fixture
def source(broker):
    opened = open_sensors(f"{broker.address}/table/board")
    yield opened
    opened.close()


def until(source, wanted):
    """Return the first frame that is as ``wanted``, and all that was lifted until then."""
    left = set()
    for _ in range(200):
        frame = source.read()
        left |= frame.sensed.left if frame.sensed else set()
        if wanted(frame):
            return frame, left
    raise AssertionError(f"never came: {frame}")


def stands(*spots):
    return lambda frame: frame.sensed is not None and frame.sensed.occupied == set(spots)


def test_what_the_broker_retains_is_how_the_board_stands(board, source):
    board.feel(7, [0, 1], retain=True)
    _, left = until(source, stands(0, 1))
    assert not left
    board.feel(8, [0], left=[1])
    assert until(source, stands(0))[1] == {1}
    board.feel(9, [0, "e4"])
    assert until(source, stands(0, "e4"))[1] == set()


def test_after_a_lost_message_anything_may_have_been_lifted(board, source):
    board.feel(1, [0, 1], retain=True)
    until(source, stands(0, 1))
    board.feel(3, [0, 1, 2])
    assert until(source, stands(0, 1, 2))[1] == {0, 1, 2}


def test_nonsense_is_told_and_passed_over(board, source):
    board.feel(1, [5], retain=True)
    until(source, stands(5))
    board.say("hello")
    board.say(b" " * (MOST_BYTES + 1))
    board.feel(2, [6])
    for _ in range(2):
        frame, _ = until(source, lambda frame: frame.trouble)
        assert "board of sensors" in frame.trouble
        assert len(frame.trouble) < 200
    until(source, stands(6))


@pytest.mark.parametrize(
    ("data", "retain"), [(b" " * (MOST_PACKET + 1), False), (b"", True)], ids=["too long", "empty"]
)
def test_a_message_that_never_leaves_the_broker_and_an_empty_last_will_say_nothing(
    board, source, data, retain
):
    board.feel(1, [5], retain=True)
    until(source, stands(5))
    board.say(data, retain)
    board.feel(2, [6])
    frame, _ = until(source, lambda frame: frame.trouble or stands(6)(frame))
    assert not frame.trouble


def test_a_broker_that_goes_is_told_and_found_again(broker, board, source):
    board.feel(1, [5], retain=True)
    until(source, stands(5))
    broker.kill()
    with pytest.raises(HardwareFault, match=f"The broker at 127.0.0.1:{broker.port} cannot"):
        until(source, lambda frame: False)
    with pytest.raises(HardwareFault, match="cannot be reached"):
        source.read()
    broker.start()
    again = Board(broker.port)
    again.feel(40, [5, 6], retain=True)
    until(source, stands(5, 6))
    again.close()


def test_a_broker_that_lets_nobody_in_is_told_without_the_password(broker):
    broker.kill()
    config = Path(broker.command[-1])
    config.write_text(config.read_text().replace("allow_anonymous true", "allow_anonymous false"))
    broker.start()
    source = open_sensors(f"mqtt://board:s3cret@127.0.0.1:{broker.port}/table/board")
    with pytest.raises(HardwareFault, match="cannot be reached: Not authorized") as told:
        until(source, lambda frame: False)
    assert "s3cret" not in str(told.value)
    source.close()


def test_an_address_names_host_port_and_topic():
    assert read_topic("mqtt://10.0.0.9/board") == Topic("10.0.0.9", 1883, "board")
    named = read_topic("mqtt://me:p%40ss@broker:1884/home/tables/chess%20one")
    assert named == Topic("broker", 1884, "home/tables/chess one", "me", "p@ss")
    assert named.place == "broker:1884/home/tables/chess one"
    assert is_live("mqtt://10.0.0.9/board")


@pytest.mark.parametrize(
    "address",
    [
        "mqtt:", "mqtt://", "mqtt://host", "mqtt://host/", "mqtt:///board", "mqtt://host:0/board",
        "mqtt://host:x/board", "mqtt://host:70000/board", "mqtt://host/boards/+", "mqtt://[/board",
        "mqtt://host/board#all", "mqtt://host/board/%23", "mqtt://host/board?x=1", "mqtt://h/%00",
        "mqtt://h/" + "x" * 70_000, "mqtt:host/board", "mqtt://me:s3cret@host",
    ],
)  # fmt: skip
def test_an_address_that_names_no_topic_is_refused_without_its_password(address):
    with pytest.raises(BadInput, match=r"mqtt://192\.168\.1\.9:1883/board") as told:
        open_source(address)
    assert "s3cret" not in str(told.value)


def test_a_package_that_is_missing_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "paho.mqtt.client", None)
    with pytest.raises(HardwareFault, match=r"tabletop-companion\[sensors\]"):
        open_sensors("mqtt://127.0.0.1/board").read()


class SimpleClient:
    """MicroPython's ``umqtt.simple`` as its documentation has it, on another library."""

    def __init__(self, name, host, port, keepalive):
        self._where = host, port, keepalive
        self._client = paho.Client(paho.CallbackAPIVersion.VERSION2, client_id=name)

    def set_last_will(self, topic, msg, retain):
        self._client.will_set(topic.decode(), msg, retain=retain)

    def connect(self):
        self._client.connect(*self._where)
        self._client.loop_start()

    def publish(self, topic, msg, retain):
        self._client.publish(topic.decode(), msg, 1, retain).wait_for_publish(20)

    def close(self):
        self._client.disconnect()
        self._client.loop_stop()


def test_the_sender_publishes_what_stands(broker, source, monkeypatch):
    simple = ModuleType("umqtt.simple")
    simple.MQTTClient = SimpleClient
    monkeypatch.setitem(sys.modules, "umqtt", ModuleType("umqtt"))
    monkeypatch.setitem(sys.modules, "umqtt.simple", simple)
    sender = runpy.run_path(str(Path(__file__).parents[2] / "docs" / "sensor-board" / "main.py"))
    cells = sender["Cells"](4)
    for _ in range(3):
        cells.take([True, False, True, False])
    line = sender["Mqtt"]("127.0.0.1", broker.port, b"table/board")
    line.send(sender["messages"](cells, 1))
    until(source, stands(0, 2))
    line._client.close()
