"""What soaks of the simulated camera share: reading an evening, counting, telling failures."""

from __future__ import annotations

import argparse
import json
import math
import traceback
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.games import find_game
from companion.journal import Journal
from companion.live.replay import replay
from companion.rules import CompanionError
from companion.table import Table
from tests.checks.evenings import Evening, Plan
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


class Judging(ABC):
    """Holds the lines of one evening against the truth; ``again`` repeats it, with its seed."""

    again = ""

    def __init__(self, evening: Evening) -> None:
        self.evening, self.score = evening, Score()

    @abstractmethod
    def line(self, line: dict[str, Any]) -> bool:
        """Score one frame; False where the evening cannot go on."""

    def tell(self, what: str, line: dict[str, Any], seen: Any) -> None:
        """Note that a line was not as it should be."""
        truth = self.evening.truth
        self.score.failures.append(
            {
                "what": what,
                "seed": self.evening.plan.seed,
                "again": self.again.format(seed=self.evening.plan.seed),
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


def read_evening(judge: Judging, name: str, moves: int, save: Path | None = None) -> Score:
    """Read the evening of ``judge``, a game of ``name``, at most ``moves`` moves of it."""
    evening, counts = judge.evening, judge.score.counts
    counts["evenings"] += 1
    table: Table[Any] = Table.create(Journal(":memory:"), find_game(name), evening.setup)
    reader = Reader(find_game(name), evening.setup, evening.camera.table_file())
    source = Saving(evening, save) if save else evening
    try:
        for line in replay(source, reader, table):
            if not judge.line(line) or counts["actions"] >= moves:
                break
    except CompanionError as error:
        counts["not begun"] += 1
        judge.tell("not begun", {"message": str(error)}, None)
    except Exception:  # the evening is told with its seed, and others are read all the same
        counts["crashed"] += 1
        judge.tell("crashed", {"message": traceback.format_exc()}, None)
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


def status(total: Score) -> int:
    """Return 1 if anything was silently wrong or false, or the program broke."""
    return int(any(total.counts[what] for what in ("wrong", "false", "crashed")))


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
        "crashed", "hand read as still", "stills", "wrong position", "still not read")}  # fmt: skip
    if as_json:
        print(json.dumps({"counts": counts, "by_p": score.by_p}), flush=True)
        return
    print(", ".join(f"{what} {value}" for what, value in counts.items()))
    for low, _ in BINS:
        said, right = score.by_p[low]
        print(f"  p >= {low}: {said} readings, {right} right")


def arguments(description: str) -> argparse.ArgumentParser:
    """Return what every soak of the camera can be told."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--actions", type=int, default=5000)
    parser.add_argument("--moves", type=int, default=40, help="moves of one evening")
    parser.add_argument("--seed", type=int, default=1, help="the first evening's seed")
    parser.add_argument("--size", help="width x height of the pictures, such as 640x480")
    parser.add_argument("--marks", choices=("markers", "taps", "corners"))
    parser.add_argument("--calm", action="store_true", help="no trouble but the game's own")
    parser.add_argument("--only", type=int, help="the seed of a single evening")
    parser.add_argument("--save", type=Path, help="with --only: a folder for its recording")
    parser.add_argument("--minutes", type=float, default=math.inf, help="begin none after that")
    parser.add_argument("--json", action="store_true")
    return parser


def planner(chosen: argparse.Namespace, art: str | None = None) -> Callable[[int], Plan]:
    """Return what makes the plan of the evening with a seed, as was ``chosen``."""
    width, _, height = (chosen.size or "").partition("x")
    size = (int(width), int(height)) if chosen.size else None
    return lambda seed: Plan(seed, size, chosen.marks, art, not chosen.calm)
