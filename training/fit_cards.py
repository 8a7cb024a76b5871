"""Fit the numbers in ``vision/cards/likelihood.toml``, and tell how far they can be relied on.

    python -m training.fit_cards --tables 60 --held 20 --recording FOLDER

Cards of the printed deck, of one much like it and of none lie on simulated tables before soft
cameras: 75 to 110 pixels to a card's width, blur to 2 pixels, noise, JPEG of quality 60 to 92, a
lamp's veil, glare, sleeves, a hand; every camera has a tone curve and colours of its own. On other
tables a cup, a telephone, a sheet, a hand and glare lie on places without cards. Tables
whose markers are not found are left out. Tables held back and a recording, drawn by another
program, are never fitted: for them the calibration error of the likelihoods is told.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games import find_game
from companion.rules import BadInput
from companion.simulation.sensor import through_jpeg
from companion.simulation.table_camera import SimulatedCamera, SimulatedTable
from companion.simulation.troubles import Troubles, random_troubles
from tests.checks.card_evenings import veiled
from tests.checks.other_cards import JOKER, OTHER, OtherCards
from vision.board.calibrate import camera_from_table
from vision.board.optics import CameraView, fit_view
from vision.board.raster import Floats
from vision.cards.card_sight import PER_MM, CardSight
from vision.cards.cards import STRANGERS
from vision.cards.likelihood import FITTED
from vision.cards.likeness import tones
from vision.cards.outline import find_outline
from vision.cards.printed_cards import printed
from vision.frames import Image

RIDGE = 1e-3
"""What keeps the fit from trusting all the more where everything is told apart."""

GAME = find_game("victory_honor")
SETUP = GAME.setup()
CARDS = tuple(dict.fromkeys(GAME.tokens(SETUP)))


@dataclass(frozen=True)
class Sample:
    """A card that lay on a table, and what the reader made of it: ``sums`` are the logarithms of
    likelihoods by face, "" for what is like a face but of another deck; ``outlined`` is 1 where a
    card's outline was seen, else 0. What is no card has an empty ``token``."""

    token: str
    sums: tuple[tuple[str, float], ...]
    standing_out: float
    outlined: float
    p: float
    best: str

    @property
    def own(self) -> bool:
        return bool(self.token) and not self.token.startswith((OTHER, JOKER))

    @property
    def right(self) -> bool:
        """Tell whether the likeliest face is the card's, or the one that it is much like."""
        if self.token.startswith(OTHER) and not self.sums[0][0]:
            return True
        return next(face for face, _ in self.sums if face) == self.token.removeprefix(OTHER)


def soft_table(seed: int) -> tuple[Image, Any, dict[str, str]]:
    """Return a picture of a table full of cards, its table file, and what lies where."""
    chance = random.Random(f"soft cards {seed}")
    tokens = [token for token in GAME.tokens(SETUP) if token != "back"]
    strange = [OTHER + token for token in tokens] + [f"{JOKER}{n}" for n in range(12)]
    laid = [*chance.sample(tokens, 10), *chance.sample(strange, 4), "back", "back"]
    chance.shuffle(laid)
    return _pictured(seed, chance, dict(zip(GAME.board(SETUP), laid, strict=True)), Troubles())


def strewn_table(seed: int) -> tuple[Image, Any, dict[str, str]]:
    """Return the same of a table with some cards, on which other things lie."""
    chance = random.Random(f"things {seed}")
    spots = chance.sample(list(GAME.board(SETUP)), 9)
    tokens = chance.sample([*GAME.tokens(SETUP)], 4)
    cup, phone, paper, resting, glare = spots[4:]
    things = Troubles(cup=cup, phone=phone, paper=paper, resting=resting, glare=glare)
    return _pictured(seed, chance, dict(zip(spots, tokens, strict=False)), things)


