"""Frames in, readings out. Knows geometry and tokens, knows no rule text."""
