"""Geese: a game for the tabletop companion."""

from companion_geese.game import GAME

__all__ = ["GAME"]
