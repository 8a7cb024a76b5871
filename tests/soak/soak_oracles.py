"""Play many random games in the engine and in the naive oracle of a game side by side.

python -m tests.soak.soak_oracles --game invictus --games 1000
"""

from __future__ import annotations

import argparse
import sys

from tests.oracle import heximeros_match, invictus_match, victorus_match

MATCHES = {
    "victorus": victorus_match.compare,
    "heximeros": heximeros_match.compare,
    "invictus": invictus_match.compare,
}


def main() -> int:
    """Print one line for each difference and one for the whole; return 1 if there is any."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", choices=MATCHES, default="victorus")
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--limit", type=int, default=600, help="actions in a game")
    parser.add_argument("--first", type=int, default=1000, help="the first game's seed")
    chosen = parser.parse_args()
    positions, differences = 0, 0
    for seed in range(chosen.first, chosen.first + chosen.games):
        try:
            positions += MATCHES[chosen.game](seed, chosen.limit)
        except AssertionError as error:
            differences += 1
            print(f"differs: {error}", flush=True)
    print(f"{chosen.game}: {chosen.games} games, {positions} positions, {differences} differ")
    return int(differences > 0)


if __name__ == "__main__":
    sys.exit(main())
