"""Read random games under random trouble from the simulated camera, and count what went wrong.

    python -m tests.soak.soak_vision --game victorus --actions 500
    python -m tests.soak.soak_vision --game victorus --only 17 --save evening-17

Every evening has a seed, and by it seats, camera, light, sleeves and art of its own; it lasts
--moves moves or until a reading is wrong. A failure names its seed, frame and trouble; the second
command plays its evening again and writes it down as a recording.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from companion.games import find_game, games
from tests.checks.carved import CARVED
from tests.checks.evenings import Evening, Plan
from tests.checks.repainted import STYLES
from tests.checks.soaking import (
    Judging,
    Score,
    arguments,
    key,
    planner,
    read_evening,
    show,
    show_failures,
    status,
)


class Judge(Judging):
    """Holds the lines of one evening against the truth."""

    def __init__(self, evening: Evening) -> None:
        super().__init__(evening)
        self.again = (
            f"python -m tests.soak.soak_vision --game {evening.game.name} "
            "--only {seed} --save evening-{seed}"
        )
        self._early: list[tuple[Any, ...]] = []

    def line(self, line: dict[str, Any]) -> bool:
        """Score one frame; False where the evening cannot go on."""
        truth, counts = self.evening.truth, self.score.counts
        counts["frames"] += 1
        counts["actions"] += len(truth.events)
        expected = [key(event) for event in truth.events]
        if truth.kind in {"hand", "spoilt"} and line["actions"]:
            # The hand is on its way out, or back for the next move, or a torn picture shows both
            # ends of the move: told early is not wrong.
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
            self.tell("hand read as still", line, None)
        if "ask" in line:
            counts["asked"] += 1
            asked = [[key(action) for action in story] for story in line["ask"]]
            self.tell("asked", line, asked)
            return False
        if surplus:
            kind = "wrong" if truth.events else "false"
            counts[kind] += 1
            self.tell(kind, line, surplus)
            return False
        if expected and truth.kind == "still":
            counts["missed"] += len(expected)
            self.tell("missed", line, None)
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
            self.tell("still not read", line, None)
        elif plain(line["position"]) != plain(truth.position):
            seen, real = plain(line["position"]), plain(truth.position)
            off = {s: [seen.get(s), real.get(s)] for s in {*seen, *real}
                   if seen.get(s) != real.get(s)}  # fmt: skip
            self.score.counts["wrong position"] += 1
            self.tell("wrong position", line, off)


def plain(position: Any) -> dict[str, str]:
    """Return a position without the marks of captors that are turned round."""
    return {spot: token.removesuffix(" frozen") for spot, token in position.items()}


def run(name: str, plan: Plan, moves: int, save: Path | None = None) -> Score:
    """Read one evening, at most ``moves`` moves of it."""
    return read_evening(Judge(Evening(find_game(name), plan)), name, moves, save)


def main() -> int:
    """Return 1 if anything was silently wrong or false, or the program broke."""
    parser = arguments(__doc__.splitlines()[0])
    parser.add_argument("--game", choices=games(), default="victorus")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--art", choices=(*STYLES, CARVED))
    chosen = parser.parse_args()
    total = Score()
    for score in scores(chosen):
        show_failures(score, chosen.json)
        total.add(score)
    show(total, chosen.json)
    return status(total)


def scores(chosen: argparse.Namespace) -> Iterator[Score]:
    """Yield the score of one evening after another until there are actions enough."""
    plan = planner(chosen, chosen.art)
    read = partial(run, chosen.game, moves=chosen.moves)
    if chosen.only is not None:
        yield read(plan(chosen.only), save=chosen.save)
        return
    end, seed, actions = time.monotonic() + 60 * chosen.minutes, chosen.seed, 0
    with ProcessPoolExecutor(chosen.processes) as pool:
        while actions < chosen.actions and time.monotonic() < end:
            some = range(seed, seed + chosen.processes)
            seed += chosen.processes
            begun = [pool.submit(read, plan(one)) for one in some]
            for score in (evening.result() for evening in begun):
                actions += score.counts["actions"]
                yield score


if __name__ == "__main__":
    sys.exit(main())
