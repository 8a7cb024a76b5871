"""Throw dice on simulated mats and read them.

    python -m tests.soak.soak_tray --throws 500
    python -m tests.soak.soak_tray --only 17 --save /tmp/tray-17

Every mat has a seed, and by it dice, camera and light of its own; its faces are enrolled once and
--each throws are read, with trouble between. A failure names seed, throw and die.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections import Counter
from pathlib import Path

import cv2

from companion.rules import BadInput
from companion.rules.geometry import inside
from tests.checks.tray_scenes import ZONES, Die, Scene, throw
from vision.dice.tray import TrayDie, TrayReading


def score(dice: list[Die], reading: TrayReading, side: float) -> tuple[Counter[str], list[str]]:
    """Hold one reading against the dice: counts, and what went wrong in words."""
    counts: Counter[str] = Counter(dice=len(dice))
    if not reading.still:
        counts["not read"] += 1
        return counts, [f"not still: {reading.message}"]
    left, said = list(reading.dice), []
    for die in sorted(dice, key=lambda die: -die.rise):
        near = min(left, key=lambda d: math.dist((d.x, d.y), (die.x, die.y)), default=None)
        if near is None or math.dist((near.x, near.y), (die.x, die.y)) > 0.7 * side:
            hidden = any(d.rise and math.dist((d.x, d.y), (die.x, die.y)) < side for d in dice)
            asked = not reading.sure and (hidden or die.doubtful or _asked_near(reading, die, side))
            counts["asked" if asked else "missed"] += 1
            said.append(f"{'asked for' if asked else 'MISSED'} {die}")
            continue
        left.remove(near)
        counts.update(_judged(die, near, said))
    for die in left:
        counts["false" if die.sure else "false, asked"] += 1
        said.append(f"{'FALSE' if die.sure else 'asked about nothing'}: {_words(die)}")
    return counts, said


def _asked_near(reading: TrayReading, die: Die, side: float) -> bool:
    return any(
        not d.sure and math.dist((d.x, d.y), (die.x, die.y)) < 3 * side for d in reading.dice
    )


def _judged(die: Die, seen: TrayDie, said: list[str]) -> Counter[str]:
    zone = next((z for z, o in ZONES.items() if inside((die.x, die.y), o)), "")
    colour, value = die.shows.split()
    shown = colour if value.isdecimal() else seen.colour
    right = (seen.zone, shown, seen.value) == (zone, colour, value)
    if die.doubtful:
        if seen.sure:
            said.append(f"SURE of {die}: {_words(seen)}")
        return Counter(
            {"doubtful dice": 1, ("doubtful taken" if seen.sure else "doubtful asked"): 1}
        )
    if not seen.sure:
        said.append(f"asked {die} ({'right' if right else 'wrong'}): {_words(seen)}")
        return Counter({"asked": 1})
    if not right:
        said.append(f"WRONG {die}: {_words(seen)}")
    return Counter({"right" if right else "wrong": 1})


def _words(die: TrayDie) -> str:
    return f"{die.zone} {die.colour} {die.value} at {die.x}, {die.y} {die.doubt} {die.likely[:2]}"


def run(seed: int, each: int, calm: bool, save: Path | None, size: tuple[int, int]) -> Counter[str]:
    """Read ``each`` throws on one mat."""
    scene, total = Scene(seed, size, calm), Counter[str]()
    try:
        tray = scene.tray()
    except BadInput as error:
        print(f"seed={seed} not enrolled: {error}")
        return Counter({"not enrolled": 1})
    for number in range(each):
        what = "" if calm or number == 0 else scene.trouble()
        dice = throw(1000 * seed + number, scene.style.side, not calm)
        frame = scene.shot(dice)
        reading = tray.read(frame)
        counts, said = score(dice, reading, scene.style.side)
        total += counts + Counter(throws=1)
        for line in said:
            print(f"seed={seed} throw={number} {what}: {line}")
        if save and frame.image is not None:
            save.mkdir(parents=True, exist_ok=True)
            cv2.imwrite(str(save / f"{number:04d}.png"), frame.image)
    return total


def main() -> int:
    """Return 1 if anything was silently wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--throws", type=int, default=500)
    parser.add_argument("--each", type=int, default=10, help="throws on one mat")
    parser.add_argument("--seed", type=int, default=1, help="the first mat's seed")
    parser.add_argument("--size", default="1640x1232", help="width x height of the pictures")
    parser.add_argument("--calm", action="store_true", help="no trouble")
    parser.add_argument("--only", type=int, help="the seed of a single mat")
    parser.add_argument("--save", type=Path, help="a folder for the pictures")
    parser.add_argument("--minutes", type=float, default=math.inf, help="begin none after that")
    chosen = parser.parse_args()
    width, _, height = chosen.size.partition("x")
    end, seed = time.monotonic() + 60 * chosen.minutes, chosen.only or chosen.seed
    total: Counter[str] = Counter()
    while total["throws"] < chosen.throws and time.monotonic() < end:
        total += run(seed, chosen.each, chosen.calm, chosen.save, (int(width), int(height)))
        seed += 1
        if chosen.only is not None:
            break
    print(", ".join(f"{what} {count}" for what, count in total.items()))
    return int(total["wrong"] + total["false"] + total["missed"] > 0)


if __name__ == "__main__":
    sys.exit(main())
