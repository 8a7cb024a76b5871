"""Copies of what a club has stored, one journal each, for pages that look at games."""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence
from pathlib import Path

from companion.club.store import ClubTable, Store
from companion.journal import Journal
from companion.journal.copying import append_rows

_NUMBERED = re.compile(r"(\D*)(\d*)")


class Copies:
    """Copies of all tables' journals in ``folder``, brought up to date when somebody looks; each
    process makes its own. May be used from any thread."""

    def __init__(self, store: Store, folder: Path) -> None:
        self.store, self._folder = store, folder
        self._known: dict[tuple[str, str], ClubTable] = {}
        self._guard = threading.RLock()

    def tables(self, wanted: Sequence[str] | None = None) -> list[ClubTable]:
        """Return every table of the club, or those ``wanted``, those first that play."""
        found = self.store.tables(wanted)
        return sorted(found, key=lambda one: (not _plays(one), in_order(one)))

    def journals(self) -> list[ClubTable]:
        """Return every journal of every table."""
        return self.store.journals()

    def read(self, table: ClubTable) -> Journal:
        """Open the copy of a journal of a table; what is wrong with it is told of the table's name.

        Raises:
            BadInput: it is none that can be read.
            HardwareFault: the database or the disk fails.
        """
        return Journal.read(self.journal(table), table.name)

    def journal(self, table: ClubTable) -> Path:
        """Return the copy of a journal of a table.

        Raises:
            HardwareFault: the database or the disk fails.
        """
        key = (table.table, table.journal)
        path = self._folder / f"{'-'.join(key)}.sqlite3"
        with self._guard:
            known = self._known.get(key)
            same = (
                known is not None
                and (known.epoch, known.rewritten) == (table.epoch, table.rewritten)
                and known.seq <= table.seq
            )
            after = known.seq if known is not None and same else 0
            if after == table.seq and same:
                return path
            rows = [
                row
                for row in self.store.every_event(table.table, table.epoch, after)
                if row.seq <= table.seq
            ]
            if not same or any(row.kind == "deleted" for row in rows):
                self._forget(path)
                rows = list(self.store.every_event(table.table, table.epoch))
            append_rows(path, rows, lasting=False)
            last = rows[-1].seq if rows else after
            self._known[key] = table._replace(seq=max(last, table.seq))
        return path

    @staticmethod
    def _forget(path: Path) -> None:
        for ending in ("", "-wal", "-shm"):
            path.with_name(path.name + ending).unlink(missing_ok=True)


def in_order(table: ClubTable) -> tuple[list[tuple[str, int]], str]:
    """Return by what tables are put in the order of their names: Table 2 before Table 10."""
    parts = _NUMBERED.findall(table.name.casefold())
    return [(text, int(digits or 0)) for text, digits in parts], table.table


def _plays(table: ClubTable) -> bool:
    return table.state is not None and table.state.state == "playing"
