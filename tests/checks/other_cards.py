"""Cards that are not of the printed deck, for the simulated table: of another make, and strangers.

``other red 7`` is the red 7 of a deck much like the printed one that has no codes; ``joker 3`` is
a card that no deck of Victory & Honor has.
"""

from __future__ import annotations

import math

from companion.games.victory_honor import GAME
from companion.games.victory_honor.drawing import INK, PAPER
from companion.games.victory_honor.game import VictoryHonor
from companion.rules import Drawing, Setup, Stroke

OTHER, JOKER = "other ", "joker "


class OtherCards(VictoryHonor):
    """The game as a table has it on which other cards lie, too."""

    def draw(self, setup: Setup, token: str) -> Drawing:
        """Return how ``token`` looks."""
        if token.startswith(OTHER):
            return tuple(s for s in GAME.draw(setup, token[len(OTHER) :]) if s.fill != INK)
        if token.startswith(JOKER):
            return _joker(int(token[len(JOKER) :]))
        return GAME.draw(setup, token)


def _joker(number: int) -> Drawing:
    """Return a card with a sun of so many rays."""
    back = GAME.draw(GAME.setup(), "back")
    rays = []
    for k in range(2 * number + 3):
        angle = 2 * math.pi * k / (2 * number + 3)
        end = (26 * math.sin(angle), -26 * math.cos(angle))
        rays.append(Stroke(((0.0, 0.0), end), "", "#7a2f8f", 3.0, False))
    paper = Stroke(back[0].points, PAPER, back[0].colour, back[0].width)
    disc = tuple((11 * math.sin(k / 4), 11 * math.cos(k / 4)) for k in range(25))
    return (paper, *rays, Stroke(disc, "#d97b1c"))
