"""Draughts for the tabletop companion: English and international."""

from companion_draughts.game import Draughts

GAME = Draughts()
