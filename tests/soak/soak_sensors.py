"""Random games on a board of sensors: moves, captures, refused moves, hands of several habits.

    python -m tests.soak.soak_sensors --game chess --actions 2000
    python -m tests.soak.soak_sensors --game chess --only 17
    python -m tests.soak.soak_sensors --dgt --actions 600
    python -m tests.soak.soak_sensors --game chess --actions 100 --camera --art carved
    python -m tests.soak.soak_sensors --dgt --actions 100 --camera --art carved

With ``--camera`` a camera looks on, and sometimes one of them sees or feels nothing.

Counted: actions, questions, refused moves that could as well be several by the rules, and what was
wrong or missed; such an evening ends there and names its seed.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter

from companion.games import games
from tests.checks.both_evenings import BothEvening
from tests.checks.carved import CARVED
from tests.checks.felt_evenings import READ_AS_LEGAL, FeltEvening
from tests.checks.repainted import STYLES

MOVES = 60
"""Actions of one evening."""


def main() -> int:
    """Return 1 if anything was wrong, missed, or asked without the right answer."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", choices=games(), default="chess")
    parser.add_argument("--actions", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int)
    parser.add_argument("--knows", action="store_true", help="a board that knows its pieces")
    parser.add_argument("--dgt", action="store_true", help="chess on a board with that protocol")
    parser.add_argument("--camera", action="store_true", help="a camera over the board")
    parser.add_argument("--art", choices=(*STYLES, CARVED), help="of the men under a camera")
    chosen = parser.parse_args()
    total: Counter[str] = Counter()
    seed = chosen.seed if chosen.only is None else chosen.only
    while total["actions"] < chosen.actions:
        felt: dict[str, bool] = {"knows": chosen.knows, "dgt": chosen.dgt}
        evening = (
            BothEvening(chosen.game, seed, changing=True, art=chosen.art, **felt)
            if chosen.camera
            else FeltEvening(chosen.game, seed, **felt)
        )
        evening.play(MOVES)
        total += evening.counts
        for failure in evening.failures:
            if failure != READ_AS_LEGAL:
                print(f"seed {seed}: {failure}", flush=True)
        print(f"seed {seed}: {dict(total)} so far", file=sys.stderr, flush=True)
        seed += 1
        if chosen.only is not None:
            break
    print(f"{chosen.game}: {', '.join(f'{count} {what}' for what, count in total.items())}")
    bad = ("wrong", "missed", "wrong position", "asked in vain")
    return int(any(total[what] for what in bad))


if __name__ == "__main__":
    sys.exit(main())
