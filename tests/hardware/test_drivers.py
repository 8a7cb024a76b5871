"""Real strips: exact bytes, a real socket, and clear words where something is missing."""

from __future__ import annotations

import socket
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

from companion.rules import BadInput, HardwareFault
from hardware import drivers
from hardware.drivers import SpiStrip, WledStrip, Ws281xStrip, open_strip, spi_bytes, wled_packets
from hardware.strip import Pixels, SimulatedStrip

RED, GREEN, DARK = (255, 0, 0), (0, 255, 0), (0, 0, 0)


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


# -- rpi_ws281x --------------------------------------------------------------------------


class FakePixelStrip:
    """Behaves as the native strip: silent until begun, refuses LEDs that are not there."""

    made: list[FakePixelStrip] = []  # noqa: RUF012
    fails = False

    def __init__(self, num: int, pin: int, *, dma: int, channel: int) -> None:
        self.arguments = (num, pin, dma, channel)
        self.leds = [0] * num
        self.shown: list[list[int]] = []
        self.begun = False
        FakePixelStrip.made.append(self)

    def begin(self) -> None:
        if self.fails:
            raise RuntimeError("ws2811_init failed with code -3 (Hardware revision unsupported)")
        self.begun = True

    def setPixelColor(self, n: int, color: int) -> None:  # noqa: N802
        self.leds[n] = color

    def show(self) -> None:
        if not self.begun:
            raise RuntimeError("ws2811_render failed")
        self.shown.append(list(self.leds))


@pytest.fixture
def native(monkeypatch: pytest.MonkeyPatch) -> type[FakePixelStrip]:
    module: Any = ModuleType("rpi_ws281x")
    module.PixelStrip = FakePixelStrip
    module.Color = lambda red, green, blue: red << 16 | green << 8 | blue
    monkeypatch.setitem(sys.modules, "rpi_ws281x", module)
    monkeypatch.setattr(FakePixelStrip, "made", [])
    return FakePixelStrip


def test_a_gpio_strip_shows_whole_frames_and_goes_dark_at_the_end(
    native: type[FakePixelStrip],
) -> None:
    strip = Ws281xStrip(3, 18, Clock())
    strip.show((RED, DARK, GREEN))
    strip.close()
    strip.close()
    (made,) = native.made
    assert made.arguments == (3, 18, 10, 0)
    assert made.shown == [[0xFF0000, 0, 0x00FF00], [0, 0, 0]]


def test_a_gpio_of_the_second_channel_uses_it(native: type[FakePixelStrip]) -> None:
    Ws281xStrip(1, 13, Clock())
    assert native.made[0].arguments == (1, 13, 10, 1)


def test_an_unchanged_frame_is_sent_again_after_a_second(native: type[FakePixelStrip]) -> None:
    clock = Clock()
    strip = Ws281xStrip(1, 18, clock)
    for clock.now in (0.0, 0.5, 0.9, 1.0, 1.5):
        strip.show((RED,))
    assert native.made[0].shown == [[0xFF0000]] * 2


def test_a_board_that_the_package_does_not_know_is_told_what_to_use(
    native: type[FakePixelStrip], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FakePixelStrip, "fails", True)
    with pytest.raises(HardwareFault, match=r"GPIO 18 cannot be opened .*a Pi 5 needs spi:0.0"):
        Ws281xStrip(1, 18, Clock())


def test_a_strip_that_fails_while_it_shows_is_a_machines_fault(
    native: type[FakePixelStrip],
) -> None:
    strip = Ws281xStrip(1, 18, Clock())
    native.made[0].begun = False
    with pytest.raises(HardwareFault, match="cannot be written to"):
        strip.show((RED,))


def test_a_frame_of_the_wrong_length_is_refused(native: type[FakePixelStrip]) -> None:
    strip = Ws281xStrip(2, 18, Clock())
    with pytest.raises(BadInput, match="has 2 LEDs, the frame 3"):
        strip.show((RED, RED, RED))
    strip.close()
    with pytest.raises(HardwareFault, match="has been closed"):
        strip.show((RED, RED))


# -- SPI ---------------------------------------------------------------------------------


class FakeSpi:
    """Behaves as spidev's device."""

    made: list[FakeSpi] = []  # noqa: RUF012
    missing = False

    def __init__(self) -> None:
        self.opened: tuple[int, int] | None = None
        self.max_speed_hz = 500_000
        self.mode = 3
        self.written: list[bytes] = []
        FakeSpi.made.append(self)

    def open(self, bus: int, device: int) -> None:
        if self.missing:
            raise FileNotFoundError(2, "No such file or directory")
        self.opened = (bus, device)

    def writebytes2(self, data: bytes) -> None:
        if not self.opened:
            raise OSError(9, "Bad file descriptor")
        self.written.append(bytes(data))

    def close(self) -> None:
        self.opened = None


@pytest.fixture
def spidev(monkeypatch: pytest.MonkeyPatch) -> type[FakeSpi]:
    module: Any = ModuleType("spidev")
    module.SpiDev = FakeSpi
    monkeypatch.setitem(sys.modules, "spidev", module)
    monkeypatch.setattr(FakeSpi, "made", [])
    return FakeSpi


def bits(byte: int) -> str:
    return "".join("110" if byte & 1 << bit else "100" for bit in range(7, -1, -1))


