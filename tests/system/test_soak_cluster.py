"""What the soak of a cluster has started is ended, however its start ends."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.checks import cluster_servers
from tests.checks.club_servers import MISSING, MOSQUITTO, POSTGRES, Broker, free_port
from tests.soak import soak_cluster

PATIENCE, DATABASE = 60.0, 1


class Node(Broker):
    """A node that starts, as one of a cluster."""

    def __init__(self, folder, number, inside):
        folder.mkdir(parents=True)
        super().__init__(folder)
        self.last = number == cluster_servers.NODES - 1


class NodeThatIsMissing(Node):
    """The last of its cluster has no program."""

    def begin(self):
        if self.last:
            self.command = ["/nowhere/broker"]
        super().begin()


class NodeThatEnds(Node):
    """The last of its cluster ends at once."""

    def begin(self):
        if self.last:
            self.command = ["false"]
        super().begin()


class NodeThatIsMute(Node):
    """The last of its cluster runs and never answers."""

    def begin(self):
        if self.last:
            self.command, self.port = ["sleep", "1000"], free_port()
        super().begin()


def started_by(parent):
    """Return the processes that a process has started and not yet waited for."""
    tasks = Path(f"/proc/{parent}/task").glob("*/children")
    return {int(child) for task in tasks for child in task.read_text().split()}


def running(processes):
    """Return which of some processes run."""
    return [process for process in processes if Path(f"/proc/{process}").exists()]


def still_there(processes):
    """Return which of some processes run; they are ended, for a test that fails leaves none."""
    left = running(processes)
    for process in left:
        os.kill(process, signal.SIGKILL)
    return left


@pytest.fixture(autouse=True)
def _installed():
    if MOSQUITTO is None or POSTGRES is None:
        assert not os.environ.get("CI"), MISSING
        pytest.skip(MISSING)


@pytest.fixture
def folder():
    """A folder below which servers may work that are not root."""
    folder = Path(tempfile.mkdtemp(dir="/tmp"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def started(monkeypatch):
    """The processes that were there when the last part was started."""
    before, seen = started_by(os.getpid()), set()

    def noting(part, begin):
        def noted(*given):
            seen.update(started_by(os.getpid()) - before)
            return begin(*given)

        monkeypatch.setattr(*part, noted)

    noting((Node, "begin"), Node.begin)
    noting((soak_cluster, "PlayingTables"), soak_cluster.PlayingTables)
    return seen


@pytest.mark.parametrize(
    ("kind", "error"),
    [(NodeThatIsMissing, AssertionError), (NodeThatEnds, AssertionError)],
)
def test_a_node_that_cannot_start_leaves_none_of_the_others_running(
    kind, error, folder, started, monkeypatch
):
    monkeypatch.setitem(cluster_servers.KINDS, "mosquitto", kind)
    with pytest.raises(error), ExitStack() as ends:
        soak_cluster.ClusterSoak(folder, "mosquitto", 1, 1, ends)
    assert len(started) == DATABASE + cluster_servers.NODES - 1
    assert not still_there(started)


@pytest.mark.slow
def test_tables_that_cannot_start_leave_no_node_and_no_service_running(
    folder, started, monkeypatch
):
    monkeypatch.setitem(cluster_servers.KINDS, "mosquitto", Node)
    (folder / "0").mkdir()
    with pytest.raises(EOFError), ExitStack() as ends:
        soak_cluster.ClusterSoak(folder, "mosquitto", 1, 1, ends)
    assert len(started) == DATABASE + cluster_servers.NODES + soak_cluster.SERVICES
    assert not still_there(started)


def soak_of_mute_nodes():
    """Run the soak with a node that is waited for in vain."""
    cluster_servers.KINDS["mosquitto"] = NodeThatIsMute
    soak_cluster.installed = lambda kind: True
    sys.argv = ["soak_cluster", "--kind", "mosquitto", "--tables", "1"]
    soak_cluster.main()


@pytest.mark.parametrize("told", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
@pytest.mark.slow
def test_a_soak_that_is_ended_while_it_starts_leaves_nothing_running(told):
    """As by ``timeout``, by a key, or with -9."""
    code = "from tests.system import test_soak_cluster as it; it.soak_of_mute_nodes()"
    quiet = subprocess.DEVNULL
    soak = subprocess.Popen([sys.executable, "-c", code], stdout=quiet, stderr=quiet)
    wait, there = threading.Event(), set()
    try:
        for _ in range(int(PATIENCE / 0.01)):
            there = started_by(soak.pid)
            if len(there) == DATABASE + cluster_servers.NODES:
                break
            wait.wait(0.01)
        assert len(there) == DATABASE + cluster_servers.NODES
        soak.send_signal(told)
        assert soak.wait(PATIENCE)
        if told == signal.SIGKILL:  # Nobody waited for them.
            any(not running(there) or wait.wait(0.01) for _ in range(int(PATIENCE / 0.01)))
        assert not still_there(there)
    finally:
        soak.kill()
        soak.wait()
