"""A curve that changes every level of a picture, wherever it is seen, is put right before anything
is compared; what lies on a part of the board is left as it is."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games import find_game
from tests.checks.recordings import recording
from tests.soak.soak_light import judge
from tests.vision.test_chess_reader import STILLS, Scene
from vision.board.calibrate import Camera
from vision.frames import Frame, Image
from vision.light.changes import GAMMA
from vision.light.tone import Tone

GAME = find_game("invictus")
BOARD = GAME.board(GAME.setup(("black", "white")))
SIZE = (640, 480)


def camera() -> Camera:
    """Return a camera that sees the whole board from straight above."""
    left, top, right, bottom = BOARD.bounds
    scale = 0.9 * min(SIZE[0] / (right - left), SIZE[1] / (bottom - top))
    rows = [[scale, 0, SIZE[0] / 2 - scale * (left + right) / 2],
            [0, scale, SIZE[1] / 2 - scale * (top + bottom) / 2], [0, 0, 1]]  # fmt: skip
    return Camera(np.array(rows), SIZE)


def picture(seed: int = 1) -> Image:
    """Return a picture of many colours, with a little noise."""
    rng = np.random.default_rng(seed)
    small = np.random.default_rng(1).uniform(40, 210, (24, 32, 3)).astype(np.float32)
    large = cv2.resize(small, SIZE, interpolation=cv2.INTER_CUBIC) + rng.normal(0, 2, (480, 640, 3))
    return np.asarray(np.clip(large, 0, 255), np.uint8)


def evened(before: Image, *later: Image) -> Image:
    """Return the last of the ``later`` pictures in the tone of the one ``before``."""
    tone = Tone(BOARD, camera(), before)
    for image in later:
        shown = tone.evened(image, image)
    return shown


def off(one: Image, other: Image) -> float:
    """Return by how many levels two pictures differ, but for light that multiplies alike."""
    gains = np.median((other + 2.0) / (one + 2.0), (0, 1))
    return float(np.abs(one * gains - other).mean())


@settings(max_examples=25, deadline=None)
@given(st.floats(0.7, 1.4), st.floats(0.0, 0.35), st.floats(0.75, 1.0))
def test_any_curve_that_keeps_all_levels_apart_is_undone(
    power: float, least: float, most: float
) -> None:
    levels = least + (most - least) * (np.arange(256) / 255) ** power
    other = cv2.LUT(picture(2), np.round(255 * levels).astype(np.uint8))
    assert off(evened(picture(), np.asarray(other, np.uint8)), picture()) < 5


@settings(max_examples=15, deadline=None)
@given(st.floats(0.2, 0.6))
def test_colours_that_fade_are_strong_again(share: float) -> None:
    light = (picture(2) / 255.0) ** GAMMA
    faded = (1 - share) * light + share * light.mean(-1, keepdims=True)
    pale = np.asarray(np.round(255 * faded ** (1 / GAMMA)), np.uint8)
    assert off(evened(picture(), pale), picture()) < max(5, off(pale, picture()) / 3)


def test_dark_levels_that_mist_drew_together_are_not_torn_apart() -> None:
    dark = picture(2)
    dark[200:280, 200:280] = np.random.default_rng(5).integers(8, 20, (80, 80, 3))
    misty = np.round(255 * (0.7 * (dark / 255) ** GAMMA + 0.13) ** (1 / GAMMA))
    shown = evened(picture(), np.asarray(misty, np.uint8))[210:270, 210:270]
    noise = misty[210:270, 210:270].std()
    assert shown.std() < 3 * noise


def test_thick_mist_is_seen_through_though_hardly_more_than_noise_is_left() -> None:
    noise = np.random.default_rng(7).normal(0, 3, (*SIZE[::-1], 3))
    misty = np.asarray(0.25 * picture(2) + 130 + noise, np.uint8)
    assert off(evened(picture(), misty), picture()) < off(misty, picture())


def test_a_picture_like_the_one_before_is_left_as_it_is() -> None:
    now = picture(3)
    assert evened(picture(), now) is now


def test_what_lies_on_a_part_of_the_board_changes_no_tone() -> None:
    veiled = picture(2)
    veiled[:, 320:] = np.clip(0.6 * veiled[:, 320:] + 80, 0, 255)
    assert evened(picture(), veiled) is veiled


def test_a_covered_camera_has_no_tone() -> None:
    covered = np.full_like(picture(), 7)
    assert evened(picture(), covered) is covered


def test_a_hand_that_covers_a_part_of_the_board_hides_no_tone() -> None:
    misty = np.asarray(0.6 * picture(2) + 80, np.uint8)
    covered = misty.copy()
    covered[160:300, 240:360] = (90, 120, 170)
    shown = evened(picture(), misty, covered)
    assert off(shown[320:], picture()[320:]) < 5


def test_another_board_than_before_tells_nothing_of_the_tone() -> None:
    other = np.ascontiguousarray(picture(2)[::-1, ::-1])
    assert evened(picture(), other) is other


@pytest.mark.parametrize("printed", [False, True])
def test_moves_are_read_through_a_lens_that_mists_over(printed: bool) -> None:
    scene = Scene(STILLS, printed=printed)
    scene.watch()
    scene.play("e2-e4")
    for frame in scene.frames():
        assert frame.image is not None
        misty = np.asarray(0.6 * frame.image + 80, np.uint8)
        scene.read(Frame(misty, frame.at, frame.name))
    assert scene.told == ["e2-e4"]
    scene.play("e7-e5")
    scene.watch()
    assert scene.told == ["e2-e4", "e7-e5"], "the lens is clear again"


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["mist", "contrast", "gamma", "pale"])
@pytest.mark.parametrize("name", ["victorus-2", "invictus-1", "victorus-3", "invictus-2"])
def test_a_recorded_game_is_read_whole_in_another_tone(name: str, kind: str) -> None:
    counts = judge(recording(name), kind, 21)
    assert (counts["told"], counts["right"]) == (counts["events"], counts["stills"])
    assert counts["false"] == 0
