"""Tables without cameras that play by themselves, to see a club at work."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from companion.club.invitations import Invitation, Invitations
from companion.club.link import MqttLink, read_address
from companion.club.outbox import Outbox
from companion.games import find_game, games
from companion.journal import Journal
from companion.players.budget import Budget
from companion.players.simple import GreedyPlayer
from companion.rules import Evaluation, HandPlays
from companion.runtime.files import private_folder, read_json, write_private
from companion.table import Table

A_PROCESS = 20
"""Tables of one process at most: each has its line, its journal and what it thinks."""
PACE = (2.0, 6.0)
"""Seconds for an action, from and to."""
REST = 20.0
"""Seconds after the end of a game."""


class PlayingTable:
    """The table ``number`` in ``folder``, which comes in at ``address`` and plays a game after
    another with whoever takes what looks best."""

    def __init__(
        self,
        folder: Path,
        number: int,
        address: str,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._chance, self._clock = random.Random(number), clock
        private_folder(folder)
        path = folder / f"{number}.sqlite3"
        self._journal = Journal(path)
        self._games = [
            name for name in games()
            if isinstance(found := find_game(name), Evaluation) and not isinstance(found, HandPlays)
        ]  # fmt: skip
        self._table = self._begun(self._games[number % len(self._games)])
        self._due = clock() + self._chance.uniform(0, PACE[1])
        link = partial(MqttLink, read_address(address))
        invited = read_address(address).name
        self.outbox = Outbox(path, link, called(number), self._playing, invited=invited)

    def step(self) -> None:
        """Play if it is time, and tell the club what happened."""
        if self._clock() >= self._due:
            self._due = self._clock() + self._play()
        self.outbox.step(0.0)

    def close(self) -> None:
        """Say that the table is offline."""
        self.outbox.close()
        self._journal.close()

    def _play(self) -> float:
        """Play an action, or begin another game; return how long that lasts, in seconds."""
        state = self._table.state
        if not self._table.game.legal(state) or self._table.outcome is not None:
            self._table = self._begun(self._chance.choice(self._games))
            return REST
        thought = GreedyPlayer(self._table.game, self._chance).choose(state, Budget())
        self._table.play(thought.action, "phone")
        return self._chance.uniform(*PACE)

    def _begun(self, name: str) -> Table[Any]:
        game = find_game(name)
        return Table.create(self._journal, game, game.setup())

    def _playing(self) -> str:
        return self._table.game.name if self._table.outcome is None else ""


def called(number: int) -> str:
    """Return what the simulated table ``number`` is called in the club."""
    return f"Simulated {number + 1}"


def admitted(folder: Path, invitations: Invitations, port: int, tables: int) -> None:
    """Invite so many tables, those that were before by what they have; a file in ``folder`` keeps
    how they come in."""
    file = folder / "tables.json"
    private_folder(folder)
    kept = read_json(file)["tables"] if file.exists() else {}
    known = invitations.tables
    for number in range(tables):
        name = called(number)
        if name not in kept or known.get(name) != kept[name][0]:
            kept[name] = invitations.invite(name, hours=None)
    write_private(file, json.dumps({"port": port, "tables": kept}))


def addresses(folder: Path) -> list[str]:
    """Return how each table in ``folder`` comes in, in their order."""
    kept = read_json(folder / "tables.json")
    return [Invitation(*one).address("127.0.0.1", kept["port"]) for one in kept["tables"].values()]
