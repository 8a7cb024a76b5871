"""Every die in a photograph is found and read, whatever its size, colour and ground."""

from __future__ import annotations

import json

import cv2
import numpy as np
import pytest

from companion.cli import main
from tests.checks.recordings import recording
from vision.dice.dicefind import LONGEST, find_dice, scales

PIPS = {
    1: [(0, 0)], 2: [(-1, -1), (1, 1)], 3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, -1), (-1, 1), (1, 1)], 5: [(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)],
    6: [(-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)],
}  # fmt: skip
WHITE, BLACK = ((225, 232, 235), (25, 25, 25)), ((30, 28, 28), (235, 240, 240))
RED, GREEN = ((40, 35, 190), (235, 235, 235)), ((70, 130, 30), (240, 240, 240))


def table(size=(480, 640), colour=(120, 140, 150), seed=1):
    """A plain table with some noise."""
    noise = np.random.default_rng(seed).normal(0, 4, (*size, 3))
    return np.clip(np.array(colour) + noise, 0, 255).astype(np.uint8)


def put(picture, value, at, side=40, colours=WHITE, turn=0.0):
    """Draw a die seen from above, with rounded corners and a shadow."""
    body, ink = colours
    angle = np.radians(turn)
    way = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])

    def square(half, middle):
        corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half @ way.T + middle
        return np.round(corners * 16).astype(np.int32)

    at = np.array(at, float)
    for half, colour, middle, width in (
        (side * 0.45, tuple(0.6 * v for v in picture[5, 5]), at + side * 0.07, side * 0.12),
        (side * 0.40, tuple(0.8 * v for v in body), at, side * 0.2),
        (side * 0.36, body, at, side * 0.12),
    ):
        colour = tuple(float(v) for v in colour)
        cv2.fillPoly(picture, [square(half, middle)], colour, cv2.LINE_AA, 4)
        cv2.polylines(picture, [square(half, middle)], True, colour, round(width), cv2.LINE_AA, 4)
    for pip in PIPS[value]:
        x, y = np.round((np.array(pip) * side * 0.25 @ way.T + at) * 16).astype(int)
        cv2.circle(picture, (int(x), int(y)), round(side * 0.1 * 16), ink, -1, cv2.LINE_AA, 4)
    return picture


def read(picture):
    return [die.value for die in find_dice(picture)]


@pytest.mark.parametrize("colours", [WHITE, BLACK, RED, GREEN])
def test_dice_of_many_colours_are_read_where_they_lie(colours):
    picture = table()
    for k in range(6):
        put(picture, k + 1, (90 + 90 * k, 120 + 40 * (k % 3)), colours=colours, turn=20 * k)
    dice = sorted(find_dice(picture), key=lambda die: die.x)
    assert [die.value for die in dice] == [1, 2, 3, 4, 5, 6]
    for k, die in enumerate(dice):
        assert die.x == pytest.approx(90 + 90 * k, abs=7)
        assert die.y == pytest.approx(120 + 40 * (k % 3), abs=7)


@pytest.mark.parametrize("size", [20, 40, 80, 160])
def test_large_and_small_dice_are_read(size):
    picture = table((size * 6, size * 8))
    put(picture, 5, (size * 2, size * 2), size, turn=30)
    put(picture, 6, (size * 5, size * 4), size, BLACK, turn=70)
    assert read(picture) == [5, 6]


def test_touching_dice_are_told_apart():
    picture = table()
    for k, value in enumerate((6, 4, 5)):
        put(picture, value, (200 + 41 * k, 200), colours=(WHITE, RED, BLACK)[k])
    dice = sorted(find_dice(picture), key=lambda die: die.x)
    assert [die.value for die in dice] == [6, 4, 5]


