"""Reads a game whose dice lie on a mat: what was thrown or carried, and what has to be asked.

The tray (:mod:`vision.dice.tray`) tells which die lies in which zone and what it shows; the game
(:meth:`companion.rules.Game.read_dice`) what follows from it. A die that cannot be told for sure
may be any of those that are left: only if it matters which, it is asked about.
"""

from __future__ import annotations

import base64
import io
import itertools
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic

import numpy as np
from numpy.typing import NDArray

from companion.rules import Action, BadInput, Board, DiceOnMat, Game, Mat, MatReading, S, Setup, say
from vision.arrays import read_arrays
from vision.board.calibrate import Camera
from vision.decoding.reading import ASKED, Reading, Step
from vision.decoding.trace import Trace
from vision.dice.dice_trace import DiceNotes
from vision.dice.tray import STACK, Tray, TrayDie
from vision.dice.traymat import zones_near
from vision.frames import Frame, Image, TableFile
from vision.pictures import decode, to_jpeg
from vision.taught import TaughtReader
from vision.watching.resized import Resized
from vision.watching.stillness import Stillness
from vision.watching.waiting import Gate

FACES = "faces"
"""Field of a table file: the bare mat and the faces of the dice, as text."""
QUALITY = 92
SAME_MM = 3.0
"""Millimetres within which a die that shows the same has not been moved."""
UNSURE = 3
"""With more dice in doubt nobody is asked: they are to be thrown again."""
UNLIKELY = 1e-3
"""Weight of a face that a die in doubt does not look like."""
TRIED = 600
"""Cases examined at most for what may be answered."""
SURE = 0.999
"""Share of the probability of all cases from which on a consequence needs no question."""
QUIET_LOOKS = 60
"""Frames after which a mat that looks the same is read again."""

Case = tuple[TrayDie, ...]


@dataclass(frozen=True, slots=True)
class _DiceStory:
    """What dice tell, with the steps as the rules judge them."""

    told: MatReading
    ways: tuple[tuple[Step, ...], ...]
    steps: tuple[Step, ...]

    @property
    def refused(self) -> bool:
        """Tell whether the rules refuse what happened."""
        return any(not step.legal for step in self.steps)


