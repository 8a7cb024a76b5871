"""Play rounds of Victory & Honor with the printed deck before the simulated camera, with trouble.

    python -m tests.soak.soak_card_table --rounds 100
    python -m tests.soak.soak_card_table --rounds 100 --soft

Every round has a seed, and by it options, camera, light, noise and events. A card that is taken
for another, or a play that never was, is wrong; a card that the camera asks about is asked; a
round in which a card is not told within 16 looks is left there and counts as missed.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections import Counter

from tests.checks.card_evenings import evening


def main() -> int:
    """Return 1 if a card was taken for another or the rules refused an honest play."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--first", type=int, default=0, help="the first round's seed")
    parser.add_argument("--calm", action="store_true", help="no trouble")
    parser.add_argument("--soft", action="store_true", help="through soft webcams")
    parser.add_argument("--minutes", type=float, default=math.inf, help="begin none after that")
    chosen = parser.parse_args()
    total: Counter[str] = Counter()
    end = time.monotonic() + 60 * chosen.minutes
    for seed in range(chosen.first, chosen.first + chosen.rounds):
        if time.monotonic() > end:
            break
        played = evening(seed, not chosen.calm, chosen.soft)
        total += played.counts
        for failure in played.failures:
            print(json.dumps({"seed": seed, "failure": failure}), flush=True)
        print(json.dumps({"so_far": dict(total)}), flush=True)
    return int(total["wrong"] + total["refused"] > 0)


if __name__ == "__main__":
    sys.exit(main())
