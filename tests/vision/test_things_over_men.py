"""What lies over a board of carved men, reaches over its rim or lights it from the side: the men
beside it are read, and nothing is told of those under it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from tests.checks.recordings import recording
from tests.soak.soak_light import judge
from tests.vision.test_chess_reader import STILLS, Scene
from vision.frames import Image
from vision.light.shade import hides_grain, taken_away
from vision.tokens.arms import Remainder, Thing

MOVES = ("e2-e4", "e7-e5", "g1-f3", "b8-c6", "f1-c4", "f8-c5")
Alter = Callable[[Scene, Image], Image]


def at(scene: Scene, x: float, y: float) -> tuple[int, int]:
    """Return the pixel of a place on the board, in squares off its middle."""
    camera = scene.reader.camera
    assert camera is not None
    pitch = scene.reader.board.pitch
    left, top = camera.project([(x * pitch, y * pitch)])[0]
    return round(float(left)), round(float(top))


def head(colour: tuple[int, int, int], x: float, y: float) -> Alter:
    """Return what draws somebody's head over the rim, and his neck beyond it."""

    def alter(scene: Scene, image: Image) -> Image:
        changed, middle = np.asarray(image).copy(), at(scene, x, y)
        broad = 2 * abs(at(scene, 1, 0)[0] - at(scene, 0, 0)[0])
        cv2.line(changed, middle, at(scene, 3 * x, 3 * y), colour, broad)
        return changed

    return alter


def lamp(scene: Scene, image: Image) -> Image:
    """Return ``image`` with a lamp lit beside a corner of the board: its light falls off."""
    rows, columns = np.indices(image.shape[:2])
    x, y = at(scene, 5, -5)
    far = np.hypot(columns - x, rows - y) / np.hypot(*np.subtract(at(scene, -4, 4), (x, y)))
    light = 1 + 2.0 * np.exp(-((far / 0.45) ** 2))
    return np.asarray(np.clip(image * light[..., None], 0, 255), np.uint8)


def shown(scene: Scene, alter: Alter) -> Any:
    """Read the next still picture, altered; take what it tells."""
    frame = list(scene.frames())[-1]
    assert frame.image is not None
    return scene.read(replace(frame, image=alter(scene, frame.image)))


@pytest.mark.parametrize(
    "alter",
    [
        head((40, 45, 35), 4.7, -1.2),
        head((60, 110, 40), -4.7, 0.8),
        head((200, 190, 60), 4.7, 1.6),
        lamp,
    ],
)
def test_men_move_on_while_somebody_leans_over_the_rim_or_lights_a_lamp(alter: Alter) -> None:
    scene = Scene(STILLS)
    scene.watch()
    for move in MOVES:
        scene.play(move)
        shown(scene, alter)
    scene.watch(2)
    assert scene.told == list(MOVES)


def cup(colour: tuple[int, int, int], x: float, y: float) -> Alter:
    """Return what draws a cup that stands beside the board."""

    def alter(scene: Scene, image: Image) -> Image:
        changed = np.asarray(image).copy()
        wide = abs(at(scene, 1, 0)[0] - at(scene, 0, 0)[0])
        cv2.circle(changed, at(scene, x, y), wide, colour, -1)
        return changed

    return alter


@pytest.mark.parametrize("colour", [(60, 60, 200), (180, 175, 170), (20, 22, 25)])
def test_a_cup_taken_away_beside_a_man_who_moves_is_no_hand(colour: tuple[int, int, int]) -> None:
    scene = Scene(STILLS)
    scene.watch()
    shown(scene, cup(colour, 2.2, -5.05))
    scene.play("e2-e4")
    shown(scene, cup(colour, 2.2, -5.05))
    scene.play("g8-f6")
    shown(scene, cup(colour, -5.3, 1.0))
    assert scene.told == ["e2-e4", "g8-f6"]


def test_what_was_taken_away_is_told_from_what_came_by_its_outline() -> None:
    table = np.random.default_rng(1).normal(4.6, 0.02, (60, 60, 3)).astype(np.float32)
    cup, there = table.copy(), np.zeros((60, 60), np.bool_)
    there[20:40, 25:50] = True
    cup[there] = (4.2, 4.6, 5.0)
    assert taken_away(there, table, cup)
    assert not taken_away(there, cup, table)


