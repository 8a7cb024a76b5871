"""The history of a game: the states and actions that its journal's events lead to."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import chain, islice, pairwise
from operator import attrgetter
from typing import Any, Generic, TypeVar, overload

from companion.journal import Draft, Event, Events, Header, Journal
from companion.rules import (
    Action,
    BadInput,
    Clock,
    CompanionError,
    Game,
    GameFault,
    IllegalAction,
    Limits,
    Position,
    S,
    Setup,
    Uncertain,
    arrangements,
    limits_of,
    say,
    setup_then,
)
from companion.rules.unknown import ODD

T = TypeVar("T")

_log = logging.getLogger(__name__)

REST = 3600.0
"""Seconds without any event at a table after which nobody is taken to think there any more."""
RULED = Action("ruled")
"""The action that stands in a history for a decision of the table against or beside the rules."""

PLAYED = ("action", "ruled")
"""The kinds of events that add an action to the history."""

DOUBT = "doubt"
"""The field in the data of a ``ruled`` event with the sentence that says what the game could not
follow."""

TAKEN_BACK = ("undone", "corrected")
"""The kinds of events that take back actions; ``count`` in their data is how many."""

POSITION_KINDS = ("started", "arranged", *PLAYED, *TAKEN_BACK, "ended", "reopened")
"""The kinds of events that change the position, or whether the game goes on."""


class StaleState(CompanionError, ValueError):
    """Somebody acted on an earlier position than the current one, whose ``state_id`` this
    carries."""

    def __init__(self, expected: int, state_id: int) -> None:
        super().__init__(
            f"the table has changed since (you saw {expected}, it is at {state_id}); "
            "look at the new position and ask again"
        )
        self.expected = expected
        self.state_id = state_id


class Along(Sequence[T]):
    """A sequence of one attribute along a history, such as all its states; items are looked up when
    they are asked for."""

    __slots__ = ("_begin", "_line", "_of")

    def __init__(self, line: History[Any], of: Callable[[History[Any]], T], begin: int) -> None:
        """Take what ``of`` returns for each history from the one after action ``begin`` up to
        ``line``."""
        self._line, self._of, self._begin = line, of, begin

    def __len__(self) -> int:
        return self._line.length + 1 - self._begin

    @overload
    def __getitem__(self, at: int) -> T: ...

    @overload
    def __getitem__(self, at: slice) -> tuple[T, ...]: ...

    def __getitem__(self, at: int | slice) -> T | tuple[T, ...]:
        places = range(self._begin, self._line.length + 1)[at]
        if isinstance(places, int):
            return self._of(self._line.cut(places))
        if not places:
            return ()
        low, high = sorted((places[0], places[-1]))
        found = list(islice(self._back(high), high - low + 1))
        found.reverse()
        return tuple(found[place - low] for place in places)

    def __iter__(self) -> Iterator[T]:
        return iter(self[:])

    def __reversed__(self) -> Iterator[T]:
        return islice(self._back(self._line.length), len(self))

    def _back(self, last: int) -> Iterator[T]:
        line: History[Any] | None = self._line.cut(last)
        while line is not None:
            yield self._of(line)
            line = line.before

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        return len(self) == len(other) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))


class History(Generic[S]):
    """The states and actions that stand, as one immutable value: ``past[i]`` is the state before
    ``actions[i]``, which event ``seqs[i]`` wrote.

    ``state`` is the last state; ``action`` led to it from the history ``before`` by event ``seq``;
    at the start there is no action. A history shares everything before its last action with all
    others that go on from there, so that playing, taking back and looking up take no longer in a
    long game than in a short one.
    """

    __slots__ = ("_jump", "action", "before", "length", "seq", "state")

    def __init__(
        self,
        state: S,
        action: Action | None = None,
        seq: int = 0,
        before: History[S] | None = None,
    ) -> None:
        """Call ``History(start)``, and :meth:`played` from then on."""
        self.state, self.action, self.seq, self.before = state, action, seq, before
        self.length: int = 0 if before is None else before.length + 1
        # Some way back there is a line from which it is as far again to where that one jumps
        # (Myers, 1983): any line before this one is a few jumps away.
        self._jump = self if before is None else before._landing()

    def _landing(self) -> History[S]:
        jump = self._jump
        even = self.length - jump.length == jump.length - jump._jump.length
        return jump._jump if even else self

    @property
    def past(self) -> Sequence[S]:
        """Every state from the start to the last one."""
        return Along(self, attrgetter("state"), 0)

    @property
    def actions(self) -> Sequence[Action]:
        """The actions that stand; one fewer than :attr:`past`."""
        return Along(self, attrgetter("action"), 1)

    @property
    def seqs(self) -> Sequence[int]:
        """The number of each action's event."""
        return Along(self, attrgetter("seq"), 1)

    def played(self, action: Action, state: S, seq: int) -> History[S]:
        """Return the history after ``action``, which event ``seq`` wrote and which led to
        ``state``."""
        return History(state, action, seq, self)

    def undone(self, count: int) -> History[S]:
        """Return the history without its last ``count`` actions.

        Raises:
            BadInput: there are fewer, or ``count`` is not positive.
        """
        if not 0 < count <= self.length:
            raise BadInput(
                say(
                    "cannot take back {count} actions; {most} can be taken back",
                    count=count,
                    most=self.length,
                )
            )
        return self.cut(self.length - count)

    def cut(self, length: int) -> History[S]:
        """Return the history of the first ``length`` actions."""
        return self._back(lambda line: line.length > length)

    def until(self, seq: int) -> History[S]:
        """Return the history without the actions of events later than ``seq``."""
        return self._back(lambda line: line.seq > seq)

    def holds(self, seq: int) -> bool:
        """Tell whether the action of event ``seq`` stands."""
        return seq > 0 and self.until(seq).seq == seq

    def _back(self, beyond: Callable[[History[S]], bool]) -> History[S]:
        line = self
        while line.before is not None and beyond(line):
            line = line._jump if beyond(line._jump) else line.before
        return line

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, History):
            return NotImplemented
        if self.length != other.length or self.past != other.past:
            return False
        return self.actions == other.actions and self.seqs == other.seqs

    def __hash__(self) -> int:
        return hash((self.length, self.seq, self.state))


