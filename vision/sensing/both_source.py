"""A camera and a board of sensors as one source: each frame holds a picture and what was felt."""

from __future__ import annotations

from dataclasses import replace

from companion.rules import HardwareFault
from vision.frames import PATIENCE, Frame, Source
from vision.sensing.sensor_source import SensorSource


class BothSource:
    """Frames of a camera with what a board of sensors feels meanwhile. While one of them is gone
    the frames tell so and hold what the other has."""

    def __init__(self, camera: Source, sensors: SensorSource) -> None:
        self._camera, self._sensors = camera, sensors
        self._gone: dict[Source, tuple[float, HardwareFault]] = {}

    def read(self) -> Frame | None:
        """Return the next frame; None when the camera has no more.

        Raises:
            HardwareFault: both are gone; reading again tries to open them again.
        """
        felt, silent = self._asked(self._sensors)
        seen, blind = self._asked(self._camera)
        if silent is not None and blind is not None:
            self._gone = {}  # whoever asks waits by himself
            raise blind
        if blind is not None:
            return felt and replace(felt, trouble=blind.sentence)
        if seen is None:
            return None
        if silent is not None or felt is None:
            why = silent.sentence if silent is not None else ""
            return replace(seen, trouble=seen.trouble or why)
        return replace(seen, sensed=felt.sensed, trouble=seen.trouble or felt.trouble)

    def _asked(self, one: Source) -> tuple[Frame | None, HardwareFault | None]:
        """Return a frame of ``one``, or why there is none."""
        now = self._sensors.now()
        since, fault = self._gone.get(one, (0.0, None))
        if fault is not None and now - since < PATIENCE:
            return None, fault
        try:
            frame = one.read()
        except HardwareFault as error:
            self._gone[one] = self._sensors.now(), error
            return None, error
        self._gone.pop(one, None)
        return frame, None

    def close(self) -> None:
        """Give both back; reading again opens them again."""
        self._camera.close()
        self._sensors.close()
