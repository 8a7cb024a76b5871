"""Victory & Honor by Ty Douds: three battles at once, for four, with cards nobody may see."""

from companion.games.victory_honor.game import GAME

__all__ = ["GAME"]
