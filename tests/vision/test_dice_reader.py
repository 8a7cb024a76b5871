"""Dice on a mat become actions: thrown, refused, asked about; nothing is passed by the camera."""

from __future__ import annotations

from itertools import count

import pytest

from companion.games import find_game
from companion.rules import BadInput
from companion.simulation.dice_camera import SimulatedDiceCamera
from companion.simulation.troubles import Troubles
from companion.simulation.tumbling_dice import SimulatedDice
from tests.checks.copies import copied
from vision.board.optics import CameraView
from vision.dice.dice_reader import DiceReader
from vision.frames import Frame
from vision.readers import open_reader

GAME = find_game("hoplomachus")
SETUP = GAME.setup()
MAT = GAME.mat(SETUP)
SMALL = CameraView(image_size=(1024, 768), tilt=12.0)


def play(state, *texts):
    for text in texts:
        state = GAME.apply(state, GAME.parse(SETUP, text))
    return state


def rolling():
    """Return a game in which a yellow and a blue die are to be rolled."""
    start = GAME.start(SETUP)
    state = play(start, f"hero {start.offered[0]}", "tactic Rally", "move 1.1", "activate")
    while state.awaited[0] != "engage":
        state = GAME.advance(state, GAME.legal(state)[0])
    return play(state, "engage yellow blue")


class Table:
    """A mat before a simulated camera, and a reader that was shown the faces."""

    def __init__(self, kept=None):
        ticks = count()
        self.past = [rolling()]
        before = GAME.start(SETUP)
        self.dice = SimulatedDice(MAT, GAME.dice(before), seed=2)
        self.camera = SimulatedDiceCamera(
            self.dice, SMALL, Troubles(hand_frames=2, noise=1.5), clock=lambda: next(ticks) / 10
        )
        self.reader = open_reader(GAME, SETUP, self.camera.table_file(), live=True)
        if kept is None:
            self.camera.show_faces(self.reader.teach)
        else:
            self.reader.recall(kept)

    def number(self, colour, zone):
        """Return a die of ``colour`` in ``zone``."""
        return next(
            n for n, c in enumerate(self.dice.colours) if c == colour and self.dice.zone(n) == zone
        )

    def throw(self, *colours):
        self.dice.throw([self.number(colour, "reserve") for colour in colours])

    def shown(self, zone="active"):
        """Return what really lies in a zone, as the game writes it."""
        dice = [d.shows for n, d in enumerate(self.dice.dice) if self.dice.zone(n) == zone]
        return GAME.format(GAME.parse(SETUP, "roll " + " ".join(d.replace(" ", "=") for d in dice)))

    def look(self):
        """Read frames until one is still again, and return what it says."""
        for _ in range(30):
            reading = self.reader.read(self.camera.read(), self.past)
            if reading.still and not self.camera.busy:
                return reading
        raise AssertionError(reading)


@pytest.fixture(scope="module")
def kept():
    """What was learned of the faces, once."""
    return Table().reader.tray.to_arrays()


@pytest.fixture(scope="module")
def begun(kept):
    """A table that was looked at once."""
    table = Table(kept)
    table.look()
    return table


@pytest.fixture
def table(begun):
    return copied(begun)


def steps(reading):
    return [GAME.format(step.action) for step in reading.steps]


def asks(reading):
    return [[GAME.format(step.action) for step in way] for way in reading.asks]


@pytest.mark.slow
def test_a_throw_is_the_roll_once(table):
    table.throw("yellow", "blue")
    reading = table.look()
    assert steps(reading) == [table.shown()]
    assert all(step.legal for step in reading.steps)
    table.past.append(play(table.past[-1], *steps(reading)))
    again = table.look()
    assert (again.steps, again.differs, again.message) == ((), (), "")


@pytest.mark.slow
def test_a_throw_says_what_every_die_showed_and_what_was_weighed(table):
    table.throw("yellow", "blue")
    trace = table.reader.why(table.look())
    assert trace.verdict == "took"
    assert any("changed" in die.marks for die in trace.spots)
    assert all(die.candidates and len(die.outline) == 4 for die in trace.spots)
    assert trace.searches[0].hypotheses[0].p > 0.99


@pytest.mark.slow
def test_nothing_is_told_before_the_dice_are_thrown(table):
    reading = table.look()
    assert (reading.steps, reading.asks) == ((), ())
    assert reading.message == "Still to be rolled: yellow: 1, blue: 1."


