"""The doctor in simulated machines: a folder with the system files of a Pi 4, a Pi 5, a laptop."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from companion.cli import main
from companion.games import find_game
from companion.machine import doctor
from companion.machine import pi_checks as checks
from companion.machine.doctor import check_eyes, check_settings, examine, mended_by
from companion.machine.pi_checks import User
from hardware.machine import Machine
from vision.board.calibration import entered, guess

PI4, PI5 = "Raspberry Pi 4 Model B Rev 1.4", "Raspberry Pi 5 Model B Rev 1.0"
GROUP_FILE = "root:x:0:\nvideo:x:44:pi\ngpio:x:986:pi\nspi:x:989:pi\nplayers:x:5000:\n"
ALL_PACKAGES = {
    "picamera2": "0.3.31", "lgpio": "0.2.2.0", "gpiozero": "2.0.1", "spidev": "3.6",
    "rpi-ws281x": "5.0.0",
}  # fmt: skip


def make(root: Path, model: str, files: dict[str, str]) -> Machine:
    wanted = {"proc/device-tree/model": model + "\0", "etc/group": GROUP_FILE, **files}
    for name, text in wanted.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return Machine(root)


@pytest.fixture
def pi4(tmp_path: Path) -> Machine:
    """A Pi 4 as it comes: sound on, SPI off."""
    return make(
        tmp_path / "pi4",
        PI4,
        {
            "proc/modules": "snd_bcm2835 28672 1 - Live 0x0 (C)\nspi_bcm2835 20480 0 - Live 0x0\n",
            "boot/firmware/config.txt": "dtparam=audio=on\ncamera_auto_detect=1\n",
        },
    )


@pytest.fixture
def pi5(tmp_path: Path) -> Machine:
    """A Pi 5 with SPI switched on and a webcam."""
    return make(
        tmp_path / "pi5",
        PI5,
        {
            "dev/spidev0.0": "",
            "sys/module/spidev/parameters/bufsiz": "4096\n",
            "dev/v4l/by-id/usb-046d_HD_Pro_Webcam_C920-video-index0": "",
            "boot/firmware/config.txt": "dtparam=spi=on  # for the LEDs\ncamera_auto_detect=0\n",
        },
    )


def packages(**changed: str | None):
    have = {**ALL_PACKAGES, **{name.replace("_", "-"): value for name, value in changed.items()}}
    return have.get


def said(findings) -> dict[str, tuple[str, str]]:
    found = list(findings)
    for finding in found:
        assert finding.level == "ok" or finding.advice, "every trap has a way out"
    return {finding.check: (finding.level, finding.message) for finding in found}


def test_a_pi_4_is_told_of_sound_and_spi(pi4: Machine) -> None:
    level, message = said(checks.check_audio(pi4))["audio"]
    assert level == "note"
    assert "sound uses the PWM" in message
    assert said(checks.check_spi(pi4))["spi"] == ("note", "SPI is off: LEDs on GPIO 10 stay dark")
    assert "level shifter" in said(checks.check_wiring(pi4))["wiring"][1]


def test_a_pi_5_has_no_such_sound_but_needs_spi(pi5: Machine) -> None:
    assert said(checks.check_audio(pi5)) == {}
    assert said(checks.check_spi(pi5))["spi"][0] == "note"
    lights = said(checks.check_light_drivers(pi5, packages(spidev=None)))
    assert lights["lights"][0] == "fault"
    assert "does not know a Pi 5" in lights["lights"][1]
    assert said(checks.check_light_drivers(pi5, packages()))["lights"][0] == "ok"


@pytest.mark.parametrize(
    ("system", "command"),
    [(True, "sudo apt install python3-spidev"), (False, "-m pip install spidev")],
)
def test_what_lights_need_is_added_where_this_python_finds_it(
    pi5: Machine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, system: bool, command: str
) -> None:
    monkeypatch.setattr("sys.prefix", str(tmp_path))
    text = f"include-system-site-packages = {str(system).lower()}\n"
    (tmp_path / "pyvenv.cfg").write_text(f"home = /usr/bin\n{text}version = 3.11.2\n")
    for finding in checks.check_light_drivers(pi5, packages(spidev=None)):
        if finding.level != "ok":
            assert command in finding.advice
            assert "[pi]" not in finding.advice
    (pulses, _) = checks.check_light_drivers(pi5, packages(rpi_ws281x=None))
    assert "-m pip install rpi-ws281x" in pulses.advice, "no system has it"


def test_a_larger_spi_buffer_is_fine(pi5: Machine) -> None:
    pi5.path("sys/module/spidev/parameters/bufsiz").write_text("32768\n")
    level, message = said(checks.check_spi(pi5))["spi"]
    assert level == "ok"
    assert "3630 LEDs" in message


@pytest.mark.parametrize(
    ("model", "config", "advised"),
    [
        ("Raspberry Pi 3 Model B Plus", "", "core_freq=250"),
        ("Raspberry Pi Zero 2 W", "core_freq=250\n", ""),
        ("Raspberry Pi 4 Model B", "core_freq=500  # for the LEDs\n", "core_freq_min=500"),
        ("Raspberry Pi 4 Model B", "core_freq=500\ncore_freq_min=500\n", ""),
        ("Raspberry Pi 4 Model B", "#core_freq=500\n", "core_freq=500 and core_freq_min=500"),
        ("Raspberry Pi 5 Model B", "", ""),
        ("Raspberry Pi 2 Model B", "", ""),
    ],
)
def test_a_core_clock_that_spi_would_follow_is_to_be_fixed(
    tmp_path: Path, model: str, config: str, advised: str
) -> None:
    machine = make(tmp_path, model, {"dev/spidev0.0": "", "boot/firmware/config.txt": config})
    advice = [one.advice for one in checks.check_spi(machine) if "core" in one.message]
    assert advice == ([f"write {advised} into /boot/firmware/config.txt and start anew"]
                      if advised else [])  # fmt: skip


def test_cameras_are_named_and_a_missing_one_is_explained(pi4: Machine, pi5: Machine) -> None:
    usb = list(checks.check_cameras(pi5, packages()))
    assert "C920" in usb[0].message
    assert "camera_auto_detect=0" in usb[2].message
    missing = list(checks.check_cameras(pi4, packages(picamera2=None)))
    assert [finding.level for finding in missing] == ["note", "note"]
    assert all("--system-site-packages" in finding.advice for finding in missing)
    assert said(checks.check_cameras(pi4, packages()))["camera"][0] == "ok"


def test_a_board_of_sensors_is_looked_for_where_the_settings_name_it(pi5: Machine) -> None:
    have = packages(pyserial="3.5")
    absent = said(checks.check_sensors("serial:/dev/ttyUSB0?baud=9600", pi5, have))
    assert absent["sensors"] == (
        "fault", "there is no /dev/ttyUSB0: is the board of sensors plugged in?"
    )  # fmt: skip
    pi5.path("dev/ttyACM0").write_text("")
    (finding,) = checks.check_sensors("dgt:/dev/ttyUSB0", pi5, have)
    assert "serial lines here: ttyACM0" in finding.advice
    assert said(checks.check_sensors("dgt:/dev/ttyACM0?turned", pi5, have))["sensors"][0] == "ok"
    for address in ("dgt:/dev/ttyACM0", "mqtt://broker/board"):
        finding = next(iter(checks.check_sensors(address, pi5, packages())))
        assert "need the package" in finding.message
        assert finding.advice == "pip install 'tabletop-companion[sensors]'"
    assert not list(checks.check_sensors("udp:4210", pi5, packages()))


def test_who_has_a_board_of_sensors_alone_is_told_of_no_camera(tmp_path: Path, pi4: Machine):
    none, settings = packages(picamera2=None, pyserial="3.5"), tmp_path / "settings.toml"
    assert "camera" in said(check_eyes(tmp_path, pi4, none))
    settings.write_text('[play]\ncamera = "serial:/dev/ttyUSB0"\n')
    assert list(said(check_eyes(tmp_path, pi4, none))) == ["sensors"]
    settings.write_text('[play]\ncamera = "picamera"\nsensors = "dgt:/dev/ttyUSB0"\n')
    assert list(said(check_eyes(tmp_path, pi4, none))) == ["sensors", "camera"]


def test_an_empty_lgpio_is_a_fault_and_a_missing_one_a_note(pi5: Machine) -> None:
    stub = said(checks.check_pins(pi5, packages(lgpio="0.0.0.2")))
    assert stub["buttons"] == ("fault", "lgpio 0.0.0.2 is an empty stub")
    assert said(checks.check_pins(pi5, packages(lgpio=None)))["buttons"][0] == "note"
    assert said(checks.check_pins(pi5, packages(gpiozero=None)))["buttons"][0] == "note"
    assert said(checks.check_pins(pi5, packages())) == {}


def test_wrong_groups_are_named_with_what_they_are_for(pi5: Machine) -> None:
    found = list(checks.check_groups(pi5, User("ann", frozenset({44, 1000}), root=False)))
    assert [finding.message for finding in found] == [
        "ann is not in the group gpio: no buttons",
        "ann is not in the group spi: no LEDs on SPI",
    ]
    assert found[0].advice == "sudo usermod -aG gpio ann, then log in anew"
    assert not list(checks.check_groups(pi5, User("ann", frozenset({44, 986, 989}), root=False)))
    assert not list(checks.check_groups(pi5, User("root", frozenset(), root=True)))


@pytest.mark.parametrize(
    ("script", "level", "words"),
    [
        ("echo throttled=0x0", "ok", "steady"),
        ("echo throttled=0x50005", "fault", "dropped"),
        ("echo throttled=0x80000", "ok", "steady"),
        ("echo cannot open /dev/vcio >&2; exit 255", "note", "cannot open /dev/vcio"),
        ("echo error=2 error_msg=unknown", "note", "error_msg=unknown"),
        ("exec sleep 1000", "note", "did not answer within 0 seconds"),
    ],
)
def test_the_voltage_is_called_steady_only_where_it_was_told(
    tmp_path, monkeypatch, script, level, words
):
    program = tmp_path / "vcgencmd"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    if "sleep" in script:
        monkeypatch.setattr(doctor, "PATIENCE", 0.3)
    (finding,) = doctor.check_power()
    assert finding.level == level
    assert words in finding.message


def test_a_laptop_is_not_bothered_with_a_pis_traps(tmp_path: Path) -> None:
    laptop, user = Machine(tmp_path), User("ann", frozenset(), root=False)
    for check in (checks.check_audio, checks.check_spi, checks.check_wiring):
        assert not list(check(laptop))
    assert not list(checks.check_groups(laptop, user))
    assert not list(checks.check_pins(laptop, lambda package: None))


@pytest.mark.parametrize(("side", "level"), [(1640, "ok"), (380, "note"), (240, "fault")])
def test_too_few_pixels_a_cell_are_told_of_a_calibrated_table(
    tmp_path: Path, side: int, level: str
) -> None:
    game = find_game("victorus")
    board = game.board(game.setup())
    camera = guess(board, (side * 4 // 3, side)).camera
    table = {"game": "victorus", "seats": list(game.seats), **entered(board, camera)}
    (tmp_path / "evening.table.json").write_text(json.dumps(table))
    (tmp_path / "other.table.json").write_text("{}")
    (finding,) = checks.check_pixels(tmp_path)
    assert finding.level == level
    assert "evening.table.json: a cell is" in finding.message


def test_a_slow_card_is_told_by_how_long_a_synced_write_takes(tmp_path: Path) -> None:
    def clock(step: float):
        now = [0.0]

        def tick() -> float:
            now[0] += step
            return now[0]

        return tick

    assert said(checks.check_disk_speed(tmp_path, clock(0.2)))["card"][0] == "note"
    assert said(checks.check_disk_speed(tmp_path, clock(0.004)))["card"][0] == "ok"
    assert list(tmp_path.iterdir()) == []
    assert said(checks.check_disk_speed(tmp_path / "none")) == {}


def test_a_clock_that_was_never_set_is_a_fault(tmp_path: Path) -> None:
    level, message = said(checks.check_clock(0.0, tmp_path))["clock"]
    assert level == "fault"
    assert "1970-01-01" in message
    game = tmp_path / "game.sqlite3"
    game.touch()
    os.utime(game, (3e9, 3e9))
    assert said(checks.check_clock(3e9 - 3600, tmp_path))["clock"][0] == "fault"
    assert said(checks.check_clock(3e9 + 1, tmp_path))["clock"][0] == "ok"


def test_settings_that_cannot_be_read_are_a_fault(tmp_path: Path) -> None:
    assert said(check_settings(tmp_path))["settings"][0] == "ok"
    (tmp_path / "settings.toml").write_text("[play]\nprot = 80\n")
    level, message = said(check_settings(tmp_path))["settings"]
    assert level == "fault"
    assert "did you mean play.port?" in message


def test_clashing_numpys_and_missing_libraries_have_their_cures() -> None:
    assert "pip uninstall" in mended_by("numpy.dtype size changed, may indicate …")
    assert "libgl1" in mended_by("libGL.so.1: cannot open shared object file")
    assert "make play" in mended_by("No module named cv2")


def test_every_check_runs_on_this_machine_and_on_a_simulated_pi(
    tmp_path: Path, pi4: Machine, capsys: pytest.CaptureFixture[str], monkeypatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    here = {finding.check for finding in examine(tmp_path)}
    assert {"python", "cv2", "disk", "card", "clock", "camera", "lights"} <= here
    assert main(["doctor", "--root", str(pi4.root), "--json"]) == 0
    there = {finding["check"] for finding in json.loads(capsys.readouterr().out)}
    assert {"audio", "spi", "wiring"} <= there


def test_a_folder_that_may_not_be_looked_into_is_told_once_and_the_rest_is_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def shut(*_: object) -> None:
        raise PermissionError(13, "Permission denied", str(tmp_path))

    monkeypatch.setattr("companion.machine.doctor.check_parts", shut)
    monkeypatch.setattr("companion.machine.doctor.check_pixels", shut)
    found = examine(tmp_path)
    told = [one for one in found if one.check == "files"]
    assert [one.message for one in told] == [f"{tmp_path}: Permission denied"]
    assert {one.check for one in found} > {"files", "settings"}
