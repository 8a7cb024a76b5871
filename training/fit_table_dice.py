"""Fit how much commoner dice are on spots than in photographs (``vision.dice.tabledice``, ON_SPOT).

    python training/fit_table_dice.py --evenings 24 --seed 1

How far pips and the learned reader are believed is what photographs tell (``measure_dice.py
--fit``); only what is added to the log odds of a die is fitted here, to simulated tables of
Invictus under random cameras, light and trouble. Tables are the sources; every third is kept out.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))
from companion.rules import BadInput
from tests.checks.dice_evenings import DiceEvening
from tests.checks.evenings import Plan
from vision.decoding.opening import by_table
from vision.dice.dice_eye import LEAST, DiceEye
from vision.dice.tabledice import ON_SPOT

PICTURES = 8
"""Stills read of each table."""


@dataclass(frozen=True)
class SpotOdds:
    """A spot of one picture: the table's ``seed``, the log odds told of a die on it but for
    ON_SPOT, and whether there ``is`` one."""

    seed: int
    odds: float
    die: bool


def spots(seed: int) -> Iterator[SpotOdds]:
    """Yield all spots of some pictures of one table, but of one whose board is found elsewhere."""
    evening, eye, count = DiceEvening(Plan(seed)), None, 0
    game, setup, lying = evening.game, evening.setup, dict(evening.camera.position)
    while count < PICTURES and (frame := evening.read()):
        if evening.truth.kind != "still" or frame.image is None:
            continue
        if eye is None:
            table = evening.camera.table_file()
            camera = by_table(game, setup, frame.image, table, lying)
            tokens = set(lying.values())
            eye = DiceEye(game.board(setup), camera, frame.image, game.look, lying, tokens)
            if eye.faults:
                return
        eye.look(frame, lying)
        lying, count = dict(evening.truth.position), count + 1
        for spot, nats in eye.weigh(game.board(setup).spots).items():
            none = min(1 - LEAST, max(LEAST, math.exp(-nats[None]) - LEAST))
            yield SpotOdds(seed, math.log(1 / none - 1) - ON_SPOT, spot in lying)
        eye.settle(lying)


def fitted(some: list[SpotOdds]) -> tuple[float, float]:
    """Return what is to be added to the log odds (Newton's method), and its standard error."""
    odds, die = np.array([spot.odds for spot in some]), np.array([spot.die for spot in some])
    found = known = 0.0
    for _ in range(50):
        p = 1 / (1 + np.exp(-odds - found))
        known = float(np.sum(p * (1 - p)))
        found += float(np.clip(np.sum(die - p) / known, -1, 1))
    return found, known**-0.5


def main() -> None:
    """Print what was fitted, and the errors on tables that were kept out."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--evenings", type=int, default=24)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    every: list[SpotOdds] = []
    for seed in range(chosen.seed, chosen.seed + chosen.evenings):
        try:
            every += spots(seed)
        except BadInput as error:
            print(f"{seed}: {error}")
    kept = set(range(chosen.seed + 2, chosen.seed + chosen.evenings, 3))
    offset, error = fitted([spot for spot in every if spot.seed not in kept])
    for name, some in (("fitted", False), ("kept out", True)):
        here = [spot for spot in every if (spot.seed in kept) == some]
        wrong = {die: sum((spot.odds + offset > 0) != die for spot in here if spot.die == die)
                 for die in (False, True)}  # fmt: skip
        sign = [(spot.odds + offset) * (1 if spot.die else -1) for spot in here]
        print(f"{name}: {len(here)} spots; {wrong[True]} dice of {sum(s.die for s in here)} are "
              f"taken for none, {wrong[False]} bare spots for dice, "
              f"{np.logaddexp(0, -np.array(sign)).mean():.4f} nats a spot")  # fmt: skip
    print(f"ON_SPOT = {offset:.1f}, give or take {error:.1f}")


if __name__ == "__main__":
    main()
