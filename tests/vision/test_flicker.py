"""A lamp that flickers lays bands across what a camera reads row by row."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

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
