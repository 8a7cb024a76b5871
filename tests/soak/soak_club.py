"""Many tables and their club, against a real broker and a real database, while these are killed.

    python -m tests.soak.soak_club --tables 20 --faults 60 --seed 1

Every table plays on whatever happens; tables are dealt to processes of ``A_PROCESS``, services run
as processes of their own. A fault kills the broker, the database, a service or a table with -9,
cuts a line, restores a journal from a backup, sets a table's clock back by an hour, sends what was
sent twice and in another order, or (as root, who can make a small disk) fills the club's disk; what
was broken is mended after some seconds. At the end the club's store and all journals are compared,
event for event.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack, suppress
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import psycopg

from companion.club.link import MqttLink, read_address
from companion.club.messages import Batch, Place, topic, write_batch
from companion.club.outbox import Outbox
from companion.club.store import Store
from companion.games import find_game
from companion.journal import Journal
from companion.journal.copying import EventRow, JournalRows, write_rows
from companion.rules import HardwareFault
from companion.runtime.programs import mortal
from companion.table import Table
from tests.checks.club_servers import Broker, Database
from tests.checks.mqtt_proxy import UnsteadyLine

GAMES = ("chess", "invictus", "victorus")
SERVICES, A_PROCESS = 2, 20
TURN, AWAY = 0.05, 4.0
"""Seconds of a turn; for which what was broken is away at most."""
MOVES = 0.1
"""How likely a table plays in a turn."""
CALM = 0.8
"""Seconds between two faults at most."""
DISK = "160m"
"""The club's disk, where it can be filled."""


class SoakTable:
    """A table that plays at random, and its outbox, behind a line that can be cut; where ``broker``
    is an address instead of a port, without one."""

    def __init__(self, folder: Path, broker: int | str, chance: random.Random) -> None:
        self.path = folder / "table.sqlite3"
        self.proxy = UnsteadyLine(broker) if isinstance(broker, int) else None
        folder.mkdir()
        self.chance, self.broker, self.back = chance, broker, 0.0
        self.journal = Journal(self.path)
        self.begin()
        self.outbox: Outbox | None = None
        self.restart()

    def now(self) -> float:
        """Return the time as the table's clock has it."""
        return time.time() - self.back

    def begin(self) -> None:
        """Begin another game."""
        game = find_game(self.chance.choice(GAMES))
        self.table: Table[Any] = Table.create(self.journal, game, game.setup(), now=self.now)

    def turn(self, playing: bool) -> None:
        """Play an action, perhaps, and take a turn of the outbox."""
        if playing and self.chance.random() < MOVES:
            legal = self.table.game.legal(self.table.state)
            if not legal or self.chance.random() < 0.02:
                self.begin()
            else:
                self.table.play(self.chance.choice(legal), "camera")
        if self.outbox is not None:
            self.outbox.step(0.0)

    def told(self) -> str:
        """Return what is not stored yet, empty if all is."""
        assert self.outbox is not None
        stored, last = self.outbox.cursor.place.seq, self.journal.last_seq
        said = f"{stored} of {last} stored; {self.outbox.trouble}"
        return "" if stored == last else f"{self.path.parent.name}: {said}"

    # -- faults --------------------------------------------------------------------------

    def kill(self) -> None:
        """Stop as a pulled plug would."""
        self.cut()
        self.outbox = None

    def restart(self) -> None:
        """Switch it on again."""
        self.mend()
        where = f"mqtt://127.0.0.1:{self.proxy.port}" if self.proxy else str(self.broker)
        address = read_address(where)
        name = self.path.parent.name
        self.outbox = Outbox(self.path, partial(MqttLink, address), name, now=self.now)

    def cut(self) -> None:
        """Cut its line."""
        if self.proxy:
            self.proxy.break_off()

    def mend(self) -> None:
        """Mend its line."""
        if self.proxy:
            self.proxy.mend()

    def set_back(self) -> None:
        """Set its clock back by an hour."""
        self.back += 3600.0

    def restore(self) -> None:
        """Go back to a backup, some events ago, and play on from there."""
        self.kill()
        rows = self.rows()
        kept = rows[: max(1, len(rows) - self.chance.randrange(30))]
        self.journal.close()
        for ending in (".sqlite3", ".sqlite3-wal", ".sqlite3-shm"):
            self.path.with_suffix(ending).unlink(missing_ok=True)
        write_rows(self.path, kept)
        self.journal = Journal(self.path)
        self.begin()

    def stir(self) -> None:
        """Send what was sent once more, in another order and cut in other pieces."""
        if self.outbox is None:
            return
        cursor, rows, place = self.outbox.cursor, self.rows(), Place()
        pieces: list[bytes] = []
        while rows:
            count = self.chance.randrange(1, 20)
            batch = Batch(cursor.epoch, place, tuple(rows[:count]))
            rows, place = rows[count:], batch.end()
            pieces += [write_batch(batch)] * self.chance.choice((1, 1, 2))
        self.chance.shuffle(pieces)
        link = MqttLink(read_address(f"mqtt://127.0.0.1:{self.broker}"), f"stir-{cursor.table}", [])
        with suppress(HardwareFault):
            link.open()
            for piece in pieces[:60]:
                link.publish(topic(cursor.table, "events"), piece)
            for _ in range(20):
                link.turn(0.01)
            link.close()

    def rows(self) -> list[EventRow]:
        """Return all events of the journal."""
        rows = JournalRows(self.path)
        every = rows.after(0, 10**9)
        rows.close()
        return every

    def differs(self, store: Store) -> bool:
        """Tell whether the club's store has something else than the journal."""
        assert self.outbox is not None
        cursor = self.outbox.cursor
        return list(store.every_event(cursor.table, cursor.epoch)) != self.rows()

    def close(self) -> None:
        """End it."""
        if self.proxy:
            self.proxy.close()
        self.journal.close()


