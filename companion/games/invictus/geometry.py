"""The board, the dice, and every step that a die can ever take, built once.

A space is a number, ``9 * (row - 1) + file`` with row and file counted from Black's left corner;
a die is its value, negative for White; 0 is an empty space.
"""

from __future__ import annotations

import math
from dataclasses import replace
from types import MappingProxyType
from typing import Final, NamedTuple

from companion.rules import Action, Board, Drawing, Point, Stroke, Text, say, unknown_token
from companion.rules.geometry import square_board

TITLE: Final = "Invictus"
SEATS: Final = ("black", "white")
SIDE: Final = 9
CELL_MM: Final = 26.0
DIE_MM: Final = 16.0

_DIVIDE_EDGE: Final = tuple(
    (x * CELL_MM, y * CELL_MM) for x, y in ((-4.5, -0.5), (4.5, -0.5), (4.5, 0.5), (-4.5, 0.5))
)
BOARD: Final[Board] = replace(
    square_board(
        SIDE, SIDE, CELL_MM, ("#d8b877", "#8a5a33"), (Stroke(_DIVIDE_EDGE, "", "#b02020", 1.0),)
    ),
    token_height=DIE_MM,
)
SPOTS: Final = tuple(f"{chr(97 + file)}{row}" for row in range(1, 10) for file in range(SIDE))
INDEX: Final = {name: index for index, name in enumerate(SPOTS)}


def sign(seat: int) -> int:
    """Return what a die of seat number ``seat`` (0 Black, 1 White) is multiplied by."""
    return 1 - 2 * seat


def token(die: int) -> str:
    """Return the token of a die, such as ``white 3`` for -3."""
    return f"{SEATS[die < 0]} {abs(die)}"


_NAMED: Final = {
    sign * value: say("{colour} {value}", colour=colour, value=value)
    for sign, colour in ((1, say("black")), (-1, say("white")))
    for value in range(1, 7)
}


def named(die: int) -> Text:
    """Return the token of a die as the players say it in their language."""
    return _NAMED[die]


_DICE: Final[dict[str, int]] = {token(die): die for die in (*range(1, 7), *range(-6, 0))}


def die_of(text: str) -> int:
    """Return the die that ``text`` names.

    Raises:
        BadInput: not a colour and a value from 1 to 6.
    """
    try:
        return _DICE[text]
    except KeyError:
        raise unknown_token(text, TITLE) from None


def own_row(seat: int, index: int) -> int:
    """Return the row of space ``index`` as player ``seat`` counts it, 1 to 9 (INV-2.1)."""
    row = index // SIDE + 1
    return 10 - row if seat else row


class DieStep(NamedTuple):
    """A step of one space: where it ends, whether it is diagonal or sideways, its action."""

    target: int
    diagonal: bool
    sideways: bool
    action: Action


def _steps(seat: int, origin: int) -> tuple[DieStep, ...]:
    """Return the five steps of INV-4.2 that stay on the board."""
    file, row, forward = origin % SIDE, origin // SIDE, sign(seat)
    found = []
    for across, ahead in ((-1, forward), (0, forward), (1, forward), (-1, 0), (1, 0)):
        if 0 <= file + across < SIDE and 0 <= row + ahead < SIDE:
            target = origin + across + SIDE * ahead
            action = Action("move", SPOTS[origin], SPOTS[target])
            found.append(DieStep(target, across != 0 and ahead != 0, ahead == 0, action))
    return tuple(found)


STEPS: Final = tuple(tuple(_steps(seat, origin) for origin in range(81)) for seat in (0, 1))
TERRITORY: Final = tuple(
    tuple(index for index in range(81) if own_row(seat, index) <= 4) for seat in (0, 1)
)
FIRST_SPACES: Final = tuple(
    tuple(index for index in range(81) if own_row(seat, index) in (2, 3)) for seat in (0, 1)
)
PLACE: Final = tuple(Action("place", None, name) for name in SPOTS)
PASS: Final = Action("pass")
AGREE: Final = Action("agree")
WORDS: Final = MappingProxyType({"agree": say("agree to end"), "pass": say("pass")})
"""What is said beside the moves, and what its buttons say."""


def _first_board() -> tuple[int, ...]:
    """Return the set-up used where nobody set one up: from each player's own left, row 2 is
    111222333 and row 3 is 444555666."""
    board = [0] * 81
    for seat in (0, 1):
        for row, values in ((2, "111222333"), (3, "444555666")):
            for file, value in enumerate(values):
                index = SIDE * (row - 1) + file
                board[80 - index if seat else index] = sign(seat) * int(value)
    return tuple(board)


FIRST_BOARD: Final = _first_board()

_PIPS: Final[dict[int, tuple[Point, ...]]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


def _disc(x: float, y: float, radius: float, colour: str) -> Stroke:
    points = ((math.cos(k * math.pi / 8), math.sin(k * math.pi / 8)) for k in range(16))
    return Stroke(tuple((x + radius * c, y + radius * s) for c, s in points), colour)


def draw_die(die: int) -> Drawing:
    """Return the top face of a die of ``DIE_MM`` with its pips, in millimetres about its
    middle."""
    body, ink = ("#f4f1e8", "#151515") if die < 0 else ("#1d1d1f", "#f7f7f2")
    half, cut = DIE_MM / 2, DIE_MM / 10
    corners = []
    for x, y in ((-half, -half), (half, -half), (half, half), (-half, half)):
        inner_x, inner_y = math.copysign(half - cut, x), math.copysign(half - cut, y)
        pair = [(x, inner_y), (inner_x, y)]
        corners += pair if x * y > 0 else pair[::-1]
    pips = (_disc(x * DIE_MM / 4, y * DIE_MM / 4, DIE_MM / 10, ink) for x, y in _PIPS[abs(die)])
    return Stroke(tuple(corners), body, "#6b6b6b", 0.3), *pips
