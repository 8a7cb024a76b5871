"""Read random games of Invictus under random trouble from the simulated camera.

    python -m tests.soak.soak_invictus --actions 500
    python -m tests.soak.soak_invictus --only 17 --save /tmp/evening-17

Every evening has a seed, and by it a set-up, dice, camera and light of its own; it lasts --moves
moves or until a reading is wrong. A failure names its seed, frame and trouble.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from tests.checks.dice_evenings import DiceEvening
from tests.checks.evenings import Plan
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

Event = Mapping[str, Any]
PUT_BACK = ("put back later", "value mended")
"""Troubles in which a captured die comes back later than the move that captured it."""
HOME = {"black": "9", "white": "1"}
"""The row in which dice of a seat come home; over which of its spaces no picture tells."""
UNLIKE = ("turned die", "wrong value")
"""Troubles in which a die shows what it is not: the position keeps what the rules say."""


class Judge(Judging):
    """Holds the lines of one evening against the truth."""

    def __init__(self, evening: DiceEvening) -> None:
        super().__init__(evening)
        self.again = "python -m tests.soak.soak_invictus --only {seed} --save evening-{seed}"
        self._early: list[Event] = []
        self._late: list[Event] = []
        self._begun = False

    def line(self, line: dict[str, Any]) -> bool:
        """Score one frame; False where the evening cannot go on."""
        truth, counts = self.evening.truth, self.score.counts
        counts["frames"] += 1
        if not self._begun:
            return self._set_up(line)
        counts["actions"] += len(truth.events)
        if truth.kind != "still":
            return self._hand(line)
        counts["stills"] += 1
        expected = self._late + [e for e in truth.events if e not in self._early]
        self._early, self._late = [], []
        if "ask" in line:
            counts["asked"] += 1
            asked = [[key(action) for action in story] for story in line["ask"]]
            self.tell("asked", line, asked)
            return False
        surplus = [a for a in line["actions"] if not self._take(a, expected)]
        if surplus:
            kind = "wrong" if truth.events else "false"
            counts[kind] += 1
            self.tell(kind, line, [(key(a), a["p"]) for a in surplus])
            return False
        if expected and truth.trouble.startswith("wrong value"):
            self._late = expected
        elif expected and all(self._alike(event) for event in expected):
            counts["exchanged for its like"] += 1
            return False
        elif expected:
            counts["missed"] += len(expected)
            self.tell("missed", line, None)
            return False
        return self._position(line)

    def _alike(self, event: Event) -> bool:
        """Tell whether a die was put in the place of one that looks the same: all that can be seen
        is that a die is gone, and that is said."""
        return event.get("legal") is False and event["piece"] == event.get("captures")

    def _set_up(self, line: dict[str, Any]) -> bool:
        """Judge the first still: read, asked about, or wrong without a word. A question whose
        likeliest answer is right is one, and the evening goes on with that answer."""
        self._begun = True
        counts = self.score.counts
        counts["stills"] += 1
        off = _off(line["position"], self.evening.truth.position)
        if line.get("message"):
            counts["set-up asked"] += 1
            counts["set-up guessed wrong"] += bool(off)
            self.tell("set-up asked", line, off)
        elif off:
            counts["wrong"] += 1
            self.tell("wrong", line, off)
        return not off

    def _hand(self, line: dict[str, Any]) -> bool:
        """A move may be told early, under a hand on its way out or by half a picture that shows
        it; anything else must not be told."""
        truth, counts = self.evening.truth, self.score.counts
        if line["still"] and truth.kind == "hand":
            counts["hand read as still"] += 1
        coming = [*self._late, *(e for e in self.evening.coming if e not in self._early)]
        coming = coming if truth.kind in ("hand", "spoilt") else []
        for action in line["actions"]:
            before = list(coming)
            if not self._take(action, coming):
                counts["false"] += 1
                self.tell("false", line, [(key(action), action["p"])])
                return False
            told = [event for event in before if event not in coming]
            self._early += told
            self._late = [event for event in self._late if event not in told]
        return True

    def _take(self, action: Event, expected: list[Event]) -> bool:
        """Strike the event that ``action`` tells off ``expected``."""
        events = *self.evening.truth.events, *expected
        back = [event.get("returned") or () for event in events]
        put = self.evening.truth.trouble.startswith(PUT_BACK)
        put = put or any(action["to"] in some for some in back)
        if action["from"] is None and put:
            # The truth counts a capture and what is put back as one action, of an earlier still,
            # or one that was told early.
            self.score.note_p(action["p"], True)
            return True
        right = [event for event in expected if _same(event, action, back)]
        self.score.note_p(action["p"], bool(right))
        if right:
            expected.remove(right[0])
        return bool(right)

    def _position(self, line: dict[str, Any]) -> bool:
        truth = self.evening.truth
        off = _off(line["position"], truth.position)
        if line["position"] is None:
            self.score.counts["still not read"] += 1
            self.tell("still not read", line, None)
        elif off and not truth.trouble.startswith(UNLIKE):
            self.score.counts["wrong position"] += 1
            self.tell("wrong position", line, off)
            return False
        return True


def _same(event: Event, action: Event, back: Collection[Any]) -> bool:
    """Tell whether ``action`` tells ``event``; over which space a die came home no picture
    tells, nor where one that came back was put while it is still in the hand, nor which of those
    put ``back`` in one picture belongs to which capture."""
    told = action.get("returned")
    astray = event.get("returned") and told and all(told[0] not in some for some in back)
    if event.get("scored") != action.get("scored") or astray:
        return False
    if event.get("takeback") and event["from"][1] == HOME[event["seat"]]:
        return bool(action.get("takeback")) and event["to"] == action["to"]
    if event.get("scored") is None:
        return key(event) == key(action)
    here, there = key(event), key(action)
    alike = (here[0], here[1], here[3]) == (there[0], there[1], there[3])
    return alike and here[2][1:] == there[2][1:]


def _off(seen: Mapping[str, str] | None, real: Mapping[str, str]) -> dict[str, list[str | None]]:
    shown = seen or {}
    return {
        spot: [shown.get(spot), real.get(spot)]
        for spot in sorted({*shown, *real})
        if shown.get(spot) != real.get(spot)
    }


def run(plan: Plan, moves: int, save: Path | None = None) -> Score:
    """Read one evening, at most ``moves`` moves of it."""
    return read_evening(Judge(DiceEvening(plan)), "invictus", moves, save)


def main() -> int:
    """Return 1 if anything was silently wrong or false, or the program broke."""
    chosen = arguments(__doc__.splitlines()[0]).parse_args()
    plan, end = planner(chosen), time.monotonic() + 60 * chosen.minutes
    total, seed = Score(), chosen.seed if chosen.only is None else chosen.only
    while total.counts["actions"] < chosen.actions:
        score = run(plan(seed), chosen.moves, chosen.save)
        show_failures(score, chosen.json)
        total.add(score)
        seed += 1
        if chosen.only is not None or time.monotonic() > end:
            break
    asked, wrong = (total.counts[f"set-up {what}"] for what in ("asked", "guessed wrong"))
    print(f"set-ups asked about: {asked}, of them guessed wrong: {wrong}")
    show(total, chosen.json)
    return status(total)


if __name__ == "__main__":
    sys.exit(main())
