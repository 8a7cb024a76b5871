"""Dice: found, read, on a board, in a tray."""
