"""Real strips. What they need is imported when one is opened, never before."""

from __future__ import annotations

import socket
from abc import ABC, abstractmethod
from collections.abc import Callable
from importlib import import_module
from typing import Any

from companion.rules import BadInput, HardwareFault
from hardware.strip import Pixels, SimulatedStrip, Strip

_REFRESH = 1.0
"""Seconds after which an unchanged frame is sent again: WLED forgets, wires pick up glitches."""


def open_strip(address: str, count: int, clock: Callable[[], float]) -> Strip:
    """Open the strip of ``count`` LEDs at ``address``: ``simulated``, ``ws281x:18`` (GPIO),
    ``spi:0.0`` (bus.device) or ``wled:HOST`` (``wled:HOST:PORT``).

    Raises:
        BadInput: the address is none of these.
        HardwareFault: a package or the device is missing.
    """
    kind, _, rest = address.partition(":")
    if kind == "simulated" and not rest:
        return SimulatedStrip()
    if kind == "ws281x" and (rest or "18").isdecimal():
        return Ws281xStrip(count, int(rest or "18"), clock)
    bus, _, device = (rest or "0.0").partition(".")
    if kind == "spi" and bus.isdecimal() and device.isdecimal():
        return SpiStrip(count, int(bus), int(device), clock)
    host, _, port = rest.partition(":")
    if kind == "wled" and host and (port or "1").isdecimal():
        return WledStrip(count, host, int(port) if port else WLED_PORT, clock)
    raise BadInput(
        f"{address!r} is no strip; write simulated, ws281x:18 (the GPIO), spi:0.0 (bus and "
        "device) or wled:192.168.1.20 (the address)"
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


class Ws281xStrip(_Refreshed):
    """WS2811 or WS2812 LEDs on a GPIO of a Raspberry Pi 1 to 4 or Zero (by DMA; needs root,
    or GPIO 10)."""

    def __init__(self, count: int, gpio: int, clock: Callable[[], float]) -> None:
        super().__init__(count, clock)
        native = _package("rpi_ws281x", "pip install 'tabletop-companion[pi]'")
        self._colour: Callable[[int, int, int], int] = native.Color
        # PWM channel 1 serves these pins; DMA 5 is the SD card's on some models, 10 is free.
        channel = 1 if gpio in (13, 19, 41, 45, 53) else 0
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
"""Three SPI bits make one WS2812 bit of 1.25 microseconds."""
_RESET = bytes(90)
"""300 microseconds of silence: the newer WS2812B latch after 280."""
_BUFFER = 4096
"""Bytes that Linux sends in one go unless spidev.bufsiz says otherwise; a pause between two
goes would reach the LEDs as the end of the frame."""
_BITS = tuple(
    int("".join("110" if value >> bit & 1 else "100" for bit in range(7, -1, -1)), 2).to_bytes(3)
    for value in range(256)
)


def spi_bytes(pixels: Pixels) -> bytes:
    """Return what the SPI line must send: 9 bytes an LED, green first, and the silences."""
    body = b"".join(_BITS[green] + _BITS[red] + _BITS[blue] for red, green, blue in pixels)
    return b"\0" + body + _RESET


class SpiStrip(_Refreshed):
    """WS2812 LEDs on the SPI data line (GPIO 10) of any Raspberry Pi, also the 5; no root."""

    def __init__(self, count: int, bus: int, device: int, clock: Callable[[], float]) -> None:
        super().__init__(count, clock)
        needed = len(spi_bytes(self._dark()))
        if needed > _BUFFER:
            raise HardwareFault(
                f"{count} LEDs need {needed} bytes a frame and SPI sends {_BUFFER} in one go; "
                "divide the strip, or use a WLED controller"
            )
        native = _package("spidev", "sudo apt install python3-spidev")
        self._spi: Any = native.SpiDev()
        try:
            self._spi.open(bus, device)
        except OSError as error:
            raise HardwareFault(
                f"/dev/spidev{bus}.{device} cannot be opened ({error}); switch SPI on with "
                "raspi-config and join the group spi"
            ) from error
        self._spi.max_speed_hz = SPI_HZ
        self._spi.mode = 0

    def _send(self, pixels: Pixels) -> None:
        try:
            self._spi.writebytes2(spi_bytes(pixels))
        except OSError as error:
            raise HardwareFault(f"the LEDs on SPI cannot be written to: {error}") from error

    def _release(self) -> None:
        try:
            self._send(self._dark())
        finally:
            self._spi.close()


WLED_PORT = 21324
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


class WledStrip(_Refreshed):
    """LEDs on a WLED controller in the network, by UDP."""

    def __init__(self, count: int, host: str, port: int, clock: Callable[[], float]) -> None:
        super().__init__(count, clock)
        self._host = host
        self._address: Any
        try:
            family, kind, _, _, self._address = socket.getaddrinfo(
                host, port, type=socket.SOCK_DGRAM
            )[0]
            self._socket = socket.socket(family, kind)
        except OSError as error:
            raise HardwareFault(
                f"the WLED controller {host!r} is not known in this network ({error}); "
                "give its address in numbers"
            ) from error

    def _send(self, pixels: Pixels) -> None:
        for packet in wled_packets(pixels):
            self._transmit(packet)

    def _release(self) -> None:
        # Zero seconds to hold: the controller leaves realtime mode at once.
        try:
            self._transmit(bytes((_DRGB, 0)))
        finally:
            self._socket.close()

    def _transmit(self, packet: bytes) -> None:
        try:
            self._socket.sendto(packet, self._address)
        except OSError as error:
            raise HardwareFault(
                f"the WLED controller {self._host!r} cannot be reached: {error}"
            ) from error


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
