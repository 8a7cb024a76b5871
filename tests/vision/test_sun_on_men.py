"""Sun with hard edges on a board of carved men: it is light; what it hides is not made up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.test_chess_reader import MATE, STILLS, Scene, play_to_mate
from vision.frames import Frame


class Sunny(Scene):
    """A scene with a few slanted stripes of sun from the second picture on, ``strong`` times as
    bright as the room; the camera exposes for it."""

    strong, broad, step = 2.0, 0.12, 0.0

    def frames(self) -> Iterator[Frame]:
        for index, frame in enumerate(super().frames(), self.count):
            height, width = frame.image.shape[:2]
            lit = np.zeros((height, width), np.float32)
            for left in np.arange(0.2, 0.8, 2 * self.broad) + self.step * index:
                stripe = left + self.broad * np.array([0, 1, 1.5, 0.5])
                corners = np.stack([stripe, [0.1, 0.1, 0.9, 0.9]], 1) * (width, height)
                cv2.fillConvexPoly(lit, np.round(corners).astype(np.int32), (1.0,))
            sun = cv2.GaussianBlur(lit, (0, 0), 1.5)[..., None] * min(1, index)
            linear = (frame.image / 255) ** 2.2 * (1 + self.strong * np.asarray(sun))
            levels = (linear / (1 + self.strong / 2)).clip(0, 1) ** (1 / 2.2)
            yield replace(frame, image=np.round(255 * levels).astype(np.uint8))


def test_stripes_of_sun_are_no_move() -> None:
    scene = Sunny(STILLS)
    scene.watch()
    play_to_mate(scene)


@pytest.mark.parametrize(
    ("broad", "step"), [(0.05, 0.0), pytest.param(0.1, 0.01, marks=pytest.mark.slow)]
)
def test_a_move_that_fine_stripes_hide_makes_no_later_one_refused(
    broad: float, step: float
) -> None:
    scene = Sunny(STILLS)
    scene.strong, scene.broad, scene.step = 1.0, broad, step
    scene.watch()
    told = []
    for move in MATE:
        scene.play(move)
        told += scene.watch().steps
    assert told
    assert [step for step in told if not step.legal] == []
