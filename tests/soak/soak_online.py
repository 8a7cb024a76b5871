"""Many games on a server whose line is cut, whose clocks are skewed and whose answers are wrong.

    python -m tests.soak.soak_online --games 200 --seed 1 --faults 0.05

Every move that is lit is the opponent's, board and server have the same moves and the same winner
at the end of each game, and no game comes to a stop. The status is 1 where that is not so.
"""

from __future__ import annotations

import argparse
import logging
import random
import sys
from collections import Counter

from companion.journal import Journal
from companion.live.online import made_at
from tests.checks.board_server import FAULTS, BoardServer
from tests.checks.online_table import OnlineTable, play_one

PLIES = 40
"""Plies after which a game is ended at the latest, unless the board is to end it."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--faults", type=float, default=0.05, help="probability of each [0.05]")
    arguments = parser.parse_args()
    logging.disable(logging.CRITICAL)
    chance, ends, wrong = random.Random(arguments.seed), Counter[str](), 0
    with (
        BoardServer(arguments.seed, FAULTS, arguments.faults) as server,
        Journal() as journal,
        OnlineTable(server, journal) as here,
    ):
        for _ in range(arguments.games):
            ends[play_one(server, here, chance, chance.randrange(2, PLIES))] += 1
            game, outcome = server.game, here.table.outcome
            assert game is not None
            assert outcome is not None
            winner = outcome.winners[0] if outcome.winners else ""
            wrong += winner != game.winner or list(made_at(here.table)) != game.moves
        print(f"{arguments.games} games, {wrong} wrong: {dict(ends)}; faults {server.happened}")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
