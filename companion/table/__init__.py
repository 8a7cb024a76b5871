"""The table: one live game, its history, its people, and the evening they spend."""

from companion.table.history import StaleState
from companion.table.table import Table

__all__ = ["StaleState", "Table"]
