"""What a table says over its line to the club to other tables with which it plays one game."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from companion.club.distant import asks_topic, speaker
from companion.club.guest import Visitor
from companion.club.messages import ROOT
from companion.club.owner import Owner
from companion.table.evening import Evening


class DistantTables:
    """The table ``me`` of a club as the owner of a game, and as a guest. What it knows of others
    lies beside the ``journal``. A :class:`companion.club.outbox.Beside`."""

    def __init__(
        self,
        evening: Evening,
        me: str,
        name: str,
        journal: Path,
        clock: Callable[[], float],
        changed: Callable[[], None],
        fits: Callable[[], bool],
    ) -> None:
        self._me = me
        self.owner = Owner(evening, me, name, journal.with_suffix(".owner.json"), clock, changed)
        kept = journal.with_suffix(".guest.json")
        self.visitor = Visitor(evening, me, name, kept, clock, changed, fits)

    @property
    def topics(self) -> list[str]:
        """Return what has to be heard."""
        return [asks_topic(self._me, "+"), f"{ROOT}/+/+/told/{self._me}"]

    @property
    def busy(self) -> bool:
        """Tell whether there are other tables."""
        return bool(self.visitor.owner or self.owner.told())

    def opened(self) -> None:
        """Do nothing: whoever lacks something asks for it."""

    def hear(self, topic: str, payload: bytes) -> None:
        """Take a message in."""
        owner, word, guest = speaker(topic)
        if word == "asks" and owner == self._me:
            self.owner.take(guest, payload)
        elif word == "told" and guest == self._me and owner == self.visitor.owner:
            self.visitor.take(payload)

    def due(self) -> list[tuple[str, bytes, bool]]:
        """Return what is to be told now: topic, payload, and that the broker retains nothing."""
        own = self.visitor.due()
        messages = [*self.owner.due(), *([own] if own else [])]
        return [(topic, payload, False) for topic, payload in messages]

    def close(self) -> None:
        """Do nothing: what is kept was written when it changed."""

    def tick(self) -> None:
        """Notice lines that break or come back; raises HardwareFault where the journal cannot be
        written."""
        self.owner.tick()
        self.visitor.tick()
