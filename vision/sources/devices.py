"""What live cameras have in common: found again when they come back, never a stale picture."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any, Protocol

import cv2
import numpy as np

from companion.rules import HardwareFault
from vision.frames import PATIENCE, Frame, Image

TORN = 10
"""Pictures in a row that cannot be decoded, after which that is told."""


class Device(Protocol):
    """An open camera."""

    def read(self) -> Image:
        """Return a picture (height, width, 3), blue-green-red, taken after the call.

        Raises:
            HardwareFault: there is none; the device is of no use any more.
        """

    def close(self) -> None:
        """Give the camera back."""


class LiveSource:
    """A camera as a source of frames: opened when first read, and again after it was lost.

    ``connect`` opens the device or raises HardwareFault; ``clock`` gives the frames' times.
    """

    def __init__(
        self, connect: Callable[[], Device], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._connect, self._clock = connect, clock
        self._device: Device | None = None
        self._count = 0

    def read(self) -> Frame:
        """Return the next frame. There is always one.

        Raises:
            HardwareFault: the camera is gone; reading again tries to open it again.
        """
        if self._device is None:
            self._device = self._connect()
        try:
            image = self._device.read()
        except BaseException:
            # Whatever it was: the camera is opened anew at the next try.
            self.close()
            raise
        name = f"{self._count:06d}"
        self._count += 1
        return Frame(image, self._clock(), name)

    def close(self) -> None:
        """Give the camera back; reading again opens it again."""
        device, self._device = self._device, None
        if device is not None:
            device.close()


class Stream(Protocol):
    """A camera that sends whether it is asked or not, and keeps what was not fetched."""

    def grab(self) -> bool:
        """Wait for the next picture and take it over; False when no more will come."""

    def picture(self) -> Image | None:
        """Return the picture grabbed last; None where it cannot be decoded."""

    def close(self) -> None:
        """Give the camera back."""


class Capture:
    """A ``cv2.VideoCapture`` as a stream."""

    def __init__(self, capture: Any) -> None:
        self._capture = capture

    def grab(self) -> bool:
        """Wait for the next picture; False when no more will come."""
        return bool(self._capture.grab())

    def picture(self) -> Image | None:
        """Return the picture grabbed last; None where it cannot be decoded."""
        try:
            done, image = self._capture.retrieve()
        except cv2.error:
            return None
        return np.asarray(image) if done and image is not None else None

    def close(self) -> None:
        """Give the camera back."""
        self._capture.release()


class Newest:
    """A device on a stream. A thread of its own grabs without pause, so that nothing old queues
    up; a picture is decoded only when one is asked for.

    ``name`` is what a fault calls the camera; ``patience`` is in seconds. A picture that cannot
    be decoded is passed over for the next one. What the thread did not expect meets whoever reads.
    """

    def __init__(self, stream: Stream, name: str, patience: float = PATIENCE) -> None:
        self._stream, self._name, self._patience = stream, name, patience
        self._news = threading.Condition()
        self._asked = self._answered = 0
        self._image: Image | None = None
        self._torn = 0
        self._fault: Exception | None = None
        self._running = True
        self._thread = threading.Thread(target=self._follow, name="camera", daemon=True)
        self._thread.start()

    def read(self) -> Image:
        """Return a picture whose grab began after the call.

        Raises:
            HardwareFault: none comes within the patience.
            Exception: what the stream itself raised.
        """
        with self._news:
            self._asked += 1
            mine = self._asked
            self._news.wait_for(lambda: self._answered >= mine or not self._running, self._patience)
            if self._answered >= mine and self._image is not None:
                return self._image
            if self._fault is not None:
                raise self._fault
            if self._torn:
                raise HardwareFault(f"{self._name} sends pictures that cannot be read.")
            raise HardwareFault(f"{self._name} sends no pictures; is it plugged in?")

    def close(self) -> None:
        """Stop grabbing; the camera is given back as soon as it lets go of its last grab."""
        with self._news:
            self._running = False
            self._news.notify_all()
        self._thread.join(timeout=1.0)

    def _follow(self) -> None:
        try:
            while self._running:
                asked = self._asked
                if not self._stream.grab():
                    break
                if asked > self._answered:
                    self._take(self._stream.picture(), asked)
        except Exception as error:
            self._fault = error
        finally:
            with self._news:
                self._running = False
                self._news.notify_all()
            self._stream.close()

    def _take(self, image: Image | None, asked: int) -> None:
        with self._news:
            self._torn = self._torn + 1 if image is None else 0
            if image is None and self._torn < TORN:
                return
            self._image, self._answered = image, asked
            self._news.notify_all()
