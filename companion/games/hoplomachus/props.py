"""What open cards are called, and the dice as they should lie: in their zones, and on the cards of
the enemies they hit."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.hoplomachus.scorecards import BOARD, CARD_MM, ZONE_MM, ZONE_NAMES, expect
from companion.games.hoplomachus.sight import lying, place_of
from companion.games.hoplomachus.state import ZONES, HoplomachusState
from companion.rules import Point, Prop

IN_A_ROW = 10
STEP_MM = 14
SMALLER = 0.85
"""Dice are drawn a little smaller than they are, so that all of them find room in a zone."""


def props(state: HoplomachusState) -> tuple[Prop, ...]:
    """Return the names of the open cards, and all dice: in zones under their names, on enemies."""
    return tuple(_props(state))


def _props(state: HoplomachusState) -> Iterator[Prop]:
    for spot, card in expect(state).items():
        x, y = BOARD[spot].centre
        yield Prop((x, y + 7), words=card, size=10, turn=0, room=CARD_MM[0])
    dice = lying(state)
    for name in ZONES:
        x, y = BOARD[name].centre
        yield Prop((x, y - 17), words=ZONE_NAMES[name], size=21, turn=0, room=ZONE_MM[0])
        yield from _rows(dice.get(name, ()), (x, y + 5))
    # The dice of the last enemies share a place.
    for place in dict.fromkeys(map(place_of, range(len(state.enemies)))):
        x, y = BOARD[place].centre
        yield from _rows(dice.get(place, ()), (x, y + 30), 4)


def _rows(dice: tuple[str, ...], top: Point, most: int = IN_A_ROW) -> Iterator[Prop]:
    """Yield ``dice`` row by row."""
    for number, die in enumerate(dice):
        row, column = divmod(number, most)
        at = (top[0] + column * STEP_MM - 7 * (most - 1), top[1] + row * STEP_MM)
        yield Prop(at, die, size=SMALLER, turn=0)
