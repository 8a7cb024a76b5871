"""An evening: the games of one table, one after another in one journal, with the people round it
and what the host has set."""

from __future__ import annotations

import logging
import math
import threading
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from companion.games import find_game, games
from companion.journal import Event, Journal
from companion.rules import BadInput, Game, HardwareFault, say
from companion.runtime.table_settings import DAY, LABELS, MEGABYTE, Kept, TableSettings, known
from companion.runtime.timekeeper import timekeeper
from companion.table import Table
from companion.table.ages import Ages
from companion.table.history import game_of
from companion.table.kept_starts import ARRAY, MOST, PRESET, KeptStarts, Preset
from companion.table.listeners import Listeners
from companion.table.mirror import resumed
from companion.table.people import KINDS, People, held_in, people_of, tidy_name
from companion.table.resuming import ASIDE

_log = logging.getLogger(__name__)

TIDY_EVERY = 32
"""After one in so many events with photographs it is checked how much room photographs take."""
TIDY_SECONDS = 3600.0
"""Seconds between two checks whether photographs are older than they may get."""

IN_FILE = "file"
"""The field in the data of a ``settings`` event which says that all settings until then are in the
settings file."""

FindGame = Callable[[str], Game[Any]]


class Evening:
    """The games of one table, one after another; :attr:`table` is the present one. All methods may
    be called from any thread.

    ``find`` returns the game of a name, ``names`` lists those that can be chosen. ``now`` tells the
    time, by default the table's clock. ``kept`` keeps the settings for all journals; without it
    each journal keeps its own. What is ``bound`` nobody changes at this table.
    """

    def __init__(
        self,
        table: Table[Any],
        find: FindGame = find_game,
        now: Callable[[], float] | None = None,
        names: Callable[[], Sequence[str]] = games,
        kept: Kept | None = None,
        bound: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        self.journal: Journal = table.journal
        self._find, self._names = find, names
        self.clock = table.now if now is None else timekeeper(now)
        self.ages = Ages(self.journal, self.clock)
        self._tidied = -math.inf
        self._guard = threading.RLock()
        self._people = people_of(self.journal)
        self._settings, self._old, self.bound = TableSettings(), dict[str, Any](), bound
        self.starts = KeptStarts()
        for _, event in self.journal.of_kinds("settings", ARRAY, PRESET):
            self._remember(event)
        self._heard: Listeners[Event] = Listeners()
        self._changed: Listeners[Table[Any]] = Listeners()
        self.table, self._kept = table, kept
        if kept is not None:
            self._settings = self._taken_over(kept)
        self._seen = table.state_id
        self._stop = table.subscribe(self._hear)

    # -- what is so ------------------------------------------------------------------

    @property
    def people(self) -> People:
        """The people round the table; not to be changed by others."""
        self._catch_up()
        return self._people

    @property
    def settings(self) -> TableSettings:
        """What the host has set."""
        self._catch_up()
        return self._settings._replace(**self.bound)

    def array(self, name: str) -> Mapping[str, Any] | None:
        """Return the start array (``seats`` and ``position``) kept for the game ``name``, None if
        there is none."""
        self._catch_up()
        return self.starts.arrays.get(name)

    def games(self) -> tuple[Game[Any], ...]:
        """Return the games that can be played here, the present one among them."""
        known = {name: self._find(name) for name in self._names()}
        return tuple({**known, self.table.game.name: self.table.game}.values())

    def game(self, name: str) -> Game[Any]:
        """Return the game called ``name``.

        Raises:
            BadInput: there is no such game.
        """
        present = self.table.game
        return present if present.name == name else self._find(name)

    # -- games -----------------------------------------------------------------------

    def begin(
        self,
        name: str,
        seats: Sequence[str] | None,
        options: Mapping[str, str],
        *,
        kept_array: bool = False,
        position: Mapping[str, str] | None = None,
        to_move: str | None = None,
    ) -> Table[Any]:
        """Begin another game; the present one stays in the journal as it is. With ``kept_array`` it
        begins from the start array kept for it, else from ``position`` with ``to_move`` if they are
        given.

        Raises:
            BadInput: unknown game, seat or option, or no array was kept.
            HardwareFault: the journal cannot be written.
        """
        game = self.game(name)
        setup = game.setup(seats, options)
        if kept_array:
            kept = self.array(name)
            if kept is None:
                raise BadInput(
                    say("no start array was kept for {game}; keep one first", game=game.title)
                )
            if kept["seats"] != list(setup.seats):
                raise BadInput(
                    say(
                        "the start array was kept for {seats}; choose the same seats "
                        "or the usual start",
                        seats=kept["seats"],
                    )
                )
            position = kept["position"]
        left = self.table
        now = self.table.now
        table = Table.create(self.journal, game, setup, position, to_move, now=now, actor="host")
        if left.outcome is None and left.actions:
            table.note(ASIDE, {"game": left.game_id, "name": left.game.name}, "referee")
        before = self.people.seats, self.people.names
        self.take(table)
        self._seat_again(left.setup.seats, *before)
        return table

    def _seat_again(
        self, order: Sequence[str], held: Mapping[str, str], names: Mapping[str, str]
    ) -> None:
        """Let people whose seats, in ``order``, the game has not sit down in the same order on
        those that nobody has."""
        seats = self.table.setup.seats
        free = [seat for seat in seats if self._free(seat)]
        movers = [seat for seat in order if seat not in seats and (seat in held or seat in names)]
        self._seat(dict(zip(movers, free, strict=False)), held, names)

    def _free(self, seat: str) -> bool:
        return seat not in self.people.seats and seat not in self.people.names

    def _seat(
        self, turn: Mapping[str, str], held: Mapping[str, str], names: Mapping[str, str]
    ) -> None:
        """Let who ``held`` a seat, or played there by one of ``names``, have the one that ``turn``
        gives for it."""
        people = self.people
        if turn:
            self.table.note(
                "reseated",
                {
                    "people": people.seats | {turn[s]: held[s] for s in turn if s in held},
                    "names": people.names | {turn[s]: names[s] for s in turn if s in names},
                },
                "host",
            )

    def resume(self, number: int) -> Table[Any]:
        """Take up a past game that is not over, where it was left; who sat there then, and is still
        here, sits there again if the seat is free.

        Raises:
            BadInput: there is no such game, or it is over.
            HardwareFault: the journal cannot be read or written.
        """
        game_of(self.journal, number)
        table = resumed(self.journal, number, self.table.now, self.game)
        if table.outcome is not None:
            raise BadInput(say("game {number} is over and cannot be played on", number=number))
        if table.clock is None:
            # With clocks the table has said so itself.
            table.note("resumed", {}, "host")
        people, names = held_in(self.journal, number)
        self.take(table)
        held = {seat: who for seat, who in people.items() if who in self.people.members}
        back = {s: s for s in table.setup.seats if s in {**held, **names} and self._free(s)}
        self._seat(back, held, names)
        return table

    def keep_array(self, actor: str) -> None:
        """Keep the position in which the present game began, for later games."""
        table = self.table
        position = dict(table.game.expect(table.past[0]))
        data = {"game": table.game.name, "seats": list(table.setup.seats), "position": position}
        table.note(ARRAY, data, actor)

    def presets(self, name: str) -> tuple[Preset, ...]:
        """Return the choices that are kept for the game ``name``."""
        self._catch_up()
        return self.starts.presets(name)

    def keep_preset(
        self,
        game: str,
        name: str,
        seats: Sequence[str],
        options: Mapping[str, str],
        actor: str,
    ) -> None:
        """Keep a choice of ``seats`` and ``options`` for ``game`` by its ``name``; another of that
        name gives way.

        Raises:
            BadInput: they cannot be played, it is no name, or very many are kept.
        """
        name, setup = tidy_name(name), self.game(game).setup(seats, options)
        kept = self.presets(game)
        if len(kept) >= MOST and name not in {preset.name for preset in kept}:
            raise BadInput(say("{most} choices are kept for a game; forget one first", most=MOST))
        data = {"game": game, "name": name, "seats": list(setup.seats), "options": dict(options)}
        self.table.note(PRESET, data, actor)

    def forget_preset(self, game: str, name: str, actor: str) -> None:
        """Keep the choice called ``name`` for ``game`` no longer.

        Raises:
            BadInput: none is kept by that name.
        """
        if name not in {preset.name for preset in self.presets(game)}:
            raise BadInput(say("no choice is kept by that name"))
        self.table.note(PRESET, {"game": game, "name": name}, actor)

    # -- settings --------------------------------------------------------------------

    def change(self, changes: Mapping[str, Any], actor: str) -> None:
        """Change settings of the host; ``actor`` is who did.

        Raises:
            BadInput: there is no such setting, a value does not fit, or it is bound.
            HardwareFault: they cannot be kept; nothing was changed.
        """
        self.settings.changed(changes)
        if bound := [name for name in changes if name in self.bound]:
            raise BadInput(say("{setting}: not at a table of a club", setting=LABELS[bound[0]]))
        where: dict[str, Any] = {}
        if self._kept is not None:
            self._kept.save(changes)
            where = {IN_FILE: True}
        self.table.note("settings", {**changes, **where}, actor)
        self.tidy()

    def _taken_over(self, kept: Kept) -> TableSettings:
        """Return the settings that are kept, and once what the journal of an older companion says
        of those that are not: no photograph goes because of an update."""
        values = dict(kept.load())
        old = {name: value for name, value in self._old.items() if name not in values}
        if self._old:
            try:
                kept.save(old)
                self.table.note("settings", {IN_FILE: True}, "referee")
                self._old.clear()
            except HardwareFault as fault:
                _log.warning("%s", fault)
        return TableSettings().changed({**old, **values})

    def tidy(self) -> None:
        """Delete photographs that are older than they may get, or for which there is no room. Their
        age is the time known to have passed, not what a clock says: see
        :mod:`companion.table.ages`.

        Raises:
            HardwareFault: the journal cannot be written.
        """
        self._tidied = self.clock.steady()
        self.ages.keep()
        settings = self.settings
        if settings.keep_days:
            self.journal.forget_photographs(self.ages.older(settings.keep_days * DAY))
        self.journal.trim_photographs(settings.keep_megabytes * MEGABYTE)

    def tick(self) -> None:
        """Tidy if it is time to; to be called again and again. A disk that fails is logged, and
        tried again an hour later."""
        try:
            if self.journal.pending:
                self.journal.wipe()
            if self.clock.steady() - self._tidied >= TIDY_SECONDS:
                self.tidy()
        except HardwareFault as fault:
            _log.warning("%s", fault)

    def delete(self, what: str, actor: str) -> None:
        """Delete ``photographs``, past ``games``, or ``all`` of both.

        Raises:
            BadInput: something else was asked for.
            HardwareFault: the journal cannot be written.
        """
        if what not in ("photographs", "games", "all"):
            raise BadInput(say("photographs, games or all can be deleted, not {what}", what=what))
        photographs = games = 0
        if what != "games":
            photographs = self.journal.trim_photographs(0)
        if what != "photographs":
            games = self.journal.forget_games(self.table.game_id)
        data = {"what": what, "photographs": photographs, "games": games}
        self.table.note("deleted", data, actor)

    # -- news ------------------------------------------------------------------------

    def subscribe(self, listener: Callable[[Event], None]) -> Callable[[], None]:
        """Have ``listener`` called with each event of whatever game is played, after its commit;
        return how to stop it."""
        return self._heard.add(listener)

    def follow(self, listener: Callable[[Table[Any]], None]) -> Callable[[], None]:
        """Have ``listener`` called with the table of each game that begins or is taken up; return
        how to stop it."""
        return self._changed.add(listener)

    def take(self, table: Table[Any]) -> None:
        """Go on with ``table``, whose game is in the journal, as the present one."""
        with self._guard:
            self._catch_up()
            self._stop()
            self.table, self._seen = table, table.state_id
            self._people.begin(table.setup.seats)
            self._stop = table.subscribe(self._hear)
        self._tidied = -math.inf
        self.tick()
        self._changed.put((table,))
        self._changed.tell()

    def _hear(self, event: Event) -> None:
        self.ages.meet(event.seq)
        if event.photographs and event.seq % TIDY_EVERY == 0:
            self._tidied = -math.inf
            self.tick()
        self._heard.put((event,))
        self._heard.tell()

    def _catch_up(self) -> None:
        """Follow what the table's events say. Listeners may be told on another thread and later;
        who has just written something has to find it."""
        if self._seen == self.table.state_id:
            return
        with self._guard:
            for event in self.table.events(self._seen):
                try:
                    self.ages.meet(event.seq)
                    self._remember(event)
                    if event.kind in KINDS:
                        self._people.take(event)
                finally:
                    # Last: who finds it seen waits for nobody.
                    self._seen = event.seq

    def _remember(self, event: Event) -> None:
        if event.kind == "settings":
            try:
                self._settings = self._settings.changed(known(event.data))
                self._old.update(known(event.data))
            except BadInput as error:
                # Not by any companion: what was set before holds.
                _log.warning("event %d: %s", event.seq, error)
            if IN_FILE in event.data:
                self._old.clear()
        else:
            self.starts.take(event)
