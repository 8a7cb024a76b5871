"""Lay cards that are not of the printed deck before the camera: none may be taken for one of it.

    python -m tests.soak.soak_strangers --tables 50

On every table lie jokers and cards of a deck much like the printed one but without codes, in light,
noise, sleeves and glare drawn by its seed; every third table has cards of the printed deck, too.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from dataclasses import replace

from tests.checks.card_evenings import GAME, SIZES, CardEvening
from tests.checks.other_cards import JOKER, OTHER
from vision.board.calibrate import camera_from_table
from vision.cards.card_sight import CardSight
from vision.cards.printed_cards import printed


def table(seed: int) -> Counter[str]:
    """Lay sixteen cards and count how they are read."""
    chance = random.Random(f"strangers {seed}")
    evening = CardEvening(seed, size=SIZES[seed % 2], others=True)
    spots, camera = list(evening.cards.board), evening.camera
    tokens = list(GAME.tokens(evening.table.setup))
    strangers = [OTHER + token for token in tokens] + [f"{JOKER}{n}" for n in range(12)]
    laid = chance.sample(strangers, len(spots) if seed % 3 else 8)
    laid += chance.sample(tokens, len(spots) - len(laid))
    evening.cards.lay(dict(zip(spots, laid, strict=True)))
    for spot in spots:
        evening.cards.nudge(spot, 0.0, 0.0, chance.choice((0.0, 90.0, 180.0, 270.0)))
    gloss = chance.uniform(0.2, 1.0) if chance.random() < 0.3 else 0.0
    camera.troubles = replace(
        camera.troubles, gloss=gloss, glare=chance.choice(spots), hand_frames=0
    )
    while (frame := camera.read()) and camera.busy:
        pass
    assert frame is not None
    assert frame.image is not None
    sight = CardSight(evening.cards.board, printed(GAME, evening.table.setup))
    seen = camera_from_table(evening.cards.board, camera.table_file(), frame.image)
    found: Counter[str] = Counter()
    for spot, place in sight.look(frame.image, seen, spots).items():
        token = evening.cards.position[spot]
        whose = "own" if token in tokens else "strange"
        if place.bare:
            found[f"{whose}, not seen"] += 1
        elif place.token is None:
            found[f"{whose}, asked or waited for"] += 1
        else:
            found[f"{whose}, {'right' if place.token == token else 'wrong'}"] += 1
    return found


def main() -> int:
    """Return 1 if any card was taken for another."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--first", type=int, default=0, help="the first table's seed")
    chosen = parser.parse_args()
    total: Counter[str] = Counter()
    for seed in range(chosen.first, chosen.first + chosen.tables):
        counted = table(seed)
        total += counted
        if counted["strange, wrong"] + counted["own, wrong"]:
            print(json.dumps({"seed": seed, **counted}), flush=True)
    print(json.dumps({"tables": chosen.tables, **dict(sorted(total.items()))}))
    return int(total["strange, wrong"] + total["own, wrong"] > 0)


if __name__ == "__main__":
    sys.exit(main())
