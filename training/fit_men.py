"""Fit how probable it is that a carved man was touched (``vision.tokens.touches``, TOUCHED).

    python training/fit_men.py --evenings 24 --seed 1

Simulated tables of carved chessmen under random cameras and light. After the set-up five men are
nudged, or another man of their colour is put in their place, and lamp and shadow change; so in four
pictures more. The logarithm of a spot's change, in units of the median man's, is the only feature
of a logistic regression. Tables are the sources; every third is kept out. The printed offset is for
one man in ``RARE`` who was touched.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))
from companion.games import find_game
from companion.rules import BadInput
from companion.simulation.table_camera import SimulatedCamera, SimulatedTable
from companion.simulation.troubles import random_troubles
from tests.checks.carved import carved, standing
from tests.checks.evenings import SIZES, pose
from vision.board.calibrate import camera_from_table
from vision.board.optics import fit_view
from vision.board.raster import Floats
from vision.eyes.body_eye import BodyEye
from vision.frames import Frame
from vision.tokens.bodies import SEEN, Bodies
from vision.tokens.ground import Ground
from vision.tokens.touches import RARE, unlikeness, usual_changes

PICTURES, TOUCHED = 5, 5
"""Pictures after the set-up, and men touched before each."""


@dataclass(frozen=True)
class TouchCase:
    """One man in one picture: the table's ``seed``, his spot's ``change`` in units of the usual
    one, and whether he was ``touched``."""

    seed: int
    change: float
    touched: bool


def cases(seed: int) -> Iterator[TouchCase]:
    """Yield the men of one table."""
    chance, game = random.Random(seed), carved(find_game("chess"))
    setup = game.setup()
    board, lying = game.board(setup), dict(game.expect(game.start(setup)))
    size = chance.choice(SIZES)
    calm = replace(random_troubles(chance), hand_frames=0)
    calm = replace(calm, blur=max(0.3, calm.blur * size[0] / 1640))
    table = SimulatedTable(game, setup, lying, seed=seed, tidy=chance.uniform(0.3, 0.9))
    view = fit_view(board, standing(pose(chance, size, "markers"), board))
    camera = SimulatedCamera(table, view, calm, seed=seed, clock=lambda: 0.0)
    image = camera.read().image
    place = camera_from_table(board, camera.table_file(), image)
    ground = Ground(board, place)
    if BodyEye(board, place, Frame(image, 0.0), game.look, lying).faults:
        return
    then = ground.lay(image)
    for _ in range(PICTURES):
        bodies, touched = Bodies(board, ground, game.look, then, lying), set()
        before = dict(lying)
        for spot in chance.sample(sorted(lying), TOUCHED):
            touched.add(spot)
            side, man = lying[spot].split()
            if chance.random() < 0.5:
                lying[spot] = f"{side} {chance.choice([m for m in 'PRNBQK' if m != man])}"
                table.remove(spot)
                table.put(spot, lying[spot])
            else:
                way, far = chance.uniform(0, 2 * math.pi), chance.uniform(0.05, 0.25) * board.pitch
                table.nudge(spot, far * math.cos(way), far * math.sin(way), 0.0)
        shadow = chance.choice((calm.shadow, calm.shadow, chance.uniform(0.1, 0.4)))
        camera.troubles = replace(calm, lamp=calm.lamp * chance.uniform(0.8, 1.2), shadow=shadow)
        now = ground.lay(last(camera))
        yield from compared(seed, bodies, ground.difference(now, then), before, touched)
        then = now


def last(camera: SimulatedCamera) -> Floats:
    """Return the picture in which nothing moves any more."""
    image = camera.read().image
    while camera.busy:
        image = camera.read().image
    return image


def compared(
    seed: int, bodies: Bodies, difference: Floats, table: dict[str, str], touched: set[str]
) -> Iterator[TouchCase]:
    """Yield the men of one picture that are seen well enough."""
    usual = usual_changes(bodies, difference, table)
    for spot, token in table.items():
        seen = bodies.visible(spot, table)
        if seen.mean() >= SEEN:
            change = unlikeness(bodies.points(difference, spot)[seen])
            yield TouchCase(seed, float(change) / usual[bodies.body(token)], spot in touched)


def fitted(some: list[TouchCase]) -> tuple[float, float]:
    """Return slope and offset of the log odds, both kinds of men weighing the same."""
    x = np.array([(math.log(case.change), 1.0) for case in some])
    y = np.array([case.touched for case in some], float)
    weight = np.where(y > 0, 0.5 / y.mean(), 0.5 / (1 - y.mean()))
    slopes = np.zeros(2)
    for _ in range(50):
        p = 1 / (1 + np.exp(-x @ slopes))
        bend = (x * (weight * p * (1 - p))[:, None]).T @ x + 1e-3 * np.eye(2)
        slopes += np.linalg.solve(bend, x.T @ (weight * (y - p)) - 1e-3 * slopes)
    return float(slopes[0]), float(slopes[1])


def main() -> None:
    """Print what was fitted, and the errors on tables that were kept out."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--evenings", type=int, default=24)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    every: list[TouchCase] = []
    for seed in range(chosen.seed, chosen.seed + chosen.evenings):
        try:
            every += cases(seed)
        except BadInput as error:
            print(f"{seed}: {error}")
    kept = set(range(chosen.seed + 2, chosen.seed + chosen.evenings, 3))
    slope, offset = fitted([case for case in every if case.seed not in kept])
    offset -= math.log(RARE - 1)
    for name, some in (("fitted", False), ("kept out", True)):
        here = [case for case in every if (case.seed in kept) == some]
        taken = {t: [slope * math.log(c.change) + offset > 0 for c in here if c.touched == t]
                 for t in (False, True)}  # fmt: skip
        print(f"{name}: {len(here)} men; of {len(taken[False])} untouched "
              f"{np.mean(taken[False]):.2%} are taken for touched, of {len(taken[True])} touched "
              f"{1 - np.mean(taken[True]):.2%} are not")  # fmt: skip
    print(f"TOUCHED = ({slope:.2f}, {offset:.2f})")


if __name__ == "__main__":
    main()
