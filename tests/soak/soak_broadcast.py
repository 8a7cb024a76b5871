"""A game that is broadcast is read by python-chess while it grows, after every move.

    python -m tests.soak.soak_broadcast --games 20 --seed 1

python-chess is no part of the product (it is GPL): `make soak` installs it beside the tests. The
status is 1 where it reads another game, other clocks or another result than the table has.
"""

from __future__ import annotations

import argparse
import io
import random
import sys
from typing import Any

import chess.pgn

from companion.games import find_game
from companion.journal import Journal
from companion.referee.broadcast import clocks_of, written_game
from companion.rules import limits_of
from companion.table import Table
from companion.table.agreement import resign

CHESS: Any = find_game("chess")
CONTROLS = ("90", "5 d3", "3+2", "10/1+5,5/1 d2,5")


class Clock:
    now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


def wrong(table: Table[Any]) -> str:
    """Return what python-chess reads otherwise, empty if nothing."""
    tags = {"white": "Anna", "black": 'Bert "the second"', "date": "2026-11-21"}
    line, events = table.line, table.events()
    text = written_game("pgn", CHESS, table.setup, line, events, tags, table.outcome)
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
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    chance, read = random.Random(arguments.seed), 0
    for _ in range(arguments.games):
        clock = Clock()
        with Journal() as journal:
            options = {"minutes": chance.choice(CONTROLS), "increment": "30"}
            table: Table[Any] = Table.create(
                journal, CHESS, CHESS.setup(options=options), now=clock
            )
            while table.outcome is None and len(table.actions) < 120:
                clock.now += chance.randrange(20)
                if table.actions and chance.random() < 0.05:
                    table.undo(1, "white")
                else:
                    table.play(chance.choice(list(CHESS.legal(table.state))), "camera")
                read += 1
                if why := wrong(table):
                    print(f"seed {arguments.seed}: {why} after {len(table.actions)} moves")
                    return 1
            if table.outcome is None:
                resign(table, chance.choice(("white", "black")))
            assert not wrong(table), wrong(table)
    print(f"{arguments.games} games, read {read} times while they grew, none wrong")
    return 0


if __name__ == "__main__":
    sys.exit(main())
