"""A chess set carved of wood: tall men of one colour that no picture on top tells apart."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from companion.rules import Board, Drawing, Game, Setup, Stroke
from vision.board.optics import CameraView

CARVED = "carved"
"""The style of these men."""
RADII = {"P": 0.2, "R": 0.25, "N": 0.25, "B": 0.22, "Q": 0.28, "K": 0.29}
"""Half the breadth of a man of each kind, in pitches."""
BODIES = {"white": ("#dcc9a0", "#c7b389"), "black": ("#3b2a20", "#54402f")}
"""Wood and polish of each side."""
HEIGHT, STEEP = 0.7, 0.4
"""How high a man stands, in pitches, and how much less a camera over such men is tilted."""


def carved(game: Game[Any]) -> Game[Any]:
    """Return chess with carved men in place of printed ones; they stand HEIGHT high."""
    kind = type(game)

    def draw(self: Game[Any], setup: Setup, token: str) -> Drawing:
        seat, _, man = self.look(token).face.partition(" ")
        radius = RADII[man] * self.board(setup).pitch
        wood, polish = BODIES[seat]
        head = 0.45 * radius
        return (_round(radius, wood, 24), _round(head, polish, 16, (-0.3 * radius, -0.3 * radius)))

    return type(f"Carved{kind.__name__}", (kind,), {"draw": draw})()


def standing(view: CameraView, board: Board) -> CameraView:
    """Return ``view`` of a board with carved men: steeper, for they hide each other."""
    return replace(view, tilt=STEEP * view.tilt, thickness=HEIGHT * board.pitch)


def _round(
    radius: float, colour: str, sides: int, middle: tuple[float, float] = (0.0, 0.0)
) -> Stroke:
    turns = [2 * math.pi * k / sides for k in range(sides)]
    x, y = middle
    points = tuple((x + radius * math.cos(t), y + radius * math.sin(t)) for t in turns)
    return Stroke(points, fill=colour)
