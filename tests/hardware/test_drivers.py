"""Real strips: exact bytes, a real socket, and clear words where something is missing."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from companion.rules import BadInput, HardwareFault
from hardware.drivers import (
    SpiStrip,
    Ws281xStrip,
    open_strip,
    spi_bytes,
)
from hardware.network_strips import SacnStrip, WledStrip
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


class NativeLibrary(ModuleType):
    """The C library as Python sees it (ws2811.h): channels with LEDs as 0xWWRRGGBB words, colour
    orders as shifts, and a render call that puts bytes on the wire."""

    WS2811_STRIP_GRB = 0x00081000
    wire: list[bytes]

    def __init__(self) -> None:
        super().__init__("_rpi_ws281x")
        self.wire, self.channels = [], [{}, {}]  # type: ignore[var-annotated]
        self.settings: dict[str, int] = {}
        self.begun = self.freed = 0

    def new_ws2811_t(self) -> NativeLibrary:
        return self

    def ws2811_channel_get(self, leds: object, number: int) -> dict[str, Any]:
        return self.channels[number]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("ws2811_channel_t_") and name.endswith("_set"):
            field = name.removeprefix("ws2811_channel_t_").removesuffix("_set")
            return lambda channel, value: channel.__setitem__(field, value)
        if name in ("ws2811_t_freq_set", "ws2811_t_dmanum_set"):
            return lambda leds, value: self.settings.__setitem__(name[9:-4], value)
        raise AttributeError(name)

    def ws2811_led_set(self, channel: dict[str, Any], n: int, colour: int) -> int:
        if not 0 <= n < channel["count"]:
            return -1
        channel.setdefault("leds", [0] * channel["count"])[n] = int(colour)
        return 0

    def ws2811_init(self, leds: object) -> int:
        self.begun += 1
        return 0

    def ws2811_render(self, leds: object) -> int:
        for channel in self.channels:
            if channel["count"]:
                kind, words = channel["strip_type"], channel["leds"]
                shifts = (kind >> 16 & 255, kind >> 8 & 255, kind & 255)
                gamma, bright = channel["gamma"], channel["brightness"]
                self.wire.append(
                    bytes(
                        gamma[(word >> shift & 255) * (bright + 1) >> 8]
                        for word in words
                        for shift in shifts
                    )
                )
        return 0

    def ws2811_fini(self, leds: object) -> None:
        self.freed += 1

    def delete_ws2811_t(self, leds: object) -> None:
        pass


@pytest.mark.parametrize(("gpio", "number"), [(18, 0), (12, 0), (13, 1), (10, 0)])
def test_the_bytes_on_the_wire_of_the_native_library(
    monkeypatch: pytest.MonkeyPatch, gpio: int, number: int
) -> None:
    pytest.importorskip("rpi_ws281x", reason="rpi-ws281x is not installed")
    library = NativeLibrary()
    monkeypatch.setitem(sys.modules, "_rpi_ws281x", library)
    for name in [name for name in sys.modules if name.startswith("rpi_ws281x")]:
        monkeypatch.delitem(sys.modules, name)
    package = importlib.import_module("rpi_ws281x")
    monkeypatch.setitem(sys.modules, "rpi_ws281x", package)
    pixels: Pixels = tuple((n, 255 - n, 3 * n % 256) for n in range(181))
    strip = Ws281xStrip(181, gpio, Clock())
    strip.show(pixels)
    strip.close()
    assert library.settings == {"freq": 800_000, "dmanum": 10}
    assert (library.channels[number]["count"], library.channels[number]["gpionum"]) == (181, gpio)
    assert library.channels[1 - number]["count"] == 0
    assert library.wire == [b"".join(bytes((g, r, b)) for r, g, b in pixels), bytes(3 * 181)]


def test_a_pin_that_cannot_feed_leds_is_refused(native: type[FakePixelStrip]) -> None:
    with pytest.raises(BadInput, match=r"GPIO 17 cannot feed LEDs; those that can are 18, 12"):
        Ws281xStrip(1, 17, Clock())


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


def colours_on_the_line(sent: bytes) -> list[tuple[int, int, int]]:
    """Decode what LEDs on the data line see: three SPI bits are one bit, long high is one."""
    line = "".join(f"{byte:08b}" for byte in sent)
    values: list[int] = []
    at, bits_read = line.index("1"), ""
    while at < len(line) and line[at] == "1":
        high = len(line[at:]) - len(line[at:].lstrip("1"))
        assert high in (1, 2)
        bits_read += "1" if high == 2 else "0"
        at += 3
        if len(bits_read) == 8:
            values.append(int(bits_read, 2))
            bits_read = ""
    assert not bits_read, "the line falls silent between two LEDs"
    return [(r, g, b) for g, r, b in zip(*[iter(values)] * 3, strict=True)]


def test_leds_on_the_spi_line_see_the_colours_that_were_meant(spidev: type[FakeSpi]) -> None:
    pixels: Pixels = tuple((n % 256, 3 * n % 256, 7 * n % 256) for n in range(181))
    strip = SpiStrip(181, 0, 0, Clock())
    strip.show(pixels)
    (sent,) = spidev.made[0].written
    assert colours_on_the_line(sent) == list(pixels)
    silence = len(sent) - len(sent.rstrip(b"\0"))
    assert silence * 8 / 2_400_000 > 280e-6, "newer LEDs latch after 280 microseconds"


@pytest.mark.parametrize("count", [454, 455, 655, 2000])
def test_a_long_frame_is_cut_between_leds_alone(
    spidev: type[FakeSpi], tmp_path: Path, count: int
) -> None:
    pixels: Pixels = tuple((n % 256, 255, n // 256) for n in range(count))
    strip = SpiStrip(count, 0, 0, Clock(), tmp_path / "none")
    strip.show(pixels)
    goes = spidev.made[0].written
    assert max(map(len, goes)) <= 4096
    assert b"".join(goes) == spi_bytes(pixels)
    for go in goes[:-1]:
        assert go[-1] & 1 == 0, "the line is low while it waits"
    seen = [colour for go in goes if any(go) for colour in colours_on_the_line(go)]
    assert seen == list(pixels)


def test_a_larger_buffer_sends_a_long_frame_in_one_go(
    spidev: type[FakeSpi], tmp_path: Path
) -> None:
    (tmp_path / "bufsiz").write_text("32768\n")
    strip = SpiStrip(655, 0, 0, Clock(), tmp_path / "bufsiz")
    strip.show((RED,) * 655)
    assert spidev.made[0].written == [spi_bytes((RED,) * 655)]


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
    sacn = open_strip("sacn:127.0.0.1:9", 1, clock)
    assert isinstance(sacn, SacnStrip)
    sacn.close()


@pytest.mark.parametrize(
    "address",
    [
        "",
        "neon",
        "ws281x:x",
        "spi:0",
        "wled",
        "wled:h:p",
        "sacn",
        "artnet:h:32768",
        "ddp",
        "esphome:h",
        "esphome:/n",
        "esphome:h/n/#",
        "esphome:h:0/n",
    ],
)
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(BadInput, match="is no strip; write simulated"):
        open_strip(address, 1, Clock())


@pytest.mark.parametrize(
    ("address", "package", "remedy"),
    [
        ("ws281x:18", "rpi_ws281x", r"companion\[pi\]"),
        ("spi:0.0", "spidev", "apt install"),
    ],
)
def test_a_missing_package_is_named_with_what_installs_it(
    monkeypatch: pytest.MonkeyPatch, address: str, package: str, remedy: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(HardwareFault, match=f"package {package} is not installed.*{remedy}"):
        open_strip(address, 1, Clock())
