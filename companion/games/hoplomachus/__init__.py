"""Hoplomachus: Victorum, alone against Mount Vesuvius."""

from companion.games.hoplomachus.game import GAME

__all__ = ["GAME"]