@pytest.mark.thorough
def test_a_throw_with_a_wrong_die_is_refused_once_and_says_which(table):
    table.throw("yellow", "green")
    reading = table.look()
    assert steps(reading) == [table.shown()]
    assert not reading.steps[0].legal
    assert reading.message == "These are no active dice: green: 1. Missing: blue: 1."
    assert reading.differs == ("active",)
    again = table.look()
    assert (again.steps, again.message) == ((), reading.message)


@pytest.mark.thorough
def test_a_die_on_its_edge_is_asked_about_with_what_it_may_show_first(table):
    table.throw("yellow", "blue")
    table.dice.tip(next(n for n, d in enumerate(table.dice.dice) if d.shows.startswith("blue")
                        and table.dice.zone(n) == "active"))  # fmt: skip
    reading = table.look()
    assert reading.steps == ()
    assert reading.message == "Not every die is certain. What do they show?"
    answers = asks(reading)
    assert [table.shown()] in answers
    yellow = table.shown().split()[1]
    assert all(way[0].startswith(f"roll {yellow} blue=") for way in answers)
    assert all(step.legal for way in reading.asks for step in way)


def test_a_die_that_lies_askew_where_faces_do_not_matter_is_not_asked_about(table):
    table.dice.tip(table.number("red", "reserve"))
    reading = table.look()
    assert (reading.asks, reading.differs) == ((), ())


@pytest.mark.slow
def test_many_dice_that_cannot_be_told_are_to_be_laid_flat(table):
    for colour in ("green", "purple"):
        for zone in ("reserve", "training"):
            table.dice.tip(table.number(colour, zone))
    reading = table.look()
    assert reading.message == "4 of the dice cannot be told; lay them flat, or throw them again."
    assert reading.differs == ("reserve", "training")


@pytest.mark.slow
def test_a_die_on_its_edge_that_was_told_stays_what_was_told(table):
    table.throw("yellow", "blue")
    number = next(n for n, d in enumerate(table.dice.dice) if d.shows.startswith("blue")
                  and table.dice.zone(n) == "active")  # fmt: skip
    table.dice.tip(number)
    table.look()
    table.past.append(play(table.past[-1], table.shown().replace("blue=blank", "blue=hit")))
    table.look()
    yellow = next(n for n, c in enumerate(table.dice.colours)
                  if c == "yellow" and table.dice.zone(n) == "active")  # fmt: skip
    table.dice.carry(yellow, "exhausted")
    reading = table.look()
    assert (reading.asks, reading.differs) == ((), ("active", "exhausted"))
    assert reading.message == "Active dice: put there yellow: 1."


def test_dice_thrown_while_joining_are_asked_about(table):
    table.past[-1] = GAME.start(SETUP)._replace(stage="engage", strategy=2)
    table.look()
    table.throw("yellow", "blue")
    assert asks(table.look()) == [["engage yellow blue", table.shown()], ["engage yellow blue"]]


@pytest.mark.slow
def test_a_roll_told_on_the_phone_is_not_told_again(table):
    table.throw("yellow", "blue")
    table.past.append(play(table.past[-1], table.shown()))
    assert table.look().steps == ()


def test_no_picture_and_a_mat_that_is_not_there_are_said(table):
    lost = table.reader.read(Frame(None, 100.0, "x", "the camera is gone"), table.past)
    assert (lost.still, lost.message) == (False, "the camera is gone")
    blind = open_reader(GAME, SETUP, {})
    assert isinstance(blind, DiceReader)
    assert blind.camera is None
    picture = table.camera.read()
    assert "does not know these dice" in blind.read(picture, table.past).message


def test_faces_are_kept_and_must_fit(kept):
    reader = open_reader(GAME, SETUP, {})
    reader.recall(kept)
    assert set(MAT.faces) <= set(reader.tray.faces)
    with pytest.raises(BadInput):
        reader.recall({})


@pytest.mark.slow
def test_dice_thrown_while_the_faces_are_shown_disturb_nothing():
    dice = SimulatedDice(MAT, GAME.dice(GAME.start(SETUP)), seed=2)
    camera = SimulatedDiceCamera(dice, SMALL, Troubles(hand_frames=2), clock=lambda: 0.0)
    reader = open_reader(GAME, SETUP, camera.table_file(), live=True)
    learned = []

    def learn(image, faces):
        learned.append(faces)
        dice.throw([0])
        reader.teach(image, faces)

    dice.throw([1, 2])
    camera.show_faces(learn)
    assert len(learned) == len(MAT.shows)
    assert dice.zone(0) == MAT.thrown, "what hands did meanwhile stays done"
