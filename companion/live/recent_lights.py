"""What the lights of a table showed during the last moments, and putting them out for a picture."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping

from hardware.lights import Colour, LightFrame

EXPOSURE = 0.04
"""Seconds by which the exposure of a picture may have begun before it was asked for."""
LONGEST = 1.5
"""Seconds after which the lights come back on even if no picture came."""
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
        """Note the frame of lights to be shown and return the one that is shown: an empty one while
        the lights are out."""
        now = self._clock()
        shown: LightFrame = {} if now < self._dark_until else frame
        if shown is not self._frames[-1][1] and shown != self._frames[-1][1]:
            self._frames.append((now, shown))
        return shown

    def watch(self) -> Callable[[], Mapping[str, Colour]]:
        """Begin to note what is lit, and return a function: called once a picture has come, it
        returns the spots under which a light may have shone since then, with the light's colour."""
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
