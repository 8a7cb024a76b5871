"""What stands in a game: the line of states and actions that a journal's events lead to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic

from companion.journal import Draft, Event, Header, Journal
from companion.rules import Action, BadInput, Clock, Game, IllegalAction, Position, Setup, say
from companion.rules.game import S

RULED = Action("ruled")
"""Stands in a line for what the table decided against or beside the rules."""

PLAYED = ("action", "ruled")
"""The kinds of events that put an action on the line."""

TAKEN_BACK = ("undone", "corrected")
"""The kinds of events that take actions back, ``count`` of them."""

POSITION_KINDS = ("started", "arranged", *PLAYED, *TAKEN_BACK, "ended", "reopened")
"""The kinds of events that change the position, or whether the game goes on."""


@dataclass(frozen=True)
class Line(Generic[S]):
    """What stands: ``past[i]`` is the state before ``actions[i]``, whose event is ``seqs[i]``."""

    past: tuple[S, ...]
    actions: tuple[Action, ...] = ()
    seqs: tuple[int, ...] = ()

    @property
    def state(self) -> S:
        """The state after the last action."""
        return self.past[-1]

    def played(self, action: Action, state: S, seq: int) -> Line[S]:
        """Return the line after ``action``, which led to ``state``."""
        return Line((*self.past, state), (*self.actions, action), (*self.seqs, seq))

    def undone(self, count: int) -> Line[S]:
        """Return the line without its last ``count`` actions.

        Raises:
            BadInput: there are fewer, or ``count`` is not positive.
        """
        keep = _kept(len(self.actions), count)
        return Line(self.past[: keep + 1], self.actions[:keep], self.seqs[:keep])


@dataclass(frozen=True, slots=True)
class Step(Generic[S]):
    """What one event did: the ``state`` after it, and the ``action`` that led there, None where
    nothing was played."""

    action: Action | None
    state: S


def _kept(played: int, count: int) -> int:
    """Return how many of the actions ``played`` stand when the last ``count`` are taken back.

    Raises:
        BadInput: there are fewer, or ``count`` is not positive.
    """
    if not 0 < count <= played:
        raise BadInput(
            say(
                "cannot take back {count} actions; {most} can be taken back",
                count=count,
                most=played,
            )
        )
    return played - count


def replayed(game: Game[S], setup: Setup, start: S, events: Sequence[Event]) -> Line[S]:
    """Return the line that ``events`` lead to from ``start``.

    Raises:
        BadInput: an action does not stand under the rules as they are now.
    """
    return standing(start, events, steps(game, setup, start, events))


def steps(game: Game[S], setup: Setup, start: S, events: Iterable[Event]) -> Iterator[Step[S]]:
    """Yield what each of ``events`` did, beginning from ``start``.

    Raises:
        BadInput: an action does not stand under the rules as they are now.
    """
    past = [start]
    for event in events:
        action = None
        if event.kind in TAKEN_BACK:
            del past[_kept(len(past) - 1, int(event.data["count"])) + 1 :]
        elif event.kind == "ruled":
            action = RULED
            past.append(decided(game, setup, past[-1], event))
        elif event.kind == "action":
            action = game.parse(setup, str(event.action))
            try:
                past.append(game.apply(past[-1], action))
            except IllegalAction as refusal:
                raise BadInput(
                    f"event {event.seq} ({event.action}) no longer stands: {refusal}; "
                    "finish this game with the version that began it"
                ) from refusal
        yield Step(action, past[-1])


def taken(line: Line[S], events: Sequence[Event]) -> Iterator[Step[S]]:
    """Yield what each of ``events`` did, the newest ones, which led to ``line``."""
    later = sum(event.kind in PLAYED for event in events)
    for event in events:
        played = event.kind in PLAYED
        later -= played
        yield Step(line.actions[-1 - later] if played else None, line.past[-1 - later])


def standing(start: S, events: Iterable[Event], steps: Iterable[Step[S]]) -> Line[S]:
    """Return the line that is left of ``steps``, one for each of ``events``. No rule is asked.

    Raises:
        BadInput: more is taken back than was played.
    """
    past, actions, seqs = [start], list[Action](), list[int]()
    for event, step in zip(events, steps, strict=True):
        if event.kind in TAKEN_BACK:
            keep = _kept(len(actions), int(event.data["count"]))
            del past[keep + 1 :], actions[keep:], seqs[keep:]
        elif step.action is not None:
            past.append(step.state)
            actions.append(step.action)
            seqs.append(event.seq)
    return Line(tuple(past), tuple(actions), tuple(seqs))


def game_of(journal: Journal, game_id: int | None = None) -> tuple[int, Header]:
    """Return the id and header of ``game_id``, else of the journal's last game.

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


