"""Frames from boards of sensors: over the network, by a broker, a serial line, or from one that
knows its pieces.

    udp:4210                 messages that the board sends to this port
    mqtt://HOST:1883/TOPIC   messages that an MQTT broker passes on
    serial:/dev/ttyUSB0      the same, line by line (``?baud=115200``)
    dgt:/dev/ttyACM0         a board with the DGT protocol (``?turned``: it stands the other way)
"""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from typing import Any, Protocol

from companion.rules import BadInput, CompanionError, HardwareFault, say
from companion.rules.given import quoted, whole_number
from vision.frames import PATIENCE, Frame, Sensed
from vision.sensing.messages import MOST_BYTES, Messages

KINDS = ("udp", "mqtt", "serial", "dgt")
TURN = 0.1
"""Seconds for which a frame waits for news."""
BAUD, HIGHEST_PORT = 115_200, 65_535


class Wire(Protocol):
    """An open line to a board of sensors."""

    def receive(self, seconds: float) -> Sequence[Sensed]:
        """Return the messages that came since the last call, the oldest first; where there are
        none, wait up to ``seconds`` for one.

        Raises:
            BadInput: something came that is not understood.
            HardwareFault: the board is gone.
        """

    def close(self) -> None:
        """Let go of the line."""


class SensorSource:
    """A board of sensors as a source of frames; opened when first read, and again after it was
    lost. ``name`` is what a fault calls it."""

    def __init__(
        self, connect: Callable[[], Wire], name: str, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._connect, self._name, self._clock = connect, name, clock
        self._wire: Wire | None = None
        self._count, self._heard = 0, 0.0
        self._last: Sensed | None = None

    def read(self) -> Frame:
        """Return what is felt now, within a tenth of a second. There is always a next frame.

        Raises:
            HardwareFault: the board is gone; reading again tries to open it again.
        """
        if self._wire is None:
            self._wire, self._heard = self._connect(), self._clock()
        try:
            came, trouble = self._wire.receive(TURN), ""
        except BadInput as error:
            came, trouble = (), error.sentence
        except CompanionError:
            self.close()
            raise
        now = self._clock()
        if came:
            self._heard = now
        elif now - self._heard > PATIENCE:
            self.close()
            raise HardwareFault(
                say("{name} is silent; is it plugged in and switched on?", name=self._name)
            )
        left = frozenset(spot for one in came for spot in one.left)
        for before, after in zip([self._last, *came], came, strict=False):
            left |= (before.occupied - after.occupied) if before else frozenset()
        self._last = came[-1] if came else self._last
        self._count += 1
        last = self._last
        sensed = last and Sensed(last.occupied, left, last.tokens)
        return Frame(None, now, f"{self._count:06d}", trouble, sensed=sensed)

    def now(self) -> float:
        """Return the time by which frames are told, in seconds."""
        return self._clock()

    def close(self) -> None:
        """Let go of the board; reading again opens it again."""
        wire, self._wire = self._wire, None
        self._last = None
        if wire is not None:
            wire.close()


class UdpWire:
    """Messages that a board sends to a port of this machine: the first that is heard, and no other
    as long as it is.

    Raises:
        HardwareFault: the port cannot be had.
    """

    def __init__(self, port: int) -> None:
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            self._socket.bind(("", port))
        except OSError as error:
            self._socket.close()
            raise HardwareFault(
                say("port {port} cannot be listened at: {why}", port=port, why=str(error.strerror))
            ) from error
        self._messages, self._sender = Messages(), ""

    @property
    def port(self) -> int:
        """Return the port that is listened at."""
        return int(self._socket.getsockname()[1])

    def receive(self, seconds: float) -> Sequence[Sensed]:
        """Return the next message of the board, or none after ``seconds``; those of other senders
        than the first are passed over."""
        self._socket.settimeout(seconds)
        try:
            data, (sender, _) = self._socket.recvfrom(MOST_BYTES + 1)
        except TimeoutError:
            return []
        if sender != (self._sender or sender):
            return []
        came = [self._messages.take(data)]
        self._sender = sender
        return came

    def close(self) -> None:
        """Listen no more."""
        self._socket.close()


class SerialWire:
    """Messages line by line from a serial ``port`` (of the package pyserial)."""

    def __init__(self, port: Any) -> None:
        self._port, self._messages = port, Messages()
        self._rest = b""

    def receive(self, seconds: float) -> Sequence[Sensed]:
        """Return the messages of all whole lines that the port gave within ``seconds``."""
        *lines, self._rest = (self._rest + received(self._port, seconds)).split(b"\n")
        if len(self._rest) > MOST_BYTES:
            self._rest = b""
        return [self._messages.take(line) for line in lines if line.strip()]

    def close(self) -> None:
        """Give the port back."""
        self._port.close()


def received(port: Any, seconds: float) -> bytes:
    """Return the bytes that wait at a serial port; up to ``seconds`` are waited for the first.

    Raises:
        HardwareFault: it is gone.
    """
    port.timeout = seconds
    try:
        first = port.read(1)
        return bytes(first + port.read(port.in_waiting)) if first else b""
    except OSError as error:
        raise HardwareFault(
            say("{name} is gone: {why}", name=str(port.name), why=str(error))
        ) from error


def open_serial(device: str, baud: int) -> Any:
    """Open a serial port.

    Raises:
        HardwareFault: the package or the device is missing, or busy.
    """
    try:
        serial = import_module("serial")
    except ImportError as error:
        raise HardwareFault(
            "serial boards need the package pyserial: pip install 'tabletop-companion[sensors]'"
        ) from error
    try:
        return serial.Serial(device, baud, timeout=TURN, exclusive=True)
    except (OSError, ValueError) as error:
        raise HardwareFault(
            say("{device} cannot be opened: {why}", device=device, why=str(error))
        ) from error


def is_felt(address: str) -> bool:
    """Tell whether ``address`` is that of a board of sensors, which sends no pictures."""
    return address.partition(":")[0] in KINDS


def _named(place: str) -> str:
    return say("the board of sensors at {place}", place=place)


def open_sensors(address: str) -> SensorSource:
    """Return the board of sensors at ``address``; it is opened when it is first read.

    Raises:
        BadInput: the address is none of these.
    """
    kind, _, rest = address.partition(":")
    place, _, settings = rest.partition("?")
    port = whole_number(place)
    if kind == "udp" and port is not None and 0 <= port <= HIGHEST_PORT and not settings:
        return SensorSource(partial(UdpWire, port), _named(f"port {port}"))
    if kind == "mqtt":
        from vision.sensing.mqtt_wire import MqttWire, read_topic

        where = read_topic(address)
        return SensorSource(partial(MqttWire, where), _named(where.place))
    name = _named(place)
    if kind == "dgt" and place and settings in ("", "turned"):
        from vision.sensing import dgt

        def known() -> Wire:
            return dgt.DgtWire(open_serial(place, dgt.BAUD), turned=bool(settings))

        return SensorSource(known, name)
    word, _, text = settings.partition("=")
    baud = whole_number(text) if settings else BAUD
    if kind == "serial" and place and word in ("", "baud") and baud:
        return SensorSource(lambda: SerialWire(open_serial(place, baud)), name)
    raise BadInput(
        f"{quoted(address)} is no board of sensors; write udp:4210 (a port), "
        "mqtt://192.168.1.9/board, serial:/dev/ttyUSB0?baud=115200 or dgt:/dev/ttyACM0"
    )
