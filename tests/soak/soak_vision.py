"""Read random games under random trouble from the simulated camera, and count what went wrong.

    python tests/soak/soak_vision.py --game victorus --actions 500
    python tests/soak/soak_vision.py --game victorus --only 17 --save evening-17

Every evening has a seed, and by it seats, camera, light, sleeves and art of its own; it lasts
--moves moves or until a reading is wrong. A failure names its seed, frame and trouble; the second
command plays its evening again and writes it down as a recording.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent / "checks"))
from evenings import Evening, Plan
from repainted import STYLES

from companion.games import find_game, games
from companion.journal import Journal
from companion.replay import replay
from companion.rules import CompanionError
from companion.table import Table
from vision.decoding.reader import Reader

BINS = ((0.99, 1.01), (0.95, 0.99), (0.9, 0.95), (0.0, 0.9))


@dataclass
class Score:
    """Counts over evenings; ``by_p`` holds how many readings of a bin there were and were
    right."""

    counts: Counter[str] = field(default_factory=Counter)
    by_p: dict[float, list[int]] = field(default_factory=lambda: {low: [0, 0] for low, _ in BINS})
    failures: list[dict[str, Any]] = field(default_factory=list)

    def add(self, other: Score) -> None:
        """Add the counts of another."""
        self.counts += other.counts
        self.failures += other.failures
        for low, (said, right) in other.by_p.items():
            self.by_p[low][0] += said
            self.by_p[low][1] += right

    def note_p(self, p: float, right: bool) -> None:
        """Count a reported action with its probability."""
        low = next(low for low, high in BINS if low <= p < high)
        self.by_p[low][0] += 1
        self.by_p[low][1] += right


class Judge:
    """Holds the lines of one evening against the truth."""

    def __init__(self, evening: Evening) -> None:
        self.evening, self.score = evening, Score()
        self._early: list[tuple[Any, ...]] = []

    def line(self, line: dict[str, Any]) -> bool:
        """Score one frame; False where the evening cannot go on."""
        truth, counts = self.evening.truth, self.score.counts
        counts["frames"] += 1
        counts["actions"] += len(truth.events)
        expected = [key(event) for event in truth.events]
        if truth.kind == "hand" and line["actions"]:
            # The hand is on its way out, or back for the next move: told early is not wrong.
            coming = [key(event) for event in self.evening.coming]
            expected = [event for event in coming if event not in self._early]
            self._early += [key(a) for a in line["actions"] if key(a) in expected]
        elif truth.kind == "still":
            expected = [event for event in expected if event not in self._early]
            self._early = []
        surplus = []
        for action in line["actions"]:
            right = key(action) in expected
            self.score.note_p(action["p"], right)
            expected.remove(key(action)) if right else surplus.append(key(action))
        if line["still"] and truth.kind == "hand":
            counts["hand read as still"] += 1
            self._tell("hand read as still", line, None)
        if "ask" in line:
            counts["asked"] += 1
            asked = [[key(action) for action in story] for story in line["ask"]]
            self._tell("asked", line, asked)
            return False
        if surplus:
            kind = "wrong" if truth.events else "false"
            counts[kind] += 1
            self._tell(kind, line, surplus)
            return False
        if expected and truth.kind == "still":
            counts["missed"] += len(expected)
            self._tell("missed", line, None)
            return False
        self._position(line)
        return True

    def _position(self, line: dict[str, Any]) -> None:
        truth = self.evening.truth
        if truth.kind != "still":
            return
        self.score.counts["stills"] += 1
        if line["position"] is None:
            self.score.counts["still not read"] += 1
            self._tell("still not read", line, None)
        elif plain(line["position"]) != plain(truth.position):
            seen, real = plain(line["position"]), plain(truth.position)
            off = {s: [seen.get(s), real.get(s)] for s in {*seen, *real}
                   if seen.get(s) != real.get(s)}  # fmt: skip
            self.score.counts["wrong position"] += 1
            self._tell("wrong position", line, off)

    def _tell(self, what: str, line: dict[str, Any], seen: Any) -> None:
        truth = self.evening.truth
        self.score.failures.append(
            {
                "what": what,
                "seed": self.evening.plan.seed,
                "again": f"python tests/soak/soak_vision.py --game {self.evening.game.name} "
                f"--only {self.evening.plan.seed} --save evening-{self.evening.plan.seed}",
                "frame": truth.frame,
                "kind": truth.kind,
                "trouble": truth.trouble,
                "truth": [key(event) for event in truth.events],
                "seen": seen,
                "message": line.get("message", ""),
                "evening": self.evening.describe(),
            }
        )


def key(event: Any) -> tuple[Any, ...]:
    """Return what an event is compared by."""
    return event["seat"], event["from"], event["to"], bool(event.get("legal", True))


def plain(position: Any) -> dict[str, str]:
    """Return a position without the marks of captors that are turned round."""
    return {spot: token.removesuffix(" frozen") for spot, token in position.items()}


def run(name: str, plan: Plan, moves: int, save: Path | None = None) -> Score:
    """Read one evening, at most ``moves`` moves of it."""
    evening = Evening(find_game(name), plan)
    judge = Judge(evening)
    judge.score.counts["evenings"] += 1
    table: Table[Any] = Table.create(Journal(":memory:"), find_game(name), evening.setup)
    reader = Reader(find_game(name), evening.setup, evening.camera.table_file())
    source = Saving(evening, save) if save else evening
    try:
        for line in replay(source, reader, table):
            if not judge.line(line) or judge.score.counts["actions"] >= moves:
                break
    except CompanionError as error:
        judge.score.counts["not begun"] += 1
        judge._tell("not begun", {"message": str(error)}, None)
    return judge.score


class Saving:
    """A source that writes an evening's frames down as a recording while they are read."""

    def __init__(self, evening: Evening, folder: Path) -> None:
        self._evening, self._folder = evening, folder

    def read(self) -> Any:
        """Return the next frame."""
        if frame := self._evening.read():
            self._evening.save(self._folder, frame)
        return frame

    def close(self) -> None:
        """Nothing has to be given back."""


