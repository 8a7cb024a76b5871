"""Tables elsewhere that play the same game, as the pages ask for them. Nothing of the club is
loaded before there is a line to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.rules import HardwareFault, say
from companion.table.evening import Evening

if TYPE_CHECKING:
    from companion.club.outbox import Outbox
    from companion.club.tables import DistantTables

SOON, TICK = 4.0, 0.5
"""While other tables play along: seconds at most until the broker is tried again, and between two
looks at whether they are there."""


class TablesElsewhere:
    """Other tables of the club that play the game of ``evening`` along, or whose game is played
    along here (``web.Distant``). ``clock`` counts seconds; ``changed`` is called when there is
    something new to tell, ``fits`` tells whether the board is set as the game stands."""

    def __init__(
        self,
        evening: Evening,
        clock: Callable[[], float],
        changed: Callable[[], None],
        fits: Callable[[], bool],
    ) -> None:
        self._evening, self._clock, self._changed, self._fits = evening, clock, changed, fits
        self._tables: DistantTables | None = None

    def beside(self, name: str, table: str) -> DistantTables:
        """Return what speaks with other tables as ``table``, which calls itself ``name``."""
        from companion.club.tables import DistantTables

        journal = Path(self._evening.journal.path)
        self._tables = DistantTables(
            self._evening, table, name, journal, self._clock, self._changed, self._fits
        )
        return self._tables

    def tick(self, outbox: Outbox) -> float:
        """Notice lines that break or come back; return for how many seconds nothing has to be done
        on the line of ``outbox``.

        Raises:
            HardwareFault: the journal cannot be written.
        """
        if self._tables is None or not self._tables.busy:
            return outbox.resting
        # Somebody waits at the other end.
        outbox.backoff.longest = SOON
        self._tables.tick()
        return min(outbox.resting, TICK)

    def told(self) -> Mapping[str, Any]:
        """Return ``ready`` (whether there is a line), ``owner`` (what the table is called whose
        game is played along; empty for none), ``seats`` that are played here for it, the
        ``guests`` and ``words`` for people."""
        if self._tables is None:
            return {"ready": False, "owner": "", "seats": [], "guests": [], "words": ""}
        owner, visitor = self._tables.owner, self._tables.visitor
        return {
            "ready": True,
            "owner": visitor.called if visitor.owner else "",
            "seats": list(visitor.seats) if visitor.owner else [],
            "guests": owner.told(),
            "words": visitor.words or owner.words,
        }

    def invite(self, seats: Sequence[str]) -> str:
        """Return a link by which another table plays along with ``seats``; raises as
        :meth:`companion.club.owner.Owner.invite`."""
        return self._lined().owner.invite(seats)

    def dismiss(self, guest: str) -> None:
        """Let the table ``guest`` play along no more; raises as
        :meth:`companion.club.owner.Owner.dismiss`."""
        self._lined().owner.dismiss(guest)

    def join(self, link: str) -> None:
        """Play the game along to which ``link`` invites; raises as
        :meth:`companion.club.guest.Visitor.join`."""
        self._lined().visitor.join(link)

    def leave(self) -> None:
        """Play along no more."""
        self._lined().visitor.leave()

    def _lined(self) -> DistantTables:
        if self._tables is None:
            raise HardwareFault(
                say("There is no line to the club yet; look at its address in the settings.")
            )
        return self._tables
