"""The companion as a service: its unit, its signs of life, its end."""

from __future__ import annotations

import configparser
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from companion.cli import main
from companion.commands.install import install
from companion.machine.notify import Heartbeat, Notifier
from companion.machine.systemd import ServiceUnit
from companion.rules import BadInput, HardwareFault
from hardware.machine import Machine

PROGRAM = "/opt/companion/.venv/bin/companion"


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    (tmp_path / "etc/systemd/system").mkdir(parents=True)
    (tmp_path / "etc/group").write_text("root:x:0:\nvideo:x:44:\ngpio:x:986:\nspi:x:989:\n")
    (tmp_path / "etc/passwd").write_text("root:x:0:0::/root:/bin/bash\npi:x:1000:1000::/home/pi:\n")
    return Machine(tmp_path)


def read(unit: str) -> configparser.ConfigParser:
    parsed = configparser.ConfigParser(strict=False, interpolation=None)
    parsed.optionxform = str  # type: ignore[assignment,method-assign]
    parsed.read_string(unit)
    return parsed


def test_the_unit_comes_after_the_clock_is_set_and_waits_for_nothing(machine: Machine) -> None:
    unit = read(ServiceUnit("chess", (), "companion", PROGRAM).unit(machine))
    assert {"time-set.target", "time-sync.target"} <= set(unit["Unit"]["After"].split())
    assert "network-online.target" not in unit["Unit"]["After"]
    assert not {"Wants", "Requires", "BindsTo"} & set(unit["Unit"])
    assert (unit["Service"]["UMask"], unit["Service"]["StateDirectoryMode"]) == ("0077", "0700")


def test_the_unit_runs_as_its_own_user_with_a_watchdog(machine: Machine) -> None:
    service = ServiceUnit(
        "victorus", ("--camera", "picamera", "--lights", "auto"), "companion", PROGRAM
    )
    unit = read(service.unit(machine))["Service"]
    assert unit["Type"] == "notify"
    assert unit["User"] == "companion"
    assert unit["SupplementaryGroups"] == "video gpio spi"
    assert unit["WatchdogSec"] == "60"
    assert unit["Restart"] == "always"
    assert unit["ProtectSystem"] == "strict"
    assert unit["StateDirectory"] == "companion"
    assert unit["ExecStart"] == (
        f"{PROGRAM} play victorus --journal /var/lib/companion/victorus.sqlite3 "
        "--camera picamera --lights auto"
    )
    assert "AmbientCapabilities" not in unit


def test_a_low_port_is_allowed_and_dma_needs_root(machine: Machine) -> None:
    low = ServiceUnit("chess", ("--port=80",), "companion", PROGRAM)
    assert read(low.unit(machine))["Service"]["AmbientCapabilities"] == "CAP_NET_BIND_SERVICE"
    for lights, user in (("ws281x:18", "root"), ("ws281x:10", "companion"), ("auto", "companion")):
        service = ServiceUnit("chess", ("--lights", lights), "companion", PROGRAM)
        assert read(service.unit(machine))["Service"]["User"] == user


def test_what_systemd_would_expand_is_quoted(machine: Machine) -> None:
    service = ServiceUnit("chess", ("--camera", "http://a:50%@cam/$x y"), "companion", PROGRAM)
    assert read(service.unit(machine))["Service"]["ExecStart"].endswith(
        "--camera 'http://a:50%%@cam/$$x y'"
    )


def test_a_program_in_a_home_is_no_place_for_another_user(machine: Machine) -> None:
    program = "/home/pi/companion/.venv/bin/companion"
    with pytest.raises(BadInput, match="home folder of pi, where companion may not go"):
        ServiceUnit("chess", (), "companion", program)
    unit = read(ServiceUnit("chess", (), "pi", program).unit(machine))["Service"]
    assert unit["ProtectHome"] == "read-only"


@pytest.mark.parametrize(
    ("options", "user", "says"),
    [(("--journal", "x"), "companion", "set by the service"), ((), "a b", "no name of a user")],
)
def test_what_does_not_fit_a_service_is_refused(options, user, says) -> None:
    with pytest.raises(BadInput, match=says):
        ServiceUnit("chess", options, user, PROGRAM)


def test_installing_writes_the_unit_and_runs_four_commands(machine: Machine) -> None:
    done: list[list[str]] = []
    service = ServiceUnit("chess", (), "companion", PROGRAM)
    install(service, machine, lambda words: done.append(list(words)))
    written = (machine.root / "etc/systemd/system/companion.service").read_text()
    assert written == service.unit(machine)
    assert [words[0] for words in done] == ["useradd", "systemctl", "systemctl", "systemctl"]
    assert done[-1] == ["systemctl", "restart", "companion.service"]
    done.clear()
    install(
        ServiceUnit("chess", (), "pi", PROGRAM), machine, lambda words: done.append(list(words))
    )
    assert [words[0] for words in done] == ["systemctl"] * 3, "the user is there already"


