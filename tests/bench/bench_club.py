"""What a club carries: recorded journals told at ten times their pace, a real broker, a real
database, the club's service and its wall, each a process of its own on this machine.

Run ``PYTHONPATH=. python tests/bench/bench_club.py [--tables 10 100 1000] [--seconds 30]``: it
prints one JSON object for each number of tables, and ``--plot FILE`` draws how the parts grow. A
table is the product's own outbox over a journal that is read as far as the recorded time has come;
it takes a turn when something has happened or come, as a table does, and each five seconds. A wall
that has shown some tables (``--seen``) before asks for what is new of them, as a page does.
``late`` is from when an event happened until the table knows it stored, or until the wall shows it.
``--pace`` is how much faster than it was played a journal is told. With ``--first`` (as root, on
Linux) all parts are scheduled before whatever else the machine does while they are measured.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import random
import resource
import select
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterable
from contextlib import suppress
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from companion.club.link import MqttLink, read_address
from companion.club.outbox import Outbox
from companion.club.store import Store
from companion.games import find_game
from companion.journal import Journal
from companion.journal.copying import JournalRows
from companion.runtime.programs import mortal
from companion.table import Table
from tests.checks.club_servers import Broker, Database, free_port

THINKING = (5.0, 35.0)
"""Seconds between two actions of the recorded games."""
A_PROCESS, SERVICES, RECORDED, EVENTS = 80, 2, 6, 150
MOST_SEEN = 24
"""Tables that a page asks for at once at most; four tell little in a minute."""
STEP, IDLE, SOON = 0.1, 5.0, 0.02
"""Seconds after which tables look whether it begins; between two turns of one to which nothing
happens, and of one that has not told all yet."""
LEAD, SETTLING = 8.0, 10.0
FIRST = "-12"
"""How nice a session is that goes before others."""
TICKS = os.sysconf("SC_CLK_TCK")


class Run(NamedTuple):
    """So many ``tables`` that tell their journals at a ``pace`` for so many ``seconds``, some of
    which are ``seen``; ``first`` before whatever else the machine does."""

    tables: int
    seconds: float
    pace: float
    seen: int
    first: bool


def record(path: Path, number: int) -> None:
    """Write a journal as an evening leaves it, from second 0 on."""
    chance, at = random.Random(number), [0.0]
    game = find_game(("chess", "invictus", "victorus")[number % 3])
    with Journal(path) as journal:
        table: Table[Any] = Table.create(journal, game, game.setup(), now=lambda: at[0])
        for _ in range(EVENTS):
            at[0] += chance.uniform(*THINKING)
            legal = game.legal(table.state)
            if legal and table.outcome is None:
                table.play(chance.choice(legal), "camera")
            else:
                table = Table.create(journal, game, game.setup(), now=lambda: at[0])


class RecordedTable:
    """A table that tells a recorded journal at a ``pace``; it is ``ahead`` by so many seconds of
    it."""

    def __init__(self, path: Path, broker: str, ahead: float, pace: float) -> None:
        self.ahead, self.begin, self.pace, self.turned = ahead, float("inf"), pace, 0.0
        rows = JournalRows(path)
        times = [(row.seq, row.at) for row in rows.after(0, 10_000)]
        rows.close()
        self.first = next((index for index, (_, at) in enumerate(times) if at > ahead), 0)
        self.before = times[self.first - 1][0] if self.first else 0
        self.next = self.first
        self.times, self.late = times, list[float]()
        self._broker = read_address(broker)
        self.outbox = Outbox(path, self._line, path.stem, delay=1e-6, now=self.now)

    def _line(self, *line: Any) -> MqttLink:
        self.link = MqttLink(self._broker, *line)
        return self.link

    def now(self) -> float:
        """Return the seconds of the record that have passed."""
        return self.ahead + max(0.0, time.time() - self.begin) * self.pace

    def happened(self, index: int) -> float:
        """Return when an event happens here, in seconds since 1970."""
        return self.begin + (self.times[index][1] - self.ahead) / self.pace

    def due(self) -> float:
        """Return when it has something to do by itself, in seconds since 1970."""
        if self.next and self.times[self.next - 1][0] > self.outbox._sent.seq:
            return self.turned + SOON
        happens = self.happened(self.next) if self.next < len(self.times) else float("inf")
        return min(happens, self.turned + IDLE)

    def turn(self, end: float, heard: bool) -> None:
        """Take a turn if there is something to do; note what was stored, of what happened between
        begin and ``end``."""
        now = time.time()
        if not (heard or now >= self.due()):
            return
        self.turned = now
        while self.next < len(self.times) and self.happened(self.next) <= now:
            self.next += 1
        self.outbox.step(0.0)
        stored, now = self.outbox.cursor.place.seq, time.time()
        while self.first < len(self.times) and self.times[self.first][0] <= stored:
            if self.begin <= self.happened(self.first) <= end:
                self.late.append(now - self.happened(self.first))
            self.first += 1


def take_turns(tables: list[RecordedTable], end: float, until: float) -> None:
    """Let tables take turns when something happens or comes, until a time."""
    while (now := time.time()) < until:
        lines = [table.link._client.socket() for table in tables]
        rest = min([until, *(table.due() for table in tables)]) - now
        heard, _, _ = select.select([one for one in lines if one], [], [], max(0.0, rest))
        for line, table in zip(lines, tables, strict=True):
            table.turn(end, line in heard)


def tell(paths: list[Path], broker: str, seconds: float, pace: float, line: Any) -> None:
    """Let tables tell their journals for so long, once what lies before is stored and ``line`` says
    when; answer when the events of some happened, by table, and how late all was stored."""
    chance = random.Random(str(paths[0]))
    tables = [RecordedTable(path, broker, chance.uniform(0, 200), pace) for path in paths]
    while any(table.outbox.cursor.place.seq < table.before for table in tables):
        for table in tables:
            table.outbox.step(0.0)
    line.send("ready")
    # A line on which nothing is said for long the broker cuts.
    while not line.poll(0.0):
        take_turns(tables, 0.0, time.time() + STEP)
    begin = line.recv()
    end = begin + seconds
    for table in tables:
        table.begin = begin
    happened = {
        table.outbox.cursor.table: [
            (seq, table.happened(index)) for index, (seq, _) in enumerate(table.times)
        ]
        for table in tables[:MOST_SEEN]
    }
    line.send(happened)
    take_turns(tables, end, end + SETTLING)
    line.send([late for table in tables for late in table.late])


def look(port: int, happened: dict[str, list[tuple[int, float]]], begin: float, end: float) -> Any:
    """Ask as a page does for some tables; return how late it showed what happened."""
    known, seen, late = dict.fromkeys(happened, ""), dict.fromkeys(happened, 0), list[float]()
    told = {"again": 1000}
    while time.time() < end:
        asked = ",".join(f"{table}.{key}" for table, key in known.items())
        address = f"http://127.0.0.1:{port}/api/wall?wait=1&tables={asked}"
        with suppress(OSError), urllib.request.urlopen(address, timeout=20) as answer:
            told = json.load(answer)
            for one in told["tables"]:
                known[one["table"]] = one["key"]
                late += [
                    time.time() - at
                    for seq, at in happened[one["table"]]
                    if seen[one["table"]] < seq <= one["seq"] and at > begin
                ]
                seen[one["table"]] = one["seq"]
        time.sleep(told["again"] / 1000)
    return late


def used(processes: list[int]) -> tuple[float, float]:
    """Return the seconds of processor and the megabytes of ``processes`` and their children."""
    seconds = memory = 0.0
    for process in processes:
        with suppress(OSError, ValueError):
            fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
            seconds += sum(map(int, fields[11:15])) / TICKS
            roll = Path(f"/proc/{process}/smaps_rollup").read_text()
            memory += int(roll.partition("\nPss:")[2].split()[0]) / 1024
            children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
            more = used([int(child) for child in children])
            seconds, memory = seconds + more[0], memory + more[1]
    return seconds, memory


def prefer(processes: Iterable[int]) -> None:
    """Schedule the sessions of ``processes`` before those of others."""
    for process in processes:
        with suppress(OSError):
            Path(f"/proc/{process}/autogroup").write_text(FIRST)


def measure(run: Run) -> dict[str, Any]:
    """Let tables tell their journals; return how late all was stored and shown, and what it
    took."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        for part in ("broker", "database", "tables", "recorded"):
            (folder / part).mkdir()
        for number in range(RECORDED):
            record(folder / "recorded" / f"{number}.sqlite3", number)
        broker, database = Broker(folder / "broker"), Database(folder / "database")
        broker.start()
        database.start()
        port, parts = free_port(), {"broker": [broker], "database": [database]}
        with Store(database.address()) as store:
            store.tables()
        services = [_club(folder, broker, database, "serve", "--part", f"{n}/{SERVICES}")
                    for n in range(1, SERVICES + 1)]  # fmt: skip
        wall = _club(folder, broker, database, "wall", "--host", "127.0.0.1", "--port", str(port))
        try:
            ids = {part: [one.process.pid for one in some] for part, some in parts.items()}
            ids |= {"service": [one.pid for one in services], "wall": [wall.pid]}
            return _told(folder, run, broker.address, port, ids)
        finally:
            for one in (*services, wall):
                one.kill()
                one.wait()
            database.kill()
            broker.kill()


