"""The journal: everything that happened at a table, in an append-only SQLite file."""

from companion.journal.connection import MEMORY, Connection, open_sqlite
from companion.journal.entries import Draft, Event, Header
from companion.journal.events import Events
from companion.journal.faults import Damaged
from companion.journal.journal import Journal

__all__ = [
    "MEMORY", "Connection", "Damaged", "Draft", "Event", "Events", "Header", "Journal",
    "open_sqlite",
]  # fmt: skip
