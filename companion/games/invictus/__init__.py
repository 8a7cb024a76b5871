"""Invictus by Rey Alicea: eighteen dice a side, captured dice come back one pip weaker."""

from companion.games.invictus.game import GAME

__all__ = ["GAME"]
