"""What goes wrong at a real table, each thing a switch."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

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
    ``bump_px``: the camera moved, in pixels; ``bump_turn``: it turned about its axis, in degrees;
    ``bump_mm``: the board moved (mm, mm, degrees).
    ``cup``, ``phone``, ``paper``: the spot that one stands or lies on; ``beside``: how many of the
    tokens taken last lie beside the board. ``led``: how bright lit LEDs look, 0 for unseen.
    ``glare``: the spot that a lamp is reflected on; ``veil``: the spot about which a lamp's
    soft reflection veils a third of the board, and the grey levels that it adds there; ``sun``: how
    much brighter a beam of sunlight makes a part of the table.
    ``gloss``: how much the sleeves shine that cards lie in, 0 for none; ``resting``: the spot that
    a hand rests on, half over its token.
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
    bump_turn: float = 0.0
    bump_mm: tuple[float, float, float] = (0.0, 0.0, 0.0)
    cup: str | None = None
    phone: str | None = None
    paper: str | None = None
    beside: int = 0
    led: float = 1.0
    glare: str | None = None
    veil: tuple[str, float] | None = None
    sun: float = 0.0
    gloss: float = 0.0
    resting: str | None = None
    torn: float = 0.0
    lost: float = 0.0
    jpeg: int = 88


def random_troubles(chance: random.Random) -> Troubles:
    """Return the troubles of one evening, every switch somewhere in its everyday range; no bump,
    no cup and no torn frame, which are events: see :func:`random_event`."""

    def colour() -> Colour:
        return chance.randrange(20, 236), chance.randrange(20, 236), chance.randrange(20, 236)

    dark = chance.uniform(0.35, 1.0)
    return Troubles(
        hand_frames=chance.randint(0, 3),
        skin=(round(236 * dark), round(192 * dark), round(160 * dark)),
        sleeve=colour(),
        noise=chance.uniform(1.0, 5.0),
        blur=chance.uniform(0.3, 1.2),
        lamp=chance.uniform(0.55, 1.05),
        warmth=chance.uniform(0.0, 0.7),
        gradient=chance.uniform(0.0, 0.4),
        vignette=chance.uniform(0.0, 0.4),
        flicker=chance.choice((0.0, 0.0, chance.uniform(0.0, 0.06))),
        jpeg=chance.randint(75, 95),
    )


def random_event(troubles: Troubles, chance: random.Random) -> Troubles:
    """Return ``troubles`` after one thing has happened: a lamp, a shadow, a bump, a torn frame
    or two, or the end of it."""
    bump = chance.uniform(-8, 8), chance.uniform(-8, 8)
    shove = chance.uniform(-6, 6), chance.uniform(-6, 6), chance.uniform(-1.5, 1.5)
    return chance.choice(
        (
            replace(troubles, lamp=chance.uniform(0.5, 1.05)),
            replace(troubles, shadow=chance.uniform(0.1, 0.4)),
            replace(troubles, shadow=0.0, torn=0.0, lost=0.0),
            replace(troubles, bump_px=bump),
            replace(troubles, bump_turn=chance.uniform(-3, 3)),
            replace(troubles, bump_mm=shove),
            replace(troubles, torn=0.2),
            replace(troubles, lost=0.2),
        )
    )
