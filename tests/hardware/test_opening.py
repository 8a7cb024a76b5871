"""Which lights are opened: by address, by what the machine has, several as one."""

from __future__ import annotations

import io
import socket
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.rules import BadInput, Board, HardwareFault
from hardware.budget import budgets
from hardware.machine import Machine, found_lights
from hardware.opening import open_lights, real
from hardware.parts import PartedStrip
from hardware.settings import LightSettings, load_settings
from hardware.strip import SimulatedStrip
from hardware.terminal import TerminalStrip
from hardware.wiring import Part, Wiring, default_wiring

RED, GREEN, DARK = (255, 0, 0), (0, 255, 0), (0, 0, 0)


@pytest.fixture
def board(tiny: Any) -> Board:
    board: Board = tiny.board(tiny.setup())
    return board


def machine(root: Path, model: str, *devices: str) -> Machine:
    (root / "proc/device-tree").mkdir(parents=True)
    (root / "proc/device-tree/model").write_text(model + "\0")
    (root / "dev").mkdir()
    for device in devices:
        (root / "dev" / device).touch()
    return Machine(root)


@pytest.mark.parametrize(
    ("model", "generation"),
    [
        ("Raspberry Pi 5 Model B Rev 1.0", 5),
        ("Raspberry Pi 4 Model B Rev 1.5", 4),
        ("Raspberry Pi Compute Module 4 Rev 1.1", 4),
        ("Raspberry Pi 3 Model B Plus Rev 1.3", 3),
        ("Raspberry Pi Zero 2 W Rev 1.0", 3),
        ("Raspberry Pi Zero W Rev 1.1", 1),
        ("Raspberry Pi Model B Plus Rev 1.2", 1),
        ("Some other board", 0),
    ],
)
def test_the_generation_of_a_pi_is_read_from_its_model(
    tmp_path: Path, model: str, generation: int
) -> None:
    assert machine(tmp_path, model).pi == generation


def test_a_machine_without_such_files_is_no_pi(tmp_path: Path) -> None:
    assert (Machine(tmp_path).pi, found_lights(Machine(tmp_path))) == (0, "off")


@pytest.mark.parametrize(
    ("model", "devices", "address"),
    [
        ("Raspberry Pi 5 Model B", ("spidev0.0",), "spi:0.0"),
        ("Raspberry Pi 5 Model B", (), "off"),
        ("Raspberry Pi 4 Model B", ("spidev0.0",), "spi:0.0"),
        ("Raspberry Pi 4 Model B", (), "ws281x:18"),
    ],
)
def test_lights_are_found_by_what_the_machine_has(
    tmp_path: Path, model: str, devices: tuple[str, ...], address: str
) -> None:
    assert found_lights(machine(tmp_path, model, *devices)) == address


def test_lights_that_are_no_device_need_no_refreshing(board: Board, tmp_path: Path) -> None:
    wiring, none = default_wiring(board), Machine(tmp_path)
    strips = [
        open_lights(a, wiring, board, lambda: 0.0, none) for a in ("simulated", "off", "auto")
    ]
    assert all(isinstance(strip, SimulatedStrip) for strip in strips)
    assert [real(a, wiring, none) for a in ("simulated", "auto", "spi:0.0")] == [False, False, True]
    assert real("off", replace(wiring, strips=(Part(9, "wled:lamp"),)), none)
    wrong = (
        "neon",
        "ws281x:²",
        "spi:0." + "9" * 5000,
        "wled:lamp:70000",
        "wled:lamp:0",
        "sacn:h:0",
    )
    for address in wrong:
        with pytest.raises(BadInput, match="is no strip; write simulated"):
            open_lights(address, wiring, board, lambda: 0.0, none)


def test_two_controllers_are_lit_as_one_strip_each_in_its_own_colours(board: Board) -> None:
    with (
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other,
    ):
        ports = []
        for lamp in (one, other):
            lamp.bind(("127.0.0.1", 0))
            lamp.settimeout(5)
            ports.append(lamp.getsockname()[1])
        strips = (
            Part(4, f"wled:127.0.0.1:{ports[0]}"),
            Part(5, f"wled:127.0.0.1:{ports[1]}", colours="RGB"),
        )
        wiring = replace(default_wiring(board), strips=strips)
        strip = open_lights("off", wiring, board, lambda: 0.0)
        strip.show((RED, GREEN, DARK, DARK, RED, GREEN, DARK, DARK, DARK))
        assert one.recv(100) == bytes((2, 3)) + bytes((*RED, *GREEN, *DARK, *DARK))
        assert other.recv(100) == bytes((2, 3)) + bytes((*GREEN, *RED, *DARK, *DARK, *DARK))
        strip.close()
        assert one.recv(100) == other.recv(100) == bytes((2, 0))


class Broken(SimulatedStrip):
    def show(self, pixels: Any) -> None:
        raise HardwareFault("the first strip is gone")


def test_a_strip_that_fails_does_not_keep_the_others_dark() -> None:
    made: list[SimulatedStrip] = []

    def open_one(part: Part) -> SimulatedStrip:
        made.append(SimulatedStrip() if made else Broken())
        return made[-1]

    strip = PartedStrip((Part(1), Part(2)), open_one)
    with pytest.raises(HardwareFault, match="the first strip is gone"):
        strip.show((RED, GREEN, RED))
    assert made[1].pixels == (GREEN, RED)


