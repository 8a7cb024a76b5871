"""Nine men's morris for the tabletop companion."""

from companion_morris.game import Morris

GAME = Morris()