def _club(folder: Path, broker: Broker, database: Database, *what: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "companion", "club", *what, "--data", str(folder)]
    command += ["--broker", broker.address, "--database", database.address()]
    return subprocess.Popen(mortal(command, signal.SIGTERM), stdout=subprocess.DEVNULL)


def _started(paths: list[Path], broker: str, run: Run) -> tuple[list[Any], list[Any]]:
    """Start the processes of the tables at ``paths``; return the line to each, and each, once all
    that lies before is stored."""
    spawn = multiprocessing.get_context("spawn")
    lines, processes = list[Any](), list[Any]()
    share = min(A_PROCESS, max(1, len(paths) // 4))
    for number in range(0, len(paths), share):
        line, other = spawn.Pipe()
        mine = paths[number : number + share]
        given = (mine, broker, run.seconds, run.pace, other)
        processes.append(spawn.Process(target=tell, args=given, daemon=True))
        processes[-1].start()
        lines.append(line)
    for line in lines:
        line.recv()
    return lines, processes


def _told(
    folder: Path, run: Run, broker: str, port: int, ids: dict[str, list[int]]
) -> dict[str, Any]:
    paths = [folder / "tables" / f"{number}.sqlite3" for number in range(run.tables)]
    for number, path in enumerate(paths):
        path.symlink_to(folder / "recorded" / f"{number % RECORDED}.sqlite3")
    lines, processes = _started(paths, broker, run)
    ids["tables"] = [int(one.pid or 0) for one in processes]
    if run.first:
        prefer(chain([os.getpid()], *ids.values()))
    begin = time.time() + LEAD
    for line in lines:
        line.send(begin)
    told = [line.recv() for line in lines]
    every = [table for some in zip_longest(*told) for table in some if table is not None]
    happened = {table: when for some in told for table, when in some.items()}
    happened = {table: happened[table] for table in every[: run.seen]}
    # What it has never shown it has to copy first.
    look(port, happened, begin, begin - LEAD / 2)
    time.sleep(max(0.0, begin - time.time()))
    before = {part: used(some)[0] for part, some in ids.items()}
    shown = look(port, happened, begin, begin + run.seconds)
    after = {part: used(some) for part, some in ids.items()}
    stored = [late for line in lines for late in line.recv()]
    for process in processes:
        process.join()
    return {
        "tables": run.tables,
        "pace": run.pace,
        "seen": run.seen,
        "events_a_second": round(len(stored) / run.seconds, 1),
        "stored_late_s": spread(stored),
        "shown_late_s": spread(shown),
        "cpu_percent": {
            part: round(100 * (after[part][0] - before[part]) / run.seconds, 1) for part in ids
        },
        "memory_mb": {part: round(after[part][1], 1) for part in ids},
        "load": os.getloadavg()[0],
    }


def spread(late: list[float]) -> dict[str, float]:
    """Return the median and the 95th percentile of ``late``, and how many there are."""
    late = sorted(late) or [float("nan")]
    last = late[int(0.95 * len(late))]
    return {"median": round(statistics.median(late), 3), "p95": round(last, 3), "of": len(late)}


def plot(told: list[dict[str, Any]]) -> str:
    """Return an SVG picture: processor of each part over the number of tables, both logarithmic."""
    from math import log10

    def spot(tables: float, percent: float) -> str:
        return (
            f"{60 + 150 * (log10(tables) - 1):.0f},{260 - 70 * (log10(max(percent, 0.1)) + 1):.0f}"
        )

    colours = ("#b5533c", "#3c6eb5", "#4b8b3b", "#8b5fb5", "#8a7a3b")
    drawn, below = [], 0
    parts = sorted(told[0]["cpu_percent"], key=lambda part: -told[-1]["cpu_percent"][part])
    for colour, part in zip(colours, parts, strict=False):
        points = [spot(one["tables"], one["cpu_percent"][part]) for one in told]
        x, y = map(int, points[-1].split(","))
        # Names that would lie on one another stand one below another.
        below = max(y + 4, below + 14)
        drawn.append(f'<polyline points="{" ".join(points)}" fill="none" stroke="{colour}"/>')
        drawn.append(f'<text x="{x + 6}" y="{below}" fill="{colour}">{part}</text>')
    for percent in (0.1, 1, 10, 100):
        x, y = spot(10, percent).split(",")
        drawn.append(f'<text x="4" y="{y}" fill="#777">{percent:g} %</text>')
        drawn.append(f'<path d="M60 {y}H360" stroke="#7775"/>')
    drawn += [f'<text x="{spot(n, 1).split(",")[0]}" y="285" fill="#777">{n}</text>'
              for n in (10, 100, 1000)]  # fmt: skip
    head = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 440 295" font-family="sans-serif"'
    return f'{head} font-size="13">{"".join(drawn)}</svg>\n'


def main() -> None:
    """Print what each number of tables took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, nargs="+", default=[10, 100, 1000])
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--pace", type=float, default=10.0)
    parser.add_argument("--seen", type=int, default=MOST_SEEN)
    parser.add_argument("--first", action="store_true")
    parser.add_argument("--plot", metavar="FILE", type=Path)
    chosen = parser.parse_args()
    # The broker has a line open for each table.
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    told = []
    for tables in chosen.tables:
        told.append(measure(Run(tables, chosen.seconds, chosen.pace, chosen.seen, chosen.first)))
        print(json.dumps(told[-1]), flush=True)
    if chosen.plot:
        chosen.plot.write_text(plot(told), "utf-8")


if __name__ == "__main__":
    main()
