"""Lamps over carved men, and a camera that sags: one lamp flickers, which lays bands across what is
read row by row; of one that the board mirrors the light adds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import cv2
import numpy as np

from tests.vision.test_chess_reader import STILLS, Scene, play_to_mate
from vision.frames import Frame


class Flickering(Scene):
    """A scene under a lamp that flickers, before a camera that reads row by row."""

    def frames(self) -> Iterator[Frame]:
        for frame in super().frames():
            rows = np.linspace(0, 5, len(frame.image)) + 0.37 * self.count
            light = 1 + 0.15 * np.sin(2 * np.pi * rows)[:, None, None]
            yield replace(frame, image=np.clip(frame.image * light, 0, 255).astype(np.uint8))


def test_the_bands_of_a_lamp_that_flickers_are_no_move() -> None:
    scene = Flickering(STILLS)
    scene.watch()
    play_to_mate(scene)


class Mirrored(Scene):
    """A scene with a lamp that the board mirrors from the second picture on: its light adds."""

    def frames(self) -> Iterator[Frame]:
        for index, frame in enumerate(super().frames(), self.count):
            height, width = frame.image.shape[:2]
            down, across = (
                np.exp(-0.5 * ((np.arange(side) / side - 0.45) / 0.2) ** 2)
                for side in (height, width)
            )
            lamp = 0.3 * min(1, index) * np.outer(down, across)[..., None]
            levels = ((frame.image / 255) ** 2.2 + lamp).clip(0, 1) ** (1 / 2.2)
            yield replace(frame, image=np.round(255 * levels).astype(np.uint8))


def test_a_lamp_that_the_board_mirrors_is_no_move() -> None:
    scene = Mirrored(STILLS)
    scene.watch()
    play_to_mate(scene)


class Sagging(Scene):
    """A scene whose camera sags from picture to picture, each time by less than anybody sees."""

    def frames(self) -> Iterator[Frame]:
        for index, frame in enumerate(super().frames(), self.count):
            height, width = frame.image.shape[:2]
            shift = np.array([[1.0, 0, 0.5 * index], [0, 1.0, -0.7 * index]])
            sagged = cv2.warpAffine(
                frame.image, shift, (width, height), borderMode=cv2.BORDER_REFLECT
            )
            yield replace(frame, image=np.asarray(sagged, np.uint8))


def test_a_camera_that_sags_a_little_with_every_picture_is_followed() -> None:
    scene = Sagging(STILLS)
    scene.watch()
    moves = 4 * ["g1-f3", "g8-f6", "f3-g1", "f6-g8"]  # Once more, and the game were drawn.
    for move in moves:
        scene.play(move)
        reading = scene.watch()
    assert dict(reading.position) == dict(scene.game.expect(scene.past[-1]))
    assert scene.told == moves