def lines(
    game: Game[S], setup: Setup, begun: History[S], events: Iterable[Event]
) -> Iterator[History[S]]:
    """Yield the history after each of ``events``, which go on from ``begun``.

    Raises:
        BadInput: an event cannot be followed: the rules as they are now refuse its action, it is
            damaged, or the game has a fault, which is logged.
    """
    line, written = begun, dict[str | None, Action]()
    for event in events:
        with _standing(event):
            if event.kind in TAKEN_BACK:
                line = line.undone(int(event.data["count"]))
            elif event.kind == "ruled":
                line = line.played(RULED, decided(game, setup, line.state, event), event.seq)
            elif event.kind == "action":
                action = written.get(event.action) or game.parse(setup, str(event.action))
                written[event.action] = action
                with _sound(game, event):
                    after = game.apply(line.state, action)
                line = line.played(action, after, event.seq)
        yield line


@contextmanager
def _sound(game: Game[Any], event: Event) -> Iterator[None]:
    """Log a fault of ``game`` over ``event`` with its trace.

    Raises:
        BadInput: there was one; the sentence says whose it is.
    """
    try:
        yield
    except CompanionError:
        raise
    except Exception as error:
        _log.error("a fault of the game %s over event %d", game.name, event.seq, exc_info=error)
        raise BadInput(
            say("a fault of {game} stopped it; the log says which", game=game.title)
        ) from error


