"""Lights, wiring, drivers, buttons. Knows spots and colours, knows no game."""