def _pictured(
    seed: int, chance: random.Random, laid: dict[str, str], things: Troubles
) -> tuple[Image, Any, dict[str, str]]:
    rng, game = np.random.default_rng(seed), OtherCards()
    table: SimulatedTable = SimulatedTable(game, SETUP, {}, seed=seed, tidy=0.75)
    scale = chance.uniform(0.8, 1.15)
    size = (round(1280 * scale / 8) * 8, round(960 * scale / 8) * 8)
    view = CameraView(image_size=size, tilt=chance.uniform(0, 28), thickness=0.5)
    troubles = _troubles(chance, list(laid))
    if things.cup:
        troubles = replace(troubles, cup=things.cup, phone=things.phone, paper=things.paper,
                           resting=things.resting, glare=things.glare)  # fmt: skip
    camera = SimulatedCamera(
        table, fit_view(table.board, view), troubles, seed=seed, clock=lambda: 0.0
    )
    table.lay(laid)
    for spot in laid:
        table.nudge(spot, 0.0, 0.0, chance.choice((0.0, 90.0, 180.0, 270.0)))
    while (frame := camera.read()) and camera.busy:
        pass
    assert frame is not None
    assert frame.image is not None
    image = veiled(frame.image, random.Random(seed)) if chance.random() < 0.6 else frame.image
    image = _drawn(image, math.exp(rng.normal(0, 0.25)), math.exp(rng.normal(0, 0.35)))
    noise = cv2.GaussianBlur(rng.standard_normal(image.shape, dtype=np.float32), (0, 0), 0.6)
    noisy = image + noise * (chance.uniform(1, 8) / float(noise.std()))
    sent = through_jpeg(np.clip(noisy, 0, 255).astype(np.uint8), chance.randint(60, 92))
    return sent, camera.table_file(), dict(table.position)


def _drawn(image: Image, exponent: float, colour: float) -> Image:
    """Return what a camera with another tone curve and stronger or duller colours would draw."""
    bent = 255 * (image / 255) ** exponent
    grey = bent.mean(axis=2, keepdims=True)
    return np.clip(grey + colour * (bent - grey), 0, 255).astype(np.uint8)


def _troubles(chance: random.Random, spots: Sequence[str]) -> Troubles:
    def sometimes(share: float) -> str | None:
        return chance.choice(spots) if chance.random() < share else None

    return replace(
        random_troubles(chance), noise=0.0, jpeg=0, hand_frames=0, blur=chance.uniform(0.5, 2.0),
        gloss=chance.uniform(0.2, 1.0) if chance.random() < 0.25 else 0.0,
        glare=sometimes(0.6), resting=sometimes(0.4),
    )  # fmt: skip


def recorded(folder: Path) -> Iterator[tuple[Image, Any, dict[str, str]]]:
    """Yield the still pictures of a recording."""
    file = json.loads((folder / "table.json").read_text())
    truth = json.loads((folder / "truth.json").read_text())
    for frame in truth if isinstance(truth, list) else truth["frames"]:
        if frame["kind"] == "still":
            yield cv2.imread(str(folder / frame["frame"])), file, frame["position"]


def samples(picture: tuple[Image, Any, dict[str, str]]) -> Iterator[Sample]:
    """Yield what the reader makes of each card in a picture."""
    image, file, position = picture
    board, deck = GAME.board(SETUP), printed(GAME, SETUP)
    sight = CardSight(board, deck)
    try:
        camera = camera_from_table(board, file, image)
    except BadInput:
        return
    places = sight.look(image, camera, board)
    for spot, place in places.items():
        if place.picture is None or place.card is None:
            continue
        window = sight._window(image, camera, spot)[0]
        outlined = float(find_outline(window, PER_MM) is not None)
        faces, names = deck._ready()
        fits = faces.fits(tones(place.picture))
        sums = tuple((names[fit.index], fit.log_p) for fit in fits)
        best, p = place.card.faces[0] if place.card.faces else ("", 0.0)
        yield Sample(position.get(spot, ""), sums, deck._standing_out(fits), outlined, p, best)


def lying(seeds: Iterable[int]) -> Iterator[Sample]:
    """Yield what the reader makes of each thing on the tables of ``seeds``, both kinds."""
    for seed in seeds:
        yield from samples(soft_table(seed))
        yield from samples(strewn_table(seed))


