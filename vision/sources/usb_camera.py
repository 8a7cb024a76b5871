"""USB webcams: found by id, newest picture only, exposure locked where the camera lets us."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import cv2

from companion.rules import HardwareFault
from companion.rules.given import quoted, whole_number
from vision import _cv
from vision.sources.devices import Capture, Newest
from vision.sources.exposure import Exposure, without_flicker

HIGHEST = 255
"""The highest number that Linux gives a video device."""
BY_ID = Path("/dev/v4l/by-id")
SETTLE = 20
"""Pictures in which the camera's automatic finds exposure, white balance and focus."""
MANUAL, AUTOMATIC = 1, 3
"""Values of V4L2's exposure_auto."""
UNIT = 100.0
"""Microseconds of V4L2's exposure_time_absolute."""
LONGEST = 60_000.0
DARKER = 1.41
"""Factor by which a picture may get darker when the exposure is locked; webcams have no gain of
their own to make up for it."""


def connect(which: str, size: tuple[int, int], mains: int) -> Newest:
    """Open the webcam ``which``: an index, a device file or a part of its name in /dev/v4l/by-id.

    Raises:
        HardwareFault: it is not there, or gives no picture.
    """
    name = f"the webcam {which}" if which else "the webcam"
    stream = Webcam(find(which), name, size)
    try:
        stream.settle(mains)
    except BaseException:
        stream.close()
        raise
    return Newest(stream, name)


def find(which: str) -> int | str:
    """Return the index or device file of ``which``; "" stands for the only webcam there is.

    Raises:
        HardwareFault: no webcam or several fit.
    """
    if (number := whole_number(which)) is not None and number <= HIGHEST:
        return number
    if which.startswith("/"):
        return which
    links = sorted(BY_ID.glob("*-video-index0")) if BY_ID.is_dir() else []
    fitting = [link for link in links if which.lower() in link.name.lower()]
    if not fitting and not which:
        return 0
    if len(fitting) != 1:
        there = ", ".join(link.name for link in fitting or links) or "none"
        count = "several webcams" if fitting else "no webcam"
        raise HardwareFault(
            f"{count} called {quoted(which)}; there: {there}. "
            "Name one, as in v4l2:/dev/v4l/by-id/… "
        )
    return str(fitting[0])


class Webcam(Capture):
    """A webcam as a stream.

    Raises:
        HardwareFault: it cannot be opened.
    """

    def __init__(self, device: int | str, name: str, size: tuple[int, int]) -> None:
        if isinstance(device, str) and not os.path.exists(device):
            raise HardwareFault(f"{name} is not there; plug it in.")
        system = cv2.CAP_V4L2 if sys.platform == "linux" else cv2.CAP_ANY
        super().__init__(_cv.capture(device, system))
        if not self._capture.isOpened():
            self._capture.release()
            raise HardwareFault(f"{name} cannot be opened; is it plugged in, or in use elsewhere?")
        # Uncompressed pictures of this size do not fit through USB 2 at a useful rate.
        self._set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        self._set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
        self._set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
        self._set(cv2.CAP_PROP_BUFFERSIZE, 1)
        self._name = name

    def settle(self, mains: int) -> None:
        """Let the automatic settle, then lock what the webcam lets us lock.

        A webcam that turns dark or glaring when it is locked gets its automatic back.

        Raises:
            HardwareFault: it gives no picture.
        """
        self._set(cv2.CAP_PROP_AUTO_EXPOSURE, AUTOMATIC)
        before = self._brightness()
        self._set(cv2.CAP_PROP_AUTO_WB, 0)
        self._set(cv2.CAP_PROP_AUTOFOCUS, 0)
        found = Exposure(float(self._capture.get(cv2.CAP_PROP_EXPOSURE)) * UNIT)
        if found.time <= 0 or not self._set(cv2.CAP_PROP_AUTO_EXPOSURE, MANUAL):
            return
        locked = without_flicker(found, mains, DARKER, LONGEST)
        self._set(cv2.CAP_PROP_EXPOSURE, max(1, round(locked.time / UNIT)))
        after = self._brightness()
        if not 0.6 < (after + 1) / (before + 1) < 1.7:
            self._set(cv2.CAP_PROP_AUTO_EXPOSURE, AUTOMATIC)
            self._brightness()

    def _brightness(self) -> float:
        """Return how bright the picture is, 0 to 255, after some frames of settling."""
        if not all(self.grab() for _ in range(SETTLE)):
            raise HardwareFault(f"{self._name} sends no pictures; is it plugged in?")
        image = self.picture()
        if image is None:
            raise HardwareFault(f"{self._name} sends pictures that cannot be read.")
        return float(image.mean())

    def _set(self, what: int, value: float) -> bool:
        return bool(self._capture.set(what, value))
