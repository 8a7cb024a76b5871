"""Tables whose journals a club has stored, without a broker between."""

from __future__ import annotations

import time

from companion.club.messages import Batch, Place, TableState
from companion.games import find_game
from companion.journal import Journal
from companion.journal.copying import JournalRows
from companion.rules import Action
from companion.table import Table

EPOCH = "e" * 16


class Published:
    """A table whose journal is stored as far as it says so."""

    def __init__(self, folder, store, name, game, table, now=time.time, epoch=EPOCH):
        self.path, self.store, self.name, self.table_id = (
            folder / f"{name}.sqlite3",
            store,
            name,
            table,
        )
        self.journal, self.place = Journal(self.path), Place()
        self.game, self.now, self.epoch = find_game(game), now, epoch
        self.table = Table.create(self.journal, self.game, self.game.setup(), now=now)
        self.publish()

    def play(self, *actions):
        for text in actions:
            self.table.play(self.game.parse(self.table.setup, text), "camera")
        self.publish()

    def publish(self, state="playing"):
        rows = JournalRows(self.path)
        batch = Batch(self.epoch, self.place, tuple(rows.after(self.place.seq, 10_000)))
        rows.close()
        if batch.rows:
            self.place = self.store.take(self.table_id, batch).place
        self.store.note(self.table_id, TableState(state, 1.0, self.name, self.game.name))

    def finish(self, names, loser=None):
        """Play a game of chess to its end: ``names`` by seat; ``loser`` gives up, nobody for a
        draw."""
        if self.table.actions or self.table.outcome is not None:
            self.table = Table.create(self.journal, self.game, self.game.setup(), now=self.now)
        for seat, name in names.items():
            self.table.note("named", {"seat": seat, "name": name}, "host")
        for text in ("e2-e4", "e7-e5"):
            self.table.play(self.game.parse(self.table.setup, text), "camera")
        end = self.game.agreement(self.table.state)
        self.table.play(Action("resign", detail=loser) if loser else end, loser or "host")
        assert self.table.outcome is not None
        self.publish("online")