def show_failures(score: Score, as_json: bool) -> None:
    """Print a line for every failure of an evening."""
    for failure in score.failures:
        if as_json:
            print(json.dumps(failure), flush=True)
        else:
            said = (f"{name}={value}" for name, value in failure.items() if value)
            print("  ".join(said), flush=True)


def show(score: Score, as_json: bool) -> None:
    """Print the summary line and the table of probabilities."""
    counts = {what: score.counts[what] for what in (
        "evenings", "frames", "actions", "wrong", "asked", "false", "missed", "not begun",
        "hand read as still", "stills", "wrong position", "still not read")}  # fmt: skip
    if as_json:
        print(json.dumps({"counts": counts, "by_p": score.by_p}), flush=True)
        return
    print(", ".join(f"{what} {value}" for what, value in counts.items()))
    for low, _ in BINS:
        said, right = score.by_p[low]
        print(f"  p >= {low}: {said} readings, {right} right")


def main() -> int:
    """Return 1 if anything was silently wrong or false."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", choices=games(), default="victorus")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--actions", type=int, default=5000)
    parser.add_argument("--moves", type=int, default=40, help="moves of one evening")
    parser.add_argument("--seed", type=int, default=1, help="the first evening's seed")
    parser.add_argument("--size", help="width x height of the pictures, such as 640x480")
    parser.add_argument("--marks", choices=("markers", "taps", "corners"))
    parser.add_argument("--art", choices=STYLES)
    parser.add_argument("--calm", action="store_true", help="no trouble but the game's own")
    parser.add_argument("--only", type=int, help="the seed of a single evening")
    parser.add_argument("--save", type=Path, help="with --only: a folder for its recording")
    parser.add_argument("--minutes", type=float, default=math.inf, help="begin none after that")
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    width, _, height = (chosen.size or "").partition("x")
    size = (int(width), int(height)) if chosen.size else None
    total = Score()
    for score in scores(chosen, size):
        show_failures(score, chosen.json)
        total.add(score)
    show(total, chosen.json)
    return int(total.counts["wrong"] + total.counts["false"] > 0)


def scores(chosen: argparse.Namespace, size: tuple[int, int] | None) -> Iterator[Score]:
    """Yield the score of one evening after another until there are actions enough."""

    def plan(seed: int) -> Plan:
        return Plan(seed, size, chosen.marks, chosen.art, not chosen.calm)

    if chosen.only is not None:
        yield run(chosen.game, plan(chosen.only), chosen.moves, chosen.save)
        return
    end, seed, actions = time.monotonic() + 60 * chosen.minutes, chosen.seed, 0
    with ProcessPoolExecutor(chosen.processes) as pool:
        while actions < chosen.actions and time.monotonic() < end:
            some = range(seed, seed + chosen.processes)
            seed += chosen.processes
            begun = [pool.submit(run, chosen.game, plan(one), chosen.moves) for one in some]
            for score in (evening.result() for evening in begun):
                actions += score.counts["actions"]
                yield score


if __name__ == "__main__":
    sys.exit(main())
