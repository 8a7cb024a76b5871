"""Measure the reading of dice in photographs, and fit how far its evidence is believed.

    python training/measure_dice.py FOLDER           # figures by source, each fitted on the others
    python training/measure_dice.py FOLDER --fit     # then fit on all, and write it

FOLDER is laid out as ``training/README.md`` says. Only photographs are read that the nets were not
taught with: of dice the third kept of each source, and sources never shown; without dice whole
sources, and drawn things. Logistic regressions turn evidence into probabilities; the figures of
each source come from those fitted on the photographs of the other sources.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).parent.parent))
sys.path.insert(0, str(Path(__file__).parent))
from dice_photos import Photo, boxed, eyes, photo, photographs, without_dice, wooden
from dice_scenes import table_with
from dice_things import KINDS
from dice_weights import write_beliefs

from vision.dice.dice_net import WEIGHTS, Net, read_nets
from vision.dice.dicefind import (
    SURE,
    DiceEvidence,
    Find,
    FoundDie,
    Sizes,
    likely,
    places_of,
    read,
    sorted_out,
)

LISTED = Path(__file__).with_name("negatives.json")
Floats = NDArray[np.float64]
DRAWN = "none: drawn things"
GREY = "dice: grey (never taught)"
EYES = "dice: eyes (never taught)"
ALONE = {
    "dice: wooden (never taught)": ("wooden", wooden),
    EYES: ("eyes", eyes),
}
"""Folders of photographs that the nets never see."""
UNFIT = DRAWN, GREY, EYES
"""Sources that are measured on alone: drawn things, pictures whose truth names a side now and then
instead of the top, and photographs whose licence is not to reach any number of this project."""
NO_DICE = np.zeros((0, 4), np.float32)
EVERY_PLACE = np.array([0.0, 0.0, 0.0, 30.0, 0.0])
"""Weights by which every place may be a die, so that none is left out before they are fitted."""
Weights = tuple[Floats, Floats]


@dataclass(frozen=True, eq=False)
class Read:
    """A photograph as it was read: its source and name, its dice, the places, what speaks for
    each, and the die that lies there (its row) or -1."""

    source: str
    name: str
    dice: NDArray[np.float32]
    places: Sequence[Find]
    evidence: DiceEvidence
    die: NDArray[np.intp]


def pictures(folder: Path) -> Iterator[tuple[str, Photo]]:
    """Return what was kept out of the teaching, with sources."""
    for source, photos in photographs(folder, kept=True).items():
        for seen in photos:
            yield f"dice: {source}", seen
    for seen in boxed(folder / "boxed", "grey", kept=True, most=50):
        yield GREY, seen
    for source, (name, photos) in ALONE.items():
        for seen in photos(folder / name):
            yield source, seen
    for source, seen in without_dice(folder / "without", LISTED, kept=True):
        yield f"none: {source}", seen
    chance = np.random.default_rng(5)
    for draw in KINDS:
        for k in range(8):
            yield DRAWN, photo(f"{draw.__name__} {k}", table_with(draw, chance), NO_DICE)


def examined(source: str, seen: Photo, nets: Sequence[Net]) -> Read:
    """Read one photograph as far as its evidence."""
    sizes = Sizes(seen.picture)
    finder, reader = nets
    places, evidence = read(sizes, places_of(sizes, finder), reader, EVERY_PLACE)
    return Read(source, seen.name, seen.dice, places, evidence, lying(places, seen.dice))


def lying(places: Sequence[Find | FoundDie], dice: NDArray[np.float32]) -> NDArray[np.intp]:
    """Return the row of the die that lies at each place, or -1: its middle is in the die's square
    and it has about its size."""
    found = np.full(len(places), -1, np.intp)
    for k, place in enumerate(places):
        if len(dice):
            off = np.maximum(abs(dice[:, 0] - place.x), abs(dice[:, 1] - place.y)) / dice[:, 2]
            nearest = int(off.argmin())
            if off[nearest] < 0.5 and 0.5 < place.size / dice[nearest, 2] < 2:
                found[k] = nearest
    return found


def fitted(seen: Sequence[Read]) -> Weights:
    """Return what the evidence of these photographs says, each source as much as the others. That
    other dice are sure says as much as in that source with dice where it says least: there may be
    other things on the table as well."""
    told = logistic(rows_of(seen, told=True))
    alone = logistic(rows_of(seen))
    company: dict[str, list[Floats]] = defaultdict(list)
    for one in seen:
        there = one.evidence.there
        sure = np.sum(likely(there, alone) * likely(one.evidence.told, told) >= SURE)
        if sure and one.source.startswith("dice"):
            many = np.full(len(there), np.log2(1 + sure))
            company[one.source].append(np.stack([there @ alone, many, one.die >= 0], 1))
    return np.append(alone, min(slope(np.concatenate(rows)) for rows in company.values())), told


def rows_of(seen: Sequence[Read], told: bool = False) -> Floats:
    """Return evidence, truth and weight of each place: that there is a die, or of dice that their
    value is ``told`` right."""
    many: dict[str, int] = defaultdict(int)
    for one in seen:
        many[one.source] += len(one.places)
    rows = []
    for one in seen:
        weight = 1 / max(20, many[one.source])
        for k, row in enumerate(one.die):
            if not told:
                rows.append((*one.evidence.there[k], row >= 0, weight))
            elif row >= 0:
                right = one.evidence.value[k] == one.dice[row, 3]
                rows.append((*one.evidence.told[k], right, weight))
    return np.array(rows)


def logistic(rows: Floats) -> Floats:
    """Return the weights of a logistic regression (Newton's method, a weak pull towards 0):
    ``rows`` are evidence, truth, weight."""
    x, y, weight = rows[:, :-2], rows[:, -2], rows[:, -1] / rows[:, -1].mean()
    w = np.zeros(x.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(-np.clip(x @ w, -30, 30)))
        slope = x.T @ (weight * (y - p)) - 0.3 * w
        bend = (x * (weight * p * (1 - p))[:, None]).T @ x + 0.3 * np.eye(len(w))
        w = w + np.linalg.solve(bend, slope)
    return np.asarray(w)


def slope(rows: Floats) -> float:
    """Return how often the second of ``rows`` (log odds, number, truth) is to be added to the first
    to be right."""
    odds, number, y = rows.T
    found = 0.0
    for _ in range(30):
        p = 1 / (1 + np.exp(-np.clip(odds + found * number, -30, 30)))
        found += float((number * (y - p)).sum() / ((number**2 * p * (1 - p)).sum() + 1e-6))
    return found


def interval(hits: int, tries: int) -> str:
    """Return a share with its interval of 95 % (Wilson)."""
    if not tries:
        return "-"
    z, p = 1.96, hits / tries
    middle = (p + z * z / (2 * tries)) / (1 + z * z / tries)
    off = z * math.sqrt(p * (1 - p) / tries + z * z / (4 * tries**2)) / (1 + z * z / tries)
    return f"{100 * p:.1f} % ({100 * (middle - off):.1f} to {100 * (middle + off):.1f})"


@dataclass(slots=True)
class DiceTally:
    """Counts of one source."""

    photos: int = 0
    dice: int = 0
    right: int = 0
    sure_right: int = 0
    wrong: int = 0
    sure_wrong: int = 0
    false: int = 0
    sure_false: int = 0

    def line(self) -> str:
        """Return one row of the table."""
        return (
            f"{self.photos} photos, {self.dice} dice: right {interval(self.right, self.dice)}, "
            f"sure {self.sure_right}, wrong {self.wrong} (sure {self.sure_wrong}), "
            f"false {self.false} (sure {self.sure_false})"
        )


def tally(seen: Read, found: Sequence[FoundDie], into: DiceTally) -> None:
    """Count one photograph: each die is explained by the nearest find in its square."""
    into.photos += 1
    into.dice += len(seen.dice)
    left = list(found)
    for x, y, size, value in seen.dice:
        near = [d for d in left if max(abs(d.x - x), abs(d.y - y)) < size / 2]
        if near:
            best = min(near, key=lambda d: math.hypot(d.x - x, d.y - y))
            left.remove(best)
            right = best.value == value
            into.right += right
            into.sure_right += right and best.sure
            into.wrong += not right
            into.sure_wrong += not right and best.sure
    into.false += len(left)
    into.sure_false += sum(d.sure for d in left)


def calibration(told: Sequence[tuple[float, bool]]) -> str:
    """Return the reliability of probabilities in ten bins, and the expected calibration error."""
    p, right = (np.array(part, float) for part in zip(*told, strict=True))
    bins = np.minimum((p * 10).astype(int), 9)
    rows, error = [], 0.0
    for k in range(10):
        own = bins == k
        if own.any():
            error += own.mean() * abs(p[own].mean() - right[own].mean())
            rows.append(f"  said {p[own].mean():.2f}, was {right[own].mean():.2f} of {own.sum()}")
    return "\n".join([*rows, f"expected calibration error {error:.3f} of {len(p)}"])


def main() -> None:
    """Run as a command; see the module's docstring."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--fit", action="store_true", help="write what the evidence says")
    parser.add_argument("--weights", type=Path, default=WEIGHTS)
    parser.add_argument("--every", type=int, default=1, help="read every so-manieth photograph")
    parser.add_argument("--each", action="store_true", help="print every photograph")
    chosen = parser.parse_args()
    cv2.setNumThreads(1)
    os.nice(5)
    nets = [Net(layers) for layers in read_nets(chosen.weights)]
    seen = [
        examined(source, one, nets)
        for k, (source, one) in enumerate(pictures(chosen.folder))
        if k % chosen.every == 0
    ]
    tallies: dict[str, DiceTally] = defaultdict(DiceTally)
    told: list[tuple[float, bool]] = []
    for source in dict.fromkeys(one.source for one in seen):
        weights = fitted([one for one in seen if one.source not in (source, *UNFIT)])
        for one in (one for one in seen if one.source == source):
            found = sorted_out(one.places, one.evidence, weights)
            tally(one, found, tallies[source])
            rows = lying(found, one.dice)
            told += [
                (d.die * d.p, row >= 0 and one.dice[row, 3] == d.value)
                for d, row in zip(found, rows, strict=True)
            ]
            if chosen.each:
                own = DiceTally()
                tally(one, found, own)
                print(f"  {source} {one.name}: {own.line()}")
    for source, own in tallies.items():
        print(f"{source}: {own.line()}")
    print(calibration(told))
    weights = fitted([one for one in seen if one.source not in UNFIT])
    print("weights:", *(np.round(part, 2).tolist() for part in weights))
    if chosen.fit:
        write_beliefs(chosen.weights, *weights)


if __name__ == "__main__":
    main()
