"""What goes wrong at a real table, each thing a switch."""

from __future__ import annotations

from dataclasses import dataclass

Colour = tuple[int, int, int]
"""Red, green, blue, 0 to 255."""


@dataclass(frozen=True, slots=True)
class Troubles:
    """The troubles of a simulated camera; the defaults are a good evening.

    ``hand_frames``: pictures with a hand in them for every move; ``skin``, ``sleeve``: colours.
    ``noise``: standard deviation in grey levels; ``blur``: sigma in pixels.
    ``lamp``: brightness, 1 as usual; ``warmth``: 0 neutral to 1 candle light;
    ``gradient``: how much darker the far side of the room is; ``vignette``: darker corners.
    ``flicker``: amplitude of the mains light's bands; ``shadow``: depth of somebody's shadow.
    ``bump_px``: the camera moved, in pixels; ``bump_mm``: the board moved (mm, mm, degrees).
    ``cup``: the spot that a cup stands on. ``led``: how bright lit LEDs look, 0 for unseen.
    ``torn``, ``lost``: chances that a frame is torn or cannot be read at all.
    ``jpeg``: quality of the round trip through JPEG, 0 for none.
    """

    hand_frames: int = 2
    skin: Colour = (196, 148, 120)
    sleeve: Colour = (176, 62, 60)
    noise: float = 3.0
    blur: float = 0.7
    lamp: float = 1.0
    warmth: float = 0.25
    gradient: float = 0.12
    vignette: float = 0.25
    flicker: float = 0.0
    shadow: float = 0.0
    bump_px: tuple[float, float] = (0.0, 0.0)
    bump_mm: tuple[float, float, float] = (0.0, 0.0, 0.0)
    cup: str | None = None
    led: float = 1.0
    torn: float = 0.0
    lost: float = 0.0
    jpeg: int = 88