@contextmanager
def _standing(event: Event) -> Iterator[None]:
    """Say which event it is that cannot be followed."""
    try:
        yield
    except IllegalAction as refusal:
        raise BadInput(
            say(
                "event {seq} no longer stands: {why}; finish this game with the version that began "
                "it",
                seq=event.seq,
                why=refusal.ruling.reason,
            )
        ) from refusal
    except ODD as error:
        odd = say("it is not as a companion writes it")
        why = error.sentence if isinstance(error, BadInput) else odd
        raise BadInput(
            say("event {seq} cannot be followed: {why}", seq=event.seq, why=why)
        ) from error


@contextmanager
def naming(journal: Journal, game_id: int) -> Iterator[None]:
    """Add to any BadInput raised within this context which game cannot be followed, and which
    version of the companion began it."""
    try:
        yield
    except BadInput as error:
        words = say(
            "game {game}, begun with version {version}, cannot be followed: {why}",
            game=game_id,
            version=journal.begun_by(game_id),
            why=error.sentence,
        )
        raise BadInput(words) from error
    except ODD as error:
        raise BadInput(
            say("game {game} cannot be followed: it is not as a companion writes it", game=game_id)
        ) from error


def replayed(game: Game[S], setup: Setup, begun: History[S], events: Iterable[Event]) -> History[S]:
    """Return the history that ``events`` lead to from the one that is ``begun``.

    Raises:
        BadInput: as :func:`lines`.
    """
    return deque(chain((begun,), lines(game, setup, begun, events)), maxlen=1).pop()


def game_of(journal: Journal, game_id: int | None = None) -> tuple[int, Header]:
    """Return the id and the header of game ``game_id`` of the journal, of its last game for None.

    Raises:
        BadInput: the journal holds no such game.
    """
    games = journal.games()
    if not games:
        raise BadInput(f"the journal {journal.path} holds no game yet")
    wanted = journal.latest() if game_id is None else game_id
    if wanted is None or wanted not in games:
        known = ", ".join(str(number) for number in games)
        raise BadInput(f"the journal {journal.path} has no game {wanted}; it has {known}")
    return wanted, games[wanted]


def opened(header: Header, events: Events) -> Header:
    """Return ``header`` with the position in which the players set up their tokens, if an event
    tells one."""
    last = next(events.newest("arranged"), None)
    if last is None:
        return header
    return header._replace(position=last.data["position"], to_move=last.data.get("turn"))


def setup_of(game: Game[Any], header: Header) -> Setup:
    """Return who plays the game that ``header`` describes, and by which options.

    Raises:
        BadInput: they do not fit the game as it is now.
    """
    return setup_then(game, header.seats, header.options, header.rules)


def start_of(game: Game[S], setup: Setup, header: Header) -> S:
    """Return the first state of the game that ``header`` describes.

    Raises:
        BadInput: its position names an unknown spot, token or seat.
    """
    if header.position is None:
        return game.start(setup)
    return arrangements(game).arrange(setup, header.position, header.to_move)


def clock_of(game: Game[Any], setup: Setup, events: Sequence[Event]) -> Clock | None:
    """Return the game clock after ``events``; None in a game without limits."""
    limits, started = limits_of(game, setup), events[0]
    if not limits:
        return None
    clock = Clock(limits, started.data["to_move"], started.at)
    return clocked(clock, events[1:])


def clocked(clock: Clock, events: Iterable[Event]) -> Clock:
    """Return ``clock`` after ``events``. The time before a ``resumed`` event is counted to
    nobody."""
    for event in events:
        if event.kind in PLAYED:
            clock = clock.tap(event.data["to_move"], event.at)
        elif agreed(event):
            clock = clock.tap(None, event.at)
        elif event.kind in ("arranged", "undone", "corrected", "reopened"):
            count = int(event.data.get("count", 0)) if event.kind in TAKEN_BACK else 0
            clock = clock.back(event.data["to_move"], event.at, count)
        elif event.kind == "paused":
            clock = clock.pause(event.at)
        elif event.kind == "continued":
            clock = clock.go(event.at)
        elif event.kind == "jumped":
            clock = clock.at(event.at - float(event.data["by"]))._replace(since=event.at)
        elif event.kind == "resumed":
            clock = clock._replace(since=event.at)
    return clock


