"""Game clocks: who has how much time left. Pure: the time of day is always handed in."""

from __future__ import annotations

from typing import NamedTuple

from companion.rules.action import Action

ANNOUNCED = ("time", "flag", "forfeit")
"""What a clock says: where a game has one, nobody else does."""


def shown_on_clock(seconds: float) -> str:
    """Return how a clock shows ``seconds``: ``9:58``, from an hour on ``1:30:30``. What is left of
    a second is not told, and less than nothing is nothing."""
    minutes, left = divmod(int(max(0.0, seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{left:02}" if hours else f"{minutes}:{left:02}"


class TimePhase(NamedTuple):
    """A part of a seat's time: ``seconds`` for ``moves`` turns of its own, None for all the rest.

    ``increment`` seconds are given prior to each turn, the first included. Of each turn ``delay``
    seconds cost nothing: the time stands still so long, or (``bronstein``) runs, and what of the
    delay was used is given back when the turn ends. What is left at the end goes on to the next.
    """

    seconds: float
    increment: float = 0.0
    delay: float = 0.0
    bronstein: bool = False
    moves: int | None = None


class Limits(NamedTuple):
    """Time limits in seconds; None means without limit.

    ``game`` is for the whole game and all seats together, ``begin`` for beginning a turn,
    ``phases`` for each seat's own turns, one phase after another: all but the last have ``moves``.
    """

    game: float | None = None
    begin: float | None = None
    phases: tuple[TimePhase, ...] = ()

    def __bool__(self) -> bool:
        """Tell whether there is any limit at all."""
        return bool(self.phases) or (self.game, self.begin) != (None, None)


class Clock(NamedTuple):
    """A game clock as it stood at ``since``; all times in seconds.

    ``seat`` is to move, None once the game is over; ``begun`` tells whether it has acted in its
    turn. ``elapsed`` counts the game, ``turn`` the present turn and ``used`` each seat, all
    without the time in which the clock was ``paused``. Where limits have phases, ``ended`` names
    for each action that stands the seat whose turn it ended, "" where the turn went on.
    """

    limits: Limits
    seat: str | None
    since: float
    paused: bool = False
    begun: bool = False
    elapsed: float = 0.0
    turn: float = 0.0
    used: tuple[tuple[str, float], ...] = ()
    ended: tuple[str, ...] = ()

    def at(self, now: float) -> Clock:
        """Return the clock as it stands at ``now``; a time of day that was set back counts 0."""
        if self.paused or self.seat is None:
            return self._replace(since=now)
        passed = max(0.0, now - self.since)
        turn = self.turn + passed
        clock = self._replace(since=now, elapsed=self.elapsed + passed, turn=turn)
        phase = self._reached(self.seat)[1]
        if phase and phase.delay and not phase.bronstein:
            passed = max(0.0, turn - phase.delay) - max(0.0, self.turn - phase.delay)
        return clock._charge(self.seat, passed)

    def tap(self, seat: str | None, now: float) -> Clock:
        """Return the clock after an action at ``now`` that leaves ``seat`` to move.

        The seat that was to move has thereby begun its turn; for another one a turn begins;
        None stops the clock for good.
        """
        clock, was = self.at(now), self.seat
        passes = was is not None and seat not in (None, was)
        if self.limits.phases:
            clock = clock._replace(ended=(*self.ended, was if was and passes else ""))
        if seat == was:
            return clock._replace(begun=True)
        if was is not None and passes:
            phase = self._reached(was)[1]
            if phase and phase.bronstein:
                clock = clock._charge(was, -min(clock.turn, phase.delay))
        return clock._replace(seat=seat, begun=False, turn=0.0)

    def back(self, seat: str | None, now: float, count: int = 0) -> Clock:
        """Return the clock after a take-back of ``count`` actions at ``now`` that leaves ``seat``
        to move, with a fresh time to begin its turn. Time that was used stays used; what had been
        given for the turns that were taken back is gone."""
        ended = self.ended[: max(0, len(self.ended) - count)]
        return self.at(now)._replace(seat=seat, begun=False, turn=0.0, ended=ended)

    def pause(self, now: float) -> Clock:
        """Return the clock standing from ``now`` on."""
        return self.at(now)._replace(paused=True)

    def go(self, now: float) -> Clock:
        """Return the clock running from ``now`` on."""
        return self.at(now)._replace(paused=False)

    def spent(self, seat: str, now: float) -> float:
        """Return the seconds that ``seat`` has used."""
        return dict(self.at(now).used).get(seat, 0.0)

    def game_left(self, now: float) -> float | None:
        """Return the seconds left for the game, at least 0; None without limit."""
        return _left(self.limits.game, self.at(now).elapsed)

    def seat_left(self, seat: str, now: float) -> float | None:
        """Return the seconds left for ``seat``, at least 0; None without limit."""
        given, phase = self._reached(seat)
        return _left(given if phase else None, self.spent(seat, now))

    def free_left(self, now: float) -> float:
        """Return the seconds for which the time of the seat to move still stands."""
        phase = None if self.seat is None else self._reached(self.seat)[1]
        free = phase.delay if phase and not phase.bronstein else 0.0
        return max(0.0, free - self.at(now).turn)

    def moves_left(self, seat: str) -> int | None:
        """Return the turns that ``seat`` has to end before its next phase; None in its last."""
        made, first = self.ended.count(seat), 0
        for phase in self.limits.phases:
            if phase.moves is None:
                break
            first += phase.moves
            if made < first:
                return first - made
        return None

    def begin_left(self, now: float) -> float | None:
        """Return the seconds left to begin the turn, at least 0; None without limit, once the
        turn has begun, and when the game is over."""
        if self.begun or self.seat is None:
            return None
        return _left(self.limits.begin, self.at(now).turn)

    def due(self, now: float) -> tuple[Action, ...]:
        """Return what the clock has to announce at ``now``: ``time`` when the game's time is up,
        ``flag=SEAT`` when that of the seat to move is, ``forfeit`` when the turn was not begun
        in time."""
        if self.seat is None:
            return ()
        up = (Action("time"),) if self.game_left(now) == 0.0 else ()
        fallen = (
            (Action("flag", detail=self.seat),) if self.seat_left(self.seat, now) == 0.0 else ()
        )
        late = (Action("forfeit"),) if self.begin_left(now) == 0.0 else ()
        return (*up, *fallen, *late)

    def _reached(self, seat: str) -> tuple[float, TimePhase | None]:
        """Return the seconds that ``seat`` has been given so far and the phase it is in."""
        begun, first, given, phase = self.ended.count(seat) + 1, 0, 0.0, None
        for phase in self.limits.phases:
            within = begun - first if phase.moves is None else min(begun - first, phase.moves)
            given += phase.seconds + within * phase.increment
            first += within
            if first == begun:
                break
        back = phase.delay if phase and phase.bronstein else 0.0
        return given + back, phase

    def _charge(self, seat: str, seconds: float) -> Clock:
        used = dict(self.used)
        used[seat] = used.get(seat, 0.0) + seconds
        return self._replace(used=tuple(used.items()))


def _left(limit: float | None, gone: float) -> float | None:
    return None if limit is None else max(0.0, limit - gone)
