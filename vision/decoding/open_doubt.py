"""A doubt about who went where that leaves none about what stands where now: nobody need answer
before play goes on.

Two like tokens that both moved may have changed roles. Every answer leads to the same state, so
what is played next is read from there, and told *ahead* of the answer.

| ``past`` ends with                  | what is read                                            |
|-------------------------------------|---------------------------------------------------------|
| the state in which the doubt arose  | what was played since, told ahead, and asked once more  |
| the state to which every way leads  | somebody answered: the table is given what it lacks     |
| any other state                     | the doubt is dropped: the game went on without it       |
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Generic

from companion.rules import Game, S, say
from vision.decoding.belief import Belief
from vision.decoding.reading import ASKED, Reading, Step

Way = tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class _Doubt(Generic[S]):
    """The ``ways`` that all lead from the state ``begun`` to one other, the likeliest through the
    states ``between``, of which that is the last. The steps that all ways share are ``certain``,
    and the others silent. Before it so much was ``believed``. The ``later`` steps led through the
    states ``since``."""

    begun: S
    ways: tuple[Way, ...]
    between: tuple[S, ...]
    certain: Way
    believed: Belief[S]
    later: Way = ()
    since: tuple[S, ...] = ()


class OpenDoubt(Generic[S]):
    """The doubt of one table that is open, if any is. ``forget`` makes the table be believed again
    to stand as it did before a doubt that is dropped."""

    def __init__(self, game: Game[S], forget: Callable[[Belief[S]], None]) -> None:
        self._game, self._forget = game, forget
        self._doubt: _Doubt[S] | None = None

    def read(self, past: Sequence[S], read: Callable[[Sequence[S]], Reading]) -> Reading:
        """Return what ``read`` makes of a picture after ``past``, which the table has, and the
        states that the pictures showed since, as it is to be told while the doubt is open, or when
        it was answered."""
        if self._doubt and past[-1] not in (self._doubt.begun, self._doubt.between[-1]):
            self._drop(self._doubt)
        doubt = self._doubt
        if doubt is None:
            return self._asked(read(past), None)
        if past[-1] == doubt.begun:
            return self._asked(read((*past, *doubt.between, *doubt.since)), doubt)
        self._doubt = None
        reading = read((*past, *doubt.since))
        if not reading.still:
            self._doubt = doubt
            return reading
        steps = (*_silent(doubt.later), *reading.steps)
        return self._asked(replace(reading, steps=steps), None)

    def arises(self, past: Sequence[S], ways: Sequence[Way], p: float, believed: Belief[S]) -> None:
        """Note that each of ``ways``, the likeliest first, leads from the end of ``past`` to the
        same state, with probability ``p`` together, and nothing tells which it was. Before this
        picture so much was ``believed``."""
        shared = set.intersection(*({step.action for step in way} for way in ways))
        certain = tuple(
            replace(step, p=round(p, 4), silent=step.action not in shared) for step in ways[0]
        )
        begun = past[-1]
        if doubt := self._doubt:
            # Two doubts are one whose ways go through both.
            begun, believed = doubt.begun, doubt.believed
            certain = (*_silent((*doubt.ways[0], *doubt.later)), *certain)
            ways = [(*one, *doubt.later, *then) for one in doubt.ways for then in ways]
        if between := self._through(begun, ways[0]):
            self._doubt = _Doubt(begun, tuple(ways[:ASKED]), between, certain, believed)

    def _asked(self, reading: Reading, before: _Doubt[S] | None) -> Reading:
        """Return ``reading`` with what the open doubt asks, if there is one: the one of ``before``
        this picture, after which it tells what was played, or one that arose by it."""
        doubt = self._doubt
        if doubt is None or not reading.still:
            return reading
        said = reading.message or say("which was it?")
        if doubt is not before:
            return replace(reading, asks=doubt.ways, message=said, ahead=doubt.certain)
        later = (*doubt.later, *reading.steps)
        since = None if reading.instead else self._through(doubt.between[-1], later)
        if since is None:
            # What is in doubt was taken back, or played in another order: it is read anew.
            self._drop(doubt)
            return replace(reading, asks=doubt.ways, message=said, steps=(), instead=None)
        self._doubt = replace(doubt, later=later, since=since)
        told = _silent((*doubt.ways[0], *doubt.later))
        ahead = (*told, *reading.steps) if reading.steps else ()
        return replace(reading, asks=doubt.ways, message=said, steps=(), ahead=ahead)

    def _drop(self, doubt: _Doubt[S]) -> None:
        self._doubt = None
        self._forget(doubt.believed)

    def _through(self, state: S, steps: Sequence[Step]) -> tuple[S, ...] | None:
        """Return the states after ``state`` through which ``steps`` lead; None where they take back
        more than they play."""
        states = [state]
        for step in steps:
            if step.legal:
                states.append(self._game.advance(states[-1], step.action))
            elif step.takeback:
                if step.takeback >= len(states):
                    return None
                del states[-step.takeback :]
        return tuple(states[1:])


def _silent(steps: Sequence[Step]) -> Way:
    return tuple(replace(step, silent=True) for step in steps)
