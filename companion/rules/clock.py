"""Game clocks: who has how much time left. Pure: the time of day is always handed in."""

from __future__ import annotations

from typing import NamedTuple

from companion.rules.action import Action

ANNOUNCED = ("time", "flag", "forfeit")
"""What a clock says: where a game has one, nobody else does."""


class Limits(NamedTuple):
    """Time limits in seconds; None means without limit.

    ``game`` is for the whole game and all seats together, ``seat`` for each seat's own turns,
    ``begin`` for beginning a turn; ``increment`` is given to a seat for each turn it ends.
    """

    game: float | None = None
    seat: float | None = None
    begin: float | None = None
    increment: float = 0.0

    def __bool__(self) -> bool:
        """Tell whether there is any limit at all."""
        return (self.game, self.seat, self.begin) != (None, None, None)


class Clock(NamedTuple):
    """A game clock as it stood at ``since``; all times in seconds.

    ``seat`` is to move, None once the game is over; ``begun`` tells whether it has acted in its
    turn. ``elapsed`` counts the game, ``turn`` the present turn and ``used`` each seat, all
    without the time in which the clock was ``paused``.
    """

    limits: Limits
    seat: str | None
    since: float
    paused: bool = False
    begun: bool = False
    elapsed: float = 0.0
    turn: float = 0.0
    used: tuple[tuple[str, float], ...] = ()

    def at(self, now: float) -> Clock:
        """Return the clock as it stands at ``now``; a time of day that was set back counts 0."""
        if self.paused or self.seat is None:
            return self._replace(since=now)
        passed = max(0.0, now - self.since)
        clock = self._replace(since=now, elapsed=self.elapsed + passed, turn=self.turn + passed)
        return clock._charge(self.seat, passed)

    def tap(self, seat: str | None, now: float) -> Clock:
        """Return the clock after an action at ``now`` that leaves ``seat`` to move.

        The seat that was to move has thereby begun its turn; for another one a turn begins;
        None stops the clock for good.
        """
        clock = self.at(now)
        if seat == self.seat:
            return clock._replace(begun=True)
        if self.seat is not None:
            clock = clock._charge(self.seat, -self.limits.increment)
        return clock._replace(seat=seat, begun=False, turn=0.0)

    def back(self, seat: str | None, now: float) -> Clock:
        """Return the clock after a take-back at ``now`` that leaves ``seat`` to move, with a
        fresh time to begin its turn; time that was used stays used."""
        return self.at(now)._replace(seat=seat, begun=False, turn=0.0)

    def pause(self, now: float) -> Clock:
        """Return the clock standing from ``now`` on."""
        return self.at(now)._replace(paused=True)

    def go(self, now: float) -> Clock:
        """Return the clock running from ``now`` on."""
        return self.at(now)._replace(paused=False)

    def spent(self, seat: str, now: float) -> float:
        """Return the seconds that ``seat`` has used, its increments taken off."""
        return dict(self.at(now).used).get(seat, 0.0)

    def game_left(self, now: float) -> float | None:
        """Return the seconds left for the game, at least 0; None without limit."""
        return _left(self.limits.game, self.at(now).elapsed)

    def seat_left(self, seat: str, now: float) -> float | None:
        """Return the seconds left for ``seat``, at least 0; None without limit."""
        return _left(self.limits.seat, self.spent(seat, now))

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

    def _charge(self, seat: str, seconds: float) -> Clock:
        used = dict(self.used)
        used[seat] = used.get(seat, 0.0) + seconds
        return self._replace(used=tuple(used.items()))


def _left(limit: float | None, gone: float) -> float | None:
    return None if limit is None else max(0.0, limit - gone)