class DiceReader(TaughtReader, Generic[S]):
    """Reads the frames of one mat in the order of time.

    A ``live`` reader waits until nothing moves; one that reads a recording takes every picture
    as it is. Faces have to be shown first (:meth:`teach`), or recalled (:attr:`tray`).
    """

    kept_in = ".dice.npz"

    def __init__(
        self,
        game: Game[S],
        setup: Setup,
        mat: Mat,
        table_file: TableFile,
        *,
        live: bool = False,
    ) -> None:
        assert isinstance(game, DiceOnMat)
        self._throws: DiceOnMat[S] = game
        self._game, self._mat, self._live = game, mat, live
        found = table_file.keys() & {"markers", "corners", "taps"}
        self.tray = Tray(mat.zones, mat.size, mat.side_mm, table_file if found else None)
        self._faces, self._resized = frozenset(mat.faces), Resized(self.tray.table_file)
        self._gate, self._first = Gate(QUIET_LOOKS), True
        self._stillness, self._notes = Stillness(), DiceNotes()
        self._last: Reading | None = None
        self._state: S | None = None
        self._dice: Case | None = None
        self._base: Case = ()
        self._refused: tuple[Action, ...] = ()
        self._lessons = 0
        if FACES in table_file:
            self.recall(_unpacked(table_file[FACES]))

    @property
    def board(self) -> Board:
        """Return the mat as a board whose spots are the zones."""
        return self.tray.board

    @property
    def camera(self) -> Camera | None:
        """Return how the last picture shows the mat; None before it was found."""
        return self.tray.camera

    @property
    def lessons(self) -> int:
        """How often faces were shown."""
        return self._lessons

    def teach(self, image: Image, tokens: Mapping[str, str]) -> None:
        """Learn the faces that lie on the mat in ``image``, row by row from the far left, or the
        bare mat where none is named.

        Raises:
            BadInput: the mat is not found.
            Uncertain: other dice are seen than those named; nothing is learned.
        """
        frame = Frame(image, 0.0)
        if tokens:
            self.tray.enrol(frame, list(tokens.values()))
        else:
            self.tray.bare(frame)
        self._lessons += 1
        self._dice = None

    def taught(self) -> Mapping[str, NDArray[Any]]:
        """Return what the tray knows of the dice and the mat."""
        return self.tray.to_arrays()

    def recall(self, taught: Mapping[str, NDArray[Any]]) -> None:
        """Take over what was learned on another evening; raises BadInput where it does not fit."""
        self.tray.take_arrays(taught)
        self._dice = None

    @property
    def described(self) -> TableFile:
        """Return what a table file has to hold for another reader to know the same faces."""
        kept = self.tray.to_arrays()
        return {FACES: _packed(kept)} if self.tray.faces else {}

    def why(self, reading: Reading, closely: bool = False) -> Trace:
        """Return how ``reading``, that of the last picture, came about."""
        return self._notes.trace(reading)

    def read(self, frame: Frame, past: Sequence[S]) -> Reading:
        """Read one frame. ``past`` holds every state up to the current one, which comes last."""
        self._notes.begin()
        if frame.image is None:
            return Reading(frame.name, still=False, message=frame.trouble or say("no picture"))
        try:
            if self._resized.notices(frame.image, self.board, self.camera):
                self.tray.table_file = self._resized.table_file
                self._gate.again()
        except BadInput as error:
            return Reading(frame.name, still=False, message=error.sentence)
        rests = self._stillness.rests(frame)
        calm = (self._gate.calm(frame) and rests) or (self._first and not self._live)
        self._first = False
        if not calm:
            return Reading(frame.name, still=False, reason=say("something moves"))
        if not self._faces <= set(self.tray.faces):
            words = say("The camera does not know these dice yet; show them to it once.")
            return Reading(frame.name, still=True, message=words)
        news = self._gate.due() or self._dice is None
        state = past[-1]
        if not news and state == self._state and self._last is not None:
            return replace(self._last, frame=frame.name, steps=())
        if news:
            seen = self.tray.read(frame)
            if not seen.still:
                self._gate.again()
                return Reading(frame.name, still=False, message=seen.message)
            dice = tuple(die for die in seen.dice if self._belongs(die))
            if self._dice is None:
                self._base = dice
            self._follow(state)
            self._dice = dice
        self._follow(state)
        self._last = self._tell(frame, state)
        return self._last

    def _follow(self, state: S) -> None:
        """Take how the dice lie for how they lay when ``state`` came about, if it is new."""
        if state != self._state:
            self._base = self._dice if self._dice is not None else self._base
            self._state, self._refused = state, ()

    def _belongs(self, die: TrayDie) -> bool:
        """Tell whether a die is one of the game's; others with pips may lie anywhere."""
        return not die.sure or f"{die.colour} {die.value}" in self._faces

    # -- what the dice tell ------------------------------------------------------------

    def _tell(self, frame: Frame, state: S) -> Reading:
        assert self._dice is not None
        self._notes.look(self._dice, self._resting(self._dice), self.tray.side)
        doubted = [die for die in self._believed(state) if not die.sure]
        stories = self._stories(state) if len(doubted) <= UNSURE else []
        self._notes.weighed([([step.action for step in one.steps], p) for one, p in stories])
        total = sum(weight for _, weight in stories)
        if stories and stories[0][1] >= SURE * total:
            return self._reading(frame, stories[0][0])
        ways = self._ways(stories)
        if not ways:
            words = say("{count} of the dice cannot be told; lay them flat, or throw them again.",
                        count=len(doubted))  # fmt: skip
            zones = tuple(sorted({die.zone for die in doubted if die.zone}))
            return Reading(frame.name, True, differs=zones, message=words)
        words = say("Not every die is certain. What do they show?")
        return Reading(frame.name, True, asks=ways, message=words)

    def _reading(self, frame: Frame, story: _DiceStory) -> Reading:
        """Return what is certain. What the rules refuse is told once."""
        steps = story.steps
        actions = tuple(step.action for step in steps)
        if story.refused:
            steps = () if actions == self._refused else steps
            self._refused = actions
        return Reading(
            frame.name, True, steps=steps, asks=story.ways, differs=story.told.zones,
            message=story.told.words,
        )  # fmt: skip

    def _stories(self, state: S) -> list[tuple[_DiceStory, float]]:
        """Return what the dice may tell, each with its weight, the likeliest first."""
        found: dict[MatReading, float] = {}
        for case, weight in itertools.islice(self._cases(state), TRIED):
            told = self._throws.read_dice(state, _lying(case), _lying(self._resting(case)))
            found[told] = found.get(told, 0.0) + weight
        order = sorted(found.items(), key=lambda item: -item[1])[: 2 * ASKED]
        return [(self._judged(state, told), weight) for told, weight in order]

    def _judged(self, state: S, told: MatReading) -> _DiceStory:
        ways = tuple(self._steps(state, way) for way in told.asks)
        return _DiceStory(told, ways, self._steps(state, told.steps))

    def _steps(self, state: S, actions: Sequence[Action]) -> tuple[Step, ...]:
        steps = []
        for action in actions:
            ruling = self._game.judge(state, action)
            steps.append(Step(action, 1.0, ruling))
            if not ruling.allowed:
                break
            state = self._game.advance(state, action)
        return tuple(steps)

    def _ways(self, stories: Sequence[tuple[_DiceStory, float]]) -> tuple[tuple[Step, ...], ...]:
        """Return what may have happened by the rules, the likeliest first."""
        total = sum(weight for _, weight in stories)
        ways: dict[tuple[Action, ...], tuple[Step, ...]] = {}
        for story, weight in stories:
            for way in (story.steps, *story.ways):
                if way and all(step.legal for step in way):
                    p = round(weight / total, 4)
                    actions = tuple(step.action for step in way)
                    ways.setdefault(actions, tuple(replace(step, p=p) for step in way))
        return tuple(ways.values())[:ASKED]

    def _resting(self, case: Case) -> Case:
        """Return the dice of ``case`` that lie as they lay when the state came about."""
        left, rest = list(self._base), []
        for die in case:
            same = next((other for other in left if _lies_as(die, other)), None)
            if same is not None:
                left.remove(same)
                rest.append(die)
        return tuple(rest)

    # -- dice in doubt -------------------------------------------------------------------

    def _cases(self, state: S) -> Iterator[tuple[Case, float]]:
        """Yield what the dice may be with their weights, the likeliest first."""
        dice = self._believed(state)
        sure = tuple(die for die in dice if die.sure)
        unsure = [die for die in dice if not die.sure]
        pool = Counter({colour: kind.count for colour, kind in self._mat.kinds.items()})
        pool -= Counter(die.colour for die in sure)
        # Of dice on each other the lower ones may not be seen at all.
        room = min(self._mat.count - len(dice), UNSURE - len(unsure))
        hidden = [die for die in unsure if die.doubt == STACK][: max(0, room)]
        options = [list(self._may_be(die, pool)) for die in unsure]
        options += [[(None, 0.5), *self._may_be(replace(die, likely=()), pool)] for die in hidden]
        cases = []
        for chosen in itertools.product(*filter(None, options)):
            some = tuple(die for die, _ in chosen if die is not None)
            if not Counter(die.colour for die in some) - pool:
                weight = math.prod(p for _, p in chosen)
                cases.append(((*sure, *some), weight))
        yield from sorted(cases, key=lambda case: -case[1])

    def _believed(self, state: S) -> Case:
        """Return the dice; one in doubt that lies as it lay is what the game has there."""
        assert self._dice is not None
        wanted = {zone: list(dice) for zone, dice in self._throws.dice(state).items()}
        for die in self._dice:
            names = (f"{die.colour} {die.value}", die.colour)
            if die.sure and (there := [n for n in names if n in wanted.get(die.zone, ())]):
                wanted[die.zone].remove(there[0])
        dice = []
        for die in self._dice:
            left = wanted.get(die.zone, [])
            if not die.sure and left and any(not o.sure and _lies_as(die, o) for o in self._base):
                odds = {name: _odds(die, name) for name in left}
                likeliest = max(odds, key=lambda name: odds[name])
                if odds[likeliest] > 0:
                    left.remove(likeliest)
                    colour, _, value = likeliest.partition(" ")
                    die = replace(die, colour=colour, value=value or die.value, doubt="")
            dice.append(die)
        return tuple(dice)

    def _may_be(self, die: TrayDie, pool: Counter[str]) -> Iterator[tuple[TrayDie | None, float]]:
        """Yield what a die in doubt may be, in each zone that it may lie in."""
        likely = {(colour, value): p for colour, value, p in die.likely}
        zones = zones_near(self.board, (die.x, die.y), self.tray.side) or (die.zone,)
        for face in self._mat.faces:
            colour, _, value = face.rpartition(" ")
            if pool[colour] > 0:
                weight = max(UNLIKELY, likely.get((colour, value), 0.0)) / len(zones)
                for zone in zones:
                    yield replace(die, zone=zone, colour=colour, value=value), weight


