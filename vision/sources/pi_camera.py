"""Cameras on a Raspberry Pi's ribbon cable, through picamera2."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from companion.rules import HardwareFault
from vision.frames import PATIENCE, Image
from vision.sources.exposure import Exposure, settled, without_flicker

SETTLE = 40
"""Pictures in which the camera's automatic finds exposure and white balance, at most."""
FRAME_TIME = 33_333
"""Microseconds of a picture in a video stream; the camera's latency is three of them."""


class PiCamera:
    """An open camera (:class:`Device`) whose exposure, gain and white balance are
    locked after they have settled.

    ``still`` asks for the sensor's whole resolution, a few pictures a second, instead of a video
    stream of ``size``.

    Raises:
        HardwareFault: picamera2 is not installed, or there is no such camera.
    """

    def __init__(self, index: int, size: tuple[int, int], mains: int, still: bool = False) -> None:
        self._camera = _open(index)
        try:
            self._configure(size, still)
            self._camera.start()
            self._lock(mains)
        except HardwareFault:
            self.close()
            raise
        except Exception as error:
            # picamera2 reports a loose cable or a busy camera by RuntimeError and others.
            self.close()
            raise HardwareFault(f"the Pi camera cannot be started: {error}") from error

    def read(self) -> Image:
        """Return a picture that began to be exposed after the call.

        Raises:
            HardwareFault: none comes.
        """
        return self._take()[0]

    def close(self) -> None:
        """Give the camera back."""
        self._camera.close()

    def _configure(self, size: tuple[int, int], still: bool) -> None:
        # picamera2 calls it RGB888; in memory it is blue, green, red, as OpenCV wants it.
        if still:
            main = {"size": tuple(self._camera.sensor_resolution), "format": "RGB888"}
            settings = self._camera.create_still_configuration(main=main, buffer_count=2)
        else:
            main = {"size": size, "format": "RGB888"}
            settings = self._camera.create_video_configuration(
                main=main, controls={"FrameDurationLimits": (FRAME_TIME, FRAME_TIME)}
            )
        self._camera.configure(settings)

    def _lock(self, mains: int) -> None:
        """Focus once, wait for the automatic, then set its findings by hand, free of flicker.

        Switching the automatic off alone is not reliable: exposure and gain are given explicitly.
        """
        if "AfMode" in self._camera.camera_controls:
            self._camera.autofocus_cycle(wait=PATIENCE)
        found: list[Exposure] = []
        facts: dict[str, Any] = {}
        while not settled(found) and len(found) < SETTLE:
            facts = self._take()[1]
            found.append(Exposure(float(facts["ExposureTime"]), float(facts["AnalogueGain"])))
        highest = float(self._camera.camera_controls["AnalogueGain"][1])
        locked = without_flicker(found[-1], mains, highest, FRAME_TIME)
        controls: dict[str, Any] = {"ExposureTime": int(locked.time), "AnalogueGain": locked.gain}
        if "ColourGains" in facts:
            controls |= {"AwbEnable": False, "ColourGains": tuple(facts["ColourGains"])}
        self._camera.set_controls(controls)

    def _take(self) -> tuple[Image, dict[str, Any]]:
        try:
            request = self._camera.capture_request(wait=PATIENCE, flush=True)
        except Exception as error:
            # picamera2 raises whatever went wrong in its own thread, TimeoutError among it.
            raise HardwareFault(
                f"the Pi camera sends no pictures ({error or 'it is silent'}); look at its cable."
            ) from error
        try:
            image = np.ascontiguousarray(request.make_array("main")[..., :3], np.uint8)
            return image, dict(request.get_metadata())
        finally:
            request.release()


def _open(index: int) -> Any:
    try:
        module = import_module("picamera2")
    except ImportError as error:
        raise HardwareFault(
            "picamera2 is not installed; on a Pi: apt install python3-picamera2, and an "
            "environment made with --system-site-packages."
        ) from error
    cameras = module.Picamera2.global_camera_info()
    if index >= len(cameras):
        raise HardwareFault(
            f"there is no Pi camera {index}; {len(cameras)} found. Look at the ribbon cable."
        )
    try:
        return module.Picamera2(index)
    except Exception as error:
        raise HardwareFault(f"the Pi camera cannot be opened: {error}") from error
