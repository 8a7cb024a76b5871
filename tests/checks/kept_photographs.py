"""How much of a journal its photographs are."""

from __future__ import annotations

from companion.journal import Journal


def photograph_bytes(journal: Journal) -> int:
    """Return the bytes of all photographs that can be read from ``journal``."""
    events = range(1, journal.last_seq + 1)
    return sum(len(jpeg) for seq in events for jpeg in journal.evidence(seq).values())
