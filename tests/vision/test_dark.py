"""Lights under the board: known to the reader, and put out for a look where they leave a doubt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from companion.games import find_game
from companion.simulation.table_camera import SimulatedCamera, SimulatedTable
from companion.simulation.troubles import Troubles
from tests.checks.repainted import repainted
from vision.board.optics import CameraView, fit_view
from vision.decoding.dark import PATIENCE, Dark
from vision.decoding.reader import Reader
from vision.decoding.reading import Reading
from vision.frames import Frame, Image

WHITE, GREEN = (255, 255, 255), (0, 220, 70)
BLANK = np.zeros((4, 4, 3), np.uint8)


class LitTable:
    """A game of Victorus on a simulated table with lights; pictures tell what is lit, if
    ``told``. On ``pale`` tokens a light shines through."""

    def __init__(self, told: bool = True, pale: bool = False) -> None:
        self.game: Any = find_game("victorus")
        if pale:
            self.game = painted(self.game)
        setup = self.game.setup(("red", "orange", "blue"))
        self.past = [self.game.start(setup)]
        self.lights: dict[str, tuple[int, int, int]] = {}
        self._told, self._at = told, 0.0
        self.spoil: Callable[[Image], Image] = lambda image: image
        self.table = SimulatedTable(self.game, setup, self.game.expect(self.past[0]), seed=5)
        view = fit_view(self.table.board, CameraView(image_size=(960, 720)))
        self.camera = SimulatedCamera(
            self.table, view, Troubles(hand_frames=0), clock=lambda: self._at,
            glow=lambda at: self.lights,
        )  # fmt: skip
        self.reader: Reader[Any] = Reader(self.game, setup, self.camera.table_file())
        self.look()

    def look(self) -> Reading:
        """Read one picture without a hand; single pictures come seconds apart."""
        self._at += 5.0
        frame = self.camera.read()
        while self.camera.busy:
            frame = self.camera.read()
        assert frame is not None
        lit, image = dict(self.lights) if self._told else None, self.spoil(frame.image)
        reading = self.reader.read(replace(frame, lit=lit, image=image), tuple(self.past))
        for step in (step for step in reading.steps if step.legal):
            self.past.append(self.game.apply(self.past[-1], step.action))
        return reading


def painted(game: Any) -> Any:
    """Return the game with pale tokens."""
    return repainted(game, "pale")


def frame(at: float, lit: Any) -> Frame:
    return Frame(BLANK, at, lit=lit)


@pytest.mark.parametrize("told", [True, False])
def test_lights_under_empty_spots_are_no_tokens_whether_told_of_or_not(told: bool) -> None:
    table = LitTable(told)
    table.lights = dict.fromkeys(("g3", "g4", "h4", "i5", "c6"), GREEN)
    reading = table.look()
    assert reading.still
    assert (reading.steps, reading.differs, reading.dark) == ((), (), False)


def test_a_lifted_token_leaves_a_lit_spot_that_is_plainly_bare() -> None:
    table = LitTable()
    table.lights = {"g1": (40, 40, 60)}
    table.look()
    table.table.lift("g1")
    reading = table.look()
    assert reading.lifted == "g1"
    assert not reading.dark


def test_what_light_spoils_is_looked_at_again_in_the_dark_before_it_is_believed() -> None:
    table = LitTable(pale=True)
    table.lights = {"g3": WHITE}
    table.look()
    table.table.move("g1", "g3")
    reading = table.look()
    assert reading.dark
    assert not reading.still
    assert reading.steps == ()
    table.lights = {}
    reading = table.look()
    assert [str(step.action) for step in reading.steps] == ["g1-g3"]
    assert not reading.dark


def test_lights_that_do_not_go_out_are_read_by() -> None:
    table = LitTable(pale=True)
    table.lights = {"g3": WHITE}
    table.look()
    table.table.move("g1", "g3")
    assert table.look().dark
    assert not table.look().dark


def test_a_token_that_landed_on_a_light_is_read_where_lights_shine_under_bare_spots() -> None:
    table = LitTable(told=False, pale=True)
    table.table.move("g1", "g4")
    table.lights = dict.fromkeys(("g4", "i5", "e6"), WHITE)
    reading = table.look()
    assert [(str(step.action), step.legal) for step in reading.steps] == [("g1-g4", False)]


def test_a_dark_picture_answers_for_the_same_lights_until_a_hand_comes() -> None:
    game: Any = find_game("victorus")
    dark = Dark(game.board(game.setup(("red", "orange", "blue"))))
    dark.begin(frame(0.0, {"g3": GREEN}))
    assert dark.ask({"g3"})
    dark.begin(frame(0.1, {}))
    assert not dark.ask({"g3"})
    dark.begin(frame(0.2, {"g3": GREEN}))
    assert dark.cleared({"g3", "h4"}) == {"g3"}
    dark.disturb()
    assert dark.cleared({"g3"}) == frozenset()


def test_an_answer_does_not_hold_for_other_lights() -> None:
    game: Any = find_game("victorus")
    dark = Dark(game.board(game.setup(("red", "orange", "blue"))))
    dark.begin(frame(0.0, {"g3": GREEN}))
    assert dark.ask({"g3"})
    dark.begin(frame(0.1, {}))
    dark.begin(frame(0.2, {"g3": GREEN, "h4": GREEN}))
    assert dark.cleared({"g3"}) == frozenset()
    assert dark.under_light({"g3", "h3", "a1"}) == {"g3", "h3"}


def test_a_game_begins_with_a_picture_without_lights() -> None:
    table = LitTable()
    live: Reader[Any] = Reader(table.game, table.table.setup, table.camera.table_file(), live=True)
    picture = table.camera.read()
    assert picture is not None
    lit = {"g1": GREEN}
    readings = [
        live.read(replace(picture, at=100 + n / 10, lit=lit if n < 3 else {}), tuple(table.past))
        for n in range(4)
    ]
    assert [reading.dark for reading in readings] == [False, True, True, False]
    assert readings[-1].position == table.game.expect(table.past[0])


def test_one_more_dark_picture_may_be_asked_for_and_lights_have_a_second_to_go_out() -> None:
    game: Any = find_game("victorus")
    dark = Dark(game.board(game.setup(("red", "orange", "blue"))))
    assert not dark.again()
    dark.begin(frame(0.0, {"g3": GREEN}))
    assert dark.ask({"g3"})
    dark.begin(frame(0.1, None))
    assert dark.waits
    assert dark.again()
    dark.begin(frame(1.0, {"g3": GREEN}))
    assert dark.ask({"g3"})
    dark.begin(frame(1.3 + PATIENCE, {"g3": GREEN}))
    assert not dark.ask({"g3"})


@pytest.mark.slow
def test_a_light_that_goes_out_under_a_large_square_is_no_motion_in_a_film() -> None:
    game: Any = find_game("chess")
    setup = game.setup()
    past = [game.start(setup)]
    past.append(game.apply(past[0], game.parse(setup, "g1-f3")))
    table = SimulatedTable(game, setup, game.expect(past[-1]))
    at, lit = 0.0, {"g8": (40, 40, 60), "f6": GREEN, "h6": GREEN}
    camera = SimulatedCamera(
        table, fit_view(table.board, CameraView()), Troubles(hand_frames=2), clock=lambda: at,
        glow=lambda _: lit,
    )  # fmt: skip
    reader: Reader[Any] = Reader(game, setup, camera.table_file())
    dark, told = False, []
    for number in range(40):
        at += 0.1
        if number == 5:
            table.lift("g8")
        if number == 15:
            table.drop("f6")
        lit = {} if dark or not 8 <= number < 30 else {"g8": (40, 40, 60), "f6": GREEN, "h6": GREEN}
        picture = camera.read()
        assert picture is not None
        reading = reader.read(replace(picture, lit=dict(lit)), tuple(past))
        dark = reading.dark
        told += [(str(step.action), number < 30) for step in reading.steps]
        past += [game.apply(past[-1], step.action) for step in reading.steps]
    assert told == [("g8-f6", True)]
