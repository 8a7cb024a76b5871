"""Lights without a strip, for tests in which they are only switched."""

from __future__ import annotations

from companion.live.light_panel import LightPanel
from hardware.strip import LightShow, SimulatedStrip
from hardware.wiring import default_wiring


def dark_panel(table):
    """The lights of ``table``, on a strip that nobody sees."""
    board = table.game.board(table.setup)
    return LightPanel(
        table, LightShow(SimulatedStrip(), default_wiring(board), lambda: 0.0), lambda: None
    )
