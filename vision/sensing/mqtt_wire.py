"""Messages of a board of sensors that come by an MQTT broker (5.0), by paho-mqtt."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

from companion.rules import BadInput, HardwareFault, say
from vision.frames import PATIENCE, Sensed
from vision.sensing.messages import MOST_BYTES, Messages

BROKER_PORT = 1883
KEEPALIVE = 20
"""Seconds of silence after which the broker is asked whether it is still there."""
MOST_PACKET = 4 * MOST_BYTES
"""Bytes of the greatest packet that the broker is to send us: a greater one it keeps."""
MOST_AT_ONCE = 100
"""Messages that are taken in before any of them is looked at."""
MOST_TOPIC = 65_535


class Topic(NamedTuple):
    """Where a board's messages are: a ``topic`` of the broker at ``host`` and ``port``, which lets
    in ``name`` with ``password`` (empty: whoever comes)."""

    host: str
    port: int
    topic: str
    name: str = ""
    password: str = ""

    @property
    def place(self) -> str:
        """Return how people call it, without its password."""
        return f"{self.host}:{self.port}/{self.topic}"


def read_topic(address: str) -> Topic:
    """Return what ``mqtt://NAME:PASSWORD@HOST:PORT/TOPIC`` names.

    Raises:
        BadInput: it names no topic.
    """
    try:
        parts = urlsplit(address)
        port = BROKER_PORT if parts.port is None else parts.port
    except ValueError:
        parts, port = urlsplit(""), 0
    topic = unquote(parts.path[1:])
    good = parts.hostname and port and not parts.query and not parts.fragment
    if not good or not 0 < len(topic.encode()) <= MOST_TOPIC or set(topic) & set("+#\0"):
        # It is not repeated: it may hold a password.
        raise BadInput("a board of sensors by MQTT is written as mqtt://192.168.1.9:1883/board")
    name, password = unquote(parts.username or ""), unquote(parts.password or "")
    return Topic(str(parts.hostname), port, topic, name, password)


class MqttWire:
    """Messages of one topic. The one that the broker retains is how the board stands now; an empty
    one, as a last will may be, says nothing.

    Raises:
        HardwareFault: the package is missing, or the broker cannot be reached.
    """

    def __init__(self, where: Topic) -> None:
        try:
            paho: Any = import_module("paho.mqtt.client")
        except ImportError as error:
            raise HardwareFault(
                "boards of sensors by MQTT need the package paho-mqtt: "
                "pip install 'tabletop-companion[sensors]'"
            ) from error
        self._where, self._refused = where, ""
        self._came: deque[bytes] = deque()
        self._messages = Messages()
        self._client: Any = paho.Client(
            paho.CallbackAPIVersion.VERSION2, protocol=paho.MQTTv5, reconnect_on_failure=False
        )
        self._client.connect_timeout = PATIENCE
        self._client.on_connect, self._client.on_subscribe = self._connected, self._subscribed
        self._client.on_message = self._heard
        self._good, self._told = paho.MQTT_ERR_SUCCESS, paho.error_string
        if where.name:
            self._client.username_pw_set(where.name, where.password)
        properties = import_module("paho.mqtt.properties")
        most = properties.Properties(import_module("paho.mqtt.packettypes").PacketTypes.CONNECT)
        most.MaximumPacketSize = MOST_PACKET
        try:
            self._client.connect(where.host, where.port, keepalive=KEEPALIVE, properties=most)
        except (OSError, ValueError) as error:  # a name may be none that a network can ask for
            raise self._away(str(error)) from error

    def receive(self, seconds: float) -> Sequence[Sensed]:
        """Return the messages that came within ``seconds``, up to the first that is none.

        Raises:
            BadInput: the next is none.
            HardwareFault: the broker is gone, or does not let us in.
        """
        if not self._came:
            self._take_in(seconds)
        came: list[Sensed] = []
        while self._came:
            try:
                came.append(self._messages.take(self._came[0]))
            except BadInput:
                if came:
                    break  # told by itself, the next time
                self._came.popleft()
                raise
            self._came.popleft()
        return came

    def close(self) -> None:
        """Take leave of the broker."""
        self._client.disconnect()
        self._client.loop(timeout=0.0)

    def _take_in(self, seconds: float) -> None:
        code, before = self._client.loop(timeout=seconds), -1
        # The library takes in one packet at a time.
        while code == self._good and before < len(self._came) < MOST_AT_ONCE:
            before = len(self._came)
            code = self._client.loop(timeout=0.0)
        if self._refused or code != self._good:
            raise self._away(self._refused or self._told(code))

    def _away(self, why: str) -> HardwareFault:
        place = f"{self._where.host}:{self._where.port}"
        return HardwareFault(
            say("the broker at {place} cannot be reached: {why}", place=place, why=why)
        )

    def _connected(self, client: Any, data: Any, flags: Any, reason: Any, more: Any) -> None:
        if reason.is_failure:
            self._refused = str(reason)
        else:
            client.subscribe(self._where.topic)

    def _subscribed(self, client: Any, data: Any, number: int, reasons: Any, more: Any) -> None:
        self._refused = next((str(reason) for reason in reasons if reason.is_failure), "")

    def _heard(self, client: Any, data: Any, message: Any) -> None:
        if message.payload:
            self._came.append(bytes(message.payload))
