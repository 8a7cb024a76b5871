"""Victorus: two to six armies on 181 hexagons; a King or Queen rounds the centre and enters."""

from companion.games.victorus.game import GAME, Victorus

__all__ = ["GAME", "Victorus"]
