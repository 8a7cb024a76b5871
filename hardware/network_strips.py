"""Strips on controllers in the network, each by its published protocol."""

from __future__ import annotations

import json
import socket
from abc import abstractmethod
from collections.abc import Callable
from typing import Any
from uuid import NAMESPACE_DNS, uuid5

from companion.rules import HardwareFault
from companion.rules.given import quoted, whole_number
from hardware.refreshed import RefreshedStrip, package
from hardware.strip import Pixels, Strip

WLED_PORT = 21324
HIGHEST_PORT, HIGHEST_UNIVERSE = 65_535, 63_999
WLED_HOLD = 3
"""Seconds after which a WLED controller that hears nothing goes back to its own effect."""
_DRGB, _DNRGB = 2, 4
_DRGB_MOST, _DNRGB_MOST = 490, 489


def wled_packets(pixels: Pixels) -> tuple[bytes, ...]:
    """Return the frame in WLED's realtime protocol: DRGB, for longer strips DNRGB packets.

    Byte 0 names the protocol, byte 1 the seconds to hold; DNRGB adds the first LED's index.
    """
    colours = [bytes(pixel) for pixel in pixels]
    if len(colours) <= _DRGB_MOST:
        return (bytes((_DRGB, WLED_HOLD)) + b"".join(colours),)
    return tuple(
        bytes((_DNRGB, WLED_HOLD))
        + first.to_bytes(2)
        + b"".join(colours[first : first + _DNRGB_MOST])
        for first in range(0, len(colours), _DNRGB_MOST)
    )


class _UdpStrip(RefreshedStrip):
    """LEDs on a controller in the network that hears datagrams."""

    def __init__(self, count: int, host: str, port: int, clock: Callable[[], float]) -> None:
        super().__init__(count, clock)
        self._host = host
        self._address: Any
        try:
            family, kind, _, _, self._address = socket.getaddrinfo(
                host, port, type=socket.SOCK_DGRAM
            )[0]
            self._socket = socket.socket(family, kind)
        except (OSError, UnicodeError) as error:  # a name may be none that a network can ask for
            raise HardwareFault(
                f"the controller {quoted(host)} is not known in this network; "
                "give its address in numbers"
            ) from error

    @abstractmethod
    def _packets(self, pixels: Pixels) -> tuple[bytes, ...]:
        """Return a frame as datagrams."""

    @abstractmethod
    def _farewell(self) -> tuple[bytes, ...]:
        """Return the datagrams that let the controller go."""

    def _send(self, pixels: Pixels) -> None:
        self._transmit(self._packets(pixels))

    def _release(self) -> None:
        try:
            self._transmit(self._farewell())
        finally:
            self._socket.close()

    def _transmit(self, packets: tuple[bytes, ...]) -> None:
        try:
            for packet in packets:
                self._socket.sendto(packet, self._address)
        except OSError as error:
            raise HardwareFault(
                f"the controller {quoted(self._host)} cannot be reached: {error.strerror}"
            ) from error


class WledStrip(_UdpStrip):
    """LEDs on a WLED controller, by its realtime protocol."""

    def _packets(self, pixels: Pixels) -> tuple[bytes, ...]:
        return wled_packets(pixels)

    def _farewell(self) -> tuple[bytes, ...]:
        # Zero seconds to hold: the controller leaves realtime mode at once.
        return (bytes((_DRGB, 0)),)


SACN_PORT = 5568
SACN_LEDS = 170
"""LEDs of one universe: 512 channels, three a LED, none divided."""
_SACN_SOURCE = b"tabletop companion".ljust(64, b"\0")
_SACN_ID = uuid5(NAMESPACE_DNS, "tabletop-companion").bytes
_SACN_PRIORITY, _SACN_ENDED = 100, 0x40


def sacn_packet(universe: int, sequence: int, colours: bytes, ended: bool = False) -> bytes:
    """Return a data packet of streaming ACN (ANSI E1.31-2018, tables 4-1, 5-1 and 7-1) that sets
    the channels of ``universe``, or says that the stream has ended."""

    def length(octets: int) -> bytes:
        return (0x7000 | octets).to_bytes(2)

    values = b"\0" + colours  # the start code of plain levels
    layer = b"\x02\xa1\0\0\0\1" + len(values).to_bytes(2) + values
    layer = length(len(layer) + 2) + layer
    options = _SACN_ENDED if ended else 0
    frame = _SACN_SOURCE + bytes((_SACN_PRIORITY, 0, 0, sequence & 255, options))
    frame = b"\0\0\0\x02" + frame + universe.to_bytes(2) + layer
    frame = length(len(frame) + 2) + frame
    root = b"\0\0\0\x04" + _SACN_ID + frame
    return b"\0\x10\0\0ASC-E1.17\0\0\0" + length(len(root) + 2) + root


