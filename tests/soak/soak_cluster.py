"""Many tables and their club against a cluster of three brokers, of which one after another is
killed with -9.

    python -m tests.soak.soak_cluster --kind rabbitmq --tables 100 --kills 30 --seed 1

The tables and the services are those of a club with one broker; they are told the three addresses.
Nothing is asked of a node but sessions and messages of quality 1: no retained message is relied on.
After each kill the time is taken until the database has the next event of any table, and until it
has one of every table. At the end the store and all journals are
compared, event for event. Where Debian's rabbitmq-server or nats-server is not installed it says so
and ends well.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

import psycopg

from companion.runtime.programs import mortal
from tests.bench.bench_club import spread, used
from tests.checks.club_servers import Database, end_when_told, undisturbed
from tests.checks.cluster_servers import KINDS, Cluster, installed
from tests.soak.soak_club import PlayingTables

SERVICES = 2
CALM_SECONDS = 10.0
"""Seconds before the first kill in which the nodes' processor is counted."""
CALM = (1.0, 2.0)
"""Seconds from a kill until the node begins again, and from then until the next kill."""
SETTLING = 300.0
"""Seconds in which all has to be stored at the end."""
LONGEST = 15.0
"""Seconds for which events are waited for after a kill."""


def after_a_kill(database: str, tables: int) -> tuple[float, float]:
    """Return after how many seconds the club has stored an event that came from now on, and after
    how many one of each of so many ``tables``."""
    begun, first = time.monotonic(), LONGEST
    with psycopg.connect(database, autocommit=True) as db:
        row = db.execute("SELECT clock_timestamp()").fetchone()
        since = row[0] if row else None
        while time.monotonic() - begun < LONGEST:
            row = db.execute(
                "SELECT count(DISTINCT table_id) FROM stream WHERE told > %s", (since,)
            ).fetchone()
            count = int(row[0]) if row else 0
            first = min(first, time.monotonic() - begun) if count else first
            if count >= tables:
                break
            time.sleep(0.02)
    return first, time.monotonic() - begun


class ClusterSoak:
    """All of it. ``first`` and ``every`` hold, for each kill, after how many seconds an event was
    stored, and one of every table. ``ends`` ends what was started, also where the rest cannot
    start."""

    def __init__(self, folder: Path, kind: str, tables: int, seed: int, ends: ExitStack) -> None:
        self.tables, self.chance = tables, random.Random(seed)
        self.first, self.every = list[float](), list[float]()
        (folder / "database").mkdir()
        self.database = Database(folder / "database")
        self.cluster = Cluster(kind, folder / "cluster")
        ends.callback(self.database.kill)
        self.database.start()
        ends.callback(self.cluster.kill)
        self.cluster.start()
        self.stored_at = self.database.address()
        command = [sys.executable, "-m", "companion", "club", "serve", "--data", str(folder)]
        command += ["--broker", self.cluster.address, "--database", self.stored_at]
        for number in range(1, SERVICES + 1):
            share = mortal([*command, "--part", f"{number}/{SERVICES}"], signal.SIGTERM)
            quiet = subprocess.DEVNULL
            with undisturbed():
                service = subprocess.Popen(share, stdout=quiet, stderr=quiet)
                ends.callback(service.wait)
                ends.callback(service.kill)
        self.playing = PlayingTables(folder, self.cluster.address, self.stored_at, tables, seed)
        ends.callback(self.playing.close)
        after_a_kill(self.stored_at, tables)

    def nodes(self) -> list[tuple[float, float]]:
        """Return the seconds of processor and the megabytes of each node."""
        return [used([node.process.pid]) for node in self.cluster.nodes if node.process]

    def kill(self) -> None:
        """Kill a node, and let it begin again."""
        node = self.chance.choice(self.cluster.nodes)
        node.kill()
        first, every = after_a_kill(self.stored_at, self.tables)
        self.first.append(first)
        self.every.append(every)
        time.sleep(self.chance.uniform(*CALM))
        node.start()
        time.sleep(self.chance.uniform(*CALM))

    def settle(self) -> float:
        """Play no more; return after how many seconds all is stored."""
        begun = time.monotonic()
        self.playing.settle(SETTLING)
        return time.monotonic() - begun


def main() -> int:
    """Return 1 if a journal and the store differ."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kind", choices=list(KINDS), default="rabbitmq")
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    if not installed(chosen.kind):
        # Twenty packages that nothing else of ours needs are not installed unasked.
        print(f"left out: Debian's {chosen.kind}-server is not installed")
        return 0
    end_when_told()
    with tempfile.TemporaryDirectory(dir="/tmp") as name, ExitStack() as ends:
        Path(name).chmod(0o755)
        soak = ClusterSoak(Path(name), chosen.kind, chosen.tables, chosen.seed, ends)
        before = soak.nodes()
        time.sleep(CALM_SECONDS)
        calm = soak.nodes()
        for _ in range(chosen.kills):
            soak.kill()
        caught, memory = soak.settle(), [megabytes for _, megabytes in soak.nodes()]
        different, events = soak.playing.compared()
    spent = [now[0] - then[0] for now, then in zip(calm, before, strict=True)]
    print(json.dumps({
        **vars(chosen), "events": events, "differ": different, "caught_up_s": round(caught, 1),
        "next_stored_s": spread(soak.first), "of_every_table_s": spread(soak.every),
        "node_cpu_percent_calm": [round(100 * one / CALM_SECONDS, 1) for one in spent],
        "node_mb": [round(one) for one in memory], "load": os.getloadavg()[0],
    }))  # fmt: skip
    return int(bool(different))


if __name__ == "__main__":
    sys.exit(main())
