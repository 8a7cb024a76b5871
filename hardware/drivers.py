"""Real strips. What they need is imported when one is opened, never before."""

from __future__ import annotations

import socket
from abc import ABC, abstractmethod
from collections.abc import Callable
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_DNS, uuid5

from companion.rules import BadInput, HardwareFault
from companion.rules.given import quoted, whole_number
from hardware.strip import Pixels, SimulatedStrip, Strip

_REFRESH = 1.0
"""Seconds after which an unchanged frame is sent again, because WLED forgets and wires pick up
glitches."""


def open_strip(address: str, count: int, clock: Callable[[], float]) -> Strip:
    """Open the strip of ``count`` LEDs at ``address``: ``simulated``, ``ws281x:18`` (GPIO),
    ``spi:0.0`` (bus.device), ``wled:HOST`` (``wled:HOST:PORT``) or ``sacn:HOST``
    (``sacn:HOST:UNIVERSE``).

    Raises:
        BadInput: the address is none of these.
        HardwareFault: a package or the device is missing.
    """
    kind, _, rest = address.partition(":")
    if kind == "simulated" and not rest:
        return SimulatedStrip()
    if kind == "ws281x" and (pin := whole_number(rest or "18")) is not None:
        return Ws281xStrip(count, pin, clock)
    bus, device = map(whole_number, (rest or "0.0").partition(".")[::2])
    if kind == "spi" and bus is not None and device is not None:
        return SpiStrip(count, bus, device, clock)
    host, _, text = rest.partition(":")
    port = whole_number(text or str(WLED_PORT))
    if kind == "wled" and host and port is not None and 0 < port <= HIGHEST_PORT:
        return WledStrip(count, host, port, clock)
    universe = whole_number(text or "1")
    if kind == "sacn" and host and universe is not None and 0 < universe <= HIGHEST_UNIVERSE:
        return SacnStrip(count, host, universe, clock)
    raise BadInput(
        f"{quoted(address)} is no strip; write simulated, ws281x:18 (the GPIO), spi:0.0 (bus and "
        "device), wled:192.168.1.20 or sacn:192.168.1.20 (the address)"
    )


class _Refreshed(ABC):
    """Sends a frame when it changed or was last sent a second ago."""

    def __init__(self, count: int, clock: Callable[[], float]) -> None:
        self._count = count
        self._clock = clock
        self._shown: Pixels | None = None
        self._at = 0.0
        self._closed = False

    def show(self, pixels: Pixels) -> None:
        """Light the LEDs; see :class:`hardware.strip.Strip`."""
        if self._closed:
            raise HardwareFault("the strip has been closed; open it again")
        if len(pixels) != self._count:
            raise BadInput(f"the strip has {self._count} LEDs, the frame {len(pixels)}")
        now = self._clock()
        if pixels != self._shown or now - self._at >= _REFRESH:
            self._send(pixels)
            self._shown, self._at = pixels, now

    def close(self) -> None:
        """Put all LEDs out and give the device back."""
        if not self._closed:
            self._closed = True
            self._release()

    @abstractmethod
    def _send(self, pixels: Pixels) -> None:
        """Send a frame to the device."""

    @abstractmethod
    def _release(self) -> None:
        """Put all LEDs out and let the device go."""

    def _dark(self) -> Pixels:
        return ((0, 0, 0),) * self._count


WS281X_PINS = (18, 12, 13, 19, 21, 10)
"""GPIOs that can feed LEDs: PWM 18, 12, 13 and 19, PCM 21, SPI 10."""


class Ws281xStrip(_Refreshed):
    """WS2811 or WS2812 LEDs on a GPIO of a Raspberry Pi 1 to 4 or Zero (by DMA; needs root,
    or GPIO 10)."""

    def __init__(self, count: int, gpio: int, clock: Callable[[], float]) -> None:
        super().__init__(count, clock)
        if gpio not in WS281X_PINS:
            listed = ", ".join(map(str, WS281X_PINS))
            raise BadInput(f"GPIO {gpio} cannot feed LEDs; those that can are {listed}")
        native = _package("rpi_ws281x", "pip install 'tabletop-companion[pi]'")
        self._colour: Callable[[int, int, int], int] = native.Color
        # PWM channel 1 serves these pins; DMA 5 is the SD card's on some models, 10 is free.
        channel = 1 if gpio in (13, 19) else 0
        self._strip: Any = native.PixelStrip(count, gpio, dma=10, channel=channel)
        try:
            self._strip.begin()
        except RuntimeError as error:
            raise HardwareFault(
                f"the LEDs on GPIO {gpio} cannot be opened ({error}); a Pi 5 needs spi:0.0, "
                "and every GPIO but 10 needs root"
            ) from error

    def _send(self, pixels: Pixels) -> None:
        for index, (red, green, blue) in enumerate(pixels):
            self._strip.setPixelColor(index, self._colour(red, green, blue))
        try:
            self._strip.show()
        except RuntimeError as error:
            raise HardwareFault(f"the LEDs cannot be written to: {error}") from error

    def _release(self) -> None:
        self._send(self._dark())


