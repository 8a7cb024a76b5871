"""Whole games of Hoplomachus: Victorum whose dice lie on a simulated mat before a camera.

Used by a short test (vision/test_tray_game.py) and at length by soak/soak_tray_game.py.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from typing import Any

from companion.games.hoplomachus import GAME
from companion.games.hoplomachus import state as s
from companion.games.hoplomachus.pieces import COLOURS
from companion.games.hoplomachus.play import read_assignment
from companion.games.hoplomachus.sight import MAT, place_of
from companion.journal import Journal
from companion.live.replay import carry_out
from companion.rules import Action
from companion.simulation.dice_camera import SimulatedDiceCamera
from companion.simulation.troubles import Troubles, random_event, random_troubles
from companion.simulation.tumbling_dice import SimulatedDice
from companion.table import Table
from tests.checks import tray_scenes
from tests.checks.mountain_games import RandomGame
from vision.board.optics import CameraView
from vision.decoding.reading import Reading
from vision.readers import open_reader

PATIENCE = 16
"""Frames within which a change has to be told."""
BY_HAND = ("engage", "assign", "recover", "dismiss", "recruit")


class Lost(AssertionError):
    """What the camera told is not what happened."""


class TrayGame(RandomGame):
    """A game whose dice a camera watches. Everything but dice is told on the phone. The counts:
    ``rolls`` and ``dice`` thrown, ``asked`` and how often the truth was offered, ``by phone``
    where the camera could not tell and said so, ``wrong`` and ``missed``."""

    def __init__(self, seed: int, trouble: bool, kept: Any = None) -> None:
        super().__init__(seed, texts=0.02 if trouble else 0.0, care=0.5)
        chance = self._chance = random.Random(f"tray game {seed}")
        self._trouble, self.counts, self.failures = trouble, Counter[str](), list[str]()
        self.table: Table[Any] = Table.create(Journal(":memory:"), GAME, self.setup)
        self.dice = SimulatedDice(MAT, GAME.dice(self.state), seed=seed)
        view = CameraView(image_size=(1280, 960), tilt=12.0)
        troubles, style = Troubles(hand_frames=2, noise=1.5), None
        view = view if trouble else replace(view, image_size=(1024, 768))
        if trouble:
            troubles = replace(random_troubles(chance), hand_frames=chance.choice((2, 4)))
            style = tray_scenes.style(seed)
            view = replace(
                view, image_size=(1400, 1050), tilt=chance.uniform(0, 28),
                turn=chance.uniform(-15, 15), roll=chance.uniform(-4, 4),
                lens=chance.uniform(0.75, 1.3), distortion=chance.uniform(-0.1, 0.03),
            )  # fmt: skip
        self._at = 0.0
        self.camera = SimulatedDiceCamera(
            self.dice, view, troubles, style=style, seed=seed, clock=self._clock
        )
        self.reader = open_reader(GAME, self.setup, self.camera.table_file(), live=True)
        if kept is None:
            self.camera.show_faces(self.reader.teach)
        else:
            self.reader.recall(kept)
        self._watch("")

    def _clock(self) -> float:
        self._at += 0.1
        return self._at

    # -- the camera --------------------------------------------------------------------

    def _read(self) -> Reading:
        frame = self.camera.read()
        assert frame is not None
        self.counts["frames"] += 1
        return self.reader.read(frame, self.table.past)

    def _watch(self, *true: str) -> None:
        """Read frames until the camera has told ``true``, asks, or has nothing to tell."""
        begun = len(self.table.actions)
        goal = begun + len([text for text in true if text])
        told: Reading | None = None
        asked = False
        for number in range(4 * PATIENCE):
            reading = self._read()
            self._take(reading, true, begun)
            if reading.still and not self.camera.busy:
                told = reading
                if len(self.table.actions) >= goal and not reading.asks and number > 2:
                    return
                if reading.asks and not asked:
                    asked = True
                    if self._answered(reading, true):
                        return
                if number > PATIENCE:
                    break
        if len(self.table.actions) < goal:
            self.counts["by phone" if told and told.message else "missed"] += 1
            self._note("by phone" if told and told.message else "missed", true, told)
            for text in true[len(self.table.actions) - goal + len(true) :]:
                self.table.play(GAME.parse(self.setup, text), "referee")

    def _take(self, reading: Reading, true: tuple[str, ...], begun: int) -> None:
        before = len(self.table.actions)
        refused = [step for step in reading.steps if not step.legal]
        carry_out(self.table, reading.steps)
        new = [GAME.format(action) for action in self.table.actions[before:]]
        left = [text for text in true if text][before - begun :]
        if refused or new != left[: len(new)]:
            self.counts["wrong"] += 1
            said = [GAME.format(step.action) for step in reading.steps]
            self._note("WRONG", true, reading)
            raise Lost(f"{said} and not {true}")

    def _answered(self, reading: Reading, true: tuple[str, ...]) -> bool:
        """Answer the camera's question as the dice lie."""
        left = [t for t in true if t]
        ways = [[GAME.format(step.action) for step in way] for way in reading.asks]
        self.counts["asked"] += 1
        found = [n for n, way in enumerate(ways) if way == left]
        if not found:
            return False
        self.counts["truth offered first" if found[0] == 0 else "truth offered later"] += 1
        carry_out(self.table, reading.asks[found[0]], "referee")
        return True

    def _note(self, what: str, true: tuple[str, ...], reading: Reading | None) -> None:
        self.failures.append(
            f"{what}: {true}, {reading and reading.message}, "
            f"{reading and [[GAME.format(x.action) for x in way] for way in reading.asks]}, "
            f"{self.camera.troubles}"
        )

    # -- what happens -----------------------------------------------------------------

    def choose(self) -> Action:
        """Return an action at random, rather one that has to do with dice."""
        kind, chance = self.state.awaited[0], self.rng
        legal = [] if kind == s.ROLL else GAME.legal(self.state)
        if kind == s.ENGAGE and any(self.state.reserve):
            while not (action := self.engagement(False)).detail:
                pass
            return action
        if kind == s.ACT:
            return next((a for a in legal if a.verb in ("activate", "fight")), legal[0])
        likely = [a for a in legal if a.verb in ("assign", "recover", "recruit")]
        if likely and chance.random() < 0.7:
            return chance.choice(likely)
        return super().choose()

    def do(self, action: Action) -> None:
        """Let a hand or the phone do ``action``, and hold what the camera tells against it."""
        if self._trouble and self._chance.random() < 0.05:
            self.camera.troubles = random_event(self.camera.troubles, self._chance)
        kind = self.state.awaited[0]
        text = GAME.format(action)
        by_hand = action.verb in BY_HAND and action.detail
        if by_hand and (kind != s.ENGAGE or self._chance.random() < 0.3):
            self._carry(action)
            if action.verb == "engage":
                self._thrown(action)
                return
            self._watch(text)
        else:
            self.table.play(action, "phone")
        super().do(action)
        if self.state.awaited[0] == s.ROLL:
            self._rolled()
        elif not GAME.outcome(self.state):
            self._tidy()
        self._compare()

    def _compare(self) -> None:
        if self.table.state != self.state:
            self.counts["wrong"] += 1
            raise Lost(f"the table is at {self.table.actions[-2:]}")

    def _thrown(self, engage: Action) -> None:
        """Throw dice that join at once, without a word."""
        numbers = self._numbers(engage.detail.split(), "reserve")
        text = GAME.format(engage)
        roll = self._throw([*numbers, *self._numbers_in_play(numbers)])
        self._watch(text, roll)
        RandomGame.do(self, engage)
        RandomGame.do(self, GAME.parse(self.setup, roll))
        self._compare()

    def _rolled(self) -> None:
        """Throw all active dice."""
        colours = [die.split()[0] for die in GAME.dice(self.state)["active"]]
        roll = self._throw(self._numbers(colours, "active"))
        self._watch(roll)
        RandomGame.do(self, GAME.parse(self.setup, roll))
        self._compare()

    def _numbers_in_play(self, others: list[int]) -> list[int]:
        return [n for n in range(17) if self.dice.zone(n) == "active" and n not in others]

    def _throw(self, numbers: list[int]) -> str:
        """Throw dice, and return the roll that they show; some may come to lie askew."""
        self.dice.throw(numbers)
        self.counts["rolls"] += 1
        self.counts["dice"] += len(numbers)
        if self._trouble and self._chance.random() < 0.1:
            self.dice.tip(self._chance.choice(numbers))
            self.counts["on edge"] += 1
        elif self._trouble and len(numbers) > 1 and self._chance.random() < 0.05:
            self.dice.stack(*self._chance.sample(numbers, 2))
            self.counts["on another"] += 1
        shown = [self.dice.dice[n].shows.replace(" ", "=") for n in numbers]
        return GAME.format(GAME.parse(self.setup, "roll " + " ".join(shown)))

    def _numbers(self, colours: list[str], first: str, face: str = "") -> list[int]:
        """Return dice of ``colours``: from zone ``first``, else from the reserve."""
        found: list[int] = []
        for colour in colours:
            mine = [n for n, c in enumerate(self.dice.colours) if c == colour and n not in found]
            lie = [n for n in mine if self.dice.zone(n) == first
                   and self.dice.dice[n].shows.endswith(face)]  # fmt: skip
            found.append((lie or [n for n in mine if self.dice.zone(n) == "reserve"])[0])
        return found

    def _carry(self, action: Action) -> None:
        """Carry the dice of an action; those that join are thrown by the caller."""
        if action.verb == "assign":
            colour, face, enemy = read_assignment(action.detail)
            place = next(n for n, e in enumerate(self.state.enemies) if e.card == enemy)
            (number,) = self._numbers([COLOURS[colour]], "active", s_face(face))
            self.dice.carry(number, place_of(place))
        elif action.verb == "dismiss":
            colour_name, zone = action.detail.split()
            self.dice.carry(self._numbers([colour_name], zone)[0], "training")
        elif action.verb in ("recover", "recruit"):
            origin = "exhausted" if action.verb == "recover" else "training"
            for number in self._numbers(action.detail.split(), origin):
                self.dice.carry(number, "reserve")

    def _tidy(self) -> None:
        """Put the dice where the game has them, as a player does after a fight."""
        before = self.dice.dice
        self.dice.lay(GAME.dice(self.state))
        if self.dice.dice != before:
            self._watch("")


def s_face(face: int) -> str:
    """Return the word for a face."""
    return ("blank", "hit", "crit")[face]


def play(seed: int, trouble: bool = True, most: int = 60, kept: Any = None) -> TrayGame:
    """Play a game for ``most`` actions, as far as it is read rightly, and return it."""
    game = TrayGame(seed, trouble, kept)
    game.counts["games"] += 1
    try:
        while GAME.outcome(game.state) is None and game.figures.actions < most:
            game.do(game.choose())
    except Lost as lost:
        game.failures.append(str(lost))
    game.counts["actions"] += game.figures.actions
    return game
