"""Fit the priors on light by which faces are compared (``vision.tokens.faces``).

    python training/fit_light.py --evenings 12 --seed 1

Simulated evenings of Victorus and HexiMeros: boards and pieces of random art, cameras and light.
The first picture of each is the set-up; in every later one all pieces lie somewhere else, under a
veil, in the sun, in a shadow or under another lamp. For each pair of priors it prints how well the
likelihood tells the token that lies on a spot from the bare spot and from up to five other tokens,
the most similar by name among them: the share of spots where another one fits better, and the mean
log loss with the best temperature. Evenings are the sources; the last third of them is kept out,
and the pair that is best on the others is told with its loss there.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))
from companion.games import find_game
from companion.simulation.table_camera import SimulatedCamera, SimulatedTable
from companion.simulation.troubles import Troubles, random_troubles
from tests.checks.evenings import pose
from tests.checks.repainted import STYLES, repainted
from vision.board.calibrate import camera_from_table
from vision.board.optics import fit_view
from vision.eyes.face_eye import FaceEye
from vision.frames import Frame, Image
from vision.tokens import faces
from vision.tokens.observe import Observation, Token

PICTURES, SPOTS, OTHERS = 5, 12, 5
UNEVEN, VEILED = (450.0, 1350.0, 4050.0), (45.0, 135.0, 405.0, 1e9)
"""What is tried; the last VEILED is a light that only multiplies."""
SHARP = (10.0, 20.0, 40.0, 80.0, 160.0, 320.0, 640.0)
"""Nats to a unit of error that are tried."""


@dataclass
class SpotCase:
    """A spot of a picture, and its candidates: the token that lies there comes first."""

    look: Callable[[], Observation]
    spot: str
    candidates: list[Token]

    def errors(self) -> list[float]:
        """Return the error of each candidate under the present priors."""
        seen = self.look()
        return [seen.error(self.spot, token) for token in self.candidates]


def opened(
    game: Any, chance: random.Random, size: tuple[int, int], lean: float, seed: int
) -> tuple[SimulatedCamera, FaceEye, dict[str, str], Troubles]:
    """Set ``game`` up before a camera that leans at most ``lean`` degrees. Return the camera, the
    eye that learned the faces in its first picture, what lies where, and in what light."""
    setup = game.setup()
    board, expected = game.board(setup), dict(game.expect(game.start(setup)))
    view = replace(pose(chance, size, "markers"), tilt=chance.uniform(0, lean))
    calm = replace(random_troubles(chance), flicker=0.0, hand_frames=0)
    table = SimulatedTable(game, setup, expected, seed=seed, tidy=chance.uniform(0.4, 0.9))
    camera = SimulatedCamera(table, fit_view(board, view), calm, seed=seed, clock=lambda: 0.0)
    image = picture(camera)
    found = camera_from_table(board, camera.table_file(), image)
    eye = FaceEye(board, found, image, game.look, expected, None, game.turned_over)
    return camera, eye, expected, calm


def cases(seed: int) -> Iterator[SpotCase]:
    """Yield the spots of one evening."""
    chance = random.Random(seed)
    game: Any = repainted(find_game(chance.choice(("victorus", "heximeros"))), STYLES[seed % 5])
    camera, eye, expected, calm = opened(game, chance, (1280, 960), 25, seed)
    table, board = camera.table, camera.table.board
    for number in range(PICTURES):
        camera.troubles = troubled(calm, chance, list(board.spots))
        lying = dict(
            zip(chance.sample(list(board.spots), len(expected)), expected.values(), strict=False)
        )
        table.lay(lying)
        eye.look(Frame(picture(camera), 0.0, str(number)), lying)
        some = chance.sample(list(lying), SPOTS - 3) + chance.sample(list(board.spots), 3)
        patches = eye.observe(some).patches
        look = partial(Observation, patches, {}, eye._appearances, game.look, game.turned_over, {})
        for spot in patches:
            yield SpotCase(look, spot, candidates(lying.get(spot), expected.values(), chance))


def troubled(calm: Troubles, chance: random.Random, spots: list[str]) -> Troubles:
    """Return another light than ``calm``."""
    return chance.choice((
        calm,
        replace(calm, veil=(chance.choice(spots), chance.uniform(30, 150))),
        replace(calm, sun=chance.uniform(0.1, 0.5)),
        replace(calm, shadow=chance.uniform(0.1, 0.4)),
        replace(calm, lamp=calm.lamp * chance.uniform(0.6, 1.1), warmth=chance.uniform(0, 0.7)),
    ))  # fmt: skip


def candidates(token: Token, tokens: Any, chance: random.Random) -> list[Token]:
    """Return ``token``, the bare spot, and others, first those that share a word with it."""
    others = sorted({*tokens} - {token})
    words = set(token.split()) if token else set()
    near = [other for other in others if words & set(other.split())]
    some = chance.sample(near, min(OTHERS - 2, len(near)))
    some += chance.sample(others, OTHERS - len(some))
    return list(dict.fromkeys([token, None, *some]))


def picture(camera: SimulatedCamera) -> Image:
    """Return the next picture without hands."""
    while True:
        frame = camera.read()
        assert frame is not None
        assert frame.image is not None
        if not camera.busy:
            return frame.image


def losses(errors: list[list[float]], sharp: float) -> float:
    """Return the mean log loss of the first of each row, where an error costs ``sharp``."""
    told = [-sharp * (np.array(row) - min(row)) for row in errors]
    return float(np.mean([min(12.0, np.log(np.exp(row).sum()) - row[0]) for row in told]))


def worse(errors: list[list[float]]) -> float:
    """Return the share of rows whose first is not the least."""
    return float(np.mean([row[0] > min(row[1:]) for row in errors]))


def main() -> None:
    """Print a line for each pair of priors, and the best."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--evenings", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    sources = [list(cases(chosen.seed + number)) for number in range(chosen.evenings)]
    kept = max(1, len(sources) // 3)
    told = []
    for faces.UNEVEN, faces.VEILED in product(UNEVEN, VEILED):
        every = [[case.errors() for case in source] for source in sources]
        fitted = [row for source in every[:-kept] for row in source]
        held = [row for source in every[-kept:] for row in source]
        loss, sharp = min((losses(fitted, sharp), sharp) for sharp in SHARP)
        told.append((loss, faces.UNEVEN, faces.VEILED))
        print(
            f"uneven {faces.UNEVEN:6.0f}  veiled {faces.VEILED:12.0f}  sharp {sharp:4.0f}  "
            f"fitted {len(fitted)}: wrong {worse(fitted):.4f} loss {loss:.4f}  "
            f"held out {len(held)}: wrong {worse(held):.4f} loss {losses(held, sharp):.4f}",
            flush=True,
        )
    print("best: uneven {1:.0f}, veiled {2:.0f}".format(*min(told)))


if __name__ == "__main__":
    main()