def opened(header: Header, events: Iterable[Event]) -> Header:
    """Return ``header`` with the position that the players chose at the set-up, if they did."""
    for event in events:
        if event.kind == "arranged":
            turn = event.data.get("turn")
            header = replace(header, position=event.data["position"], to_move=turn)
    return header


def start_of(game: Game[S], setup: Setup, header: Header) -> S:
    """Return the first state of the game that ``header`` describes.

    Raises:
        BadInput: its position names an unknown spot, token or seat.
    """
    if header.position is None:
        return game.start(setup)
    return game.arrange(setup, header.position, header.to_move)


def clock_of(game: Game[Any], setup: Setup, events: Sequence[Event]) -> Clock | None:
    """Return the game clock after ``events``; None in a game without limits."""
    limits, started = game.limits(setup), events[0]
    if not limits:
        return None
    clock = Clock(limits, started.data["to_move"], started.at)
    return clocked(clock, events[1:])


def clocked(clock: Clock, events: Iterable[Event]) -> Clock:
    """Return ``clock`` after ``events``; what lies before ``resumed`` is counted to nobody."""
    for event in events:
        if event.kind in PLAYED:
            clock = clock.tap(event.data["to_move"], event.at)
        elif agreed(event):
            clock = clock.tap(None, event.at)
        elif event.kind in ("arranged", "undone", "corrected", "reopened"):
            clock = clock.back(event.data["to_move"], event.at)
        elif event.kind == "paused":
            clock = clock.pause(event.at)
        elif event.kind == "continued":
            clock = clock.go(event.at)
        elif event.kind == "resumed":
            clock = replace(clock, since=event.at)
    return clock


def agreed(event: Event) -> bool:
    """Tell whether ``event`` is an end that the players brought about, not the rules."""
    return event.kind == "ended" and event.data.get("by", "rules") != "rules"


def decided(game: Game[S], setup: Setup, state: S, event: Event | Draft) -> S:
    """Return the state after a table's own decision in ``state``.

    Its event has an action that the table lets stand, or in its data a ``position`` and the
    seat whose ``turn`` it is, each as it was before if it is not named.

    Raises:
        BadInput: the position names an unknown spot, token or seat.
    """
    if event.action is not None:
        return _forced(game, setup, state, game.parse(setup, event.action))
    position = event.data.get("position")
    turn = event.data.get("turn") or game.to_move(state)
    return game.rearranged(state, game.expect(state) if position is None else position, turn)


def _forced(game: Game[S], setup: Setup, state: S, action: Action) -> S:
    """Return the state after an action that the rules refuse. The game's own bookkeeping is
    kept where it leads to what the hand did; else the position is all that is known."""
    effect = game.effect(state, action)
    there = {**game.expect(state), **effect.changes}
    position = {spot: token for spot, token in there.items() if token is not None}
    mover = effect.seat or game.to_move(state)
    if mover == game.to_move(state):
        try:
            after = game.advance(state, action)
            seen = game.expect(after)
        except (ArithmeticError, AssertionError, LookupError, TypeError, ValueError):
            pass  # A game need not know what an illegal action leads to.
        else:
            if _faces(game, seen) == _faces(game, position):
                return after
    seats = setup.seats
    turn = seats[(seats.index(mover) + 1) % len(seats)] if mover in seats else None
    return game.rearranged(state, position, turn)


def _faces(game: Game[S], position: Position) -> dict[str, str]:
    return {spot: game.look(token).face for spot, token in position.items()}