SPI_HZ = 2_400_000
"""SPI clock: three SPI bits make one WS2812 bit of 1.25 microseconds."""
_RESET = bytes(90)
"""Bytes of silence that last 300 microseconds; newer WS2812B latch after 280."""
SPI_BUFFER = 4096
"""Bytes that Linux sends at once over SPI, unless ``spidev.bufsiz`` says otherwise."""
BUFFER_FILE = Path("/sys/module/spidev/parameters/bufsiz")
_LED_BYTES = 9
_BITS = tuple(
    int("".join("110" if value >> bit & 1 else "100" for bit in range(7, -1, -1)), 2).to_bytes(3)
    for value in range(256)
)


def spi_bytes(pixels: Pixels) -> bytes:
    """Return what the SPI line must send: 9 bytes an LED, green first, and the silences."""
    body = b"".join(_BITS[green] + _BITS[red] + _BITS[blue] for red, green, blue in pixels)
    return b"\0" + body + _RESET


def spi_buffer(file: Path = BUFFER_FILE) -> int:
    """Return how many bytes this machine sends at once over SPI."""
    try:
        return int(file.read_text())
    except (OSError, ValueError):
        return SPI_BUFFER


def spi_goes(frame: bytes, most: int) -> tuple[bytes, ...]:
    """Return ``frame`` divided into pieces of at most ``most`` bytes, cut only between two LEDs.

    The data line is low between two LEDs, so a pause only prolongs a low. LEDs that latch after 280
    microseconds (WS2812B and newer) continue with the frame; older ones that latch after 50 may
    begin anew. With a larger ``spidev.bufsiz`` everything is sent at once.
    """
    if len(frame) <= most:
        return (frame,)
    step = max(1, (most - 1) // _LED_BYTES) * _LED_BYTES
    cuts = [0, *range(1 + step, len(frame), step), len(frame)]
    return tuple(frame[begin:end] for begin, end in pairwise(cuts))


class SpiStrip(_Refreshed):
    """WS2812 LEDs on the SPI data line (GPIO 10) of any Raspberry Pi, also the 5; no root."""

    def __init__(
        self,
        count: int,
        bus: int,
        device: int,
        clock: Callable[[], float],
        buffer_file: Path = BUFFER_FILE,
    ) -> None:
        super().__init__(count, clock)
        self._most = spi_buffer(buffer_file)
        native = _package("spidev", "sudo apt install python3-spidev")
        self._spi: Any = native.SpiDev()
        try:
            self._spi.open(bus, device)
        except OSError as error:
            raise HardwareFault(
                f"/dev/spidev{bus}.{device} cannot be opened ({error.strerror}); switch SPI on "
                "with raspi-config and join the group spi"
            ) from error
        self._spi.max_speed_hz = SPI_HZ
        self._spi.mode = 0

    def _send(self, pixels: Pixels) -> None:
        try:
            for go in spi_goes(spi_bytes(pixels), self._most):
                self._spi.writebytes2(go)
        except OSError as error:
            raise HardwareFault(
                f"the LEDs on SPI cannot be written to: {error.strerror}"
            ) from error

    def _release(self) -> None:
        try:
            self._send(self._dark())
        finally:
            self._spi.close()


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


class _UdpStrip(_Refreshed):
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
        colours = b"".join(map(bytes, pixels))
        each = 3 * SACN_LEDS
        return tuple(
            sacn_packet(self._first + place, self._sequence, colours[at : at + each])
            for place, at in enumerate(range(0, len(colours), each))
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


def _package(name: str, remedy: str) -> Any:
    """Import a hardware package.

    Raises:
        HardwareFault: it is not installed; says how to get it.
    """
    try:
        return import_module(name)
    except ImportError as error:
        raise HardwareFault(
            f"the package {name} is not installed; install it with: {remedy}"
        ) from error
