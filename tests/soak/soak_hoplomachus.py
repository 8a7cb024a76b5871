"""Play games of Hoplomachus: Victorum at random with the invented cards, of all ranks.

    python -m tests.soak.soak_hoplomachus --games 2000

After each action there must be 17 unit dice and 54 Conflict cards, and every game must end.
"""

from __future__ import annotations

import argparse
import json
import sys

from tests.checks.mountain_games import Figures, games


def told(figures: Figures) -> dict[str, object]:
    """Return the figures as JSON values."""
    return {
        "games": figures.games,
        "actions": figures.actions,
        "told_by_cards": figures.by_card,
        "turns_a_game": round(figures.turns / figures.games, 1),
        "longest_game_in_actions": figures.longest,
        "won": figures.won,
        "lost": figures.lost,
        "primuses_fought": figures.primuses,
        "finals": figures.finals,
        "verbs": dict(sorted(figures.verbs.items())),
    }


def main() -> int:
    """Return 0; a game in which dice or cards do not come out stops with its number."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--first", type=int, default=1, help="the first game's number")
    parser.add_argument("--texts", type=float, default=0.05, help="share of actions told by cards")
    chosen = parser.parse_args()
    print(json.dumps(told(games(chosen.first, chosen.games, chosen.texts))), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