def fitted(known: Sequence[Sample]) -> dict[str, float]:
    """Return the odds of being known, and the temperature that makes the true faces likeliest."""
    x = np.array([(sample.standing_out, sample.outlined, 1.0) for sample in known])
    right = np.array([sample.right for sample in known])
    sharpness, outline, level = _logistic(x, right)
    odds = x @ (sharpness, outline, level)

    def lack(temperature: float) -> float:
        told = zip(known, odds, strict=True)
        return -sum(_likelihood(one, float(odd), temperature) for one, odd in told if one.own)

    temperature = min(np.linspace(0.2, 2.0, 37), key=lack)
    return {"temperature": float(temperature), "other": -(level + outline) / sharpness,
            "sharpness": sharpness, "outline": outline}  # fmt: skip


def _logistic(x: Floats, right: NDArray[np.bool_]) -> tuple[float, ...]:
    """Return the factors on the columns of ``x``, the last one constant, that make it likeliest
    which rows are ``right``, as if half of them were (Newton's method)."""
    scale = np.append(x[:, :-1].std(axis=0), 1.0)
    rows = x / scale
    weight = np.where(right, 0.5 / right.sum(), 0.5 / max(1, (~right).sum())) * len(right)
    at = np.zeros(rows.shape[1])
    for _ in range(60):
        p = 1 / (1 + np.exp(-np.clip(rows @ at, -30, 30)))
        slope = rows.T @ (weight * (right - p)) - RIDGE * at
        bend = (rows * (weight * p * (1 - p))[:, None]).T @ rows + RIDGE * np.eye(len(at))
        at = at + np.linalg.solve(bend, slope)
    return tuple(map(float, at / scale))


def _likelihood(sample: Sample, odds: float, temperature: float) -> float:
    """Return the logarithm of the probability of the true face; what is rather no known card may
    be any of them."""
    sums = {face: log_p for face, log_p in reversed(sample.sums) if face}
    top = max(sums.values())
    whole = sum(math.exp(temperature * (log_p - top)) for log_p in sums.values())
    true = math.exp(temperature * (sums.get(sample.token, -math.inf) - top)) / whole
    strange = STRANGERS * math.exp(-odds)
    return math.log((true + strange / len(CARDS)) / (1 + strange))


def reliability(seen: Sequence[Sample]) -> dict[str, object]:
    """Return how often the likeliest face is right, by its probability, and the mean difference of
    the two (the calibration error)."""
    edges = (0.0, 0.5, 0.9, 0.99, 1.01)
    bins, error = {}, 0.0
    for low, high in itertools.pairwise(edges):
        inside = [s for s in seen if s.best and low <= s.p < high]
        if inside:
            right = float(np.mean([s.best == s.token for s in inside]))
            error += len(inside) * abs(right - float(np.mean([s.p for s in inside]))) / len(seen)
            bins[f"{low}..{min(high, 1.0)}"] = {"cards": len(inside), "right": round(right, 4)}
    return {"cards": len(seen), "calibration_error": round(error, 4), "by_probability": bins}


def main() -> None:
    """Fit and tell."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=60)
    parser.add_argument("--held", type=int, default=20)
    parser.add_argument("--recording", type=Path)
    chosen = parser.parse_args()
    print(json.dumps({"in use": {name: getattr(FITTED, name) for name in FITTED.__slots__}}))
    if chosen.tables:
        known = list(lying(range(chosen.tables)))
        print(json.dumps({"fitted": fitted(known), "cards": len(known)}), flush=True)
    held = range(10_000, 10_000 + chosen.held)
    unseen = list(lying(held))
    print(json.dumps({"held back": reliability(unseen)}), flush=True)
    if chosen.recording:
        told = [s for picture in recorded(chosen.recording) for s in samples(picture)]
        print(json.dumps({"recording": reliability(told)}))


if __name__ == "__main__":
    main()
