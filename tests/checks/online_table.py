"""A table that plays on a server: a hand makes there what is lit, or what chance chooses."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from typing import Any

from companion.journal import Journal
from companion.live.lichess import Lichess
from companion.live.machine_players import MachinePlayers
from companion.live.online import OnlinePlayer, made_at
from companion.table import Table
from companion.table.evening import Evening
from tests.checks.board_server import CHESS, TOKEN, BoardServer, FastClock

PATIENCE = 60.0
FASTER = 20.0


def wait_until(done: Callable[[], Any], tell: Callable[[], Any] = lambda: "") -> None:
    """Return once ``done()`` is true; other threads go on meanwhile."""
    end, pause = time.monotonic() + PATIENCE, threading.Event()
    while not done():
        assert time.monotonic() < end, tell()
        pause.wait(0.001)


class OnlineTable:
    """A real table beside a server; its parts have threads of their own, as the companion's."""

    def __init__(self, server: BoardServer, journal: Journal, token: str = TOKEN) -> None:
        begun = bool(journal.games())
        table = Table.resume(journal) if begun else Table.create(journal, CHESS, CHESS.setup())
        self.evening, self.server = Evening(table), server
        self._stop, clock = threading.Event(), FastClock(FASTER)
        line = Lichess(server.address, token, patience=5.0)
        self.online = OnlinePlayer(
            self.evening, line, clock, lambda seconds: self._stop.wait(seconds / FASTER),
            lambda: None,
        )  # fmt: skip
        self.machines = MachinePlayers(
            self.evening, lambda: None, lambda: False, lambda: True, lambda: None, clock
        )
        self.machines.online = self.online
        parts = (self.online.hear, self.online.step, self.machines.step)
        self._threads = [threading.Thread(target=self._run, args=(part,)) for part in parts]

    def _run(self, part: Callable[[], bool]) -> None:
        while not self._stop.is_set():
            part()

    def __enter__(self) -> OnlineTable:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self.online.close()
        self.machines.wake()
        for thread in self._threads:
            thread.join()
        self.machines.close()

    @property
    def table(self) -> Table[Any]:
        return self.evening.table

    def until(self, done: Callable[[], Any]) -> None:
        wait_until(done, lambda: (self.online.trouble, self.machines.told()))

    def hand(self, text: str) -> None:
        """Make a move with the hand; the camera sees it."""
        self.table.play(CHESS.parse(self.table.setup, text), "camera")

    def lit(self) -> str:
        """Wait until a move of the opponent is lit; return it."""
        self.until(lambda: self.machines.told()["action"])
        return str(self.machines.told()["action"])

    def together(self) -> bool:
        """Tell whether board and server have the same moves."""
        game = self.server.game
        return game is not None and list(made_at(self.table)) == game.moves


def play_one(server: BoardServer, here: OnlineTable, chance: random.Random, plies: int) -> str:
    """Play one game from its beginning to its end on both sides; return how it ended."""
    before = here.table.game_id
    game = server.begin(chance.choice(("white", "black")))
    here.until(lambda: here.table.game_id != before)
    end = chance.choice(("resign", "foe resigns", "draw", "outoftime", "board"))
    while here.table.outcome is None:
        here.until(lambda: here.together() or game.over or here.table.outcome is not None)
        if here.table.outcome is not None:
            break
        game.skew = chance.randrange(-700_000, 700_000)
        if game.over:
            if len(game.moves) > len(made_at(here.table)):
                here.hand(here.lit())
            here.until(lambda: here.table.outcome is not None or not here.together())
        elif len(game.moves) >= plies and end != "board":
            finish(server, here, end)
        elif game.to_move == game.colour:
            action = chance.choice(list(CHESS.legal(here.table.state)))
            here.hand(CHESS.format(action))
            here.until(lambda: here.together() or game.over)
        else:
            server.move_foe()
            made = here.lit()
            meant = CHESS.uci_action(here.table.state, game.moves[-1])
            assert made == CHESS.format(meant), "another move is lit"
            here.hand(made)
    here.until(lambda: game.over and here.online._game is None)
    return game.status


def finish(server: BoardServer, here: OnlineTable, end: str) -> None:
    """End the game as ``end`` says."""
    game = server.game
    assert game is not None
    if end == "resign":
        here.table.play(CHESS.parse(here.table.setup, f"resign={game.colour}"), game.colour)
        return
    ends = {"foe resigns": ("resign", game.colour), "draw": ("draw", ""),
            "outoftime": ("outoftime", game.foe)}  # fmt: skip
    game.end(*ends[end])
    server.tell()
    here.until(lambda: here.table.outcome is not None)
