"""Programs of others: what they said, why they failed, and that nobody waits for one for ever."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from companion.commands import install
from companion.machine.systemd import ServiceUnit
from companion.rules import HardwareFault
from companion.runtime.programs import run
from hardware.machine import Machine
from tests.checks.loops import some

PARENT = """
import signal, subprocess, sys, time
from companion.runtime.programs import mortal
command = mortal(("sh", "-c", f"echo $$ >{sys.argv[1]}; exec sleep 600"), signal.SIGTERM)
process = subprocess.Popen(command)
time.sleep(600)
"""


def gone(process: int) -> bool:
    """Wait for a process to end, and tell whether it did."""
    for _ in some(range(500)):
        if not Path(f"/proc/{process}").exists():
            return True
        time.sleep(0.02)
    os.kill(process, signal.SIGKILL)
    return False


def test_what_a_program_said_is_returned() -> None:
    assert run(("echo", "well")) == "well\n"


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (("no-such-program", "-x"), "`no-such-program -x` cannot be started: No such file"),
        (("sh", "-c", "echo one; echo two >&2; exit 3"), "failed: two$"),
        (("sh", "-c", "echo one; exit 3"), "failed: one$"),
        (("false",), "`false` failed: it said nothing$"),
    ],
)
def test_a_program_that_fails_is_told_with_its_last_word(
    command: tuple[str, ...], sentence: str
) -> None:
    with pytest.raises(HardwareFault, match=sentence):
        run(command)


@pytest.mark.parametrize("still", ["wait", "exit"])
def test_a_program_that_never_ends_is_ended_with_all_that_it_started(
    tmp_path: Path, still: str
) -> None:
    kept = tmp_path / "process"
    command = ("sh", "-c", f"sleep 600 & echo $! >{kept}; {still}")
    with pytest.raises(HardwareFault, match=r"had not ended after 1 seconds .* run it by hand"):
        run(command, seconds=1.0)
    assert gone(int(kept.read_text()))


def test_what_the_service_is_installed_by_has_a_limit_of_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A systemctl that waits for ever, as by a unit that never becomes ready."""
    (tmp_path / "etc/systemd/system").mkdir(parents=True)
    (tmp_path / "etc/passwd").write_text("root:x:0:0::/root:/bin/sh\n")
    hanging = tmp_path / "systemctl"
    hanging.write_text("#!/bin/sh\nexec sleep 600\n")
    hanging.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    service = ServiceUnit("chess", (), "root", "/usr/bin/companion")
    with pytest.raises(HardwareFault, match="`systemctl daemon-reload` had not ended after 1 sec"):
        install.install(service, Machine(tmp_path), lambda words: run(words, seconds=1.0))


@pytest.mark.skipif(sys.platform != "linux", reason="Linux alone tells a process of this")
def test_a_program_ends_with_whoever_started_it_however_that_came(tmp_path: Path) -> None:
    kept = tmp_path / "process"
    parent = subprocess.Popen([sys.executable, "-c", PARENT, str(kept)])
    assert any((kept.exists() and kept.read_text()) or time.sleep(0.02) for _ in some(range(1000)))
    parent.kill()
    parent.wait()
    assert gone(int(kept.read_text()))
