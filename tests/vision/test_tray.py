"""Dice on a mat with zones: which, where, and what is asked about."""

from __future__ import annotations

import numpy as np
import pytest

from companion.rules import BadInput, Uncertain
from tests.checks.tray_scenes import SIZE, UNIT, ZONES, Die, Scene, showing
from vision.board.calibrate import camera_from_table
from vision.dice.tray import Tray
from vision.dice.traymat import plain_colour, tray_board
from vision.frames import Frame


@pytest.fixture(scope="module")
def scene():
    return Scene(4, (1280, 960), calm=True)


@pytest.fixture(scope="module")
def tray(scene):
    return scene.tray()


def read(tray, scene, *dice):
    return tray.read(scene.shot(dice))


def test_enrolled_faces_are_read_in_their_zones(tray, scene):
    reading = read(
        tray, scene,
        Die("yellow crit", -120, -80, 20), Die("red hit", 0, -70, 50),
        Die("green blank", -30, 40, 5), Die("purple hit", 120, -90, 70),
        Die("blue crit", -120, 60, 33),
    )  # fmt: skip
    assert reading.still
    assert reading.sure
    assert {(die.zone, die.colour, die.value) for die in reading.dice} == {
        ("reserve", "yellow", "crit"), ("active", "red", "hit"), ("enemy 1", "green", "blank"),
        ("exhausted", "purple", "hit"), ("training", "blue", "crit"),
    }  # fmt: skip
    assert [die.value for die in reading.zone("active")] == ["hit"]
    (red,) = reading.zone("active")
    assert (red.x, red.y) == pytest.approx((0, -70), abs=1.5)


@pytest.mark.slow
def test_pips_are_read_without_enrolment(scene):
    bodies = ("black", "white")
    dice = [Die(f"{bodies[k % 2]} {k}", -120 + 40 * k, -75, 17 * k) for k in range(1, 7)]
    reading = read(scene.tray(learn=False), scene, *dice)
    assert reading.still
    assert [die.value for die in sorted(reading.dice, key=lambda die: die.x)] == list("123456")


def test_touching_dice_are_told_apart(tray, scene):
    side = scene.style.side * 1.02
    reading = read(
        tray, scene,
        Die("blue hit", -120, -80, 0), Die("blue crit", -120 + side, -78, 0),
        Die("blue blank", -119, -80 + side, 0),
    )  # fmt: skip
    assert sorted(die.value for die in reading.zone("reserve")) == ["blank", "crit", "hit"]


@pytest.mark.parametrize("shows", ["green crit", "white 4"])
def test_a_die_on_edge_is_asked_about(tray, scene, shows):
    (seen,) = read(tray, scene, Die(shows, 10, -80, 10, lean=42)).dice
    assert not seen.sure
    assert seen.doubt
    assert seen.zone == "active"


def test_a_die_on_another_is_asked_about(tray, scene):
    reading = read(
        tray, scene,
        Die("blue hit", 0, -70, 20), Die("red crit", 6, -66, 50, rise=scene.style.side),
        Die("green hit", -120, 60, 0),
    )  # fmt: skip
    assert [die.sure for die in reading.dice if die.zone == "active"].count(True) == 0
    assert [die.sure for die in reading.zone("training")] == [True]
    assert reading.message


def test_a_die_on_the_line_between_zones_is_asked_about(tray, scene):
    (die,) = read(tray, scene, Die("purple crit", 0.0, 40, 0)).dice
    assert die.doubt == "between zones"
    assert (die.colour, die.value) == ("purple", "crit")


def test_nothing_is_read_under_a_hand(tray, scene):
    reading = tray.read(scene.shot([Die("blue hit", 0, -60, 20)], hand=(0.0, -40.0)))
    assert not reading.still
    assert reading.dice == ()


