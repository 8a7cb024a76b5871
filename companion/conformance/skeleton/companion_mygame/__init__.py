"""My Game: a game for the tabletop companion."""

from companion_mygame.game import GAME

__all__ = ["GAME"]