def thought(events: Sequence[Event]) -> dict[str, float]:
    """Return the seconds that each seat took for its turns in a game of these ``events``, limits or
    none: without pauses, and without what lies between two events by more than :data:`REST`."""
    started = events[0]
    clock = Clock(Limits(), started.data["to_move"], started.at)
    for before, event in pairwise(events):
        if event.at - before.at > REST:
            clock = clock._replace(since=event.at)
        clock = clocked(clock, (event,))
    return dict(clock.used)


def agreed(event: Event) -> bool:
    """Tell whether ``event`` ended the game by the players' will, not by the rules."""
    return event.kind == "ended" and event.data.get("by", "rules") != "rules"


def decided(game: Game[S], setup: Setup, state: S, event: Event | Draft) -> S:
    """Return the state after a decision of the table in ``state``.

    The event either has an action that is to stand although the rules refuse it, or in its data a
    ``position`` and the seat whose ``turn`` it is; what is not named stays as it is.

    Raises:
        BadInput: the position names an unknown spot, token or seat.
    """
    if event.action is None:
        position = event.data.get("position")
        turn = event.data.get("turn") or game.to_move(state)
        return arrangements(game).rearranged(
            state, game.expect(state) if position is None else position, turn
        )
    action = game.parse(setup, event.action)
    if DOUBT not in event.data:
        # Older companions did not write down what could not be followed.
        with suppress(Uncertain):
            return _forced(game, state, action)
    return _carried(game, state, action)


def deciding(game: Game[S], setup: Setup, state: S, draft: Draft) -> tuple[S, Draft]:
    """Return the state after the decision that ``draft`` describes (see :func:`decided`), and the
    draft, with the sentence :data:`DOUBT` in its data if the game could not follow the action.

    Raises:
        BadInput: the position names an unknown spot, token or seat.
    """
    if draft.action is not None:
        try:
            return _forced(game, state, game.parse(setup, draft.action)), draft
        except Uncertain as doubt:
            cause = doubt.__cause__
            # A guarded game's fault was logged where it happened.
            _log.error("%s", doubt, exc_info=None if isinstance(cause, GameFault) else cause)
            draft = draft._replace(data={**draft.data, DOUBT: doubt.sentence})
    return decided(game, setup, state, draft), draft


def _forced(game: Game[S], state: S, action: Action) -> S:
    """Return the state after an action that the rules refuse. The game's own bookkeeping is
    kept where it leads to what the hand did; else the position is all that is known.

    Raises:
        Uncertain: the game falls over the action, so that nobody knows what follows from it.
    """
    if game.effect(state, action).seat in (None, game.to_move(state)):
        try:
            after = game.advance(state, action)
            seen = game.expect(after)
        except Exception as error:
            doubt = say(
                "{game} cannot follow {action}: only the pieces were set, so look at the "
                "scorecards; the log says why",
                game=game.title,
                action=game.format(action),
            )
            raise Uncertain(doubt, [[action]]) from error
        if _faces(game, seen) == _faces(game, _left(game, state, action)):
            return after
    return _carried(game, state, action)


def _carried(game: Game[S], state: S, action: Action) -> S:
    """Return ``state`` with the tokens where the hand of ``action`` left them, the next seat to
    move."""
    seats, mover = state.setup.seats, game.effect(state, action).seat
    mover = mover or game.to_move(state)
    turn = seats[(seats.index(mover) + 1) % len(seats)] if mover in seats else None
    return arrangements(game).rearranged(state, _left(game, state, action), turn)


def _left(game: Game[S], state: S, action: Action) -> Position:
    """Return what stands where once a hand has done ``action``."""
    there = {**game.expect(state), **game.effect(state, action).changes}
    return {spot: token for spot, token in there.items() if token is not None}


def _faces(game: Game[S], position: Position) -> dict[str, str]:
    return {spot: game.look(token).face for spot, token in position.items()}