def test_many_dice_are_all_read():
    picture, values = table(), []
    for k in range(40):
        values.append(1 + k % 6)
        at = (60 + 72 * (k % 8), 60 + 80 * (k // 8))
        put(picture, values[-1], at, colours=(WHITE, BLACK, RED, GREEN)[k % 4], turn=13 * k)
    found = read(picture)
    assert len(found) == 40
    assert sorted(found) == sorted(values)


@pytest.mark.parametrize("colour", [(250, 250, 250), (10, 10, 10), (90, 120, 40)])
def test_an_empty_table_shows_no_dice(colour):
    assert find_dice(table(colour=colour)) == []


def answering(places, values):
    """Nets that find dice of 40 pixels at ``places`` (columns, rows of 8 pixels) in the picture as
    it is, and give ``values`` the odds."""

    def finder(pictures):
        maps = np.zeros((1, 4, pictures.shape[1] // 8, pictures.shape[2] // 8), np.float32)
        maps[:, 0] = -9
        for column, row in places if pictures.shape[1] == 480 else ():
            maps[0, 0, row, column] = 5
        return maps

    def reader(patches):
        odds = np.zeros((len(patches), 8, 1, 1), np.float32)
        for value, odd in values.items():
            odds[:, value] = odd
        return odds

    return finder, reader


def test_dice_that_lie_on_each_other_are_both_unsure():
    picture = put(put(table(), 5, (204, 204)), 5, (404, 204))
    dice = find_dice(picture, answering([(25, 25), (28, 25), (50, 25)], {5: 9}))
    assert [(die.value, die.sure) for die in dice] == [(5, False), (5, False), (5, True)]


def test_a_die_without_a_top_is_unsure():
    (die,) = find_dice(table(), answering([(25, 25)], {0: 9}))
    assert not die.sure


def test_what_the_reader_takes_for_no_die_is_left_out():
    assert find_dice(table(), answering([(25, 25)], {7: 9})) == []


def test_a_picture_is_looked_at_in_sizes_up_to_the_longest():
    assert scales(640, 480)[0] == 2.0
    assert scales(8000, 6000)[0] * 8000 == LONGEST
    assert all(fine == 2 * coarse for fine, coarse in zip(scales(640, 480), scales(640, 480)[1:]))  # noqa: B905
    assert find_dice(np.zeros((9, 7, 3), np.uint8)) == []


# -- the command -----------------------------------------------------------------------------


def test_the_command_prints_values_and_middles_as_json(tmp_path, capsys):
    cv2.imwrite(str(tmp_path / "dice.png"), put(table(), 4, (200, 150), turn=15))
    assert main(["dice", str(tmp_path / "dice.png"), "--json"]) == 0
    (die,) = json.loads(capsys.readouterr().out)
    assert die["value"] == 4
    assert (die["x"], die["y"]) == (pytest.approx(200, abs=7), pytest.approx(150, abs=7))
    assert set(die) <= {"value", "x", "y", "sure"}


def test_the_command_tells_people_where_each_die_lies(tmp_path, capsys):
    cv2.imwrite(str(tmp_path / "dice.png"), put(table(), 6, (200, 150)))
    cv2.imwrite(str(tmp_path / "bare.png"), table())
    assert main(["dice", str(tmp_path / "dice.png")]) == 0
    assert capsys.readouterr().out.startswith("6 at ")
    assert main(["dice", str(tmp_path / "bare.png")]) == 0
    assert capsys.readouterr().out == "no dice are seen\n"


@pytest.mark.parametrize("content", [None, b"", b"no picture at all"])
def test_what_is_no_picture_is_one_sentence(tmp_path, capsys, content):
    photo = tmp_path / "photo.jpg"
    if content is not None:
        photo.write_bytes(content)
    assert main(["dice", str(photo)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


# -- photographs -----------------------------------------------------------------------------


def test_photographed_dice_are_read():
    folder = recording("real/dice/train")
    truth = json.loads((folder / "ground_truth.json").read_text())
    dice = right = surplus = 0
    for name in sorted(truth)[::15]:
        found = find_dice(cv2.imread(str(folder / name)))
        surplus += len(found)
        for die in truth[name]["dice"]:
            x, y = (320 * (die[f"{k}min"] + die[f"{k}max"]) for k in "xy")
            size = 640 * (die["xmax"] - die["xmin"])
            near = [d for d in found if abs(d.x - x) < size / 2 and abs(d.y - y) < size / 2]
            dice += 1
            right += any(d.value == die["value"] for d in near)
            surplus -= bool(near)
    assert dice > 50
    assert right / dice >= 0.96
    assert surplus == 0
