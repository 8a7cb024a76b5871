"""Which game ``companion play`` goes on with when it starts: the one asked for, else what was
played last."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from companion.journal import Damaged, Journal
from companion.rules import BadInput, Game, GameFault, Setup
from companion.rules.options import as_begun
from companion.table import Table
from companion.table.history import setup_of
from companion.table.mirror import resumed
from companion.table.past_games import PastGame, past_games

_log = logging.getLogger(__name__)

RESUMED, ASIDE, SPOILT = "resumed", "aside", "spoilt"
"""The kinds of events of a start: a game goes on; another game, which was being played, is put
aside; a game can no longer be followed."""


class Asked(NamedTuple):
    """Which game the companion is to be started with. ``setup`` is None if seats and options were
    left open. ``new`` begins a new game in any case; ``last`` goes on with whatever was played
    last, and begins ``game`` only if nothing was."""

    game: Game[Any]
    setup: Setup | None = None
    new: bool = False
    last: bool = False

    def fits(self, past: PastGame) -> bool:
        """Tell whether ``past`` is the game that is asked for."""
        header = past.header
        if self.new or header.name != self.game.name:
            return False
        try:
            begun = setup_of(self.game, header)
        except BadInput:
            return False  # begun by an older version with options that are no more
        return self.setup is None or self._alike(self.setup, begun, header.rules)

    def _alike(self, asked: Setup, begun: Setup, rules: int) -> bool:
        """Tell whether a game was ``begun`` as ``asked``: what is asked for as a matter of course
        stands for what was one by its version of the ``rules``."""
        then = as_begun(self.game.options, {}, rules)
        usual = {option.name: option.default for option in self.game.options}
        return asked.seats == begun.seats and all(
            value == begun[name] or (value == usual[name] and begun[name] == then.get(name))
            for name, value in asked.options.items()
        )


class Taken(NamedTuple):
    """The outcome of a start: the ``table``, whether its game was ``resumed`` (had begun before),
    and the unfinished game that was being played and was put ``aside`` for it."""

    table: Table[Any]
    resumed: bool
    aside: PastGame | None


def take_up(journal: Journal, asked: Asked, now: Callable[[], float] | None = None) -> Taken:
    """Take up the newest unfinished game that fits what was asked, the one played last before all
    others, else begin a new one; ``now`` tells the time. Nothing is lost: a game that is put aside
    stays, and an event says so on the phones.

    A game that cannot be followed any more stays in the journal, too, and the next one that fits is
    taken up in its place.

    Raises:
        HardwareFault: the journal cannot be read or written.
    """
    latest = journal.latest()
    left = [past for past in past_games(journal) if past.over is None]
    left.sort(key=lambda past: past.number != latest)
    played = left[0] if left and left[0].number == latest else None
    fitting = [past for past in left if asked.fits(past)]
    if asked.last and not asked.new and played is not None:
        fitting = [played, *(past for past in fitting if past is not played)]
    taken, table, spoilt = _first(journal, fitting, now)
    if table is None:
        table = Table.create(journal, asked.game, asked.setup or asked.game.setup(), now=now)
    elif taken is not played or table.events()[-1].kind != RESUMED:
        table.note(RESUMED, {}, "referee")
    for why in spoilt:
        table.note(SPOILT, {"reason": why}, "referee")
    aside = None if played is taken else played
    if aside is not None and not spoilt:
        table.note(ASIDE, {"game": aside.number, "name": aside.header.name}, "referee")
    return Taken(table, taken is not None, aside)


def _first(
    journal: Journal, fitting: Sequence[PastGame], now: Callable[[], float] | None
) -> tuple[PastGame | None, Table[Any] | None, Sequence[str]]:
    """Return the first of these games that can be followed and its table, and why those before it
    cannot."""
    spoilt: list[str] = []
    for past in fitting:
        try:
            return past, resumed(journal, past.number, now), spoilt
        except (BadInput, Damaged, GameFault) as error:
            _log.warning("%s", error)
            spoilt.append(error.sentence)
    return None, None, spoilt


def put_aside(table: Table[Any]) -> int | None:
    """Return the number of the game that was put aside when ``table`` was taken up; None after the
    first action since then, or once that game is deleted."""
    last = next(table.events().newest(ASIDE, "action"), None)
    if last is None or last.kind != ASIDE:
        return None
    number = int(last.data["game"])
    return number if number in table.journal.games() else None