class SacnStrip(_UdpStrip):
    """LEDs on a controller that takes streaming ACN, universe after universe."""

    def __init__(self, count: int, host: str, universe: int, clock: Callable[[], float]) -> None:
        super().__init__(count, host, SACN_PORT, clock)
        self._first = universe
        self._sequence = 0

    def _packets(self, pixels: Pixels) -> tuple[bytes, ...]:
        self._sequence += 1
        return tuple(
            sacn_packet(self._first + place, self._sequence, part)
            for place, part in enumerate(_universes(pixels))
        )

    def _farewell(self) -> tuple[bytes, ...]:
        # The standard asks for the end to be told three times.
        dark = self._dark()
        ends: list[bytes] = []
        universes = range(self._first, self._first + -(-len(dark) // SACN_LEDS))
        parting = self._packets(dark)
        for _ in range(3):
            self._sequence += 1
            ends += [sacn_packet(u, self._sequence, b"", ended=True) for u in universes]
        return (*parting, *ends)


ARTNET_PORT = 6454
HIGHEST_ARTNET = 32_767
"""The greatest port-address: 7 bits of net, 4 of sub-net, 4 of universe."""
_ARTNET_HEAD = b"Art-Net\0" + (0x5000).to_bytes(2, "little") + (14).to_bytes(2)


def artnet_packet(universe: int, sequence: int, colours: bytes) -> bytes:
    """Return an ArtDmx packet (Art-Net 4) that sets the channels of ``universe``; ``sequence`` goes
    from 1 to 255, and the number of channels is even."""
    channels = colours + b"\0" * (len(colours) % 2)
    numbers = bytes((sequence, 0)) + universe.to_bytes(2, "little") + len(channels).to_bytes(2)
    return _ARTNET_HEAD + numbers + channels


class ArtnetStrip(_UdpStrip):
    """LEDs on a controller that takes Art-Net, universe after universe."""

    def __init__(self, count: int, host: str, universe: int, clock: Callable[[], float]) -> None:
        super().__init__(count, host, ARTNET_PORT, clock)
        self._first, self._sequence = universe, 0

    def _packets(self, pixels: Pixels) -> tuple[bytes, ...]:
        self._sequence = self._sequence % 255 + 1
        return tuple(
            artnet_packet(self._first + place, self._sequence, part)
            for place, part in enumerate(_universes(pixels))
        )

    def _farewell(self) -> tuple[bytes, ...]:
        return self._packets(self._dark())


def _universes(pixels: Pixels) -> list[bytes]:
    """Return the colours of ``pixels`` in parts that fill one universe each."""
    colours = b"".join(map(bytes, pixels))
    return [colours[at : at + 3 * SACN_LEDS] for at in range(0, len(colours), 3 * SACN_LEDS)]


DDP_PORT = 4048
DDP_BYTES = 1440
"""Bytes of colours in one packet, 480 LEDs: what fits a frame of Ethernet."""
_DDP_VERSION, _DDP_PUSH, _DDP_RGB, _DDP_DISPLAY = 0x40, 0x01, 0x0B, 1


def ddp_packets(pixels: Pixels, sequence: int) -> tuple[bytes, ...]:
    """Return the frame in the Distributed Display Protocol: each packet names the place of its
    first byte, the last one has all of them shown; ``sequence`` goes from 1 to 15."""
    colours = b"".join(map(bytes, pixels))
    packets = []
    for at in range(0, len(colours), DDP_BYTES):
        part = colours[at : at + DDP_BYTES]
        last = at + DDP_BYTES >= len(colours)
        flags = _DDP_VERSION | (_DDP_PUSH if last else 0)
        head = bytes((flags, sequence, _DDP_RGB, _DDP_DISPLAY))
        packets.append(head + at.to_bytes(4) + len(part).to_bytes(2) + part)
    return tuple(packets)


class DdpStrip(_UdpStrip):
    """LEDs on a controller that takes DDP, as WLED, xLights' and many others do."""

    def __init__(self, count: int, host: str, port: int, clock: Callable[[], float]) -> None:
        super().__init__(count, host, port, clock)
        self._sequence = 0

    def _packets(self, pixels: Pixels) -> tuple[bytes, ...]:
        self._sequence = self._sequence % 15 + 1
        return ddp_packets(pixels, self._sequence)

    def _farewell(self) -> tuple[bytes, ...]:
        return self._packets(self._dark())


ESPHOME_PAUSE = 0.1
"""Seconds between two frames at least: a broker is no strip."""
CONNECTING = 5.0
"""Seconds that a broker has to answer."""
TURN = 0.1
"""Seconds for which a broker is listened to at once while it is waited for."""
BROKER_PORT = 1883


def esphome_command(colour: tuple[int, int, int]) -> str:
    """Return the JSON by which an ESPHome light shows ``colour``: its hue at full strength, and how
    bright; black is off."""
    bright = max(colour)
    if not bright:
        return '{"state":"OFF","transition":0}'
    red, green, blue = (round(255 * part / bright) for part in colour)
    shown = {"r": red, "g": green, "b": blue}
    told = {"state": "ON", "brightness": bright, "color_mode": "rgb", "color": shown}
    return json.dumps({**told, "transition": 0}, separators=(",", ":"))


class EsphomeStrip(RefreshedStrip):
    """Lights of an ESPHome node behind an MQTT broker: LED 0 is its light ``led_0``, and so on.
    Only those that change are told, ten times a second at most."""

    def __init__(
        self, count: int, host: str, port: int, node: str, clock: Callable[[], float]
    ) -> None:
        super().__init__(count, clock)
        native = package("paho.mqtt.client", "pip install 'tabletop-companion[club]'")
        self._node, self._told, self._due = node, [""] * count, 0.0
        self._client: Any = native.Client(native.CallbackAPIVersion.VERSION2)
        self._client.connect_timeout = CONNECTING
        self._where = f"the broker {quoted(host)}"
        try:
            self._client.connect(host, port)
        except (OSError, UnicodeError) as error:
            raise HardwareFault(f"{self._where} cannot be reached: {error}") from error
        self._wait_for_it()

    def show(self, pixels: Pixels) -> None:
        """Light the LEDs; see :class:`hardware.strip.Strip`."""
        if self._clock() >= self._due:
            self._due = self._clock() + ESPHOME_PAUSE
            super().show(pixels)

    def _send(self, pixels: Pixels) -> None:
        wanted = [esphome_command((red, green, blue)) for red, green, blue in pixels]
        changed = [n for n, told in enumerate(self._told) if told != wanted[n]]
        for number in changed:
            topic = f"{self._node}/light/led_{number}/command"
            self._client.publish(topic, wanted[number])
        self._told = wanted
        if code := self._client.loop(timeout=0.0):
            # What was under way is lost: all is told again once the broker is back.
            self._told = [""] * self._count
            try:
                self._client.reconnect()
            except OSError as error:
                raise HardwareFault(f"{self._where} cannot be reached: {error}") from error
            raise HardwareFault(f"the line to {self._where} was cut (code {code})")

    def _release(self) -> None:
        self._send(self._dark())
        self._client.disconnect()
        self._client.loop(timeout=0.1)

    def _wait_for_it(self) -> None:
        for _ in range(int(CONNECTING / TURN)):
            if self._client.is_connected():
                return
            if self._client.loop(timeout=TURN):
                break
        raise HardwareFault(f"{self._where} does not let the table in")


def open_network_strip(
    kind: str, rest: str, count: int, clock: Callable[[], float]
) -> Strip | None:
    """Open the strip of ``count`` LEDs behind ``kind:rest``; None where that names none.

    Raises:
        HardwareFault: a package is missing, or the controller is not known.
    """
    host, _, text = rest.partition(":")
    if kind == "esphome":
        (broker, _, node), port = host.partition("/"), BROKER_PORT
        if text:
            number, _, node = text.partition("/")
            broker, port = host, whole_number(number) or 0
        good = broker and node and "+" not in node and "#" not in node and 0 < port <= HIGHEST_PORT
        return EsphomeStrip(count, broker, port, node, clock) if good else None
    numbers = {
        "wled": (WLED_PORT, 1, HIGHEST_PORT, WledStrip),
        "ddp": (DDP_PORT, 1, HIGHEST_PORT, DdpStrip),
        "sacn": (1, 1, HIGHEST_UNIVERSE, SacnStrip),
        "artnet": (0, 0, HIGHEST_ARTNET, ArtnetStrip),
    }
    if kind not in numbers or not host:
        return None
    usual, least, most, make = numbers[kind]
    place = whole_number(text or str(usual))
    return make(count, host, place, clock) if place is not None and least <= place <= most else None
