"""Measure how well the faces that are learned at the set-up tell tokens apart afterwards.

    python training/measure_faces.py heximeros --evenings 20 --seed 5

Simulated evenings as in ``fit_light.py``, of one game and with pictures of three sizes: in the
first picture tokens stand as in the set-up, in three later ones anywhere, and light has changed.
For each evening, and for all, it prints on what share of the spots looked at another candidate fits
better than the right one, the mean log loss where a unit of error costs SHARP nats, and the error
of the right one, its median and where a tenth is worse.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
from fit_light import candidates, losses, opened, picture, troubled, worse

from companion.games import find_game
from companion.rules import BadInput
from tests.checks.repainted import STYLES, repainted
from vision.frames import Frame
from vision.tokens.likelihood import SHARP

SIZES = (960, 720), (1280, 960), (1640, 1232)
PICTURES, TOKENS, BARE = 3, 20, 6


def evening(name: str, seed: int) -> Iterator[list[float]]:
    """Yield the errors of the candidates on each spot that is looked at, the right one first."""
    chance = random.Random(seed)
    game: Any = repainted(find_game(name), STYLES[seed % len(STYLES)])
    camera, eye, expected, calm = opened(game, chance, chance.choice(SIZES), 30, seed)
    table, board = camera.table, camera.table.board
    for number in range(PICTURES):
        camera.troubles = troubled(calm, chance, list(board.spots))
        spots = chance.sample(list(board.spots), len(expected))
        lying = dict(zip(spots, expected.values(), strict=True))
        table.lay(lying)
        eye.look(Frame(picture(camera), 0.0, str(number)), lying)
        seen = eye.observe(chance.sample(spots, TOKENS) + chance.sample(list(board.spots), BARE))
        for spot in seen.patches:
            own, *others = candidates(lying.get(spot), expected.values(), chance)
            unlike = [t for t in others if None in {t, own} or game.look(t) != game.look(own)]
            yield [seen.error(spot, token) for token in (own, *unlike)]


def told(errors: list[list[float]]) -> str:
    """Return what the ``errors`` say, in words."""
    own = np.array([row[0] for row in errors])
    return (
        f"{len(errors)} spots, another fits better on {worse(errors):.2%}, "
        f"loss {losses(errors, SHARP):.3f}, "
        f"error {np.median(own):.3f}, of a tenth over {np.quantile(own, 0.9):.3f}"
    )


def main() -> None:
    """Print a line for each evening, and one for all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game")
    parser.add_argument("--evenings", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    total = []
    for seed in range(chosen.seed, chosen.seed + chosen.evenings):
        try:
            errors = list(evening(chosen.game, seed))
        except BadInput as reason:  # no markers are found in so poor a picture
            print(f"{seed}: {reason}", flush=True)
            continue
        print(f"{seed}, {STYLES[seed % len(STYLES)]}: {told(errors)}", flush=True)
        total += errors
    print(f"all: {told(total)}")


if __name__ == "__main__":
    main()