def test_if_one_strip_cannot_be_opened_none_stays_open() -> None:
    made = [SimulatedStrip()]

    def open_one(part: Part) -> SimulatedStrip:
        if part.count == 2:
            raise HardwareFault("no such device")
        return made[0]

    with pytest.raises(HardwareFault, match="no such device"):
        PartedStrip((Part(1), Part(2)), open_one)
    assert made[0].closed


def test_the_terminal_draws_the_board_where_the_lights_are(board: Board) -> None:
    out, wiring = io.StringIO(), default_wiring(board)
    strip = TerminalStrip(board, wiring, out)
    strip.show((RED, *(DARK,) * 8))
    first = out.getvalue().splitlines()
    assert [line.count("·") + line.count("●") for line in first] == [3, 0, 3, 0, 3]
    assert "\x1b[38;2;255;0;0m●" in first[4], "a1 is at the lower left"
    strip.show((RED, *(DARK,) * 8))
    assert out.getvalue().splitlines() == first, "nothing is drawn twice"
    strip.show((DARK,) * 9)
    assert "\x1b[5A" in out.getvalue()
    strip.close()


class Terminal(io.StringIO):
    """Takes what is written, as a terminal does."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("out", "environment", "colours", "in_place"),
    [
        (Terminal(), {"TERM": "xterm"}, True, True),
        (io.StringIO(), {"TERM": "xterm"}, False, False),
        (Terminal(), {"TERM": "xterm", "NO_COLOR": "1"}, False, True),
        (Terminal(), {"TERM": "xterm", "NO_COLOR": ""}, True, True),
        (Terminal(), {"TERM": "dumb"}, False, False),
        (io.StringIO(), {"FORCE_COLOR": "1"}, True, False),
        (Terminal(), {"NO_COLOR": "1", "FORCE_COLOR": "1"}, False, True),
    ],
    ids=["terminal", "pipe", "NO_COLOR", "NO_COLOR empty", "dumb", "FORCE_COLOR", "both"],
)
def test_colours_go_to_terminals_alone_and_to_none_that_wants_none(
    board: Board,
    monkeypatch: pytest.MonkeyPatch,
    out: io.StringIO,
    environment: dict[str, str],
    colours: bool,
    in_place: bool,
) -> None:
    monkeypatch.setattr("os.environ", environment)
    strip = open_lights("terminal", default_wiring(board), board, lambda: 0.0, out=out)
    strip.show((RED, *(DARK,) * 8))
    strip.show((DARK, RED, *(DARK,) * 7))
    drawn = out.getvalue()
    assert ("\x1b[38;2;" in drawn) == colours
    assert ("\x1b[5A" in drawn) == in_place
    assert ("\x1b" in drawn) == (colours or in_place)
    assert drawn.count("●") == 2, "what is lit is seen without colours too"


def test_the_estimate_of_the_current_is_shown_for_every_strip(tiny: Any, board: Board) -> None:
    wiring: Wiring = replace(default_wiring(board), strips=(Part(3, limit_ma=100), Part(6)))
    one, other = budgets(tiny, tiny.setup(), wiring)
    assert (one.leds, one.idle, one.white, one.limit) == (3, 3.0, 183.0, 100)
    # Before the game black's row on a1, b1, c1 flashes warm white; a1 alone is on the first strip.
    white = 20 * (255 + 255 + 200) / 255
    assert one.brightest == pytest.approx(3 + white * 2)
    assert one.supply_a == pytest.approx(0.125)
    assert other.brightest == pytest.approx(6 + white * 4)
    assert other.supply_a == pytest.approx(1.25 * 366 / 1000)
    dim = budgets(tiny, tiny.setup(), wiring, LightSettings(brightness=10))
    assert dim[0].brightest < 5


def test_settings_that_an_older_companion_kept_are_read(tmp_path: Path) -> None:
    path = tmp_path / "table.lights.json"
    assert load_settings(path) == LightSettings()
    path.write_text('{"level": "errors", "brightness": 60, "night": "22:00-07:00"}')
    assert load_settings(path) == LightSettings("errors", 60, "22:00-07:00")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[", "is no JSON"),
        ("[]", "holds no JSON object"),
        ('{"glow": 1}', "no setting “glow”"),
        ('{"level": "loud"}', "full, errors or off, not “loud”"),
        ('{"brightness": 101}', "brightness is a whole number of percent"),
        ('{"night_brightness": "x"}', "brightness is a whole number"),
        ('{"night": "22-7"}', "written as 22:00-07:00"),
        ('{"night": "22:00-24:00"}', "written as 22:00-07:00"),
        ('{"night": 3}', "written as 22:00-07:00"),
    ],
)
def test_settings_that_do_not_fit_are_refused(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "x.json").write_text(text)
    with pytest.raises(BadInput, match=says):
        load_settings(tmp_path / "x.json")


def test_night_may_lie_within_a_day_hold_always_or_never() -> None:
    assert LightSettings(night="01:00-02:30").dark(149)
    assert not LightSettings(night="01:00-02:30").dark(150)
    assert LightSettings(night="on").dark(720)
    assert not LightSettings().dark(0)