def play(
    folder: Path, broker: int | str, database: str, numbers: range, seed: int, line: Any
) -> None:
    """Let some tables play, in this process, and do what comes over ``line``: a fault of a table,
    or ``settle`` (play no more, answer when all is stored) and ``compare``."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    tables = {
        number: SoakTable(folder / f"{number}", broker, random.Random(seed * 1000 + number))
        for number in numbers
    }
    playing = True
    line.send("ready")
    while True:
        for table in tables.values():
            table.turn(playing)
        if not line.poll(TURN):
            continue
        what, number = line.recv()
        if what == "settle":
            playing = False
            line.send([told for table in tables.values() if (told := table.told())])
        elif what == "compare":
            with Store(database) as store:
                different = [number for number, one in tables.items() if one.differs(store)]
            line.send((different, sum(len(one.rows()) for one in tables.values())))
            break
        else:
            getattr(tables[number], what)()
    for table in tables.values():
        table.close()


class PlayingTables:
    """Tables in processes of their own, which play at ``broker`` from now on; ``database`` is where
    what they tell has to arrive."""

    def __init__(
        self, folder: Path, broker: int | str, database: str, tables: int, seed: int
    ) -> None:
        spawn = multiprocessing.get_context("spawn")
        self.lines: list[Connection] = []
        self._processes: list[multiprocessing.process.BaseProcess] = []
        with ExitStack() as ends:
            ends.callback(self.close)
            for first in range(0, tables, A_PROCESS):
                line, other = spawn.Pipe()
                numbers = range(first, min(tables, first + A_PROCESS))
                given = (folder, broker, database, numbers, seed, other)
                process = spawn.Process(target=play, args=given, daemon=True)
                process.start()
                self._processes.append(process)
                # Tables that could not start are not waited for: nobody else holds their end.
                other.close()
                self.lines.append(line)
            for line in self.lines:
                line.recv()
            ends.pop_all()

    def settle(self, seconds: float) -> list[str]:
        """Play no more; wait so long until all is stored, and return what is not."""
        end, waiting = time.monotonic() + seconds, ["all"]
        while waiting and time.monotonic() < end:
            for line in self.lines:
                line.send(("settle", 0))
            waiting = [told for line in self.lines for told in line.recv()]
        return waiting

    def compared(self) -> tuple[list[int], int]:
        """Return the tables whose journal and whose store differ, and how many events there are."""
        for line in self.lines:
            line.send(("compare", 0))
        told = [line.recv() for line in self.lines]
        return [number for some, _ in told for number in some], sum(count for _, count in told)

    def close(self) -> None:
        """End all tables."""
        for process in self._processes:
            process.terminate()
            process.join()


class ClubSoak:
    """All of it. ``counts`` holds the faults by their kind."""

    def __init__(self, folder: Path, tables: int, seed: int) -> None:
        self.chance, self.counts, self.folder = random.Random(seed), Counter[str](), folder
        for name in ("broker", "database"):
            (folder / name).mkdir()
        self.small = (
            os.geteuid() == 0
            and not subprocess.run(
                ["mount", "-t", "tmpfs", "-o", f"size={DISK}", "none", folder / "database"],
                check=False,
            ).returncode
        )
        self.broker, self.database = Broker(folder / "broker"), Database(folder / "database")
        self.broker.start()
        self.database.start()
        self.services = [self._serve(number) for number in range(SERVICES)]
        self.tables, self.away = tables, set[int]()
        self.playing = PlayingTables(
            folder, self.broker.port, self.database.address(), tables, seed
        )
        self.back: list[tuple[float, Callable[[], object]]] = []

    def _serve(self, number: int) -> subprocess.Popen[bytes]:
        """Start a service for a share of the tables."""
        command = [sys.executable, "-m", "companion", "club", "serve", "--data", str(self.folder)]
        command += ["--broker", self.broker.address, "--database", self.database.address()]
        part = f"{number + 1}/{SERVICES}"
        quiet = subprocess.DEVNULL
        command = mortal([*command, "--part", part], signal.SIGTERM)
        return subprocess.Popen(command, stdout=quiet, stderr=quiet)

    def fault(self) -> None:
        """Break something that is whole, and mend what was broken long enough ago."""
        self.mend(time.monotonic())
        of_tables = {"kill": "restart", "cut": "mend", "restore": "restart", "stir": "",
                     "set_back": ""}  # fmt: skip
        others = ["broker", "database", "service", *(["disk"] if self.small else [])]
        what = self.chance.choice([*others, *of_tables])
        again: Callable[[], object] | None
        if what in of_tables:
            again = self._at_a_table(what, of_tables[what])
        else:
            again = getattr(self, f"_break_{what}")()
        if again is not None:
            self.counts[what] += 1
            self.back.append((time.monotonic() + self.chance.uniform(0.1, AWAY), again))

    def mend(self, now: float) -> None:
        """Mend what is due."""
        for one in [one for one in self.back if one[0] <= now]:
            self.back.remove(one)
            one[1]()

    def _at_a_table(self, what: str, mend: str) -> Callable[[], object] | None:
        whole = [number for number in range(self.tables) if number not in self.away]
        if not whole:
            return None
        number = self.chance.choice(whole)
        line = self.playing.lines[number // A_PROCESS]
        line.send((what, number))
        self.away.add(number)

        def again() -> None:
            self.away.discard(number)
            if mend:
                line.send((mend, number))

        return again

    def _break_broker(self) -> Callable[[], object] | None:
        return self._kill(self.broker)

    def _break_database(self) -> Callable[[], object] | None:
        return self._kill(self.database)

    @staticmethod
    def _kill(server: Broker | Database) -> Callable[[], object] | None:
        if server.process is None:
            return None
        server.kill()
        return server.start

    def _break_service(self) -> Callable[[], object]:
        number = self.chance.randrange(SERVICES)
        self.services[number].kill()
        self.services[number].wait()

        def again() -> None:
            self.services[number].kill()
            self.services[number].wait()
            self.services[number] = self._serve(number)

        return again

    def _break_disk(self) -> Callable[[], object] | None:
        """Fill the database's disk: what it cannot write it may fall over."""
        ballast = self.folder / "database" / "ballast"
        if ballast.exists() or self.database.process is None:
            return None
        with suppress(OSError), ballast.open("wb") as file:
            while True:
                file.write(b"\0" * 1_000_000)

        def again() -> None:
            ballast.unlink(missing_ok=True)
            if self.database.process is not None and self.database.process.poll() is not None:
                self.database.kill()
                self.database.start()

        return again

    def settle(self, seconds: float = 300.0) -> float:
        """Mend all, let nothing more happen until all is stored; return how long that took."""
        self.mend(float("inf"))
        begun = time.monotonic()
        waiting = self.playing.settle(seconds)
        if waiting:
            print("\n".join(waiting[:5]))
            raise SystemExit(f"{len(waiting)} tables were not stored in time")
        return time.monotonic() - begun

    def close(self) -> None:
        """End everything."""
        self.playing.close()
        for service in self.services:
            service.kill()
            service.wait()
        self.database.kill()
        self.broker.kill()
        if self.small:
            subprocess.run(["umount", "-l", self.folder / "database"], check=False)


def main() -> int:
    """Return 1 if a journal and the store differ."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--faults", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        soak = ClubSoak(Path(name), chosen.tables, chosen.seed)
        try:
            while sum(soak.counts.values()) < chosen.faults:
                time.sleep(soak.chance.uniform(0.1, CALM))
                soak.fault()
            seconds = soak.settle()
            different, events = soak.playing.compared()
            with psycopg.connect(soak.database.address()) as db:
                row = db.execute("SELECT count(*) FROM stream").fetchone()
        finally:
            soak.close()
    print(f"{events} events of {chosen.tables} tables in {row[0] if row else 0} epochs, "
          f"{dict(soak.counts)} faults; stored {seconds:.1f} s after the last")  # fmt: skip
    for table in different:
        print(f"table {table}: the store differs")
    return int(bool(different))


if __name__ == "__main__":
    sys.exit(main())
