"""Two tables that play one game over a line that loses, doubles, delays and reorders messages."""

from __future__ import annotations

import random
import threading
import time
from pathlib import Path
from typing import Any

from companion.club.distant import speaker
from companion.club.guest import Visitor
from companion.club.owner import Owner
from companion.games import find_game
from companion.journal import Journal
from companion.table import Table
from companion.table.evening import Evening
from companion.table.mirror import OF, TOLD, resumed

OWNER, GUEST = "a" * 16, "b" * 16


class Clock:
    """Seconds of the tables' time, which passes ``speed`` times as fast as ours."""

    def __init__(self, speed: float = 1.0) -> None:
        self.speed, self._ahead = speed, 0.0

    def __call__(self) -> float:
        return time.monotonic() * self.speed + self._ahead

    def forward(self, seconds: float) -> None:
        """Let seconds pass at once."""
        self._ahead += seconds


class Bench:
    """One table of the two: its journal, its evening, what it says as owner and as guest."""

    def __init__(self, folder: Path, me: str, clock: Clock, game: str = "chess") -> None:
        folder.mkdir(exist_ok=True)
        self.folder, self.me, self.clock = folder, me, clock
        self.journal = Journal(folder / "table.sqlite3")
        found = find_game(game)
        fresh = not self.journal.games()
        table = Table.create(self.journal, found, found.setup()) if fresh else self._taken_up()
        self.evening = Evening(table)
        self.open()

    def _taken_up(self) -> Table[Any]:
        return resumed(self.journal, self.journal.latest())

    def open(self) -> None:
        """Open the lines anew, as after a start."""
        told = self.evening, self.me, f"Table {self.me[0]}"
        self.owner = Owner(*told, self.folder / "owner.json", self.clock, now=self.clock)
        self.visitor = Visitor(*told, self.folder / "visitor.json", self.clock)

    def restart(self) -> None:
        """Be killed and start again."""
        self.journal.close()
        self.__init__(self.folder, self.me, self.clock)  # type: ignore[misc]

    @property
    def table(self) -> Table[Any]:
        return self.evening.table

    def outgoing(self) -> list[tuple[str, bytes]]:
        own = self.visitor.due()
        return [*self.owner.due(), *([own] if own else [])]

    def take(self, topic: str, payload: bytes) -> None:
        owner, word, guest = speaker(topic)
        if word == "asks" and owner == self.me:
            self.owner.take(guest, payload)
        elif word == "told" and guest == self.me and owner == self.visitor.owner:
            self.visitor.take(payload)

    def tick(self) -> None:
        self.owner.tick()
        self.visitor.tick()


class Post:
    """Carries what the tables say, in a thread of its own, as well as ``troubles`` allow: the
    shares of messages that are ``lost``, ``doubled`` and ``held`` back for others to pass."""

    def __init__(self, benches: list[Bench], seed: int = 1, **troubles: float) -> None:
        self.benches, self.chance, self.troubles = benches, random.Random(seed), troubles
        self.cut, self._held = False, list[tuple[str, bytes]]()
        self._stop, self.guard = threading.Event(), threading.RLock()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self.faults: list[BaseException] = []

    def __enter__(self) -> Post:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stop.wait(0.002):
            try:
                with self.guard:
                    self.turn()
            except BaseException as fault:
                self.faults.append(fault)
                return

    def turn(self) -> None:
        """Carry what there is."""
        messages = [m for bench in self.benches for m in bench.outgoing()]
        kept: list[tuple[str, bytes]] = []
        for message in [*messages, *self._held]:
            if self.cut or self.chance.random() < self.troubles.get("lost", 0):
                continue
            if self.chance.random() < self.troubles.get("held", 0):
                kept.append(message)
                continue
            if self.chance.random() < self.troubles.get("doubled", 0):
                kept.append(message)
            for bench in self.benches:
                bench.take(*message)
        self.chance.shuffle(kept)
        self._held = kept
        for bench in self.benches:
            bench.tick()

    def until(self, so: Any, seconds: float = 30.0) -> None:
        """Wait until it is ``so``."""
        end = time.monotonic() + seconds
        while not so():
            assert not self.faults, self.faults
            assert time.monotonic() < end, "it does not come to be so"
            time.sleep(0.002)


def line_of(table: Table[Any]) -> list[tuple[Any, ...]]:
    """Return what happened at ``table`` that concerns everybody."""
    owned = table.owned
    return [
        (event.actor, event.kind, event.action, event.ruling,
         {key: value for key, value in event.data.items() if key not in (OF, "rules")})
        for event in table.events() if event.kind in TOLD and (owned or OF in event.data)
    ]  # fmt: skip


def alike(owner: Bench, guest: Bench) -> bool:
    """Tell whether the guest knows exactly what happened at the owner."""
    if guest.table.owned:
        return False
    begun, told = line_of(owner.table)[0], line_of(owner.table)[1:]
    assert begun[1] == "started"
    return told == line_of(guest.table) and owner.table.state == guest.table.state
