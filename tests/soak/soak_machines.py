"""Whole games machine against machine at the simulated table, as its camera sees them.

    python -m tests.soak.soak_machines chess --games 40
    python -m tests.soak.soak_machines victorus --games 20 --hand own
    python -m tests.soak.soak_machines chess --games 40 --level level:5,level:1

The real service runs with its simulated table and camera. What a machine tells is made by hand: by
the table's own (``own``), or by one that does as somebody who reads it off a phone (``steps``): it
takes off what is captured first or last, lifts and puts down, turns over or exchanges, and pauses
in between so that the camera sees half a move. Every move has to be confirmed by the camera as
what was told, and nothing else may come about. The seed decides what machines and hands do: the
same one plays the same game again. Each game is told as it ends, one that is cut off with what was
seen so far; a failure names its seed, and the status is 1.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion.games import find_game
from companion.live.composition import Composition, PlayRequest
from companion.live.environment import Environment
from companion.rules import Action, Game
from companion.simulation.recorded_game import perform
from companion.simulation.screenplay import Screenplay
from vision.frames import Source

GAMES = {"chess": None, "invictus": None, "victorus": ("red", "purple")}
"""What is played, and by whom, None for all."""
SPEED = 5.0
"""How much faster time passes at this table."""
SETTLED, OVERDUE = 15, 150
"""Pictures after the last hand in which what was done has been read, and after which it is not read
any more."""
PATIENCE = 300.0
"""Seconds in which a machine has to tell what it means, and the camera to look."""
HALVES = 0.3
"""How often a hand pauses between two steps."""
POSITIONS = ("action", "refused", "undone", "corrected", "ruled", "arranged")
"""The kinds of events that may tell of a hand."""


def steps(game: Game[Any], state: Any, action: Action, chance: random.Random) -> Iterator[str]:
    """Yield what a hand does one after another to make ``action``, in words for
    :func:`~companion.simulation.recorded_game.perform`."""
    lying = game.expect(state)
    for line in Screenplay(game, state).play(action).does:
        verb, spot, *rest = line.split()
        if verb == "move":
            if rest[0] in lying and chance.random() < 0.5:
                yield f"remove {rest[0]}"
            yield from (f"lift {spot}", f"drop {rest[0]}") if chance.random() < 0.5 else (line,)
        elif verb == "flip" and game.name == "chess":  # no man of chess has another side
            yield from (f"remove {spot}", f"put {spot} {' '.join(rest)}")
        else:
            yield line


class MachineGame:
    """One game between machines, with what came of it in ``counts`` and ``failures``."""

    def __init__(self, folder: Path, name: str, level: str, seed: int) -> None:
        self.game: Game[Any] = find_game(name)
        setup, levels = self.game.setup(GAMES[name]), level.split(",")
        self.counts, self.failures = Counter[str](), list[str]()
        self._source: Source | None = None
        outside = Environment(
            clock=lambda: SPEED * time.monotonic(),
            wait=lambda event, seconds: event.wait(seconds / SPEED),
            camera=self._keep,
            seed=str(seed),
        )
        self.stage = Composition(
            PlayRequest(
                game=self.game, setup=setup, journal=folder / "game.sqlite3", new=True,
                camera="simulated", table_file=None, lights="simulated", wiring=None,
                host="127.0.0.1", port=0, address="127.0.0.1",
                players={
                    seat: levels[(place + seed) % len(levels)]
                    for place, seat in enumerate(setup.seats)
                },
            ),
            outside,
        )  # fmt: skip

    def _keep(self, source: Source) -> Source:
        self._source = source
        return source

    def play(self, chance: random.Random, by: str, limit: int) -> None:
        """Play at most ``limit`` actions of the game; a hand of ``by`` makes the moves. An
        interrupt cuts it off."""
        table = self.stage.table
        with self.stage:
            if by == "steps":
                # As at a real table, whose machines have no hands.
                self.stage.machines._hands = lambda: None
            self.stage.start()
            try:
                self._until(self.stage._fits)  # nobody moves before the set-up was read
                while len(table.actions) < limit and table.outcome is None and not self.failures:
                    self._one(chance, by)
            except KeyboardInterrupt:
                self.counts["cut off"] += 1
            self._check_events()
        self.counts["actions"] += len(table.actions)
        self.counts["ended"] += table.outcome is not None

    def _one(self, chance: random.Random, by: str) -> None:
        """Wait for what a machine means, and see it done."""
        table = self.stage.table
        made, state = len(table.actions), table.state
        told = self._until(self._told)
        if not told:
            self._fail("no machine tells what it means", str(self.stage.machines.told()))
        elif len(table.actions) > made:
            self._said(made)  # before anybody here looked
        else:
            action = self.game.parse(table.setup, told)
            moved = bool(action.origin or action.target)
            if moved and by == "steps":
                self._make(state, action, chance)
            self._confirmed(made, told, moved)

    def _told(self) -> str:
        return "over" if self.stage.table.outcome else str(self.stage.machines.told()["action"])

    def _make(self, state: Any, action: Action, chance: random.Random) -> None:
        hands = self.stage.equipment.hands
        assert hands is not None
        for line in steps(self.game, state, action, chance):
            perform(hands, line)
            if chance.random() < HALVES:
                self._settle()

    def _settle(self) -> None:
        """Wait until all hands are gone and what lies there was read."""
        self._until(lambda: not getattr(self._source, "busy", False))
        seen = self.stage.progress

        def read() -> bool:
            pictures = self.stage.progress - seen
            return pictures >= SETTLED or (pictures >= 2 and self.stage.service.status()["still"])

        self._until(read)

    def _said(self, made: int) -> None:
        """Count what machines said after ``made`` actions; tell if it was more than that."""
        for action in self.stage.table.actions[made:]:
            self.counts["spoken"] += 1
            if action.origin or action.target:
                self.counts["wrong"] += 1
                self._fail("a move that nobody made", self.game.format(action))

    def _confirmed(self, made: int, told: str, moved: bool) -> None:
        """Wait until what was ``told`` is in the game; tell if something else is, or nothing."""
        table = self.stage.table
        late = self.stage.progress + OVERDUE
        self._until(lambda: len(table.actions) > made or self.stage.progress > late)
        if len(table.actions) == made:
            self.counts["unconfirmed"] += 1
            self._fail("not confirmed", f"{told}: {self.stage.service.status()} {self._off(told)}")
            return
        done = self.game.format(table.actions[made])
        self.counts["moved" if moved else "spoken"] += 1
        if done != told and not self._alike(made, told):
            self.counts["wrong"] += 1
            self._fail("another move", f"{told} was made, {done} was read")

    def _alike(self, made: int, told: str) -> bool:
        """Tell whether what was ``told`` leads from the action number ``made`` to where what was
        read does: a die of Invictus that is taken off may have come home by several spots."""
        table = self.stage.table
        before = table.past[made]
        one, other = (table.actions[made], self.game.parse(table.setup, told))
        return self.game.advance(before, one) == self.game.advance(before, other)

    def _off(self, told: str) -> str:
        """Return what lies otherwise than it should after what was ``told``, and what is the matter
        with the camera."""
        table, hands = self.stage.table, self.stage.equipment.hands
        action = self.game.parse(table.setup, told)
        wanted = dict(self.game.expect(self.game.advance(table.state, action)))
        lying = hands.position if hands else {}
        odd = {spot for spot, token in lying.items() ^ wanted.items()}
        off = {spot: (lying.get(spot), wanted.get(spot)) for spot in sorted(odd)}
        busy = getattr(self._source, "busy", False)
        return f"lies otherwise: {off}; hands {busy}; {self.stage.supervisor.told()}"

    def _check_events(self) -> None:
        """Look through the journal for what no hand did, and for moves that no camera saw."""
        begun = False
        for event in self.stage.table.events().of(*POSITIONS):
            if event.kind == "action":
                begun = True
                self.counts["by camera"] += event.actor == "camera"
            elif begun or event.kind != "arranged":  # what lies at first may be read off the table
                self.counts["wrong"] += 1
                self._fail(event.kind, f"{event.action} by {event.actor}")

    def write_readings(self, folder: Path) -> None:
        """Write down the last readings, and how each came about (``docs/misread.md``)."""
        traces = self.stage.service.traces
        folder.mkdir()
        for head in traces.last():
            number = head["number"]
            told = json.dumps(traces.one(number), indent=1)
            (folder / f"{number:05d}.json").write_text(told, encoding="utf-8")
            if head["picture"]:
                (folder / f"{number:05d}.jpg").write_bytes(traces.picture(number))

    def _fail(self, kind: str, what: str) -> None:
        self.failures.append(f"{kind}, action {len(self.stage.table.actions)}: {what}")

    @staticmethod
    def _until(done: Any) -> Any:
        """Wait for something, and return it; None where it does not come."""
        end = time.monotonic() + PATIENCE
        while not (found := done()):
            if time.monotonic() > end:
                return None
            time.sleep(0.005)
        return found


def run(
    name: str,
    seed: int,
    level: str = "level:2",
    by: str = "own",
    limit: int = 1000,
    keep: Path | None = None,
) -> MachineGame:
    """Play one game, at most ``limit`` actions of it, and return it. The journal of a game with a
    failure is kept in the folder ``keep``, with how its last pictures were read."""
    with tempfile.TemporaryDirectory() as folder:
        game = MachineGame(Path(folder), name, level, seed)
        game.play(random.Random(seed), by, limit)
        if keep and game.failures:
            shutil.copytree(folder, keep / f"{name}-{seed}")
            game.write_readings(keep / f"{name}-{seed}" / "readings")
        return game


def main() -> int:
    """Return 1 if anything else came about than what was told, or a move was not confirmed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", nargs="*", default=list(GAMES))
    parser.add_argument("--games", type=int, default=2, help="of each")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--level", default="level:2", help="several: seats go round by seeds")
    parser.add_argument("--hand", choices=("own", "steps"), default="steps")
    parser.add_argument("--actions", type=int, default=1000, help="at most so many a game")
    parser.add_argument("--keep", type=Path, help="a folder for games with failures")
    chosen, failed = parser.parse_args(), False
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    for name in chosen.game:
        total = Counter[str]()
        for seed in range(chosen.seed, chosen.seed + chosen.games):
            game = run(name, seed, chosen.level, chosen.hand, chosen.actions, chosen.keep)
            for failure in game.failures:
                print(f"{name}, seed {seed}: {failure}", flush=True)
            print(f"{name}, seed {seed}: {dict(game.counts)}", flush=True)
            total.update({"games": 1, **game.counts})
            failed = failed or bool(game.failures)
            if game.counts["cut off"]:
                break
        print(f"{name}: {dict(total)}", flush=True)
        if total["cut off"]:
            break
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
