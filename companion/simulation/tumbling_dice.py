"""The dice of a simulated mat: hands throw and carry them, whatever the rules say."""

from __future__ import annotations

import math
import random
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from companion.rules import BadInput, Lying, Mat, Point, say
from companion.rules.geometry import inside
from companion.simulation.dice_painter import Die

Dice = tuple[Die | None, ...]
"""Every die of a mat, by number; None for one that lies beside it."""

ROOM = (1.5, 1.08)
"""Sides between the middles of dice: as dice lie at random, and where there is little room."""
RIM = 0.8
"""Sides between the middle of a die and the rim of its zone."""
TRIES = 300
EDGE_LEAN = 38.0
"""Degrees by which a die leans that stands on its edge."""


@dataclass(frozen=True, slots=True)
class DiceGesture:
    """What a hand just did with the dice ``numbers``: how all lay ``before`` and ``after``, and
    whether they were ``thrown``; laid at once, without a hand, where none is named."""

    numbers: tuple[int, ...]
    before: Dice
    after: Dice
    thrown: bool = False


class SimulatedDice:
    """The dice of one mat. Every operation may be called from any thread, takes effect at once and
    is one gesture that a camera shows. Throws and places are drawn from ``seed``."""

    def __init__(self, mat: Mat, lying: Lying, *, seed: int = 0) -> None:
        self.mat = mat
        self._chance = random.Random(f"dice {seed}")
        self._lock = threading.RLock()
        self.colours = tuple(c for c, kind in mat.kinds.items() for _ in range(kind.count))
        self._dice: Dice = (None,) * len(self.colours)
        self._gestures: list[DiceGesture] = []
        self.on_gesture: Callable[[], None] = lambda: None
        """Called whenever a hand did something; it may not block."""
        self.lay(lying)
        self.gestures()

    @property
    def dice(self) -> Dice:
        """Return how the dice lie now; the tuple never changes afterwards."""
        return self._dice

    def zone(self, number: int) -> str:
        """Return the zone that a die lies in, "" for none."""
        return zone_of(self.mat, self._dice[number])

    def throw(self, numbers: Sequence[int]) -> None:
        """Throw dice into the zone for it.

        Raises:
            BadInput: there is no such die, or none is named.
        """
        with self._lock:
            self._check(numbers)
            if not numbers:
                raise BadInput(say("choose the dice to throw"))
            dice = list(self._dice)
            for number in numbers:
                dice[number] = None
            for number in numbers:
                colour = self.colours[number]
                side = self._chance.choice(self.mat.kinds[colour].sides)
                dice[number] = self._placed(f"{colour} {side}", self.mat.thrown, dice)
            self._do(numbers, tuple(dice), thrown=True)

    def carry(self, number: int, zone: str) -> None:
        """Carry a die to a zone; it goes on showing what it shows.

        Raises:
            BadInput: there is no such die or zone.
        """
        with self._lock:
            self._check([number])
            if zone not in self.mat.zones:
                raise BadInput(say("there is no zone {zone} on this mat", zone=zone))
            dice, die = list(self._dice), self._dice[number]
            shows = die.shows if die else self._any_side(number)
            dice[number] = None
            dice[number] = self._placed(shows, zone, dice)
            self._do([number], tuple(dice))

    def tip(self, number: int) -> None:
        """Stand a die on its edge, or lay it down again.

        Raises:
            BadInput: there is no such die on the mat.
        """
        with self._lock:
            self._check([number])
            die = self._dice[number]
            if die is None:
                raise BadInput(say("this die lies beside the mat"))
            tipped = replace(die, lean=0.0 if die.lean else EDGE_LEAN)
            self._set(number, tipped)

    def stack(self, number: int, other: int) -> None:
        """Put a die askew on another; raises BadInput as :meth:`tip`."""
        with self._lock:
            self._check([number, other])
            die, under = self._dice[number], self._dice[other]
            if die is None or under is None:
                raise BadInput(say("this die lies beside the mat"))
            off, way = self.mat.side_mm * 0.35, self._chance.uniform(0, 2 * math.pi)
            x, y = under.x + off * math.cos(way), under.y + off * math.sin(way)
            self._set(number, replace(die, x=x, y=y, rise=under.rise + self.mat.side_mm))

    def lay(self, lying: Lying) -> None:
        """Let the dice lie in their zones as ``lying`` tells, at once; a die that lies where it
        should stays as it is."""
        with self._lock:
            wanted = [(die, zone) for zone, dice in lying.items() for die in dice]
            dice: list[Die | None] = [None] * len(self.colours)
            left = list(range(len(self.colours)))
            for stays in (True, False):
                for die, zone in list(wanted):
                    number = self._one(die, zone if stays else None, left)
                    if number is None:
                        continue
                    left.remove(number)
                    wanted.remove((die, zone))
                    now = self._dice[number]
                    dice[number] = now if stays else self._moved(die, zone, number, dice)
            self._do([], tuple(dice))

    def show(self, faces: Sequence[str]) -> None:
        """Lay one die for each of ``faces`` on the mat, row by row, and nothing else."""
        with self._lock:
            dice: list[Die | None] = [None] * len(self.colours)
            left = list(range(len(self.colours)))
            for place, face in enumerate(faces):
                number = next(n for n in left if self.colours[n] == face.split()[0])
                left.remove(number)
                row, column = divmod(place, 5)
                dice[number] = Die(face, -120.0 + 60 * column, -80.0 + 60 * row, 7.0 * place)
            self._do([], tuple(dice))

    @property
    def stirred(self) -> bool:
        """Whether hands did something that no camera has looked at yet."""
        return bool(self._gestures)

    def gestures(self) -> tuple[DiceGesture, ...]:
        """Return what hands did since the last call, in order, and forget it."""
        with self._lock:
            done, self._gestures = tuple(self._gestures), []
            return done

    # -- inside ----------------------------------------------------------------------

    def _do(self, numbers: Iterable[int], after: Dice, thrown: bool = False) -> None:
        self._gestures.append(DiceGesture(tuple(numbers), self._dice, after, thrown))
        self._dice = after
        self.on_gesture()

    def _set(self, number: int, die: Die) -> None:
        dice = list(self._dice)
        dice[number] = die
        self._do([number], tuple(dice))

    def _check(self, numbers: Sequence[int]) -> None:
        if not all(0 <= number < len(self._dice) for number in numbers):
            raise BadInput(say("there is no such die on this table"))

    def _one(self, die: str, zone: str | None, left: Sequence[int]) -> int | None:
        """Return a die that may be called ``die``, one in ``zone`` where that is given."""
        colour, _, side = die.partition(" ")
        for number in left:
            now = self._dice[number]
            if self.colours[number] != colour:
                continue
            if zone is None:
                return number
            if now and zone_of(self.mat, now) == zone and side in ("", now.shows.split()[1]):
                return number
        return None

    def _moved(self, die: str, zone: str, number: int, dice: Sequence[Die | None]) -> Die:
        now = self._dice[number]
        shows = die if " " in die else now.shows if now else self._any_side(number)
        around = [other or self._dice[n] for n, other in enumerate(dice) if n != number]
        return self._placed(shows, zone, around)

    def _any_side(self, number: int) -> str:
        colour = self.colours[number]
        return f"{colour} {self._chance.choice(self.mat.kinds[colour].sides)}"

    def _placed(self, shows: str, zone: str, dice: Sequence[Die | None]) -> Die:
        """Return a die at a free place of a zone."""
        side = self.mat.side_mm
        left, top, right, bottom = _bounds(self.mat.zones[zone], RIM * side)
        others = [(die.x, die.y) for die in dice if die is not None]
        place, best = (0.0, 0.0), -1.0
        for _ in range(TRIES):
            at = self._chance.uniform(left, right), self._chance.uniform(top, bottom)
            free = min((math.dist(at, other) for other in others), default=math.inf)
            if free >= ROOM[0] * side:
                return Die(shows, *at, self._chance.uniform(0, 90))
            if free > best:
                place, best = at, free
        # Little room: dice lie side by side, and as straight as that needs.
        turn = 90.0 if best < ROOM[1] * math.sqrt(2) * side else self._chance.uniform(0, 90)
        return Die(shows, *place, turn)


def zone_of(mat: Mat, die: Die | None) -> str:
    """Return the zone of a die, "" for none."""
    if die is None:
        return ""
    at = die.x, die.y
    return next((name for name, outline in mat.zones.items() if inside(at, outline)), "")


def _bounds(outline: Sequence[Point], rim: float) -> tuple[float, float, float, float]:
    xs, ys = [x for x, _ in outline], [y for _, y in outline]
    return min(xs) + rim, min(ys) + rim, max(xs) - rim, max(ys) - rim