def _packed(arrays: Mapping[str, NDArray[Any]]) -> str:
    """Return arrays as text, the bare mat among them as JPEG."""
    if "bare" in arrays:
        whole = np.clip(arrays["bare"], 0, 255).astype(np.uint8)
        arrays = {**arrays, "bare": np.frombuffer(to_jpeg(whole, QUALITY), np.uint8)}
    out = io.BytesIO()
    np.savez_compressed(out, allow_pickle=False, **arrays)
    return base64.b64encode(out.getvalue()).decode("ascii")


def _unpacked(text: str) -> dict[str, NDArray[Any]]:
    """Return the arrays of :func:`_packed`.

    Raises:
        BadInput: the text holds none.
    """
    try:
        arrays = read_arrays(base64.b64decode(text))
        if "bare" in arrays:
            bare = decode(arrays["bare"].tobytes(), "the bare mat")
            arrays["bare"] = np.asarray(bare, np.float32)
    except ValueError as error:
        raise BadInput(f"field {FACES} of the table file holds no faces of dice") from error
    return arrays


def _odds(die: TrayDie, name: str) -> float:
    """Return how likely a die in doubt is the one called ``name``, a colour and perhaps a side."""
    if not die.likely:
        return UNLIKELY
    colour, _, value = name.partition(" ")
    same = sum(p for c, v, p in die.likely if c == colour and value in ("", v))
    return same + UNLIKELY * sum(p for c, _, p in die.likely if c == colour)


def _lies_as(die: TrayDie, before: TrayDie) -> bool:
    near = math.dist((die.x, die.y), (before.x, before.y)) < SAME_MM
    return near and (not before.sure or (die.colour, die.value) == (before.colour, before.value))


def _lying(dice: Case) -> dict[str, tuple[str, ...]]:
    """Return zone -> dice, those beside all zones left out."""
    zones: dict[str, list[str]] = {}
    for die in dice:
        if die.zone:
            zones.setdefault(die.zone, []).append(f"{die.colour} {die.value}")
    return {zone: tuple(sorted(dice)) for zone, dice in zones.items()}
