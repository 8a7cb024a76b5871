"""Evenings on a simulated board of sensors: random games, hands of several habits, the truth."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from companion.games import find_game
from companion.journal import Journal
from companion.live.reading_entries import tell
from companion.live.recording import Recorder
from companion.live.replay import carry_out
from companion.rules import Position, TwoSides
from companion.simulation.recorded_game import RecordedScene, perform
from companion.simulation.screenplay import random_scenes
from companion.simulation.tabletop import SimulatedTable
from companion.table import Table
from tests.checks.dgt_board import DgtPort, Handled
from tests.checks.repainted import repainted
from tests.checks.soaking import key
from vision.decoding.reading import Reading, Step
from vision.decoding.trace import Trace
from vision.frames import Frame, Sensed
from vision.readers import open_reader
from vision.sensing.dgt import DgtWire
from vision.sensing.sensor_reader import IN_HAND
from vision.sensing.sensor_source import SensorSource


class SimulatedSensors:
    """The simulated table as a board of sensors feels it. One that ``knows`` its tokens tells which
    lie where."""

    def __init__(
        self,
        table: Handled,
        *,
        knows: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._table, self._knows = table, knows
        self._clock = clock
        self._count = 0

    def read(self) -> Frame:
        """Return the next frame. There is always one."""
        left: set[str | int] = set()
        for gesture in self._table.gestures():
            left |= {s for s, piece in gesture.before.items() if gesture.after.get(s) is not piece}
        lying: dict[str | int, str] = dict(self._table.position.items())
        sensed = Sensed(frozenset(lying), frozenset(left), lying if self._knows else None)
        self._count += 1
        return Frame(None, self._clock(), f"{self._count:06d}", sensed=sensed)


READ_AS_LEGAL = "read as legal"
"""A refused move that was a way by the rules, in several moves: such an evening ends."""


class FeltEvening:
    """One game of ``name``. ``counts`` holds actions, questions, refused moves that were read as
    several legal ones, and what was ``wrong`` or ``missed``; ``failures`` tells these. The board
    may be one with the ``dgt`` protocol."""

    def __init__(
        self,
        name: str,
        seed: int,
        *,
        knows: bool = False,
        art: str | None = None,
        dgt: bool = False,
    ) -> None:
        self._dgt, self._step = dgt, 0.1 if dgt else 1.0
        game, self._chance = find_game(name), random.Random(seed)
        self.game = game if art is None else repainted(game, art)
        setup = self.game.setup()
        self.table: Table[Any] = Table.create(Journal(":memory:"), self.game, setup)
        expected = self.game.expect(self.table.state)
        self._now = 0.0
        self._open(expected, seed, knows)
        self.counts: Counter[str] = Counter()
        self.failures: list[str] = []
        self.recorder: Recorder | None = None
        self._told_elsewhere = False
        self.look()

    def _open(self, expected: Position, seed: int, knows: bool) -> None:
        """Set the table as it is ``expected``, and open the eyes that look at it."""
        setup = self.table.setup
        self.hands = SimulatedTable(self.game, setup, expected, seed=seed)
        self._source = self._sensors(self.hands, seed, knows)
        self._reader = open_reader(self.game, setup, {"sensors": []}, live=True)

    def _sensors(self, hands: Handled, seed: int, knows: bool) -> SensorSource | SimulatedSensors:
        if not self._dgt:
            return SimulatedSensors(hands, knows=knows, clock=lambda: self._now)
        port = DgtPort(hands, random.Random(f"dgt {seed}"))
        return SensorSource(
            lambda: DgtWire(port, clock=lambda: self._now), port.name, lambda: self._now
        )

    def look(self) -> Reading:
        """Return what is read once hands have been away for a while."""
        for _ in range(2 * round(1.0 / self._step)):
            if (reading := self._read()).steps:
                break
        return reading

    def frame(self) -> Frame:
        """Return what is felt a little later."""
        self._now += self._step
        return self._source.read()

    def _wait(self, seconds: float) -> None:
        """Let time pass in which nothing is done."""
        if not self._dgt:
            self._now += seconds
            return
        for _ in range(round(seconds / self._step)):  # a line that nobody listens to is lost
            self.frame()

    def _read(self) -> Reading:
        """Read one frame, and record it if there is a recorder."""
        frame = self.frame()
        reading = self._reader.read(frame, self.table.past)
        if self.recorder is not None:
            self.recorder.see(frame, reading)
        return reading

    def carry_out(self, reading: Reading) -> None:
        """Give the table what was read."""
        carry_out(self.table, reading.steps)

    def why(self, reading: Reading) -> Trace:
        """Return how the last reading came about."""
        return self._reader.why(reading)

    def play(self, count: int) -> None:
        """Play ``count`` actions, or until one is not read as it was."""
        scenes = random_scenes(self.game, self.table.state, self._chance, count, cheats=0.1)
        for scene in scenes:
            if self.failures:
                return
            self._scene(scene)

    def _scene(self, scene: RecordedScene) -> None:
        events = [] if self._told_elsewhere else list(scene.events)
        self._told_elsewhere = False
        self.counts["actions"] += len(events)
        parts = list(self._parts(scene.does))
        for does in parts:
            for text in does:
                perform(self.hands, text)
            reading = self.look()
            if reading.lifted and does is parts[-1]:
                self._wait(IN_HAND)  # it has left the board for good
                reading = self.look()
            if not reading.steps:
                continue
            self._judge(reading, events, scene)
            events = []
        if reading_asks := reading.asks if scene.does else ():
            self._answer(reading_asks, events)
        elif events and not events[0].get("legal", True) and reading.differs:
            # What has to be put back first is owed: it is told where the table differs.
            self.counts["told as disorder"] += 1
            self._told_elsewhere = True
        elif events:
            self._fail("missed", scene, reading)
        elif scene.does and not self.failures and not self._fits(reading):
            self._fail("wrong position", scene, reading)

    def _parts(self, does: Sequence[str]) -> Iterator[Sequence[str]]:
        """Yield what hands do before each pause: often all at once, else a captured token goes
        first, or a token is held for a while."""
        verb, *words = does[0].split() if does else ("",)
        habit = self._chance.choice(["at once", "at once", "clears", "holds"])
        if verb == "move" and habit == "clears" and words[1] in self.hands.position:
            yield (f"remove {words[1]}",)
        elif verb == "move" and habit == "holds":
            yield (f"lift {words[0]}",)
            does = (f"drop {words[1]}", *does[1:])
        yield does

    def _judge(self, reading: Reading, events: Sequence[Any], scene: RecordedScene) -> None:
        table = self.table
        told = self._keys(tell(self.game, table.past, table.actions, reading.steps))
        happened = self._keys(events)
        refused = [event for event in happened if not event[3]]
        carry_out(table, reading.steps)
        if told == happened:
            return
        if refused and told and all(one[3] for one in told) and self._fits(reading):
            # It was a way by the rules, in several moves: nobody can know it was meant as one.
            self.counts[READ_AS_LEGAL] += 1
            self.failures.append(READ_AS_LEGAL)
            return
        self._fail("wrong", scene, reading, told)

    def _answer(self, asks: Sequence[Sequence[Step]], events: Sequence[Any]) -> None:
        """Answer as the one who moved."""
        self.counts["asked"] += 1
        table, game = self.table, self.game
        for steps in asks:
            told = self._keys(tell(game, table.past, table.actions, steps))
            if told != self._keys(events):
                continue
            if not all(step.legal for step in steps):
                # The reader hears nothing of the answer: what is put back is no event to it.
                self._told_elsewhere = True
                return
            state = table.state
            for step in steps:
                state = game.advance(state, step.action)
            if dict(game.expect(state)) == self._lying():
                carry_out(table, steps, "referee")
                self.look()
                return
        self.counts["asked in vain"] += 1
        self.failures.append(f"asked in vain: {events}")

    def _keys(self, events: Sequence[Any]) -> list[tuple[Any, ...]]:
        """Return what events are compared by; over which spot a token left the board no sensor
        tells."""
        keys = map(key, events)
        lying = self._lying()
        return [(seat, one, to if to in lying else "off", legal) for seat, one, to, legal in keys]

    def _fits(self, reading: Reading) -> bool:
        """Tell whether ``reading`` has everything where it lies; sensors do not feel which side of
        a token is up."""
        told, lying = dict(reading.position or {}), self._lying()
        return told.keys() == lying.keys() if isinstance(self.game, TwoSides) else told == lying

    def _lying(self) -> dict[str, str]:
        return self.hands.position

    def _fail(self, what: str, scene: RecordedScene, reading: Reading, told: Any = ()) -> None:
        self.counts[what] += 1
        self.failures.append(
            f"{what}: {scene.does} {[key(event) for event in scene.events]}, told {told} "
            f"{reading.message}"
        )


def played(evening: FeltEvening, *does: str) -> Reading:
    """Do what hands do, and return what is read of it; the table plays it."""
    for text in does:
        perform(evening.hands, text)
    reading = evening.look()
    evening.carry_out(reading)
    return reading


def told(reading: Reading) -> list[tuple[str, bool]]:
    """Return the actions of a reading, and whether the rules allow each."""
    return [(str(step.action), step.legal) for step in reading.steps]
