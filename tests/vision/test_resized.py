"""A camera that sends pictures of another size is another camera: the board is found anew."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.games import find_game
from companion.simulation.dice_camera import SimulatedDiceCamera
from companion.simulation.troubles import Troubles
from companion.simulation.tumbling_dice import SimulatedDice
from tests.checks.card_evenings import CardEvening
from vision.board.optics import CameraView
from vision.dice.dice_reader import DiceReader
from vision.frames import Frame
from vision.readers import open_reader

SIZES = [(1280, 960), (720, 540), (2000, 1500)]
NARROW = (960, 540)
TINY = [(1, 1), (2, 1), (7, 5), (16, 12), (64, 48), (960, 8), (8, 720)]


def resized(frame, size):
    image = cv2.resize(frame.image, size, interpolation=cv2.INTER_AREA)
    return replace(frame, image=image)


def cropped(frame, size):
    """The middle of the picture, as another mode of the sensor shows it."""
    height, width = frame.image.shape[:2]
    x, y = (width - size[0]) // 2, (height - size[1]) // 2
    return replace(frame, image=frame.image[y : y + size[1], x : x + size[0]].copy())


def told(reading):
    return [str(step.action) for step in reading.steps]


def settle(game, change):
    for _ in range(3):
        reading = game.read(change(game.settled()))
    return reading


@pytest.mark.thorough
@pytest.mark.parametrize("marks", ["markers", "taps"])
@pytest.mark.parametrize("size", SIZES)
def test_the_game_goes_on_in_smaller_and_larger_pictures(play, marks, size):
    game = play(view=CameraView(image_size=(960, 720), marks=marks))
    assert told(game.move("g1-g3")) == ["g1-g3"]
    reading = settle(game, lambda frame: resized(frame, size))
    assert (reading.still, reading.steps, reading.differs) == (True, (), ())
    game.camera.table.move("d10", "f10")
    assert told(settle_steps(game, size)) == ["d10-f10"]


def settle_steps(game, size):
    """Return the first of some readings that tells a step."""
    readings = [game.read(resized(game.settled(), size)) for _ in range(3)]
    return next(reading for reading in readings if reading.steps)


def test_the_old_size_comes_back_like_any_other(play):
    game = play()
    settle(game, lambda frame: resized(frame, (640, 480)))
    reading = settle(game, lambda frame: frame)
    assert (reading.still, reading.differs) == (True, ())
    assert told(game.move("g1-g3")) == ["g1-g3"]


def test_a_board_that_was_shoved_is_found_again_in_another_size(play):
    game = play(view=CameraView(image_size=(960, 720), marks="taps"))
    game.camera.troubles = replace(game.camera.troubles, bump_mm=(14.0, -9.0, 3.0))
    settle(game, lambda frame: frame)
    reading = settle(game, lambda frame: resized(frame, (1280, 960)))
    assert (reading.still, reading.differs) == (True, ())
    game.camera.table.move("g1", "g3")
    assert told(settle_steps(game, (1280, 960))) == ["g1-g3"]


def test_a_board_kicked_and_a_new_size_at_once_end_in_no_fault(play):
    game = play()
    game.camera.troubles = replace(game.camera.troubles, bump_mm=(60.0, 40.0, 9.0))
    for size in ((640, 480), (960, 720), (1280, 720), (960, 720)):
        reading = settle(game, lambda frame, size=size: resized(frame, size))
        assert reading.steps == ()


def test_other_proportions_ask_for_a_calibration_in_one_sentence(play):
    game = play(view=CameraView(image_size=(960, 720), marks="taps"))
    reading = game.read(cropped(game.settled(), NARROW))
    assert not reading.still
    assert "960 x 540" in reading.message
    assert "960 x 720" in reading.message
    assert "calibrate" in reading.message
    assert told(game.move("g1-g3")) == ["g1-g3"], "the camera came back as it was"


def test_markers_are_found_again_in_other_proportions(play):
    game = play(view=CameraView(image_size=(960, 720), marks="markers"))

    def wider(frame):
        bars = np.zeros((720, 160, 3), np.uint8)
        return replace(frame, image=np.concatenate([bars, frame.image, bars], 1))

    reading = settle(game, wider)
    assert (reading.still, reading.differs) == (True, ())


@pytest.mark.parametrize("marks", ["markers", "taps"])
@pytest.mark.parametrize("size", [*TINY, (4, 3), (40, 30)])
def test_pictures_too_small_for_anything_are_no_fault(play, size, marks):
    game = play(view=CameraView(image_size=(960, 720), marks=marks))
    assert game.read(resized(game.settled(), size)).steps == ()
    assert game.read(resized(game.settled(), size)).message
    assert settle(game, lambda frame: frame).still


@pytest.mark.parametrize("name", ["invictus", "chess"])
def test_dice_and_men_are_known_in_another_size(play, name):
    game = play(name=name)
    reading = settle(game, lambda frame: resized(frame, (1280, 960)))
    assert (reading.still, reading.differs, reading.steps) == (True, (), ())


@pytest.fixture(scope="module")
def untouched():
    return CardEvening(0, trouble=False, size=(1280, 960))


class TestCards:
    @pytest.fixture
    def table(self, untouched):
        return untouched.copy()

    def test_cards_are_read_on(self, table):
        table.cards.put("south.L", "red 7")
        table.watch()
        read = table.camera.read

        def smaller():
            return resized(read(), (1600, 1200))

        table.camera.read = smaller
        table.cards.put("west.C", "blue 2")
        table.watch(2)
        actions = [table.table.game.format(action) for action in table.table.actions]
        assert actions == ["south.L=red7", "west.C=blue2"]

    @pytest.mark.parametrize("size", TINY)
    def test_pictures_too_small_for_anything_are_no_fault(self, table, size):
        for _ in range(3):
            small = resized(table.camera.read(), size)
            assert table.reader.read(small, table.table.past).steps == ()


class TestDice:
    GAME = find_game("hoplomachus")

    def reader(self):
        setup = self.GAME.setup()
        mat, start = self.GAME.mat(setup), self.GAME.start(setup)
        ticks = iter(range(10_000))
        camera = SimulatedDiceCamera(
            SimulatedDice(mat, self.GAME.dice(start), seed=2),
            CameraView(image_size=(1024, 768), tilt=12.0),
            Troubles(hand_frames=2, noise=1.5),
            clock=lambda: next(ticks) / 10,
        )
        reader = open_reader(self.GAME, setup, camera.table_file(), live=True)
        assert isinstance(reader, DiceReader)
        camera.show_faces(reader.teach)
        return camera, reader, [start]

    def look(self, camera, reader, past, change):
        for _ in range(30):
            reading = reader.read(change(camera.read()), past)
            if reading.still and not camera.busy:
                return reading
        raise AssertionError(reading)

    @pytest.mark.slow
    def test_dice_lie_where_they_lay(self):
        camera, reader, past = self.reader()
        before = self.look(camera, reader, past, lambda frame: frame)
        after = self.look(camera, reader, past, lambda frame: resized(frame, (1280, 960)))
        assert after.differs == before.differs == ()
        assert after.steps == ()
        for size in TINY:
            for _ in range(4):
                reading = reader.read(resized(camera.read(), size), past)
                assert reading.steps == ()


# -- other kinds of pictures ---------------------------------------------------------


def grey(image):
    return cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)


KINDS = {
    "grey": grey,
    "grey with an axis": lambda image: grey(image)[..., None],
    "four channels": lambda image: cv2.cvtColor(image, cv2.COLOR_BGR2BGRA),
    "sixteen bits": lambda image: image.astype(np.uint16) << 8,
}
STRANGE = {
    "two channels": lambda image: image[..., :2],
    "one row": lambda image: image.reshape(-1),
    "floats": lambda image: image.astype(np.float32),
    "nothing": lambda image: image[:0],
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_camera_that_changes_to_other_colours_is_read_on(play, kind):
    game = play()
    frame = game.settled()
    other = Frame(KINDS[kind](frame.image), frame.at, frame.name)
    assert other.image.shape == frame.image.shape
    assert other.image.dtype == np.uint8
    assert game.read(other).steps == ()
    assert told(game.move("g1-g3")) == ["g1-g3"]


@pytest.mark.parametrize("kind", STRANGE)
def test_a_picture_of_an_unknown_kind_is_told_as_that(play, kind):
    game = play()
    reading = game.read(Frame(STRANGE[kind](game.settled().image), 0.0, "x"))
    assert not reading.still
    assert "kind" in reading.message
    assert told(game.move("g1-g3")) == ["g1-g3"]
