"""Play random games of every game and check that rulings, rules and records agree.

    python -m tests.soak.soak_rules --games 1000 --game victorus

A game goes to its end or to --limit actions. In --whole positions, spread over the games, every
piece is judged to every cell; elsewhere every legal action and 20 others are.
"""

from __future__ import annotations

import argparse
import random
import sys
import traceback

from companion.conformance.random_play import Counted, play
from companion.games import find_game, games


def soak(name: str, chosen: argparse.Namespace) -> int:
    """Play all games of ``name``, print one line, return how many failed."""
    game, total, failed = find_game(name), Counted(), 0
    for number in range(chosen.games):
        seed = chosen.first + number
        rng = random.Random(f"plies {seed}")
        share = chosen.whole * (number + 1) // chosen.games - chosen.whole * number // chosen.games
        plies = frozenset(rng.randrange(300) for _ in range(share))
        try:
            total.add(play(game, seed, chosen.limit, plies))
        except AssertionError as error:
            failed += 1
            print(traceback.extract_tb(error.__traceback__)[-1].line)
            print("".join(traceback.format_exception_only(error)))
    print(
        f"{name}: {chosen.games} games, {total.ended} to the end, {total.states} positions, "
        f"{total.judged} rulings, {total.whole} positions with every piece to every cell, "
        f"{failed} games failed",
        flush=True,
    )
    return failed


def main() -> int:
    """Return 1 if anything failed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", choices=games(), help="one game; else all of them")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--limit", type=int, default=2000, help="actions in a game")
    parser.add_argument("--whole", type=int, default=200, help="positions judged wholly")
    parser.add_argument("--first", type=int, default=0, help="the first game's seed")
    chosen = parser.parse_args()
    names = [chosen.game] if chosen.game else list(games())
    return int(sum(soak(name, chosen) for name in names) > 0)


if __name__ == "__main__":
    sys.exit(main())
