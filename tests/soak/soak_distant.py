"""Random games over two tables, between which a proxy delays, drops, reorders and cuts.

    python -m tests.soak.soak_distant --games 500 --seed 1

Both tables act at random, at once and out of turn; a table is killed now and then. At any moment
the guest's events have to be the first of the owner's, one by one: there are never two truths. At
the end of each game both know the same.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import threading
import time
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

from companion.club.link import MqttLink, read_address
from companion.club.outbox import Cursor, Outbox
from companion.club.tables import DistantTables
from companion.games import find_game
from companion.journal import Journal
from companion.rules import CompanionError
from companion.table import Table
from companion.table.evening import Evening
from companion.table.mirror import resumed
from tests.checks.club_servers import Broker
from tests.checks.mqtt_proxy import UnsteadyLine
from tests.checks.two_tables import Clock, line_of

GAMES = ("chess", "invictus", "victorus")
FASTER = 10
TURN = 0.01


class Town:
    """A table with its line over a proxy of its own, and a thread that drives it."""

    def __init__(self, folder: Path, me: str, broker: int, chance: random.Random) -> None:
        folder.mkdir()
        self.path, self.me, self.clock = folder / "table.sqlite3", me, Clock(FASTER)
        self.line = UnsteadyLine(broker, chance, lost=0.1, late=0.1, delay=0.02)
        self.journal = Journal(self.path)
        game = find_game("chess")
        self.open(Table.create(self.journal, game, game.setup()))

    def open(self, table: Table[Any]) -> None:
        """Switch it on."""
        self.evening = Evening(table)
        self._stop = threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)
        address = read_address(f"mqtt://127.0.0.1:{self.line.port}")
        self.outbox = Outbox(
            self.path, partial(MqttLink, address), self.me[0], invited=self.me, shares=False,
            beside=self._beside, clock=self.clock,
        )  # fmt: skip
        self.thread.start()

    def _beside(self, cursor: Cursor) -> list[DistantTables]:
        told = self.evening, cursor.table, self.me[0], self.path, self.clock
        self.tables = DistantTables(*told, lambda: None, lambda: True)
        return [self.tables]

    def _run(self) -> None:
        self.outbox.backoff.longest = 1.0
        while not self._stop.is_set():
            self.outbox.step(TURN)
            self.tables.tick()
            if self.outbox.resting:
                self._stop.wait(TURN)

    def kill(self) -> None:
        """Switch it off, and on again."""
        self._stop.set()
        self.thread.join()
        self.outbox.close()
        self.journal.close()
        self.journal = Journal(self.path)
        self.open(resumed(self.journal, self.journal.latest()))

    @property
    def table(self) -> Table[Any]:
        return self.evening.table

    def close(self) -> None:
        self._stop.set()
        self.thread.join()
        self.outbox.close()
        self.journal.close()
        self.line.close()


class DistantSoak:
    """Anna's table, which owns the game, and Bruno's."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.chance, self.counts = random.Random(seed), Counter[str]()
        (folder / "broker").mkdir()
        self.broker = Broker(folder / "broker")
        self.broker.start()
        self.anna, self.bruno = (
            Town(folder / me[0], me * 16, self.broker.port, random.Random(seed * 7 + n))
            for n, me in enumerate("ab")
        )
        self.seats: tuple[str, ...] = ()

    def game(self, actions: int) -> None:
        """Play a game of so many attempts, and compare."""
        game = find_game(self.chance.choice(GAMES))
        setup = game.setup()
        self.anna.evening.begin(game.name, setup.seats, setup.options)
        seats = setup.seats[1::2]
        for guest in self.anna.tables.owner.told():
            self.anna.tables.owner.dismiss(str(guest["id"]))
        self.bruno.tables.visitor.join(self.anna.tables.owner.invite(seats))
        self.until(lambda: self.told() == self.known() and self.alike())
        fault = actions // 3
        for number in range(actions):
            self.act(self.anna if self.chance.random() < 0.5 else self.bruno)
            if self.chance.random() < 0.2:
                # Both at once.
                other = threading.Thread(target=self.act, args=(self.anna,))
                other.start()
                self.act(self.bruno)
                other.join()
            if number % fault == fault - 1:
                self.fault()
            self.check()
        for town in (self.anna, self.bruno):
            town.line.mend()
        self.until(self.alike)

    def act(self, town: Town) -> None:
        """Do something at a table, whether it is its turn or not."""
        table = town.table
        legal = table.game.legal(table.state)
        what = self.chance.random()
        try:
            if what < 0.08 and table.actions:
                table.undo(1, "camera")
            elif what < 0.12 and legal:
                table.play(self.chance.choice(legal), "camera", expected=0)
            elif legal:
                table.play(self.chance.choice(legal), "camera")
            self.counts["done"] += 1
        except CompanionError as error:
            self.counts[type(error).__name__] += 1

    def fault(self) -> None:
        """Cut a line, or kill a table."""
        town = self.chance.choice((self.anna, self.bruno))
        what = self.chance.choice(("cut", "cut", "killed"))
        self.counts[what] += 1
        if what == "killed":
            town.kill()
            return
        town.line.break_off()
        threading.Timer(self.chance.random() * 0.5, town.line.mend).start()

    def told(self) -> list[Any]:
        return line_of(self.anna.table)[1:]

    def known(self) -> list[Any]:
        return [] if self.bruno.table.owned else line_of(self.bruno.table)

    def check(self) -> None:
        """Raise SystemExit if the guest knows what the owner does not."""
        known, told = self.known(), self.told()
        if known != told[: len(known)]:
            raise SystemExit(f"two truths: {known[-3:]} is not {told[len(known) - 3 : len(known)]}")

    def alike(self) -> bool:
        mirror, owned = self.bruno.table, self.anna.table
        if mirror.owned or mirror.game.name != owned.game.name:
            return False
        return self.told() == self.known() and mirror.state == owned.state

    def until(self, so: Any, seconds: float = 60.0) -> None:
        end = time.monotonic() + seconds
        while not so():
            if time.monotonic() > end:
                raise SystemExit(
                    f"they do not come together: {len(self.known())} of {len(self.told())} events; "
                    f"{self.bruno.tables.visitor.words}"
                )
            time.sleep(TURN)

    def close(self) -> None:
        """End everything."""
        for town in (self.anna, self.bruno):
            town.close()
        self.broker.kill()


def run(games: int, actions: int, seed: int) -> Counter[str]:
    """Play ``games`` of so many ``actions``; return what happened how often.

    Raises:
        SystemExit: there were two truths, or the tables did not come together.
    """
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        soak = DistantSoak(Path(name), seed)
        try:
            for number in range(games):
                soak.game(actions)
                soak.counts["events"] += len(soak.told())
                if number % 20 == 19:
                    print(f"{number + 1} games", flush=True)
            for town in (soak.anna, soak.bruno):
                soak.counts.update({f"messages {k}": v for k, v in town.line.counts.items()})
        finally:
            soak.close()
    return soak.counts


def main() -> int:
    """Return 0: all games had one truth."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--actions", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    begun = time.monotonic()
    counts = run(chosen.games, chosen.actions, chosen.seed)
    seconds = time.monotonic() - begun
    print(f"{chosen.games} games in {seconds:.0f} s, one truth: {dict(counts)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
