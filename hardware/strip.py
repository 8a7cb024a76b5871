"""From lit spots to the colours of a strip's LEDs, and what a strip is.

numpy is loaded when a strip is drawn first: the pages are there before.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol

from hardware.lights import Colour, LightFrame
from hardware.settings import LightSettings
from hardware.wiring import Wiring

if TYPE_CHECKING:
    from hardware.animation import Animation, Levels

Pixels = tuple[Colour, ...]
"""The colours of all LEDs of a strip, in its order."""

CHANNEL_MA = 20.0
"""Milliampere that one of the three channels of a WS2812 draws at full brightness."""
IDLE_MA = 1.0
"""Milliampere that a dark WS2812 draws."""


class Strip(Protocol):
    """A strip of LEDs. Call :meth:`show` at least once a second, also when nothing changed."""

    def show(self, pixels: Pixels) -> None:
        """Light the LEDs.

        Raises:
            HardwareFault: the device is gone.
        """

    def close(self) -> None:
        """Put all LEDs out and give the device back; closing twice does no harm."""


class SimulatedStrip:
    """A strip that keeps what it showed: ``frames`` holds the last ``keep`` frames that differ
    from the one before."""

    def __init__(self, keep: int = 600) -> None:
        self.frames: deque[Pixels] = deque(maxlen=keep)
        self.closed = False

    @property
    def pixels(self) -> Pixels:
        """Return what is alight now."""
        return self.frames[-1] if self.frames else ()

    def show(self, pixels: Pixels) -> None:
        """Keep the frame."""
        if not self.frames or self.frames[-1] != pixels:
            self.frames.append(pixels)

    def close(self) -> None:
        """Put all LEDs out."""
        if not self.closed:
            self.show(tuple((0, 0, 0) for _ in self.pixels))
        self.closed = True


def render(frame: LightFrame, wiring: Wiring, t: float) -> Pixels:
    """Return the strip's colours at ``t`` seconds. Spots without LED are left out."""
    from hardware.animation import animate

    return as_pixels(animate(frame, wiring).at(t))


def as_pixels(levels: Levels) -> Pixels:
    """Return an array of LEDs (n, 3) as the tuple of colours that a strip takes."""
    return tuple([(red, green, blue) for red, green, blue in levels.tolist()])


def current_ma(pixels: Pixels | Levels) -> float:
    """Return about how much current the strip draws, in milliampere."""
    import numpy as np

    levels = np.asarray(pixels, np.uint32)
    return IDLE_MA * len(levels) + CHANNEL_MA * float(levels.sum()) / 255


def limited(levels: Levels, limit_ma: float) -> Levels:
    """Return the frame, darkened as a whole where it would draw more than ``limit_ma``.

    The idle current cannot be saved; where it alone exceeds the limit the frame is dark.
    """
    idle = IDLE_MA * len(levels)
    wanted = current_ma(levels) - idle
    if idle + wanted <= limit_ma or not wanted:
        return levels
    return (levels * (max(0.0, limit_ma - idle) / wanted)).astype(levels.dtype)


def spot_colours(pixels: Pixels, wiring: Wiring) -> Mapping[str, Colour]:
    """Return what shines under every lit spot: the brightest of its LEDs; of LEDs at the rim
    the darkest, as a spot is meant where all its lines are lit."""
    lit: dict[str, Colour] = {}
    choose = min if wiring.places else max
    for spot, indexes in wiring.leds.items():
        colours = [pixels[index] for index in indexes if index < len(pixels)]
        chosen = choose(colours, key=sum, default=(0, 0, 0))
        if any(chosen):
            lit[spot] = chosen
    return lit


class LightShow:
    """Keeps a strip showing one frame of lights, its effects moving with the clock, each part of
    the strip within its own power supply's limit. May be called from several threads.

    ``minutes`` tells the time of day in minutes since midnight, for the night.
    """

    def __init__(
        self,
        strip: Strip,
        wiring: Wiring,
        clock: Callable[[], float],
        settings: LightSettings | None = None,
        minutes: Callable[[], int] = lambda: 12 * 60,
    ) -> None:
        self._strip = strip
        self.wiring = wiring
        self._clock = clock
        self._minutes = minutes
        self._guard = threading.Lock()
        self._lit: LightFrame = {}
        self._animation: tuple[LightFrame, Animation] | None = None
        self.settings = settings or LightSettings()
        """What the users want; may be replaced at any time."""
        self.brightness = 1.0
        """Share of the full light that the camera can see by, 0 to 1."""

    def show(self, frame: LightFrame) -> None:
        """Take a new frame and show it at once."""
        with self._guard:
            self._lit = frame
        self.update()

    def update(self) -> None:
        """Move the effects along; call it ten times a second and more.

        Raises:
            HardwareFault: the strip is gone.
        """
        with self._guard:
            self._strip.show(as_pixels(self._levels(self._clock())))

    def pixels(self, at: float) -> Pixels:
        """Return what the strip's LEDs shine at ``at`` seconds."""
        return as_pixels(self._levels(at))

    def _levels(self, at: float) -> Levels:
        share = self.brightness * self.settings.share(self._minutes())
        levels = self._animated().at(at, share)
        first = 0
        for part in self.wiring.parts:
            cut = slice(first, first + part.count)
            levels[cut] = limited(levels[cut], part.limit_ma)
            first += part.count
        return levels

    def _animated(self) -> Animation:
        from hardware.animation import animate

        lit, kept = self._lit, self._animation
        if kept is None or kept[0] is not lit:
            kept = self._animation = lit, animate(lit, self.wiring)
        return kept[1]

    def glow(self, at: float) -> Mapping[str, Colour]:
        """Return what shines under every lit spot at ``at`` seconds: LEDs at the rim under none."""
        if self.wiring.places:
            return {}
        return spot_colours(self.pixels(at), self.wiring)

    def close(self) -> None:
        """Put all LEDs out and give the strip back."""
        with self._guard:
            self._strip.close()
