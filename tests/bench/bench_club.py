"""How many events a second a club's service stores, and how soon after they happened: tables that
play at a steady pace, a real broker and a real database on this machine, everything in one run.

Run ``PYTHONPATH=. python tests/bench/bench_club.py [--tables 10 100] [--seconds 20] [--pace 1]``:
it prints one JSON object for each number of tables. The tables run in this process, the service in
one of its own; ``bare`` is what the same database takes in transactions of one row, in events a
second.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import deque
from functools import partial
from pathlib import Path
from typing import Any

import psycopg

from companion.club.link import MqttLink, read_address
from companion.club.outbox import Outbox
from companion.games import find_game
from companion.journal import Journal
from companion.table import Table
from tests.checks.club_servers import Broker, Database

GAME = find_game("chess")
ROUND = ("g1-f3", "g8-f6", "f3-g1", "f6-g8")


class PacedTable:
    """A table that makes a move every ``pace`` seconds, and remembers when each was made."""

    def __init__(self, path: Path, broker: str, pace: float, first: float) -> None:
        self.journal = Journal(path)
        self.table = Table.create(self.journal, GAME, GAME.setup())
        self.outbox = Outbox(path, partial(MqttLink, read_address(broker)))
        self.pace, self.due, self.count = pace, first, 0
        self.made: deque[tuple[int, float]] = deque()
        self.waits: list[float] = []

    def turn(self, now: float, playing: bool) -> None:
        """Move if it is time; see what was stored."""
        if playing and now >= self.due:
            action = GAME.parse(self.table.setup, ROUND[self.count % len(ROUND)])
            self.table.play(action, "camera")
            self.made.append((self.journal.last_seq, time.monotonic()))
            self.count, self.due = self.count + 1, self.due + self.pace
        self.outbox.step(0.0)
        stored = self.outbox.cursor.place.seq
        while self.made and self.made[0][0] <= stored:
            self.waits.append(time.monotonic() - self.made.popleft()[1])


def bare(address: str, rows: int = 300) -> float:
    """Return how many transactions of one row the database takes a second."""
    with psycopg.connect(address, autocommit=True) as db:
        db.execute("CREATE TABLE bare (number integer, told text)")
        began = time.monotonic()
        for number in range(rows):
            db.execute("INSERT INTO bare VALUES (%s, %s)", (number, "x" * 300))
        took = time.monotonic() - began
        db.execute("DROP TABLE bare")
    return rows / took


def measure(tables: int, seconds: float, pace: float) -> dict[str, Any]:
    """Let so many ``tables`` play for so many ``seconds``, and tell how they were stored."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        for part in ("broker", "database", "tables"):
            (folder / part).mkdir()
        broker, database = Broker(folder / "broker"), Database(folder / "database")
        broker.start()
        database.start()
        transactions = bare(database.address())
        command = [sys.executable, "-m", "companion", "club", "serve", "--broker", broker.address]
        command += ["--database", database.address(), "--data", name]
        service = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        try:
            first = time.monotonic() + 3.0
            every = [
                PacedTable(
                    folder / "tables" / f"{number}.sqlite3", broker.address, pace,
                    first + pace * number / tables,
                )
                for number in range(tables)
            ]  # fmt: skip
            play(every, first + seconds)
            service.kill()
            _, _, used = os.wait4(service.pid, 0)
            service.returncode = -9
        finally:
            service.kill()
            database.kill()
            broker.kill()
    waits = sorted(wait for table in every for wait in table.waits)
    return {
        "tables": tables,
        "events": len(waits),
        "events_a_second": round(len(waits) / seconds, 1),
        "stored_after_s": spread(waits),
        "service_cpu_ms_an_event": round(1000 * (used.ru_utime + used.ru_stime) / len(waits), 2),
        "service_memory_mb": round(used.ru_maxrss / 1024, 1),
        "bare_transactions_a_second": round(transactions, 1),
    }


def play(tables: list[PacedTable], end: float) -> None:
    """Let all play until ``end``, and wait until everything is stored."""
    while (now := time.monotonic()) < end or any(table.made for table in tables):
        for table in tables:
            table.turn(now, now < end)
        if now > end + 60:
            raise SystemExit("not all was stored within a minute")


def spread(waits: list[float]) -> dict[str, float]:
    """Return the median and the 95th percentile of sorted ``waits``."""
    last = waits[int(0.95 * len(waits))]
    return {"median": round(statistics.median(waits), 3), "p95": round(last, 3)}


def main() -> None:
    """Print what each number of tables took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, nargs="+", default=[10, 100])
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--pace", type=float, default=1.0, help="seconds between two moves")
    chosen = parser.parse_args()
    for tables in chosen.tables:
        print(json.dumps(measure(tables, chosen.seconds, chosen.pace)), flush=True)


if __name__ == "__main__":
    main()
