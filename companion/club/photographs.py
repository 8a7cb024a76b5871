"""What a table lets its club have of its photographs: one after another, each after its event."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from companion.club.messages import (
    MOST_JPEG,
    Photograph,
    PhotographPlace,
    read_kept,
    topic,
    write_photograph,
)
from companion.club.outbox import PATIENCE, Cursor
from companion.journal.copying import JournalRows
from companion.rules import BadInput

_log = logging.getLogger(__name__)


class Photographs:
    """Sends the photographs of the journal at ``journal`` as far as the club has stored their
    events (``cursor``); the next one when the club has said that it keeps the last."""

    def __init__(
        self, cursor: Cursor, journal: Path, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._cursor, self._clock = cursor, clock
        self._rows = JournalRows(journal)
        self.topics = (topic(cursor.table, "kept"),)
        self._sent: tuple[PhotographPlace, float] | None = None

    def opened(self) -> None:
        """Send the next one at once."""
        self._sent = None

    def hear(self, topic: str, payload: bytes) -> None:
        """Take in which one the club keeps."""
        try:
            epoch, kept = read_kept(payload)
        except BadInput as error:
            _log.warning("the club says what is not understood: %s", error)
            return
        if epoch == self._cursor.epoch and self._sent is not None and kept == self._sent[0]:
            self._cursor.show(kept)
            self._sent = None

    def due(self) -> Iterable[tuple[str, bytes, bool]]:
        """Return the next photograph, if there is one and none is waited for."""
        cursor, now = self._cursor, self._clock()
        if self._sent is not None and now - self._sent[1] < PATIENCE:
            return
        if cursor.shown.seq > cursor.place.seq:
            cursor.show(PhotographPlace())  # the club has lost what it had
        found = self._rows.photograph(cursor.shown, cursor.place.seq)
        while found is not None and len(found[2]) > MOST_JPEG:
            _log.info("a photograph of event %s is too large for the club", found[0])
            cursor.show(PhotographPlace(*found[:2]))
            found = self._rows.photograph(cursor.shown, cursor.place.seq)
        if found is not None:
            self._sent = PhotographPlace(*found[:2]), now
            told = write_photograph(Photograph(cursor.epoch, *found))
            yield topic(cursor.table, "photograph"), told, False

    def close(self) -> None:
        """Let go of the journal."""
        self._rows.close()
