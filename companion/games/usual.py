"""The game that is played where nobody has named one, and what examples show of it."""

from __future__ import annotations

NAME = "victorus"
"""The game that is played if none was named and none was played before."""
SEATS = "red,purple"
FIRST_SEAT = "red"
MOVE, TURN_END, OTHER_MOVE = "h2-h4", "end", "g13-k11"
SPOT, TOKEN = "h2", "red black T"