def test_the_grain_of_a_table_is_seen_through_a_shadow_and_not_through_a_hand() -> None:
    grain = np.random.default_rng(2).normal(4.6, 0.1, (62, 62, 3)).astype(np.float32)
    then, now = (grain[1:-1, 1:-1].copy() for _ in range(2))
    there = np.zeros((60, 60), np.bool_)
    there[20:40, 25:50] = True
    shadow = cv2.GaussianBlur(there.astype(np.float32), (0, 0), 2)
    assert not hides_grain(there, now - 0.5 * shadow[..., None], then)
    assert not hides_grain(there, grain[2:, 1:-1], then), "the camera moved by a point"
    now[there] = 4.3 + np.random.default_rng(3).normal(0, 0.05, (there.sum(), 3))
    assert hides_grain(there, now, then)


def test_a_thing_also_lies_where_it_has_the_colour_of_the_board() -> None:
    seen, picture = np.zeros((60, 60), np.bool_), np.zeros((60, 60, 3), np.float32)
    seen[20:40, 10:40] = True
    seen[26:34, 18:40] = False
    thing = Thing(Remainder(seen, solid=True, near=False), picture, picture, None)
    assert thing.where[22:38, 12:38].all()
    assert not thing.where[:, 45:].any()


def phone(scene: Scene, image: Image) -> Image:
    """Return ``image`` with a dark phone laid over c7 and c6."""
    changed = np.asarray(image).copy()
    cv2.rectangle(changed, at(scene, -2.0, -3.1), at(scene, -1.0, -0.9), (25, 20, 18), -1)
    return changed


def test_play_goes_on_round_a_thing_and_under_it_as_far_as_is_seen() -> None:
    scene = Scene(STILLS)
    scene.watch()
    shown(scene, phone)
    reading = shown(scene, phone)
    assert reading.still
    assert str(reading.message).startswith("something lies on")
    scene.play("g1-f3")
    shown(scene, phone)
    assert scene.told == ["g1-f3"]
    scene.play("c7-c6")
    assert str(shown(scene, phone).message).startswith("something lies on")
    assert scene.told == ["g1-f3"]
    scene.watch(2)
    assert scene.told == ["g1-f3", "c7-c6"]


def test_a_man_who_came_out_from_under_a_thing_is_told_of() -> None:
    scene = Scene(STILLS)
    scene.watch()
    shown(scene, phone)
    shown(scene, phone)
    scene.play("g1-f3")
    shown(scene, phone)
    scene.play("c7-c5")
    shown(scene, phone)
    assert scene.told == ["g1-f3", "c7-c5"]


@pytest.mark.parametrize("colour", [(0, 255, 0), (255, 160, 0)])
def test_a_light_shines_past_a_man_who_came_beside_it(colour: tuple[int, int, int]) -> None:
    scene = Scene(STILLS)
    scene.watch()
    lit = dict.fromkeys(("a3", "a5", "c4", "e5", "e3", "f6", "h4", "h5"), colour)
    scene.camera._glow = lambda _: lit
    scene.watch()
    moves = ("h2-h4", "a7-a5", "b1-a3", "h7-h5")
    for move in moves:
        scene.play(move)
        scene.watch()
    assert scene.told == list(moves)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "kind", "seed"),
    [
        ("chess-2", "second_lamp", 601),
        ("chess-2", "flicker", 611),
        ("chess-2", "veil", 602),
        ("chess-2", "contrast", 21),
        ("chess-2", "worn", 21),
        ("chess-1", "cup", 71),
        ("chess-1", "head", 71),
    ],
)
def test_a_recorded_game_of_carved_men_is_read_whole_in_another_room(
    name: str, kind: str, seed: int
) -> None:
    counts = judge(recording(name), kind, seed)
    assert (counts["told"], counts["false"]) == (counts["events"], 0)


@pytest.mark.slow
def test_a_recorded_game_goes_on_round_a_phone_until_the_queen_goes_under_it() -> None:
    counts = judge(recording("chess-1"), "thing", 95)
    assert (counts["told"], counts["false"]) == (counts["events"] - 2, 0)
