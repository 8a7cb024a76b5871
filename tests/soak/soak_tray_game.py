"""Play Hoplomachus: Victorum on simulated mats: whole sequences of rolls before the camera.

    python -m tests.soak.soak_tray_game --games 20
    python -m tests.soak.soak_tray_game --only 17 --actions 80

Every game has a seed, and by it dice, camera, light and trouble of its own. A failure names the
seed and what was told instead.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections import Counter

from tests.checks.tray_games import play


def main() -> int:
    """Return 1 if anything was silently wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--actions", type=int, default=60, help="the most in one game")
    parser.add_argument("--seed", type=int, default=1, help="the first game's seed")
    parser.add_argument("--calm", action="store_true", help="no trouble")
    parser.add_argument("--only", type=int, help="the seed of a single game")
    parser.add_argument("--minutes", type=float, default=math.inf, help="begin none after that")
    chosen = parser.parse_args()
    end, total = time.monotonic() + 60 * chosen.minutes, Counter[str]()
    first = chosen.only or chosen.seed
    for seed in range(first, first + (1 if chosen.only else chosen.games)):
        if time.monotonic() > end:
            break
        game = play(seed, not chosen.calm, chosen.actions)
        total += game.counts
        for failure in game.failures:
            print(f"seed={seed}: {failure}", flush=True)
        print(f"seed={seed}: {dict(game.counts)}", flush=True)
    print(", ".join(f"{what} {count}" for what, count in total.items()))
    return int(total["wrong"] + total["missed"] > 0)


if __name__ == "__main__":
    sys.exit(main())
