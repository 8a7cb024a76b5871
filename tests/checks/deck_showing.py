"""A deck of another make shown to the camera: a hand lays the cards, a phone presses the button of
the real page. Used by a short test (companion/test_showing_a_deck.py) and by soak/soak_deck.py.
"""

from __future__ import annotations

import html
import random
import re
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import web
from companion.games.victory_honor import GAME
from companion.journal import Journal
from companion.live.face_file import FaceFile
from companion.live.service import Service
from companion.simulation.table_camera import SimulatedCamera, SimulatedTable
from companion.simulation.troubles import Troubles, random_troubles
from companion.table import Table
from tests.checks.other_cards import OTHER, OtherCards
from vision.board.optics import CameraView, fit_view

FRAMES_PER_SECOND = 10
PATIENCE = 9
"""Complaints after which nobody would go on."""
CARD = re.compile(r'data-place="([a-z]+\.\w+)".*?<span>(.*?)</span>', re.DOTALL)


class Showing:
    """A table whose deck the camera does not know, and a phone at its page.

    ``frames`` counts the pictures taken, ``taps`` the presses of the phone. ``hand_frames`` is how
    many pictures a hand is in for every card.
    """

    def __init__(self, folder: Path, seed: int = 0, trouble: bool = False, hand: int = 0) -> None:
        self._chance = random.Random(f"deck {seed}")
        setup, other = GAME.setup(), OtherCards()
        self.cards = SimulatedTable(other, setup, {}, seed=seed, tidy=0.75)  # type: ignore[arg-type]
        self.frames = self.taps = 0
        view = fit_view(
            self.cards.board, CameraView(image_size=(1280, 960), tilt=12.0, thickness=0.5)
        )
        light = random_troubles(self._chance) if trouble else Troubles()
        self.camera = SimulatedCamera(
            self.cards, view, light, seed=seed, clock=lambda: self.frames / FRAMES_PER_SECOND
        )
        self.camera.troubles = replace(light, hand_frames=hand)
        self.table: Table[Any] = Table.create(Journal(":memory:"), GAME, setup)
        self.faces = FaceFile(folder / "game.faces.npz", GAME.name)
        file = self.camera.table_file()
        self.service: Service[Any] = Service(
            self.table, file, self.camera, lambda moment: None, lambda: None, faces=self.faces
        )
        # A test's clock: the phone may press as often as it has to.
        app = web.create_app(
            self.table, config=web.Config(clock=lambda: float(self.frames)), eyes=self.service
        )
        self._phone, self._keys = app.test_client(), count(1)
        self._send("/api/join", code=web.invitation(app).partition("#")[2])
        self._names = {GAME.spoken(token): token for token in (*GAME.tokens(setup), "back")}

    def look(self, more: int) -> None:
        """Take pictures until no hand is in view, and ``more`` after that."""
        while more > 0:
            self.service.look()
            self.frames += 1
            more -= not (self.camera.busy or self.camera.hand_in_view)

    def asked(self, batch: int) -> dict[str, str]:
        """Return which card the page asks for on which place."""
        page = self._phone.get(f"/deck?batch={batch}").text
        return {spot: self._names[html.unescape(said)] for spot, said in CARD.findall(page)}

    def lay(self, tokens: dict[str, str]) -> None:
        """Let a hand clear the table and lay cards of the other make on it."""
        self.cards.lay({})
        for spot, token in tokens.items():
            self.cards.put(spot, OTHER + token)
            self.cards.nudge(spot, 0.0, 0.0, self._chance.choice((0.0, 90.0, 180.0, 270.0)))
        self.look(2)

    def press(self, batch: int) -> Any:
        """Press the page's button and return the answer."""
        self.taps += 1
        return self._send("/api/deck", batch=batch)

    def go_on(self) -> None:
        """Press the button with which the game goes on."""
        self.taps += 1
        answer = self._send("/api/pause", state_id=self.table.state_id, paused=False)
        assert answer.status_code == 200, answer.text

    def show_all(self) -> list[str]:
        """Show the whole deck as the page asks, and return what the page complained of."""
        complaints, batch = [], 0
        self.look(2)
        while tokens := self.asked(batch):
            self.lay(tokens)
            while (answer := self.press(batch)).status_code != 200:
                complaints.append(answer.json["error"]["message"])
                assert len(complaints) < PATIENCE, complaints
                self.look(2)
            batch += 1
        self.go_on()
        self.cards.lay({})
        self.look(2)
        return complaints

    def _send(self, path: str, **body: object) -> Any:
        sent = {"key": f"a-key-of-its-own-{next(self._keys)}", **body}
        return self._phone.post(path, json=sent, headers={"Origin": "http://localhost"})
