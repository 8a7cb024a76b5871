"""Tell how far the likelihoods of what a camera sees can be relied on, and draw it.

    python -m training.reliability --recordings FOLDER... --trays 4 --cards 6 --svg OUT.svg
    python -m training.reliability --dice FOLDER

A recording's FOLDER holds ``truth.json``: what lay on every spot in each still picture. The
likelihoods of every candidate of a spot (``vision.decoding.trace``) are made probabilities, all
candidates being equally probable before the picture; the likeliest is held to the truth.
``--trays`` throws dice on so many simulated mats, ``--cards`` lays cards on so many simulated
tables that nothing was fitted to, and ``--dice`` reads the photographs that
``training/README.md`` keeps out. Nothing is fitted here.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))
sys.path.insert(0, str(Path(__file__).parent))
from fit_cards import samples, soft_table
from measure_dice import examined, interval, pictures
from measure_dice import lying as lying_at

from companion.commands.recorded import beside, tell
from companion.games import table_game
from companion.journal import Journal
from companion.live.recording import resume_recorded
from companion.live.replay import read_picture
from companion.runtime.files import read_json
from companion.table import Table
from tests.checks.tray_scenes import Scene, throw
from vision.decoding.trace import Trace, shares
from vision.dice.dice_net import WEIGHTS, Net, beliefs, read_nets
from vision.dice.dicefind import sorted_out
from vision.readers import open_reader
from vision.sources.sources import open_source

Said = tuple[float, bool]
"""A probability, and whether what it was said of was so."""
EDGES = (0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 0.99, 1.0001)
CERTAIN = 0.99
TURNED = " frozen"
"""Part of a token's name that only tells how it lies."""
WIDE, HIGH, EDGE = 220, 220, 34
"""Pixels of one diagram, and of the room round it."""


def recorded(folder: Path) -> Iterator[Said]:
    """Yield what is said of each spot that was looked at in the still pictures of a recording.

    Raises:
        BadInput: the recording cannot be read.
    """
    table_file = read_json(beside(folder))
    game, setup = table_game(table_file)
    table: Table[Any] = Table.create(Journal(":memory:"), game, setup)
    resume_recorded(table, table_file)
    reader, source = open_reader(game, setup, dict(table_file)), open_source(folder)
    truth = {one["frame"]: one for one in json.loads((folder / "truth.json").read_text())}
    try:
        while (frame := source.read()) is not None:
            tell(table, table_file, frame.name)
            reading = read_picture(reader, table, frame)
            true = truth.get(frame.name, {"kind": ""})
            if true["kind"] == "still":
                yield from spots(reader.why(reading), true["position"])
    finally:
        source.close()


def spots(trace: Trace, lying: Mapping[str, str]) -> Iterator[Said]:
    """Yield what is said of each spot of a picture in which tokens were ``lying``."""
    for spot in trace.spots:
        if spot.candidates:
            odds = shares([one.log_likelihood for one in spot.candidates])
            best = int(np.argmax(odds))
            said = (spot.candidates[best].token or "").replace(TURNED, "")
            yield odds[best], said == lying.get(spot.spot, "").replace(TURNED, "")


def trays(mats: int, throws: int, first: int = 70_001) -> Iterator[Said]:
    """Yield what is said of each die lying flat on simulated mats."""
    for seed in range(first, first + mats):
        scene = Scene(seed)
        tray = scene.tray()
        for number in range(throws):
            dice = throw(1000 * seed + number, scene.style.side)
            for die in tray.read(scene.shot(dice)).dice:
                true = min(dice, key=lambda one: math.dist((one.x, one.y), (die.x, die.y)))
                near = math.dist((true.x, true.y), (die.x, die.y)) < scene.style.side / 2
                if not near or true.doubtful:
                    continue
                (colour, value, p), shown = die.likely[0], true.shows.split()
                # Of dice with pips the colour is not asked.
                yield p, [colour, value] == shown or (value.isdecimal() and value == shown[1])


def cards(tables: int, first: int = 20_000) -> Iterator[Said]:
    """Yield what is said of each card on simulated tables before soft cameras."""
    for seed in range(first, first + tables):
        for one in samples(soft_table(seed)):
            if one.best:
                yield one.p, one.best == one.token


