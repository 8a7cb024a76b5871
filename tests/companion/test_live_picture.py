"""The camera's last picture, as the pages show it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.live.live_picture import LivePicture
from companion.rules import HardwareFault
from vision.frames import Frame


class Camera:
    def __init__(self, *images):
        self.frames = [Frame(image, at, "x") for at, image in enumerate(images)]

    def read(self):
        return self.frames.pop(0)


def test_a_camera_that_has_not_looked_yet_is_nobodys_mistake():
    live = LivePicture(Camera(None))
    for _ in range(2):
        with pytest.raises(HardwareFault, match="ask again"):
            live.picture()
        if live.looks == 0:
            live.read()


def test_the_last_picture_is_kept_while_none_comes():
    grey = np.full((40, 60, 3), 90, np.uint8)
    live = LivePicture(Camera(grey, None))
    live.read()
    live.read()
    shown = cv2.imdecode(np.frombuffer(live.picture(), np.uint8), cv2.IMREAD_COLOR)
    assert (shown.shape, live.looks) == (grey.shape, 2)
