"""Rounds of Victory & Honor played by hands on a simulated table and read by its camera.

Used by a short test (vision/test_card_reader.py) and at length by soak/soak_card_table.py.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from companion.journal import Journal
from companion.live.replay import carry_out
from companion.rules import Action
from companion.simulation.table_camera import Glow, SimulatedCamera, SimulatedTable, Troubles
from companion.simulation.troubles import random_event, random_troubles
from companion.table import Table
from tests.checks.card_rounds import GAME, OPTIONS, Round
from tests.checks.copies import copied
from tests.checks.other_cards import OtherCards
from vision.board.optics import CameraView, fit_view
from vision.cards.card_reader import CardReader
from vision.decoding.reading import Reading
from vision.frames import Image

SIZES = ((1640, 1232), (1280, 960))
CARD_MM = 0.5
PATIENCE = 16
"""Looks at a still table within which what happened must be told."""


def _dark(at: float) -> dict[str, tuple[int, int, int]]:
    return {}


def veiled(image: Image, chance: random.Random) -> Image:
    """Return the picture with the light of a lamp laid over a part of it."""
    height, width = image.shape[:2]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    x0, y0 = chance.uniform(0.1, 0.9) * width, chance.uniform(0.1, 0.9) * height
    reach = chance.uniform(0.12, 0.5) * width
    veil = np.exp(-((x - x0) ** 2 + (y - y0) ** 2) / (2 * reach**2)) * chance.uniform(20, 110)
    tint = np.array([0.8, 0.92, 1.0], np.float32)
    return np.clip(image + veil[..., None] * tint, 0, 255).astype(np.uint8)


class Lost(Exception):
    """The reading went wrong; the round cannot go on."""


class CardEvening(Round):
    """A round that a camera watches. ``trouble``: light, noise, bumps and skewed cards as they
    come; ``counts`` says how the cards were read. ``others``: cards of :mod:`other_cards` may lie
    on the table, too; ``glow`` shines under the places; ``soft``: a webcam to which a card is 75 to
    105 pixels wide, with blur, noise, JPEG of quality 60 and at times the veil of a lamp."""

    def __init__(
        self,
        seed: int,
        trouble: bool = True,
        size: tuple[int, int] = SIZES[0],
        others: bool = False,
        glow: Glow = _dark,
        soft: bool = False,
    ) -> None:
        self.counts: Counter[str] = Counter()
        self.failures: list[str] = []
        self._chance = random.Random(f"card table {seed}")
        setup = GAME.setup(options=OPTIONS[seed % len(OPTIONS)])
        game: Any = OtherCards() if others else GAME
        self.cards = SimulatedTable(game, setup, {}, seed=seed, tidy=0.75)
        self._trouble, self._glow = trouble, glow
        tilt = self._chance.uniform(0, 28) if trouble else 12.0
        if soft:
            scale = self._chance.uniform(0.85, 1.15)
            size = (round(1280 * scale / 8) * 8, round(960 * scale / 8) * 8)
        view = fit_view(self.cards.board, CameraView(image_size=size, tilt=tilt, thickness=CARD_MM))
        troubles = random_troubles(self._chance) if trouble else Troubles()
        if trouble and self._chance.random() < 0.3:
            troubles = replace(troubles, gloss=self._chance.uniform(0.2, 1.0))
        if soft:
            troubles = replace(troubles, blur=self._chance.uniform(0.7, 1.5),
                               noise=self._chance.uniform(2, 7), jpeg=60)  # fmt: skip
        self._veil = seed if soft and self._chance.random() < 0.5 else None
        self._ticks = self._clock()
        self.camera = SimulatedCamera(
            self.cards, view, troubles, seed=seed, clock=lambda: next(self._ticks), glow=glow
        )
        self.table: Table[Any] = Table.create(Journal(":memory:"), GAME, setup)
        self.reader: CardReader[Any] = CardReader(GAME, setup, self.camera.table_file(), live=True)
        super().__init__(seed, 0.0, setup)
        self.watch()

    def copy(self) -> CardEvening:
        """Return a round that begins as this one, which nobody may have played."""
        assert not self.table.actions
        table: Table[Any] = Table.create(Journal(":memory:"), GAME, self.table.setup)
        return copied(self, {id(self.table): table, id(self._ticks): self._ticks})

    @staticmethod
    def _clock() -> Iterator[float]:
        at = 0.0
        while True:
            yield at
            at += 0.1

    def watch(self, wanted: int | None = None) -> None:
        """Read frames until the hand is gone and ``wanted`` actions stand."""
        for _ in range(40):
            self._read()
            if not (self.camera.busy or self.camera.hand_in_view):
                break
        for _ in range(PATIENCE):
            if wanted is None or len(self.table.actions) >= wanted:
                return
            if asks := self._read().asks:
                self._answer([GAME.format(steps[0].action) for steps in asks])

    def _read(self) -> Reading:
        reading = self.reader.read(self._frame(), self.table.past)
        carry_out(self.table, reading.steps)
        return reading

    def _answer(self, asked: list[str]) -> None:
        """Answer the camera's question by phone, as the table shows."""
        self.counts["asked"] += 1
        self.counts["asked with the right card first"] += asked[0] == self._true
        self.table.play(GAME.parse(self.table.setup, self._true), "referee")

    def _frame(self) -> Any:
        frame = self.camera.read()
        self.counts["frames"] += 1
        assert frame is not None
        if self._veil is not None and frame.image is not None:
            frame = replace(frame, image=veiled(frame.image, random.Random(self._veil)))
        return replace(frame, lit=self._glow(frame.at))

    def do(self, action: Action) -> None:
        """Let a hand or a voice do ``action``, and hold what the camera makes of it against it."""
        self._true = GAME.format(action)
        if action.verb == "place":
            spot, token = str(action.target), action.detail
            if spot in self.cards.position:
                self.cards.flip(spot, token)
            else:
                self.cards.put(spot, token)
                if self._chance.random() < 0.5:
                    self.cards.nudge(spot, 0.0, 0.0, self._chance.choice((90.0, 180.0, 270.0)))
            if self._trouble:
                self._happen(spot)
            self.counts["cards"] += 1
        elif action.verb == "gather":
            for spot in list(self.cards.position):
                self.cards.remove(spot)
        else:
            self.table.play(action, "phone")
        self.watch(len(self.table.actions) if action.verb not in ("place", "gather") else
                   len(self.state.log) + self.state.beginning.ply + 1)  # fmt: skip
        super().do(action)
        self._compare()

    def _happen(self, spot: str) -> None:
        """Let something happen to the light, the camera or the card that was laid on ``spot``."""
        camera, chance = self.camera, self._chance.random()
        if chance < 0.04:
            camera.troubles = random_event(camera.troubles, self._chance)
        elif chance < 0.10:
            camera.troubles = replace(camera.troubles, glare=spot)
            self.counts["under glare"] += 1
        elif chance < 0.16:
            self.rest_a_hand(spot, self._chance.randint(4, 12))
        elif chance < 0.26:
            camera.troubles = replace(camera.troubles, glare=None)

    def rest_a_hand(self, spot: str, looks: int) -> None:
        """Keep a hand half over the card on ``spot``: it is told rightly or not at all."""
        self.counts["under a hand"] += 1
        self.camera.troubles = replace(self.camera.troubles, resting=spot)
        stood, asked = len(self.table.actions), False
        while self.camera.busy:
            self._read()
        for _ in range(looks):
            asked = bool(self._read().asks) or asked
        self.counts["asked under a hand"] += asked
        told = [GAME.format(action) for action in self.table.actions[stood:]]
        if told not in ([], [self._true]):
            self._fail("wrong", told)
        self.camera.troubles = replace(self.camera.troubles, resting=None)

    def _fail(self, kind: str, told: list[str]) -> None:
        self.counts[kind] += 1
        refused = [e.action for e in self.table.events() if e.kind == "refused"][-1:]
        self.failures.append(f"{kind}: {self._true}, told {told[-2:]}, refused {refused}, "
                             f"{self.camera.troubles}")  # fmt: skip
        raise Lost(self.failures[-1])

    def _compare(self) -> None:
        told = [GAME.format(action) for action in self.table.actions]
        true = [GAME.format(action) for action in self.state.log]
        if told == true:
            return
        self._fail("missed" if told == true[: len(told)] else "wrong", told)


def evening(seed: int, trouble: bool = True, soft: bool = False) -> CardEvening:
    """Play one round, as far as it is read rightly, and return it."""
    played = CardEvening(seed, trouble, SIZES[seed % 2], soft=soft)
    played.counts["rounds"] += 1
    try:
        played.play()
        played.counts["whole"] += 1
    except Lost:
        pass
    refused = sum(event.kind == "refused" for event in played.table.events())
    played.counts["refused"] += refused
    return played
