"""Printing a game: boards with corner markers, tokens of two sides, LED templates, wiring plans.

Everything is drawn in millimetres from the game's own board and drawings; nothing here knows a
game. ``contents`` makes sheets, ``paper`` divides them into pages, ``pdf`` writes them.
"""
