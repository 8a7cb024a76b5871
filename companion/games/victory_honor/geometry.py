"""Seats, slots and spots: who sits where, which positions face each other, where cards lie.

A seat is a number clockwise, 0 south; a position is 0 left flank, 1 centre, 2 right flank; a slot
is ``3 * seat + position``. The spot of a slot is called ``south.L``.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from companion.rules import Action, Board, Point, Spot, Stroke
from companion.rules.words import Text, call, say

TITLE: Final = "Victory & Honor"
SEATS: Final = tuple(map(str, (say("south"), say("west"), say("north"), say("east"))))
POSITIONS: Final = ("L", "C", "R")
LEFT: Final = 0
CENTRE: Final = 1
RIGHT: Final = 2
BATTLES: Final = (LEFT, RIGHT, CENTRE)
"""The order in which the battles of a phase are fought (VH-9.12)."""
SLOTS: Final = tuple(f"{seat}.{position}" for seat in SEATS for position in POSITIONS)
RESERVES: Final = tuple(f"{seat}.reserve" for seat in SEATS)
SLOT: Final = MappingProxyType({name: slot for slot, name in enumerate(SLOTS)})
RESERVE: Final = MappingProxyType({name: seat for seat, name in enumerate(RESERVES)})
ONWARD: Final = tuple((slot // 3 + slot % 3 + 1) % 4 for slot in range(12))
"""The seat that a card on the slot passes the turn to (VH-2.3)."""
FACING: Final = tuple(3 * ONWARD[slot] + 2 - slot % 3 for slot in range(12))
"""The slot that faces the slot (VH-2.4)."""

CARD_MM: Final = (63.0, 88.0)
PITCH_MM: Final = 100.0
SPOT_MM: Final = 96.0
"""A place is square, so that a card fits however its owner turns it."""

SCOUTING: Final = tuple(Action("scout", detail=position) for position in POSITIONS)
NO_ORDER: Final = Action("scout", detail="none")
DEALT: Final = Action("dealt")
PASS: Final = Action("pass")
REDEAL: Final = Action("redeal")
GATHER: Final = Action("gather")
VOID: Final = Action("void")
COUNT: Final = Action("count")
WORDS: Final = MappingProxyType({
    "scout": say("what a scout orders"),
    "dealt": say("the cards are dealt"),
    "pass": say("everybody has passed three cards"),
    "redeal": say("somebody without a general asks for a new deal"),
    "gather": say("the cards are gathered"),
    "void": say("the round is void and dealt anew"),
    "count": say("the round counts as it was played"),
})  # fmt: skip
"""What each spoken verb is called."""

_SHADES: Final = ("#cfd8c4", "#d8d0c0", "#c8d0d8", "#d8c8cc")
_GROUND: Final = {"reserve": "#efe9dc"}


def position_name(position: int) -> Text:
    """Return the position in words."""
    return (say("left flank"), say("centre"), say("right flank"))[position]


def seat_name(seat: int) -> Text:
    """Return the seat as it begins a sentence."""
    return (say("South"), say("West"), say("North"), say("East"))[seat]


def _place(seat: int, place: Text) -> Text:
    return say("{seat}'s {place}", seat=seat_name(seat), place=place)


call({name: _place(slot // 3, position_name(slot % 3)) for name, slot in SLOT.items()})
call({name: _place(seat, say("reserve")) for name, seat in RESERVE.items()})


def partners(seat: int, other: int) -> bool:
    """Tell whether the two seats are opposite each other (VH-2.2)."""
    return (seat - other) % 4 == 2


def _turned(seat: int, x: float, y: float) -> Point:
    """Return where a point of the south player's place lies for ``seat``."""
    for _ in range(seat):
        x, y = -y, x
    return x, y


def _spot(name: str, seat: int, column: float, row: float, kind: str) -> Spot:
    x, y = _turned(seat, column * PITCH_MM, row * PITCH_MM)
    half = SPOT_MM / 2
    outline = ((x - half, y - half), (x + half, y - half), (x + half, y + half),
               (x - half, y + half))  # fmt: skip
    return Spot(name, (x, y), outline, kind, _GROUND.get(kind, _SHADES[seat]), SEATS[seat])


def _board() -> Board:
    """Build the table: four battle boards about an open middle, where spoils are kept, and each
    player's reserve at his right hand, in the corners."""
    spots = {}
    for seat in range(4):
        for position, letter in enumerate(POSITIONS):
            name = f"{SEATS[seat]}.{letter}"
            spots[name] = _spot(name, seat, position - 1, 2, "position")
        name = f"{SEATS[seat]}.reserve"
        spots[name] = _spot(name, seat, 2, 2, "reserve")
    edge = 2 * PITCH_MM + SPOT_MM / 2
    corners = {
        "north.reserve": (-edge, -edge), "east.reserve": (edge, -edge),
        "south.reserve": (edge, edge), "west.reserve": (-edge, edge),
    }  # fmt: skip
    marks = tuple(_band(seat) for seat in range(4))
    return Board(
        MappingProxyType(spots), PITCH_MM, marks, MappingProxyType(corners), card_width=CARD_MM[0]
    )


def _band(seat: int) -> Stroke:
    """Return the frame about a player's battle board."""
    half, near, far = 1.5 * PITCH_MM - 1, 1.5 * PITCH_MM + 1, 2.5 * PITCH_MM - 1
    corners = ((-half, near), (half, near), (half, far), (-half, far))
    return Stroke(tuple(_turned(seat, x, y) for x, y in corners), "", "#5a5448", 0.8)


BOARD: Final[Board] = _board()
