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
from companion.games import find_game
from companion.journal.copying import JournalRows
from companion.rules import BadInput, HiddenHands
from companion.table.past_games import ENDED, GOES_ON

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
            self._cursor.shown = kept
            self._sent = None

    def due(self) -> Iterable[tuple[str, bytes, bool]]:
        """Return the next photograph, if there is one and none is waited for."""
        cursor, now = self._cursor, self._clock()
        if self._sent is not None and now - self._sent[1] < PATIENCE:
            return
        if cursor.shown.seq > cursor.place.seq:
            cursor.shown = PhotographPlace()  # the club has lost what it had
        found = self._rows.photograph(cursor.shown, cursor.place.seq)
        while found is not None and (why := self._stays(*found)):
            _log.info("a photograph of event %s stays at the table: %s", found[0], why)
            cursor.shown = PhotographPlace(*found[:2])
            found = self._rows.photograph(cursor.shown, cursor.place.seq)
        if found is not None and not self._hidden(found[0])[0]:
            self._sent = PhotographPlace(*found[:2]), now
            told = write_photograph(Photograph(cursor.epoch, *found))
            yield topic(cursor.table, "photograph"), told, False

    def _stays(self, seq: int, moment: str, jpeg: bytes) -> str:
        """Return why a photograph never leaves the table, empty if it may."""
        if len(jpeg) > MOST_JPEG:
            return "it is too large"
        hidden, past = self._hidden(seq)
        return "hands were never shown" if hidden and past else ""

    def _hidden(self, seq: int) -> tuple[bool, bool]:
        """Tell whether hands are hidden still in the game of event ``seq``, which its photograph
        might show, and whether another game was begun since."""
        name, kind, past = self._rows.game_of(seq, (ENDED, *GOES_ON))
        return kind != ENDED and _hides(name), past

    def close(self) -> None:
        """Let go of the journal."""
        self._rows.close()


def _hides(name: str) -> bool:
    """Tell whether hands are hidden in the game ``name``; those of a game that is not known here
    are taken for hidden."""
    try:
        return isinstance(find_game(name), HiddenHands)
    except BadInput:
        return True
