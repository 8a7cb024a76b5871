"""What the lights of a table showed a moment ago, and how they are put out for a picture."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping

from hardware.lights import Colour, LightFrame

EXPOSURE = 0.04
"""Seconds that a picture may have begun before it was asked for: the camera was at it already."""
LONGEST = 1.5
"""Seconds after which the lights come back, whatever became of the picture."""
REMEMBERED = 64


class RecentLights:
    """Remembers the frames of light of the last moments by the time of ``clock``.

    :meth:`note` may be called from several threads.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._frames: deque[tuple[float, LightFrame]] = deque([(clock(), {})], REMEMBERED)
        self._dark_until = -1.0

    def put_out(self, out: bool) -> None:
        """Put the lights out for a moment, or let them shine again."""
        self._dark_until = self._clock() + LONGEST if out else -1.0

    def note(self, frame: LightFrame) -> LightFrame:
        """Take note of what is to be shown and return what is: nothing while the lights are out."""
        now = self._clock()
        shown: LightFrame = {} if now < self._dark_until else frame
        if shown is not self._frames[-1][1] and shown != self._frames[-1][1]:
            self._frames.append((now, shown))
        return shown

    def watch(self) -> Callable[[], Mapping[str, Colour]]:
        """Return what tells, once a picture has come that is asked for now, under which spots a
        light may have shone meanwhile, and in what colour."""
        begun = self._clock() - EXPOSURE

        def lit() -> Mapping[str, Colour]:
            colours: dict[str, Colour] = {}
            for since, frame in reversed(self._frames.copy()):
                for spot, light in frame.items():
                    colours.setdefault(spot, light.colour)
                if since <= begun:
                    break
            return colours

        return lit