def photographed(folder: Path, every: int) -> Iterator[tuple[str, Said]]:
    """Yield what is said of each die in photographs that were kept out, with their sources."""
    nets = [Net(layers) for layers in read_nets(WEIGHTS)]
    for k, (source, photo) in enumerate(pictures(folder)):
        if k % every == 0:
            seen = examined(source, photo, nets)
            found = sorted_out(seen.places, seen.evidence, beliefs())
            for die, row in zip(found, lying_at(found, photo.dice), strict=True):
                yield source, (die.die * die.p, row >= 0 and photo.dice[row, 3] == die.value)


def bins(said: Sequence[Said]) -> list[tuple[float, float, int, int]]:
    """Return of each bin that holds any: the mean probability, the share that was right, how many
    were right, and how many there are."""
    p, right = np.array([one[0] for one in said]), np.array([one[1] for one in said])
    which = np.digitize(p, EDGES[1:-1])
    return [
        (float(p[own].mean()), float(right[own].mean()), int(right[own].sum()), int(own.sum()))
        for own in (which == k for k in range(len(EDGES) - 1))
        if own.any()
    ]


def error(said: Sequence[Said]) -> float:
    """Return the expected calibration error: how far probabilities are off the shares that were
    right, in the mean over what was said (Naeini and others 2015)."""
    return sum(n * abs(p - share) for p, share, _, n in bins(said)) / len(said)


def row(name: str, said: Sequence[Said]) -> str:
    """Return one row of the table in the documents."""
    sure = [right for p, right in said if p >= CERTAIN]
    right = sum(one for _, one in said)
    return (
        f"| {name} | {len(said)} | {right} | {error(said):.4f} | {sum(sure)} of {len(sure)}, "
        f"{interval(sum(sure), len(sure))} |"
    )


def diagrams(told: Mapping[str, Sequence[Said]]) -> str:
    """Return reliability diagrams, one an observer, as SVG: a dot for each bin, larger for more,
    on the line where what is said is as often so."""
    parts = []
    for k, (name, said) in enumerate(told.items()):
        x, y = EDGE + k % 3 * (WIDE + EDGE), EDGE + k // 3 * (HIGH + 2 * EDGE)
        parts.append(
            f'<g transform="translate({x} {y})"><path d="M0 0V{HIGH}H{WIDE}M0 {HIGH}L{WIDE} 0"/>'
            f'<text x="0" y="-8">{name}: {len(said)}, error {error(said):.3f}</text>'
        )
        parts += [
            f'<circle cx="{WIDE * p:.1f}" cy="{HIGH * (1 - share):.1f}" '
            f'r="{1.5 + 1.5 * math.log10(n):.1f}"><title>said {p:.3f}, was {share:.3f} of {n}'
            "</title></circle>"
            for p, share, _, n in bins(said)
        ]
        parts.append("</g>")
    high = (len(told) + 2) // 3 * (HIGH + 2 * EDGE)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {EDGE + 3 * (WIDE + EDGE)} {high}">'
        "<style>path{fill:none;stroke:#888}circle{fill:#2457a6}text{font:12px sans-serif;"
        "fill:#888}</style>" + "".join(parts) + "</svg>\n"
    )


def main() -> None:
    """Run as a command; see the module's docstring."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--recordings", type=Path, nargs="*", default=[])
    parser.add_argument("--trays", type=int, default=0, help="simulated mats")
    parser.add_argument("--throws", type=int, default=5, help="throws on each")
    parser.add_argument("--cards", type=int, default=0, help="simulated tables of cards")
    parser.add_argument("--dice", type=Path, help="the folder of photographs")
    parser.add_argument("--every", type=int, default=1, help="read every so-manieth of them")
    parser.add_argument("--svg", type=Path, help="where to draw the diagrams")
    chosen = parser.parse_args()
    told: dict[str, list[Said]] = defaultdict(list)
    for folder in chosen.recordings:
        told[folder.name] += recorded(folder)
    if chosen.trays:
        told["trays"] += trays(chosen.trays, chosen.throws)
    if chosen.cards:
        told["cards, simulated"] += cards(chosen.cards)
    if chosen.dice:
        for source, said in photographed(chosen.dice, chosen.every):
            told[f"{source}"].append(said)
    print("| what was seen | said | right | error | p of 0.99 and more |\n|---|---|---|---|---|")
    for name, some in told.items():
        print(row(name, some))
    if chosen.svg:
        chosen.svg.write_text(diagrams(told))


if __name__ == "__main__":
    main()
