"""The camera's last picture, for the pages."""

from __future__ import annotations

from collections.abc import Callable

from companion.rules import HardwareFault, say
from vision.frames import Frame, Sensed, Source
from vision.pictures import to_jpeg

QUALITY = 75
FELT = say("a board of sensors sends no picture, and has nothing to calibrate")


class LivePicture:
    """A source that remembers its last frame, for the page that shows the camera's picture;
    ``looked`` is called whenever somebody looks at it. A board of sensors is ``felt`` and gives
    none."""

    def __init__(
        self, source: Source, looked: Callable[[], None] = lambda: None, *, felt: bool = False
    ) -> None:
        self._source, self._looked, self._felt = source, looked, felt
        self.last: Frame | None = None
        self.sensed: Sensed | None = None
        """What a board of sensors felt last."""
        self.looks = 0
        """How often a frame was asked for: a watch that hangs asks for no more."""

    def read(self) -> Frame | None:
        """Return the next frame of the source."""
        self.looks += 1
        frame = self._source.read()
        if frame is not None and frame.image is not None:
            self.last = frame
        if frame is not None and frame.sensed is not None:
            self.sensed = frame.sensed
        return frame

    def close(self) -> None:
        """Close the source."""
        self._source.close()

    def frame(self) -> Frame | None:
        """Return the last frame with a picture, None before the first.

        Raises:
            HardwareFault: there never is one.
        """
        if self._felt:
            raise HardwareFault(FELT)
        return self.last

    def picture(self) -> bytes:
        """Return the last frame as JPEG.

        Raises:
            HardwareFault: the camera has not looked yet, or there is none.
        """
        self._looked()
        frame = self.frame()
        if frame is None or frame.image is None:
            raise HardwareFault(say("the camera has not looked yet; ask again in a second"))
        return to_jpeg(frame.image, QUALITY)
