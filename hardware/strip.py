"""From lit spots to the colours of a strip's LEDs, and what a strip is."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Mapping
from typing import Protocol

from hardware.lights import Colour, EffectName, LightFrame
from hardware.wiring import Wiring

Pixels = tuple[Colour, ...]
"""The colours of all LEDs of a strip, in its order."""

CHANNEL_MA = 20.0
"""What one of the three channels of a WS2812 draws at full, in milliampere."""
IDLE_MA = 1.0
"""What a dark WS2812 draws."""
PULSE_SECONDS = 1.6
BLINK_SECONDS = 1.0
"""One blink a second: below the three flashes a second that can harm (WCAG 2.3.1)."""


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


def strength(effect: EffectName, t: float) -> float:
    """Return how bright an effect is at ``t`` seconds, 0 to 1."""
    if effect == "pulse":
        return 0.2 + 0.8 * (0.5 - 0.5 * math.cos(2 * math.pi * t / PULSE_SECONDS))
    if effect == "blink":
        return 1.0 if t % BLINK_SECONDS < BLINK_SECONDS / 2 else 0.0
    return 1.0


def render(frame: LightFrame, wiring: Wiring, t: float) -> Pixels:
    """Return the strip's colours at ``t`` seconds. Spots without LED are left out."""
    pixels: list[Colour] = [(0, 0, 0)] * wiring.count
    for spot, light in frame.items():
        share = strength(light.effect, t)
        red, green, blue = light.colour
        colour = round(red * share), round(green * share), round(blue * share)
        for index in wiring.leds.get(spot, ()):
            pixels[index] = colour
    return tuple(pixels)


def current_ma(pixels: Pixels) -> float:
    """Return about how much current the strip draws, in milliampere."""
    return sum(IDLE_MA + CHANNEL_MA * sum(pixel) / 255 for pixel in pixels)


def limited(pixels: Pixels, limit_ma: float) -> Pixels:
    """Return the frame, darkened as a whole where it would draw more than ``limit_ma``.

    The idle current cannot be saved; where it alone exceeds the limit the frame is dark.
    """
    idle = IDLE_MA * len(pixels)
    wanted = current_ma(pixels) - idle
    if idle + wanted <= limit_ma:
        return pixels
    share = max(0.0, limit_ma - idle) / wanted if wanted else 0.0
    return tuple((int(r * share), int(g * share), int(b * share)) for r, g, b in pixels)


def spot_colours(pixels: Pixels, wiring: Wiring) -> Mapping[str, Colour]:
    """Return what shines under every lit spot: the brightest of its LEDs."""
    lit: dict[str, Colour] = {}
    for spot, indexes in wiring.leds.items():
        colours = [pixels[index] for index in indexes if index < len(pixels)]
        brightest = max(colours, key=sum, default=(0, 0, 0))
        if any(brightest):
            lit[spot] = brightest
    return lit


class LightShow:
    """Keeps a strip showing one frame of lights, its effects moving with the clock, within the
    power supply's ``limit_ma``."""

    def __init__(
        self, strip: Strip, wiring: Wiring, clock: Callable[[], float], limit_ma: float = 2000.0
    ) -> None:
        self._strip = strip
        self._wiring = wiring
        self._clock = clock
        self._limit = limit_ma
        self._frame: LightFrame = {}
        self.brightness = 1.0
        """Share of its full light that every LED gives, 0 to 1."""

    def show(self, frame: LightFrame) -> None:
        """Take a new frame and show it at once."""
        self._frame = frame
        self.update()

    def update(self) -> None:
        """Move the effects along; call it about ten times a second.

        Raises:
            HardwareFault: the strip is gone.
        """
        self._strip.show(self.pixels(self._clock()))

    def pixels(self, at: float) -> Pixels:
        """Return what the strip's LEDs shine at ``at`` seconds."""
        full, share = render(self._frame, self._wiring, at), self.brightness
        dimmed = tuple((round(r * share), round(g * share), round(b * share)) for r, g, b in full)
        return limited(dimmed, self._limit)

    def glow(self, at: float) -> Mapping[str, Colour]:
        """Return what shines under every lit spot at ``at`` seconds."""
        return spot_colours(self.pixels(at), self._wiring)

    def close(self) -> None:
        """Put all LEDs out and give the strip back."""
        self._strip.close()
