"""A game that is broadcast is read by python-chess while it grows, after every move: pulled by its
address, also by readers whose line is cut or who read slowly while the game goes on, and pushed to
a server that now and then fails.

    python -m tests.soak.soak_broadcast --games 20 --seed 1

python-chess is no part of the product (it is GPL): `make soak` installs it beside the tests. The
status is 1 where it reads another game, other clocks or another result than the table has, and
where a reader is told other than what stood there when he asked.
"""

from __future__ import annotations

import argparse
import io
import logging
import random
import sys
from collections import Counter
from http.client import HTTPConnection, HTTPResponse
from typing import Any

import chess.pgn

import web
from companion.games import find_game
from companion.journal import Journal
from companion.live.pushing import LATE, Pusher
from companion.referee.broadcast import clocks_of
from companion.rules import limits_of
from companion.table import Table
from companion.table.agreement import resign
from companion.table.evening import Evening
from tests.checks.hook_server import Hook, listening

CHESS: Any = find_game("chess")
CONTROLS = ("90", "5 d3", "3+2", "10/1+5,5/1 d2,5")


class Clock:
    now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


class SlowReader:
    """Asks for the game, reads the first ``share`` of it and no more until :meth:`finish`."""

    def __init__(self, port: int, path: str, share: float) -> None:
        self._line = HTTPConnection("127.0.0.1", port, timeout=30)
        self._line.request("GET", path)
        self._answer: HTTPResponse = self._line.getresponse()
        # Only who is told how long it is notices that his line was cut.
        self.length = int(self._answer.headers["Content-Length"])
        self._begun = self._answer.read(int(share * self.length))

    def finish(self) -> str:
        whole = self._begun + self._answer.read()
        assert len(whole) == self.length
        self.cut()
        return whole.decode()

    def cut(self) -> None:
        self._line.close()


class Broadcast:
    """A table that is pulled from and pushed by, and what its readers were told."""

    def __init__(self, table: Table[Any], hook: Hook, chance: random.Random) -> None:
        self.table, self.hook, self.chance = table, hook, chance
        self.counts, self.slow = Counter[str](), list[tuple[SlowReader, str]]()
        evening, self.steady = Evening(table), 0.0
        app = web.create_app(evening, config=web.Config())
        self.server = web.Server(app, port=0)
        self.server.start()
        self.path = f"/watch/{app.extensions['context'].friends.open(0, 0).token}/game.pgn"
        self.pusher = Pusher(evening, hook.address, "mine", lambda: self.steady)

    def pulled(self, share: float = 1.0) -> SlowReader:
        return SlowReader(self.server.port, self.path, share)

    def look(self) -> str:
        """Return what one who reads all at once is told; others begin to read, go on or are cut,
        and the game is pushed."""
        text = self.pulled().finish()
        what = self.chance.random()
        if what < 0.1:
            self.pulled(self.chance.random()).cut()
            self.counts["cut"] += 1
        elif what < 0.2:
            self.slow.append((self.pulled(self.chance.random()), text))
        elif what < 0.3:
            self.finish()
        self.hook.status = 500 if self.chance.random() < 0.1 else 200
        self.push()
        return text

    def finish(self) -> None:
        """Have the slow readers read on: each is told what stood there when he asked."""
        for reader, text in self.slow:
            assert reader.finish() == text, "told other than what stood there"
        self.counts["slow"] += len(self.slow)
        self.slow.clear()

    def push(self) -> None:
        self.steady += LATE
        self.counts["pushed"] -= len(self.hook.heard)
        self.pusher.step()
        self.counts["pushed"] += len(self.hook.heard)

    def end(self) -> None:
        """Have all be told the end."""
        self.finish()
        self.hook.status = 200
        self.push()
        last = self.hook.heard[-1][2].decode()
        assert self.pulled().finish() == last, "pushed other than what is pulled"
        self.pusher.close()
        self.server.close()


def wrong(table: Table[Any], text: str) -> str:
    """Return what python-chess reads otherwise in the ``text``, empty if nothing."""
    line, events = table.line, table.events()
    read = chess.pgn.read_game(io.StringIO(text))
    assert read is not None
    if read.errors:
        return str(read.errors)
    made = [one for one in table.actions if one.verb == "move"]
    nodes = list(read.mainline())
    if [n.move.uci() for n in nodes] != [
        f"{a.origin}{a.target}{(a.detail or '').lower()}" for a in made
    ]:
        return "other moves"
    clocks = clocks_of(CHESS, table.setup, line, events)[: len(made)]
    if [n.clock() for n in nodes] != [int(one.left or 0) for one in clocks]:
        return "other clocks"
    if [n.emt() for n in nodes] != [int(one.took or 0) for one in clocks]:
        return "other times of moves"
    phases = limits_of(CHESS, table.setup).phases
    parts = chess.pgn.parse_time_control(read.headers["TimeControl"]).parts
    if [(p.moves, p.time, p.increment, p.delay) for p in parts] != [
        (p.moves or 0, p.seconds, p.increment, p.delay) for p in phases
    ]:
        return "another time control"
    wanted = "*"
    if table.outcome is not None:
        wanted = {"white": "1-0", "black": "0-1"}.get("".join(table.outcome.winners), "1/2-1/2")
    return "" if read.headers["Result"] == wanted else "another result"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    logging.disable(logging.CRITICAL)
    chance, counts = random.Random(arguments.seed), Counter[str]()
    with listening() as hook:
        for number in range(arguments.games):
            why = play(hook, chance, counts)
            if why:
                print(f"seed {arguments.seed}, game {number}: {why}")
                return 1
    print(f"{arguments.games} games, none wrong: {dict(counts)}")
    return 0


def play(hook: Hook, chance: random.Random, counts: Counter[str]) -> str:
    """Broadcast a game; return what was read wrongly, empty if nothing."""
    clock = Clock()
    options = {"minutes": chance.choice(CONTROLS), "increment": "30"}
    with Journal() as journal:
        table: Table[Any] = Table.create(journal, CHESS, CHESS.setup(options=options), now=clock)
        broadcast = Broadcast(table, hook, chance)
        while table.outcome is None and len(table.actions) < 120:
            clock.now += chance.randrange(20)
            if table.actions and chance.random() < 0.05:
                table.undo(1, "white")
            else:
                table.play(chance.choice(list(CHESS.legal(table.state))), "camera")
            counts["read"] += 1
            if why := wrong(table, broadcast.look()):
                return f"{why} after {len(table.actions)} moves"
        if table.outcome is None:
            resign(table, chance.choice(("white", "black")))
        why = wrong(table, broadcast.look())
        broadcast.end()
        counts.update(broadcast.counts)
    return why


if __name__ == "__main__":
    sys.exit(main())
