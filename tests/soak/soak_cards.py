"""Play rounds of Victory & Honor with hands that the table does not see.

    python -m tests.soak.soak_cards --rounds 10000 --lying 1000

Honest rounds must always have a legal play, twelve plays a phase and forty cards; in lying ones
every planted breach must be found when the cards are shown, and nobody accused wrongly.
"""

from __future__ import annotations

import argparse
import json
import sys

from tests.checks.card_rounds import Seen, rounds


def told(seen: Seen) -> dict[str, object]:
    """Return the figures as JSON values."""
    return {
        "rounds": seen.rounds,
        "phases": seen.phases,
        "plays": seen.plays,
        "phases_broken_off_percent": round(100 * seen.broken_off / seen.phases, 1),
        "total_routs_in_10000_battles": round(1e4 * seen.routs / (3 * seen.phases), 1),
        "opened_after_a_sacrifice_in_100_phases": round(100 * seen.reopened / seen.phases, 1),
        "points_a_player_and_round": round(seen.points / seen.rounds / 4, 2),
        "planted": seen.planted,
        "found": seen.found,
        "accused_wrongly": seen.false,
        "rules": dict(sorted(seen.rules.items())),
    }


def main() -> int:
    """Return 1 if a breach was missed or somebody accused wrongly."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=10_000, help="honest rounds")
    parser.add_argument("--lying", type=int, default=1000, help="rounds with planted breaches")
    parser.add_argument("--first", type=int, default=0, help="the first round's seed")
    chosen = parser.parse_args()
    half = chosen.rounds // 2
    printed = rounds(chosen.first, chosen.rounds - half, partners="yes")
    mixed = rounds(chosen.first, half)
    lying = rounds(chosen.first, chosen.lying, lies=0.08)
    for name, seen in (("printed rules", printed), ("all options", mixed), ("lying", lying)):
        print(json.dumps({"rounds_of": name, **told(seen)}), flush=True)
    wrong = lying.planted - lying.found + lying.false + printed.false + mixed.false
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