def test_a_machine_without_systemd_is_told_so(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="has no systemd"):
        install(
            ServiceUnit("chess", (), "companion", PROGRAM), Machine(tmp_path), lambda words: None
        )


def test_a_folder_that_may_not_be_written_asks_for_sudo(machine: Machine) -> None:
    (machine.root / "etc/systemd/system/companion.service").mkdir()
    with pytest.raises(HardwareFault, match="run it with sudo"):
        install(ServiceUnit("chess", (), "companion", PROGRAM), machine, lambda words: None)


def test_a_dry_run_prints_everything_and_checks_the_options(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.commands.install.program", lambda: PROGRAM)
    assert main(["install-service", "chess", "--dry-run", "--json", "--", "--port", "80"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["path"] == "/etc/systemd/system/companion.service"
    assert "--port 80" in told["unit"]
    assert ["systemctl", "enable", "companion.service"] in told["commands"]
    with pytest.raises(SystemExit):
        main(["install-service", "chess", "--dry-run", "--", "--camra", "picamera"])


# -- signs of life -------------------------------------------------------------------------


@pytest.fixture
def systemd(tmp_path: Path):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(tmp_path / "notify"))
        listening.settimeout(60)
        yield listening, {"NOTIFY_SOCKET": str(tmp_path / "notify")}


def test_a_watch_that_hangs_gives_no_sign_of_life(systemd) -> None:
    listening, environment = systemd
    notifier = Notifier({**environment, "WATCHDOG_USEC": "60000000"})
    assert notifier.interval == 30
    looks = [5]
    heart = Heartbeat(notifier, lambda: looks[0])
    assert heart.beat()
    assert not heart.beat(), "nothing was looked at since"
    looks[0] += 1
    assert heart.beat()
    listening.setblocking(False)
    assert [listening.recv(100) for _ in range(2)] == [b"WATCHDOG=1"] * 2
    with pytest.raises(BlockingIOError):
        listening.recv(100)


def test_without_systemd_nothing_is_said_and_nobody_waits(tmp_path: Path) -> None:
    notifier = Notifier({})
    notifier.send("READY=1")
    Notifier({"NOTIFY_SOCKET": str(tmp_path / "gone")}).send("READY=1")
    Heartbeat(notifier, lambda: 1).run(threading.Event())
    assert notifier.interval is None


def test_the_running_companion_is_ready_lives_and_stops_when_asked(systemd, tmp_path: Path) -> None:
    listening, environment = systemd
    process = subprocess.Popen(
        [sys.executable, "-m", "companion.cli", "play", "chess", "--port", "0", "--json",
         "--host", "127.0.0.1", "--journal", str(tmp_path / "game.sqlite3")],
        env={**os.environ, **environment, "WATCHDOG_USEC": "400000"},
        stdout=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        assert listening.recv(200).startswith(b"READY=1\nSTATUS=Chess at port")
        assert listening.recv(200) == b"WATCHDOG=1"
        process.send_signal(signal.SIGTERM)
        process.send_signal(signal.SIGTERM)  # make and systemd ask the whole group at once
        while (told := listening.recv(200)) == b"WATCHDOG=1":
            pass
        assert told == b"STOPPING=1"
        assert process.wait(30) == 0
    finally:
        process.kill()
        process.wait()


EXPOSED = 4.0
"""How far a service may be exposed at most, as systemd measures it: 0 not at all, 10 wholly."""


@pytest.mark.parametrize("options", [(), ("--port", "80", "--camera", "picamera")])
def test_the_unit_is_walled_in_by_systemds_own_measure(
    machine: Machine, tmp_path: Path, options: tuple[str, ...]
) -> None:
    path = tmp_path / "companion.service"
    path.write_text(ServiceUnit("chess", options, "companion", PROGRAM).unit(machine))
    assert walled_in(path) == ""


def walled_in(path: Path) -> str:
    """Return what systemd says where it measures a unit as too exposed, empty where it is not."""
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        assert not os.environ.get("CI"), "systemd-analyze is not installed (apt install systemd)"
        pytest.skip("systemd-analyze is not installed (apt install systemd)")
    command = [analyze, "security", "--offline=true", f"--threshold={int(10 * EXPOSED)}", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr if done.returncode else ""


def test_who_feeds_leds_by_dma_is_not_walled_in(machine: Machine) -> None:
    unit = ServiceUnit("chess", ("--lights", "ws281x:18"), "companion", PROGRAM).unit(machine)
    assert "CapabilityBoundingSet" not in unit


def test_a_walled_in_table_may_still_ask_whether_a_time_server_is_heard(machine: Machine) -> None:
    lines = ServiceUnit("chess", (), "companion", PROGRAM).unit(machine).splitlines()
    filters = [line.partition("=")[2] for line in lines if line.startswith("SystemCallFilter=")]
    assert filters == ["@system-service", "~@privileged", "adjtimex clock_adjtime"]
