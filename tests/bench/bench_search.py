"""How many positions a second the search looks at in each game, in the build that is installed.

    python tests/bench/bench_search.py [--nodes 5000]

Each game is played on for a while by greedy players; then the search thinks about where it stands.
Printed: positions a second of processor time, and the choice, the same in every build.
"""

from __future__ import annotations

import argparse
import random
import time
from typing import Any

from companion.games import find_game
from companion.players.budget import Budget
from companion.players.search import Searcher
from companion.players.simple import GreedyPlayer
from companion.runtime.native import build_kind

GAMES = (
    ("chess", None, 16),
    ("invictus", None, 16),
    ("victorus", ("red", "purple"), 16),
    ("victorus", None, 24),
    ("heximeros", None, 24),
)
"""Name, seats, and actions until the search is asked."""


def midway(game: Any, seats: tuple[str, ...] | None, actions: int) -> Any:
    """Return the state after so many ``actions`` of greedy players."""
    state, greedy = game.start(game.setup(seats)), GreedyPlayer(game, random.Random(5))
    for _ in range(actions):
        state = game.advance(state, greedy.choose(state, Budget()).action)
    return state


def main() -> None:
    """Print one line for each game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, default=5000)
    nodes = parser.parse_args().nodes
    for name, seats, actions in GAMES:
        game: Any = find_game(name)
        state = midway(game, seats, actions)
        begun = time.process_time()
        thought = Searcher(game, random.Random(1)).choose(state, Budget(nodes=nodes))
        rate = thought.nodes / (time.process_time() - begun)
        table = f"{name} of {len(state.setup.seats)}"
        print(f"{table}, {build_kind()}: {rate:.0f} positions a second, {thought.action}")


if __name__ == "__main__":
    main()
