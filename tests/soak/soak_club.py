"""Many tables and their club, against a real broker and a real database, while these are killed.

    python -m tests.soak.soak_club --tables 20 --faults 60 --seed 1

Every table plays on whatever happens. A fault kills the broker, the database, a service or a
table, cuts a line, or restores a journal from a backup; what was killed comes back after some
turns. At the end the club's store and all journals are compared, event for event.
"""

from __future__ import annotations

import argparse
import random
import resource
import sys
import tempfile
import time
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import psycopg

from companion.club.consumer import Consumer
from companion.club.link import MqttLink, read_address
from companion.club.messages import PARTS, part_of
from companion.club.outbox import Outbox
from companion.club.store import Store
from companion.games import find_game
from companion.journal import Journal
from companion.journal.copying import JournalRows, write_rows
from companion.table import Table
from tests.checks.club_servers import Broker, Database, Proxy

GAMES = ("chess", "invictus", "victorus")
SERVICES, WAIT = 2, 0.005
AWAY = 15
"""Turns for which what was killed is away."""


class SoakTable:
    """A table that plays at random, and its outbox, behind a line that can be cut."""

    def __init__(self, folder: Path, broker: int, chance: random.Random) -> None:
        self.path, self.proxy = folder / "table.sqlite3", Proxy(broker)
        folder.mkdir()
        self.chance = chance
        self.journal = Journal(self.path)
        self.begin()
        self.outbox: Outbox | None = None
        self.open()

    def begin(self) -> None:
        """Begin another game."""
        game = find_game(self.chance.choice(GAMES))
        self.table: Table[Any] = Table.create(self.journal, game, game.setup())

    def open(self) -> None:
        """Begin to publish."""
        address = read_address(f"mqtt://127.0.0.1:{self.proxy.port}")
        self.outbox = Outbox(self.path, partial(MqttLink, address), self.path.parent.name)

    def play(self) -> None:
        """Play an action, perhaps."""
        if self.chance.random() < 0.3:
            legal = self.table.game.legal(self.table.state)
            if not legal or self.chance.random() < 0.02:
                self.begin()
            else:
                self.table.play(self.chance.choice(legal), "camera")

    @property
    def stored(self) -> bool:
        """Whether the club has told that it has everything."""
        return self.outbox is not None and self.outbox.cursor.place.seq == self.journal.last_seq

    def kill(self) -> None:
        """Stop as a pulled plug would."""
        self.proxy.break_off()
        self.outbox = None

    def restart(self) -> None:
        """Switch it on again."""
        self.proxy.mend()
        self.open()

    def restore(self) -> None:
        """Go back to a backup, some events ago, and play on from there."""
        rows = self.rows()
        kept = rows[: max(1, len(rows) - self.chance.randrange(30))]
        self.journal.close()
        for ending in (".sqlite3", ".sqlite3-wal", ".sqlite3-shm"):
            self.path.with_suffix(ending).unlink(missing_ok=True)
        write_rows(self.path, kept)
        self.journal = Journal(self.path)
        self.begin()

    def rows(self) -> list[Any]:
        """Return all events of the journal."""
        rows = JournalRows(self.path)
        every = rows.after(0, 10**9)
        rows.close()
        return every


class ClubSoak:
    """All of it. ``counts`` holds the faults by their kind."""

    def __init__(self, folder: Path, tables: int, seed: int) -> None:
        self.chance, self.counts = random.Random(seed), Counter[str]()
        for name in ("broker", "database"):
            (folder / name).mkdir()
        self.broker, self.database = Broker(folder / "broker"), Database(folder / "database")
        self.broker.start()
        self.database.start()
        self.tables = [
            SoakTable(folder / f"{number}", self.broker.port, random.Random(seed * 1000 + number))
            for number in range(tables)
        ]
        self.services: list[Consumer | None] = [self.service(n) for n in range(SERVICES)]
        self.back: list[tuple[int, Any]] = []
        self.turns = 0

    def service(self, number: int) -> Consumer:
        """Return a service for a share of the tables."""
        address = read_address(self.broker.address)
        connect = partial(MqttLink, address, f"club-{number}")
        return Consumer(Store(self.database.address()), connect, range(number, PARTS, SERVICES))

    def turn(self) -> None:
        """Let everybody take a turn, and what was killed long enough ago come back."""
        self.turns += 1
        for table in self.tables:
            table.play()
            if table.outbox is not None:
                table.outbox.step(WAIT)
        for service in self.services:
            if service is not None:
                service.step(0.0)
        for due, mend in [one for one in self.back if one[0] <= self.turns]:
            self.back.remove((due, mend))
            mend()

    def fault(self) -> None:
        """Break something that is whole."""
        what = self.chance.choice(["broker", "database", "service", "table", "line", "restored"])
        self.counts[what] += 1
        table = self.chance.choice([one for one in self.tables if one.outbox is not None])
        mend: Any = lambda: None  # noqa: E731
        if what in ("broker", "database"):
            server = getattr(self, what)
            if server.process is None:
                return
            server.kill()
            mend = server.start
        elif what == "service":
            number = self.chance.randrange(SERVICES)
            if (service := self.services[number]) is None:
                return
            service.close()
            self.services[number] = None
            mend = partial(self._serve, number)
        elif what == "table":
            table.kill()
            mend = table.restart
        elif what == "line":
            table.proxy.break_off()
            mend = table.proxy.mend
        else:
            table.kill()
            table.restore()
            mend = table.restart
        self.back.append((self.turns + self.chance.randrange(1, AWAY), mend))

    def _serve(self, number: int) -> None:
        self.services[number] = self.service(number)

    def settle(self, seconds: float = 180.0) -> float:
        """Let nothing more happen until all is stored; return how long that took."""
        for _, mend in self.back:
            mend()
        self.back = []
        begun = time.monotonic()
        while time.monotonic() - begun < seconds:
            for table in self.tables:
                assert table.outbox is not None
                table.outbox.step(WAIT)
            for service in self.services:
                assert service is not None
                service.step(0.0)
            if all(table.stored for table in self.tables):
                return time.monotonic() - begun
        waiting = [table for table in self.tables if not table.stored]
        for table in waiting[:5]:
            assert table.outbox is not None
            print(f"{table.path.parent.name}: {table.outbox.cursor.place.seq} of "
                  f"{table.journal.last_seq} stored; {table.outbox.trouble}")  # fmt: skip
        raise SystemExit(f"{len(waiting)} tables were not stored in time")

    def differences(self) -> list[str]:
        """Return the tables whose journal and whose store differ."""
        found = []
        with Store(self.database.address()) as store:
            for table in self.tables:
                assert table.outbox is not None
                cursor = table.outbox.cursor
                if list(store.every_event(cursor.table, cursor.epoch)) != table.rows():
                    found.append(f"{table.path.parent.name} (part {part_of(cursor.table)})")
        return found

    def close(self) -> None:
        """End everything."""
        for table in self.tables:
            table.proxy.close()
            table.journal.close()
        self.database.kill()
        self.broker.kill()


def main() -> int:
    """Return 1 if a journal and the store differ."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--faults", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    # A table here has a dozen files open: its journal, its line, both ends of its proxy.
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        soak = ClubSoak(Path(name), chosen.tables, chosen.seed)
        try:
            for _ in range(chosen.faults):
                for _ in range(soak.chance.randrange(1, 10)):
                    soak.turn()
                soak.fault()
            seconds = soak.settle()
            different = soak.differences()
            events = sum(len(table.rows()) for table in soak.tables)
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
