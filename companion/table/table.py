"""One live game: its state, its history and its scorecards. Whatever happens is committed to the
journal first and shown afterwards."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any, Generic

from companion.games import find_game
from companion.games.guarded import foresee, guarded
from companion.journal import Draft, Event, Events, Header, Journal
from companion.rules import Action, BadInput, Clock, Game, Outcome, Ruling, Setup, quoted, say
from companion.rules.answers import arrangements, claims_of, rules_of
from companion.rules.values import S
from companion.runtime.timekeeper import timekeeper
from companion.table.history import (
    PLAYED,
    POSITION_KINDS,
    RULED,
    History,
    StaleState,
    agreed,
    clock_of,
    clocked,
    deciding,
    game_of,
    lines,
    naming,
    opened,
    setup_of,
    start_of,
)
from companion.table.listeners import Listeners
from companion.table.view import outcome_json, view

Listener = Callable[[Event], None]


class Table(Generic[S]):
    """A live game. All methods may be called from any thread; where a game of another package
    breaks its contract they raise GameFault, and nothing was changed. ``now`` tells the time. Where
    the game has time limits, the notes ``paused`` and ``continued`` stop the clock and let it go
    on, and :meth:`tick` announces what it demands. By what the machine's clock is set forward is
    nobody's time: the note ``jumped`` says so.
    """

    owned = True  # it is decided at this table what is so

    def __init__(
        self,
        journal: Journal,
        game_id: int,
        game: Game[S],
        setup: Setup,
        start: S,
        events: Events,
        now: Callable[[], float] | None,
    ) -> None:
        """Use :meth:`create` or :meth:`resume`."""
        self.journal, self.game_id, self.setup = journal, game_id, setup
        self.game = guarded(game)
        self.now = timekeeper(now)
        self._jumped = self.now.jumped
        self._guard = threading.RLock()
        self._events = events
        self._lines = list(lines(game, setup, History(start), events))  # after each event
        self._moved = 0
        self._clock = clock_of(game, setup, events)
        self._agreed: Event | None = None
        self._paused = False
        self._note_ends(events)
        self._view: tuple[int, dict[str, Any]] | None = None
        self._listeners: Listeners[Event] = Listeners()

    @classmethod
    def create(
        cls,
        journal: Journal,
        game: Game[S],
        setup: Setup,
        position: Mapping[str, str] | None = None,
        to_move: str | None = None,
        now: Callable[[], float] | None = None,
        actor: str = "referee",
    ) -> Table[S]:
        """Begin a game, from ``position`` with ``to_move`` if they are given.

        Raises:
            BadInput: the position names an unknown spot, token or seat.
            HardwareFault: the journal cannot be written.
        """
        begun = position, to_move, rules_of(game)
        header = Header(game.name, setup.seats, dict(setup.options), *begun)
        foresee(game, start := start_of(guarded(game), setup, header))
        draft = Draft(actor, "started", data={"to_move": game.to_move(start)})
        clock = timekeeper(now, journal.last_at())
        game_id, _ = journal.begin(header, clock(), draft)
        return cls(journal, game_id, game, setup, start, journal.events(game_id), clock)

    @classmethod
    def resume(
        cls,
        journal: Journal,
        game_id: int | None = None,
        now: Callable[[], float] | None = None,
        find: Callable[[str], Game[Any]] = find_game,
    ) -> Table[Any]:
        """Take up ``game_id`` of the journal, else its last game, just where it was left.

        The time since its last event is not counted to anybody.

        Raises:
            BadInput: the journal holds no such game, or an event of it cannot be followed.
            HardwareFault: the journal cannot be read.
        """
        game_id, header = game_of(journal, game_id)
        clock = timekeeper(now, journal.last_at())
        with naming(journal, game_id):
            game = find(header.name)
            setup = setup_of(game, header)
            events = journal.events(game_id)
            start = start_of(game, setup, opened(header, events))
            table = cls(journal, game_id, game, setup, start, events, clock)
            foresee(game, table.state)
        if table.clock is not None:
            table.note("resumed", {}, "clock")
        return table

    # -- what is so ------------------------------------------------------------------

    @property
    def line(self) -> History[S]:
        """The history: the states and actions that stand, as one immutable value."""
        return self._lines[-1]

    @property
    def state(self) -> S:
        """The current state."""
        return self.line.state

    @property
    def past(self) -> Sequence[S]:
        """Every state from the start to the current one."""
        return self.line.past

    @property
    def actions(self) -> Sequence[Action]:
        """The accepted actions that stand; one fewer than :attr:`past`."""
        return self.line.actions

    @property
    def state_id(self) -> int:
        """The ``seq`` of the last event."""
        return self._events[-1].seq

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended by the rules or by the players' will; None while it goes on."""
        end = self._agreed
        if end is None:
            return self.game.outcome(self.state)
        return Outcome(tuple(end.data["winners"]), end.data["rule"], end.data["reason"])

    @property
    def ended_by(self) -> str | None:
        """What ended the game: ``rules``, ``agreement``, ``resignation``, ``abort``, or None."""
        if self._agreed is not None:
            return str(self._agreed.data["by"])
        return None if self.game.outcome(self.state) is None else "rules"

    @property
    def to_move(self) -> str | None:
        """The seat whose decision is awaited; None when the game is over."""
        return None if self._agreed else self.game.to_move(self.state)

    @property
    def paused(self) -> bool:
        """Whether the players paused the game: clocks stand, nobody listens to the camera."""
        return self._paused

    @property
    def clock(self) -> Clock | None:
        """The game clock as it stood at the last event; None in a game without limits."""
        return self._clock

    @property
    def running(self) -> Clock | None:
        """The game clock as it stands now, ``since`` this moment; None in a game without limits."""
        with self._guard:
            now = self.now()
            return self._clock and self._clock.at(now - self.now.jumped + self._jumped)

    def events(self, after: int = 0) -> Events:
        """Return the events whose ``seq`` is greater than ``after``, in order."""
        with self._guard:
            return self._events.after(after)

    def evidence(self, seq: int) -> Mapping[str, bytes]:
        """Return the photographs of event ``seq``: ``before``, ``after`` -> JPEG bytes.

        Raises:
            HardwareFault: one of them is not the one that was taken.
        """
        return self.journal.shown(self.game_id, seq)

    def line_at(self, seq: int) -> History[S]:
        """Return the history as it was right after event ``seq``; the rules are not asked again.

        Raises:
            BadInput: the game has no event that early.
        """
        with self._guard:
            happened = len(self._events.until(seq))
            if happened:
                return self._lines[happened - 1]
        first = self._events[0].seq
        raise BadInput(
            say("this game has no event {seq}; its first is {first}", seq=seq, first=first)
        )

    @property
    def header(self) -> Header:
        """What the game was begun with."""
        return self.journal.games()[self.game_id]

    def view(self) -> Mapping[str, Any]:
        """Return everything that a page shows, as JSON values; computed once for each event."""
        with self._guard:
            if self._view is None or self._view[0] != self.state_id:
                shown = view(self.game, self.setup, self.line, self._events, self._clock)
                if self._agreed is not None and (outcome := self.outcome):
                    ended = outcome_json(outcome, str(self.ended_by))
                    shown |= {"to_move": None, "outcome": ended, "legal": [], "claims": []}
                self._view = (self.state_id, shown)
            return self._view[1]

    # -- what happens ----------------------------------------------------------------

    def play(
        self,
        action: Action,
        actor: str,
        evidence: Mapping[str, bytes] | None = None,
        expected: int | None = None,
    ) -> Ruling:
        """Rule on ``action``; commit and apply it, or commit that it was refused.

        ``expected`` is the ``state_id`` that the asker saw.

        Raises:
            StaleState: the position has changed since ``expected``.
            HardwareFault: the journal cannot be written; the action was not taken.
        """
        return self._play((action,), actor, 0, evidence, expected)[-1]

    def correct(
        self,
        actions: Sequence[Action],
        actor: str,
        count: int = 1,
        evidence: Mapping[str, bytes] | None = None,
        expected: int | None = None,
    ) -> tuple[Ruling, ...]:
        """Replace the last ``count`` actions by ``actions``, all or nothing, in one commit.

        Returns a ruling for each action up to the first refused one; if one is refused, the
        refusal is all that is committed.

        Raises:
            BadInput: fewer than ``count`` actions have been played, or none is given.
            StaleState: the position has changed since ``expected``.
            HardwareFault: the journal cannot be written; nothing was taken back.
        """
        if not actions:
            raise BadInput(say("a correction needs at least one action; to take back alone, undo"))
        return self._play(actions, actor, count, evidence, expected)

    def undo(self, count: int, actor: str, expected: int | None = None) -> None:
        """Take the last ``count`` accepted actions back; the history keeps them. An end that the
        players brought about is taken back alone, whatever the ``count``.

        Raises:
            BadInput: fewer than ``count`` actions have been played.
            StaleState: the position has changed since ``expected``.
            HardwareFault: the journal cannot be written; nothing was taken back.
        """
        with self._acting(expected):
            if self._agreed is not None:
                data = {"to_move": self.game.to_move(self.state)}
                self._commit((Draft(actor, "reopened", data=data), self.line))
            else:
                self._commit(self._back(self.line.undone(count), actor, "undone", count))

    def end(self, outcome: Outcome, by: str, actor: str, expected: int | None = None) -> None:
        """End the game by the players' will: ``by`` is ``agreement``, ``resignation``, ``abort``.

        Raises:
            BadInput: the game is over already.
            StaleState: the position has changed since ``expected``.
            HardwareFault: the journal cannot be written; the game goes on.
        """
        with self._acting(expected):
            if self.outcome is not None:
                raise BadInput(say("the game is over already"))
            data = outcome_json(outcome, by)
            self._commit((Draft(actor, "ended", data=data), self.line))

    def decide(
        self,
        why: str,
        actor: str,
        *,
        action: Action | None = None,
        position: Mapping[str, str] | None = None,
        turn: str | None = None,
        expected: int | None = None,
    ) -> None:
        """Set the game as the table decided: ``action`` stands though the rules refuse it, or
        the ``position`` and whose ``turn`` it is are what the table says. Where the game cannot
        follow the action, the tokens are set where the hand left them, and the event's data say
        so in ``doubt``.

        Raises:
            BadInput: nothing is decided, or it names an unknown spot, token or seat.
            StaleState: the position has changed since ``expected``.
            HardwareFault: the journal cannot be written; nothing was changed.
        """
        if (action is None) == (position is None and turn is None):
            raise BadInput(say("a table decides on an action, or on the position and the turn"))
        data: dict[str, Any] = {"why": why, "turn": turn}
        if position is not None:
            data["position"] = dict(position)
        text = None if action is None else self.game.format(action)
        with self._acting(expected):
            draft = Draft(actor, "ruled", text, data=data)
            state, draft = deciding(self.game, self.setup, self.state, draft)
            data = {"seat": self.game.to_move(self.state), "to_move": self.game.to_move(state)}
            line = self.line.played(RULED, state, self.state_id + 1)
            draft = draft._replace(data={**draft.data, **data})
            self._commit((draft, line), *self._end(line))

    def arrange(self, position: Mapping[str, str], actor: str, to_move: str | None = None) -> None:
        """Begin from ``position``, in which the players set up their tokens; possible until the
        first action.

        Raises:
            BadInput: the game has begun, or the position names an unknown spot, token or seat.
            HardwareFault: the journal cannot be written; nothing was changed.
        """
        with self._acting():
            if next(self._events.of(*PLAYED), None) is not None:
                raise BadInput(say("the game has begun; its set-up cannot be changed any more"))
            start = arrangements(self.game).arrange(self.setup, position, to_move)
            data = {"position": dict(position), "to_move": self.game.to_move(start)}
            if to_move is not None:
                data["turn"] = to_move
            self._commit((Draft(actor, "arranged", data=data), History(start)))

    def note(self, kind: str, data: Mapping[str, Any], actor: str) -> None:
        """Commit something that changes no position: ``differs``, ``asked``, ``enrolled`` …

        ``differs`` may carry ``position``, what really stands on the board, until ``recovered``.

        Raises:
            BadInput: ``kind`` is one that only play can cause.
            HardwareFault: the journal cannot be written.
        """
        if kind in (*POSITION_KINDS, "refused"):
            raise BadInput(f"{quoted(kind)} is no note; it follows from play alone")
        with self._acting():
            self._commit((Draft(actor, kind, data=data), self.line))

    @property
    def due(self) -> tuple[Action, ...]:
        """The announcements that the game clock demands by now, such as ``flag=white``."""
        clock = self.running
        return () if clock is None else clock.due(clock.since)

    def tick(self) -> Ruling | None:
        """Announce what the game clock demands by now, if the rules allow it; else do nothing.

        Raises:
            HardwareFault: the journal cannot be written; the next tick tries again.
        """
        with self._guard:
            seen = self.state_id
            due = self.due
            claims = claims_of(self.game, self.state) if due and not self._agreed else ()
        action = next((word for word in due if word in claims), None)
        if action is None:
            return None
        try:
            return self.play(action, "clock", expected=seen)
        except StaleState:  # somebody acted at the last moment
            return None

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Have ``listener`` called with each event after its commit; return how to stop it.

        Listeners are called one at a time and in order, outside the table's lock, on the thread
        of whoever acted; one that fails is logged and disturbs nobody.
        """
        return self._listeners.add(listener)

    # -- inside ----------------------------------------------------------------------

    def _play(
        self,
        actions: Sequence[Action],
        actor: str,
        undoing: int,
        evidence: Mapping[str, bytes] | None,
        expected: int | None,
    ) -> tuple[Ruling, ...]:
        photographs = evidence or {}
        with self._acting(expected):
            line = self.line.undone(undoing) if undoing else self.line
            taken = [self._back(line, actor, "corrected", undoing)] if undoing else []
            rulings = []
            for seq, action in enumerate(actions, start=self.state_id + 1 + len(taken)):
                seat, ruling = self.game.to_move(line.state), self._judge(line.state, action)
                rulings.append(ruling)
                text, data = self.game.format(action), {"seat": seat}
                if not ruling.allowed:
                    refused = Draft(actor, "refused", text, ruling, data, photographs)
                    self._commit((refused, self.line))
                    break
                line = line.played(action, self.game.advance(line.state, action), seq)
                data["to_move"] = self.game.to_move(line.state)
                taken.append((Draft(actor, "action", text, ruling, data, photographs), line))
            else:
                self._commit(*taken, *self._end(line))
        return tuple(rulings)

    def _back(
        self, line: History[S], actor: str, kind: str, count: int
    ) -> tuple[Draft, History[S]]:
        data = {"count": count, "to_move": self.game.to_move(line.state)}
        return Draft(actor, kind, data=data), line

    def _end(self, line: History[S]) -> Iterator[tuple[Draft, History[S]]]:
        outcome = self.game.outcome(line.state)
        if outcome is not None:
            yield Draft("referee", "ended", data=outcome_json(outcome)), line

    def _judge(self, state: S, action: Action) -> Ruling:
        end = self._agreed
        if end is None:
            return self.game.judge(state, action)
        return Ruling(False, "", say("the game is over: {reason}", reason=end.data["reason"]))

    def _note_ends(self, events: Events) -> None:
        moved = next(events.newest(*POSITION_KINDS), None)
        if moved is not None:
            self._moved, self._agreed = moved.seq, moved if agreed(moved) else None
        for event in islice(events.newest("paused", "continued"), 1):
            self._paused = event.kind == "paused"

    def fresh(self, expected: int | None) -> None:
        """Do nothing if the position is the one after event ``expected``, which somebody saw, or
        for None. Notes and refused actions change no position.

        Raises:
            StaleState: the position has changed since.
        """
        if expected is not None and not self._moved <= expected <= self.state_id:
            raise StaleState(expected, self.state_id)

    @contextmanager
    def _acting(self, expected: int | None = None) -> Iterator[None]:
        """Let something happen if who saw ``expected`` saw the present position; tell of it."""
        with self._guard:
            self._note_jump()
            self.fresh(expected)
            yield
        self._listeners.tell()

    def _note_jump(self) -> None:
        """Write down by how much the machine's clock was set forward since the last event."""
        self.now()
        jumped = self.now.jumped
        if by := jumped - self._jumped:
            self._commit((Draft("clock", "jumped", data={"by": by}), self.line))
            self._jumped = jumped

    def _commit(self, *steps: tuple[Draft, History[S]]) -> None:
        """Commit drafts, each with the line that it leads to; only then let anybody see them."""
        if (line := steps[-1][1]) is not self.line:
            foresee(self.game, line.state)
        drafts = [draft for draft, _ in steps]
        events = self.journal.append(self.game_id, self.now(), drafts)
        self._events = self._events.grown(events)
        self._lines.extend(line for _, line in steps)
        self._clock = None if self._clock is None else clocked(self._clock, events)
        self._note_ends(events)
        self._listeners.put(events)
