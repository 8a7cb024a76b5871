"""A small code printed in two corners of a card, that no other deck has.

Nine square modules in three rows. The outermost one is always dark; the others hold a number from
0 to 63 in six bits and a check in two, the sum of its three pairs of bits. Seen upright the code
stands in the upper left corner and, turned by half a turn, in the lower right one: a card reads
the same upside down.
"""

from __future__ import annotations

from companion.rules.geometry import Drawing, Point, Stroke

MODULES = 3
MODULE_MM = 3.5
INSET_MM = 4.0
"""Millimetres between the card's edges and the code."""
LARGEST = 63

Cells = tuple[bool, ...]
"""The modules row by row from the outer corner, True where dark."""


def cells_of(number: int) -> Cells:
    """Return the modules that stand for ``number``, 0 to ``LARGEST``."""
    bits = number << 2 | _check(number)
    return (True, *(bool(bits >> shift & 1) for shift in range(7, -1, -1)))


def _check(number: int) -> int:
    return ((number & 3) + (number >> 2 & 3) + (number >> 4)) & 3


def module_middles(width: float, height: float) -> tuple[Point, ...]:
    """Return the modules' middles in the upper left corner of a card of that size, in millimetres
    about its middle; those of the lower right corner have the opposite signs."""
    inner = range(MODULES)
    return tuple(_middle(width, height, row, column) for row in inner for column in inner)


def _middle(width: float, height: float, row: float, column: float) -> Point:
    x = INSET_MM - width / 2 + (column + 0.5) * MODULE_MM
    return x, INSET_MM - height / 2 + (row + 0.5) * MODULE_MM


def code_strokes(number: int, width: float, height: float, ink: str) -> Drawing:
    """Return both copies of the code of ``number`` for a card of that size."""
    half, found = MODULE_MM / 2, []
    for (x, y), dark in zip(module_middles(width, height), cells_of(number), strict=True):
        if dark:
            for sign in (1, -1):
                u, v = sign * x, sign * y
                square = ((u - half, v - half), (u + half, v - half), (u + half, v + half),
                          (u - half, v + half))  # fmt: skip
                found.append(Stroke(square, ink))
    return tuple(found)
