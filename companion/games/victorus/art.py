"""The printed board and the shields, in millimetres."""

from __future__ import annotations

from functools import cache

from companion.games.victorus import geometry as g
from companion.games.victorus.arena import Arena
from companion.rules import Board, Drawing
from companion.rules.geometry import hex_board

PITCH = 36.0
SHADES = ("#f4f1e6", "#b9bab5")


@cache
def board(arena: Arena) -> Board:
    """Return the 181 hexagons."""
    shades = {
        cell: SHADES[arena.shade[i]] if i != g.CENTRE else "#ffffff"
        for i, cell in enumerate(g.AXIAL)
    }
    return hex_board(shades, PITCH)


def draw(arena: Arena, token: str) -> Drawing:
    """Return the shield."""
    return ()
