"""Pictures of cards of our own: a shape for each kind, bars for hits and damage."""

from __future__ import annotations

import math

from companion.games.hoplomachus.cards import (
    CARNAGE,
    HERO,
    LIEUTENANT,
    OPPORTUNITY,
    SPORT,
    TACTIC,
    UNIVERSAL,
    invented,
    known,
    own,
    unknown_card,
)
from companion.games.hoplomachus.scorecards import CARD_MM
from companion.games.hoplomachus.sight import MAT
from companion.games.hoplomachus.state import card_of
from companion.rules import Drawing, Stroke
from companion.rules.geometry import Point

_COLOURS = {SPORT: "#2f6f8f", CARNAGE: "#9c2f2a", OPPORTUNITY: "#8a6a1f", HERO: "#5b3f8c",
            UNIVERSAL: "#5b3f8c", LIEUTENANT: "#222222", TACTIC: "#3d7a45"}  # fmt: skip
_CORNERS = {SPORT: 4, CARNAGE: 3, OPPORTUNITY: 5, HERO: 6, UNIVERSAL: 7, LIEUTENANT: 8,
            TACTIC: 12}  # fmt: skip

_SPIKES = {"blank": 0, "hit": 5, "crit": 9}


def draw(token: str) -> Drawing:
    """Return the picture of the card or die called ``token``, in millimetres about its middle.

    Raises:
        BadInput: there is no such card.
    """
    if token in MAT.faces or token in MAT.kinds:
        return _die(*token.split())
    if not known(token):
        raise unknown_card(token)
    card = card_of(token)
    colour, (width, height) = _COLOURS[card.kind], CARD_MM
    frame = _box(0, 0, width, height)
    number = list(invented() if token in invented() else own()).index(token)
    emblem = tuple(
        (14 * math.cos(angle), -12 + 14 * math.sin(angle))
        for angle in (2 * math.pi * k / _CORNERS[card.kind] for k in range(_CORNERS[card.kind]))
    )
    strokes = [Stroke(frame, fill="#fbf7ee", colour=colour, width=3), Stroke(emblem, fill=colour)]
    for count, y, fill in ((card.hits, 16, "#222222"), (card.damage, 26, "#9c2f2a"),
                           (card.plus, 36, "#2f6f8f")):  # fmt: skip
        strokes += [Stroke(_box((n - count / 2 + 0.5) * 5, y, 3.4, 6), fill=fill)
                    for n in range(count)]  # fmt: skip
    strokes += [
        Stroke(_box((bit - 3) * 7, -36, 5, 5), fill="#222222") for bit in range(7)
        if number >> bit & 1
    ]  # fmt: skip
    return tuple(strokes)


def _die(colour: str, face: str = "blank") -> Drawing:
    """Return a die from above: a star for a hit, a sun for a crit, bare where none shows."""
    side = MAT.side_mm
    body = Stroke(_box(0, 0, side, side), fill=MAT.kinds[colour].ink, colour="#1b1a1a", width=0.6)
    spikes = _SPIKES[face]
    if not spikes:
        return (body,)
    dye = "#161618" if colour == "yellow" else "#f0eee6"
    points = tuple(
        (radius * math.sin(angle), -radius * math.cos(angle))
        for angle, radius in (
            (math.pi * k / spikes, 0.33 * side * (0.5 if k % 2 else 1)) for k in range(2 * spikes)
        )
    )
    return (body, Stroke(points, fill=dye))


def _box(x: float, y: float, width: float, height: float) -> tuple[Point, ...]:
    left, right, top, bottom = x - width / 2, x + width / 2, y - height / 2, y + height / 2
    return (left, top), (right, top), (right, bottom), (left, bottom)
