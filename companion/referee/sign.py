"""The product's name and its sign on paper. The sign is that of ``web/static/icon.svg``: a cell
that glows, and in it a piece that may go there."""

from __future__ import annotations

import math
from typing import Any

from companion.referee.on_paper import put
from companion.rules import Drawing, Point, Stroke

NAME = "Tabletop Companion"
SIZE, LETTERS = 7.0, 8.0
"""The height of the sign in millimetres, that of the name's letters in points."""


def _cell(half: float, side: float, height: float) -> tuple[Point, ...]:
    """Return a hexagon that stands on a corner, about (0, 0)."""
    upper = ((0.0, -height), (half, -side), (half, side))
    return tuple((turn * x, turn * y) for turn in (1, -1) for x, y in upper)


def _ring(radius: float, corners: int = 24) -> tuple[Point, ...]:
    turns = (2 * math.pi * corner / corners for corner in range(corners))
    return tuple((radius * math.cos(turn), radius * math.sin(turn)) for turn in turns)


SIGN: Drawing = (
    Stroke(_cell(12.6, 7.3, 14.5), fill="#100f0c"),
    Stroke(_cell(8.2, 4.7, 9.5), colour="#00dc46", width=2.0),
    Stroke(_ring(4.0), fill="#f0eadd"),
)
"""About (0, 0), in the units of the icon, which is 32 high."""


def signed(pdf: Any, left: float, middle: float) -> None:
    """Draw the sign and, beside it, the name on the present page of ``pdf``, from ``left`` on and
    about the height ``middle``, in millimetres."""
    put(pdf, SIGN, (left + SIZE / 2, middle), SIZE / 32)
    pdf.set_text_color(0, 0, 0)
    pdf.set_font("helvetica", size=LETTERS)
    pdf.text(left + SIZE + 1.5, middle + 1.0, NAME)