def test_nothing_is_read_while_dice_roll(tray, scene):
    for number in range(3):
        frame = scene.shot([Die("red hit", -60 + 40 * number, -80, 25 * number)])
        reading = tray.read(Frame(frame.image, 500.0 + 0.1 * number, frame.name))
        assert reading.still == (number == 0)


def test_an_empty_mat_holds_no_dice(tray, scene):
    assert read(tray, scene).dice == ()


@pytest.mark.slow
def test_a_mat_never_seen_bare_is_known_by_its_zones(scene):
    tray = Tray(ZONES, SIZE)
    tray.enrol(scene.shot(showing(UNIT)), UNIT)
    reading = read(tray, scene, Die("green crit", -100, 60, 20), Die("red hit", 110, 30, 60))
    assert {(die.zone, die.colour, die.value) for die in reading.dice if die.sure} == {
        ("training", "green", "crit"), ("banished", "red", "hit"),
    }  # fmt: skip


def test_what_was_learned_is_kept(tray, scene):
    other = Tray(ZONES, SIZE)
    other.take_arrays(tray.to_arrays())
    assert other.faces == tray.faces == UNIT
    assert other.side == tray.side
    (die,) = read(other, scene, Die("yellow hit", -100, 60, 20)).dice
    assert (die.colour, die.value, die.sure) == ("yellow", "hit", True)


def test_what_is_kept_of_another_tray_is_refused(tray):
    small = Tray({"all": [(-50, -50), (50, -50), (50, 50)]}, (200, 200))
    with pytest.raises(BadInput, match="another size"):
        small.take_arrays(tray.to_arrays())
    with pytest.raises(BadInput, match="does not hold"):
        small.take_arrays({})


def test_as_many_dice_as_names_must_lie_there(tray, scene):
    with pytest.raises(Uncertain, match="3 faces are named and 2 dice are seen"):
        tray.enrol(scene.shot(showing(UNIT[:2])), UNIT[:3])


def test_a_mat_without_markers_is_found_by_its_corners():
    board = tray_board(ZONES, SIZE, 16.0)
    pixels = {"far left": (100, 80), "far right": (900, 80), "near right": (900, 646),
              "near left": (100, 646)}  # fmt: skip
    table = {"image_size": [1000, 750], "corners": pixels}
    camera = camera_from_table(board, table, np.zeros((750, 1000, 3), np.uint8))
    assert camera.project([(0.0, 0.0)])[0] == pytest.approx((500, 363), abs=0.5)


def test_a_mat_that_is_not_seen_is_told(tray):
    grey = np.full((960, 1280, 3), 90, np.uint8)
    reading = tray.read(Frame(grey, 900.0, "grey"))
    assert not reading.still
    assert "markers" in reading.message
    assert not tray.read(Frame(None, 901.0, "none", "the camera is gone")).still


@pytest.mark.parametrize(
    ("zones", "reason"),
    [
        ({}, "at least one zone"),
        ({"a": [(0, 0), (5, 5)]}, "three corners"),
        ({"a": [(0, 0), (500, 0), (0, 5)]}, "over the edge"),
    ],
)
def test_zones_lie_on_the_mat(zones, reason):
    with pytest.raises(BadInput, match=reason):
        tray_board(zones, (100, 100), 16.0)


@pytest.mark.parametrize(
    ("tone", "word"),
    [((0.9, 0.9, 0.9), "white"), ((0.4, 0.4, 0.4), "grey"), ((0.1, 0.1, 0.1), "black"),
     ((0.1, 0.1, 0.8), "red"), ((0.1, 0.7, 0.9), "yellow"), ((0.2, 0.6, 0.1), "green"),
     ((0.8, 0.3, 0.1), "blue"), ((0.6, 0.1, 0.5), "purple"), ((0.1, 0.45, 0.95), "orange"),
     ((0.3, 0.1, 0.9), "red")],
)  # fmt: skip
def test_colours_have_plain_words(tone, word):
    assert plain_colour(np.array(tone)) == word
