"""A real broker and a real database for tests, each in a folder of its own, without privileges."""

from __future__ import annotations

import os
import pwd
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import psycopg
import pytest

from companion.runtime.programs import mortal

MOSQUITTO = shutil.which("mosquitto", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
POSTGRES = next(
    (path.parent for path in sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))), None
)
MISSING = "mosquitto and postgresql are not installed (apt install mosquitto postgresql)"


def free_port() -> int:
    """Return a port that is free, and is no other test's end of a connection by the time a server
    opens it: Linux takes those from 32768 on."""
    while True:
        port = random.SystemRandom().randrange(20_000, 32_000)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def unprivileged(name: str) -> str | None:
    """Return as whom a server runs that refuses to be root; None as whoever runs the tests."""
    if os.getuid():
        return None
    with suppress(KeyError):
        return pwd.getpwnam(name).pw_name
    return "nobody"


def own(folder: Path, user: str | None) -> None:
    folder.chmod(0o700)
    if user is not None:
        shutil.chown(folder, user)


def end_when_told() -> None:
    """Let a program that is told to end (SIGTERM) end what it has started, too: servers are in
    sessions of their own and would outlive it."""
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))


@contextmanager
def undisturbed() -> Iterator[None]:
    """Let what would end this program wait meanwhile: a process that has just begun is known only
    a moment later, and nobody could end it before."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came = list[int]()
    before = {
        number: signal.signal(number, lambda number, frame: came.append(number))
        for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for one in came:
            signal.raise_signal(one)


class Server:
    """A process that is waited for until it ``answers`` at its port. It ends with us, also where
    we are killed, by the signal that it is ``told``."""

    told = signal.SIGKILL

    def __init__(self, command: list[str], port: int, user: str | None) -> None:
        self.command, self.port, self.user = command, port, user
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the process and wait until it answers; one that does not is ended."""
        with ExitStack() as ends:
            ends.callback(self.kill)
            self.begin()
            self.wait()
            ends.pop_all()

    def begin(self) -> None:
        """Start the process."""
        with undisturbed():
            self.process = subprocess.Popen(
                mortal(self.command, self.told), user=self.user, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL, cwd="/", start_new_session=True,
            )  # fmt: skip

    def wait(self) -> None:
        """Wait until it answers."""
        assert self.process is not None
        wait = threading.Event()
        for _ in range(2400):
            with suppress(OSError, psycopg.OperationalError):
                self.ask()
                return
            assert self.process.poll() is None, f"{self.command[0]} ended at once"
            wait.wait(0.05)
        raise AssertionError(f"{self.command[0]} does not answer")

    def ask(self) -> None:
        """Ask it something; raises what it raises that does not answer."""
        socket.create_connection(("127.0.0.1", self.port), 1).close()

    def kill(self) -> None:
        """Kill it as a power cut would, with all that it started in its session."""
        if self.process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process = None


class Broker(Server):
    """Mosquitto, as Debian ships it."""

    def __init__(self, folder: Path, port: int | None = None) -> None:
        port = port or free_port()
        user = unprivileged("mosquitto")
        own(folder, user)
        config = folder / "mosquitto.conf"
        config.write_text(
            f"listener {port} 127.0.0.1\nallow_anonymous true\npersistence true\n"
            f"persistence_location {folder}/\n"
        )
        if user is not None:
            shutil.chown(config, user)
        assert MOSQUITTO is not None
        super().__init__([MOSQUITTO, "-c", str(config)], port, user)

    @property
    def address(self) -> str:
        return f"mqtt://127.0.0.1:{self.port}"


@contextmanager
def lone_broker() -> Iterator[Broker]:
    """Yield a broker that runs in a folder of its own, until it is no more needed."""
    if MOSQUITTO is None:
        assert not os.environ.get("CI"), MISSING
        pytest.skip(MISSING)
    # The broker is not root and has to reach its folder.
    folder = Path(tempfile.mkdtemp(dir="/tmp"))
    folder.chmod(0o755)
    running = Broker(folder)
    try:
        running.start()
        yield running
    finally:
        running.kill()
        shutil.rmtree(folder, ignore_errors=True)


class Database(Server):
    """PostgreSQL, as Debian ships it; ``folder`` keeps its data. By SIGQUIT it ends at once with
    all that works for it."""

    told = signal.SIGQUIT

    def __init__(self, folder: Path) -> None:
        port, user = free_port(), unprivileged("postgres")
        own(folder, user)
        assert POSTGRES is not None
        data = folder / "data"
        subprocess.run(
            [POSTGRES / "initdb", "-D", data, "-U", "club", "-A", "trust", "-N", "-E", "UTF8"],
            check=True, user=user, stdout=subprocess.DEVNULL, cwd="/",
        )  # fmt: skip
        command = [
            str(POSTGRES / "postgres"), "-D", str(data), "-p", str(port), "-h", "127.0.0.1",
            "-k", str(folder), "-c", "shared_buffers=32MB",
        ]  # fmt: skip
        super().__init__(command, port, user)

    def ask(self) -> None:
        """Ask it something: its port is open before it is ready."""
        psycopg.connect(self.address(), connect_timeout=5).close()

    def address(self, name: str = "postgres") -> str:
        return f"postgresql://club@127.0.0.1:{self.port}/{name}"

    def kill(self) -> None:
        """Kill it with all that works for it."""
        children = [] if self.process is None else _children(self.process.pid)
        super().kill()
        for child in children:
            with suppress(ProcessLookupError):
                os.kill(child, 9)


def _children(parent: int) -> list[int]:
    tasks = Path(f"/proc/{parent}/task/{parent}/children")
    return [int(child) for child in tasks.read_text().split()] if tasks.exists() else []