def test_every_bit_becomes_three_and_green_goes_first() -> None:
    sent = spi_bytes(((0x81, 0x0F, 0xA0),))
    body = int(bits(0x0F) + bits(0x81) + bits(0xA0), 2).to_bytes(9, "big")
    assert sent == b"\0" + body + bytes(90)


def test_known_bytes_of_one_led() -> None:
    assert spi_bytes(((255, 0, 0),))[1:10].hex() == "924924" + "db6db6" + "924924"


def test_an_spi_strip_sends_frames_at_the_right_speed(spidev: type[FakeSpi]) -> None:
    strip = SpiStrip(2, 0, 1, Clock())
    (made,) = spidev.made
    assert (made.opened, made.max_speed_hz, made.mode) == ((0, 1), 2_400_000, 0)
    strip.show((RED, GREEN))
    strip.close()
    strip.close()
    assert made.written == [spi_bytes((RED, GREEN)), spi_bytes((DARK, DARK))]
    assert made.opened is None


def test_a_missing_spi_device_names_raspi_config(
    spidev: type[FakeSpi], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FakeSpi, "missing", True)
    with pytest.raises(HardwareFault, match=r"/dev/spidev0.0 cannot be opened .*raspi-config"):
        SpiStrip(2, 0, 0, Clock())


def test_an_spi_strip_that_was_pulled_out_is_a_machines_fault(spidev: type[FakeSpi]) -> None:
    strip = SpiStrip(1, 0, 0, Clock())
    spidev.made[0].opened = None
    with pytest.raises(HardwareFault, match="cannot be written to"):
        strip.show((RED,))


def test_a_strip_too_long_for_one_go_is_refused(spidev: type[FakeSpi]) -> None:
    SpiStrip(445, 0, 0, Clock())
    with pytest.raises(HardwareFault, match="446 LEDs need 4105 bytes"):
        SpiStrip(446, 0, 0, Clock())


# -- WLED --------------------------------------------------------------------------------


@pytest.fixture
def controller() -> Iterator[socket.socket]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as listening:
        listening.bind(("127.0.0.1", 0))
        listening.settimeout(5)
        yield listening


def test_a_wled_controller_gets_frames_and_is_let_go_at_the_end(
    controller: socket.socket,
) -> None:
    clock = Clock()
    strip = WledStrip(2, "127.0.0.1", controller.getsockname()[1], clock)
    strip.show((RED, (1, 2, 3)))
    strip.show((RED, (1, 2, 3)))
    clock.now = 1.0
    strip.show((RED, (1, 2, 3)))
    strip.close()
    strip.close()
    frame = bytes((2, 3, 255, 0, 0, 1, 2, 3))
    received = [controller.recv(2000) for _ in range(3)]
    assert received == [frame, frame, bytes((2, 0))]
    controller.setblocking(False)
    with pytest.raises(BlockingIOError):
        controller.recv(2000)


def test_a_long_strip_is_sent_in_packets_that_name_their_first_led() -> None:
    pixels: Pixels = tuple((index % 251, 0, 0) for index in range(500))
    first, second = wled_packets(pixels)
    assert first[:4] == bytes((4, 3, 0, 0))
    assert second[:4] == bytes((4, 3, 1, 233))
    assert first[4:] + second[4:] == b"".join(bytes(pixel) for pixel in pixels)
    assert len(wled_packets(pixels[:490])) == 1


def test_a_controller_that_nobody_knows_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*args: object, **kwargs: object) -> None:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(drivers.socket, "getaddrinfo", unknown)
    with pytest.raises(HardwareFault, match="'lamp' is not known in this network"):
        WledStrip(1, "lamp", 21324, Clock())


def test_a_network_that_is_down_is_a_machines_fault(controller: socket.socket) -> None:
    strip = WledStrip(1, "127.0.0.1", controller.getsockname()[1], Clock())
    strip._socket.close()
    with pytest.raises(HardwareFault, match=r"'127\.0\.0\.1' cannot be reached"):
        strip.show((RED,))


# -- addresses ---------------------------------------------------------------------------


def test_addresses_open_the_strip_they_name(
    native: type[FakePixelStrip], spidev: type[FakeSpi]
) -> None:
    clock = Clock()
    assert isinstance(open_strip("simulated", 1, clock), SimulatedStrip)
    assert isinstance(open_strip("ws281x", 1, clock), Ws281xStrip)
    assert isinstance(open_strip("spi:1.2", 1, clock), SpiStrip)
    assert spidev.made[0].opened == (1, 2)
    wled = open_strip("wled:127.0.0.1:9", 1, clock)
    assert isinstance(wled, WledStrip)
    wled.close()


@pytest.mark.parametrize("address", ["", "neon", "ws281x:x", "spi:0", "wled", "wled:h:p"])
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(BadInput, match="is no strip; write simulated"):
        open_strip(address, 1, Clock())


@pytest.mark.parametrize(
    ("address", "package", "remedy"),
    [("ws281x:18", "rpi_ws281x", r"companion\[pi\]"), ("spi:0.0", "spidev", "apt install")],
)
def test_a_missing_package_is_named_with_what_installs_it(
    monkeypatch: pytest.MonkeyPatch, address: str, package: str, remedy: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(HardwareFault, match=f"package {package} is not installed.*{remedy}"):
        open_strip(address, 1, Clock())
