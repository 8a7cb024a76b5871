"""Real strips. What they need is imported when one is opened, never before."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

from companion.rules import BadInput, HardwareFault
from companion.rules.given import quoted, whole_number
from hardware.refreshed import RefreshedStrip, package
from hardware.strip import Pixels, SimulatedStrip, Strip


def open_strip(address: str, count: int, clock: Callable[[], float]) -> Strip:
    """Open the strip of ``count`` LEDs at ``address``: ``simulated``, ``ws281x:18`` (GPIO),
    ``spi:0.0`` (bus.device), or one in the network: ``wled:HOST``, ``ddp:HOST`` (each with
    ``:PORT`` where that is another), ``sacn:HOST``, ``artnet:HOST`` (with ``:UNIVERSE``) or
    ``esphome:BROKER/NODE``.

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
    from hardware.network_strips import open_network_strip

    if (strip := open_network_strip(kind, rest, count, clock)) is not None:
        return strip
    raise BadInput(
        f"{quoted(address)} is no strip; write simulated, ws281x:18 (the GPIO), spi:0.0 (bus and "
        "device), or wled:, ddp:, sacn:, artnet: and the controller's address, such as "
        "wled:192.168.1.20, or esphome:BROKER/NODE"
    )


WS281X_PINS = (18, 12, 13, 19, 21, 10)
"""GPIOs that can feed LEDs: PWM 18, 12, 13 and 19, PCM 21, SPI 10."""


class Ws281xStrip(RefreshedStrip):
    """WS2811 or WS2812 LEDs on a GPIO of a Raspberry Pi 1 to 4 or Zero (by DMA; needs root,
    or GPIO 10)."""

    def __init__(self, count: int, gpio: int, clock: Callable[[], float]) -> None:
        super().__init__(count, clock)
        if gpio not in WS281X_PINS:
            listed = ", ".join(map(str, WS281X_PINS))
            raise BadInput(f"GPIO {gpio} cannot feed LEDs; those that can are {listed}")
        native = package("rpi_ws281x", "pip install 'tabletop-companion[pi]'")
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


class SpiStrip(RefreshedStrip):
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
        native = package("spidev", "sudo apt install python3-spidev")
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
