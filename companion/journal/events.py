"""The events of a game: kept as the text that the journal stores, and decoded when they are looked
at.

An evening has tens of thousands of events, and few are looked at again; their text takes a fraction
of the memory. No operation takes longer the longer the game has been.
"""

from __future__ import annotations

import heapq
import sys
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from operator import itemgetter
from typing import overload

from companion.journal.entries import Event, Row, event_of, sound_event

_SEQ = itemgetter(0)


class Unsound(ValueError):
    """Event ``seq`` is not something that a companion wrote."""

    def __init__(self, seq: int, why: Exception) -> None:
        super().__init__(f"event {seq}: {why}")
        self.seq = seq


class _Kept:
    """The rows of a game, which only grow, and where those of each kind are."""

    __slots__ = ("kinds", "rows")

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.kinds: dict[str, array[int]] = {}

    def add(self, rows: Iterable[Row]) -> None:
        # What is said again and again is kept once.
        for seq, at, actor, kind, action, ruling, data, photographs in rows:
            kind, actor, data = sys.intern(kind), sys.intern(actor), sys.intern(data)
            action, ruling = action and sys.intern(action), ruling and sys.intern(ruling)
            self.kinds.setdefault(kind, array("l")).append(len(self.rows))
            self.rows.append((seq, at, actor, kind, action, ruling, data, photographs))


class Events(Sequence[Event]):
    """Events of one game in order, as one immutable value; each is decoded when it is asked for.
    Parts of it share its memory, and adding to it costs nothing."""

    __slots__ = ("_first", "_kept", "_last")

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        """Take ``rows`` that were checked or written by this process."""
        self._kept = _Kept()
        self._kept.add(rows)
        self._first, self._last = 0, len(self._kept.rows)

    @classmethod
    def sound(cls, rows: Iterable[Row]) -> Events:
        """Take ``rows`` of a file, after checking them.

        Raises:
            Unsound: no companion wrote one of them.
        """
        kept = _Kept()
        for row in rows:
            try:
                sound_event(row)
                kept.add((row,))
            except (TypeError, ValueError) as error:
                raise Unsound(row[0], error) from error
        events = cls()
        events._kept, events._last = kept, len(kept.rows)
        return events

    def _part(self, first: int, last: int) -> Events:
        part = Events.__new__(Events)
        part._kept, part._first, part._last = self._kept, first, max(first, last)
        return part

    def grown(self, later: Events) -> Events:
        """Return these events and ``later`` ones after them."""
        if self._last != len(self._kept.rows):
            return Events((*self.rows(), *later.rows()))
        self._kept.add(later.rows())
        return self._part(self._first, len(self._kept.rows))

    def rows(self) -> Iterator[Row]:
        """Yield the events as they are stored."""
        return islice(self._kept.rows, self._first, self._last)

    # -- by number -------------------------------------------------------------------

    def after(self, seq: int) -> Events:
        """Return the events whose number is greater than ``seq``."""
        return self._part(
            bisect_right(self._kept.rows, seq, self._first, self._last, key=_SEQ), self._last
        )

    def until(self, seq: int) -> Events:
        """Return the events whose number is ``seq`` or less."""
        return self._part(
            self._first, bisect_right(self._kept.rows, seq, self._first, self._last, key=_SEQ)
        )

    def find(self, seq: int) -> Event | None:
        """Return event ``seq``; None if it is not among these."""
        found = self.until(seq)
        return found[-1] if len(found) and self._kept.rows[found._last - 1][0] == seq else None

    # -- by kind ---------------------------------------------------------------------

    def of(self, *kinds: str) -> Iterator[Event]:
        """Yield the events of these kinds, the oldest first."""
        return self._merged(kinds, 1)

    def newest(self, *kinds: str) -> Iterator[Event]:
        """Yield the events of these kinds, the newest first."""
        return self._merged(kinds, -1)

    def _merged(self, kinds: Iterable[str], step: int) -> Iterator[Event]:
        # Most kinds never happened in a game.
        kept = self._kept.kinds
        found = [self._places(kept[kind], step) for kind in kinds if kind in kept]
        places = heapq.merge(*found, reverse=step < 0) if len(found) > 1 else chain(*found)
        return (event_of(self._kept.rows[place]) for place in places)

    def _places(self, places: Sequence[int], step: int) -> Iterator[int]:
        first = bisect_left(places, self._first)
        last = bisect_left(places, self._last)
        order = range(first, last) if step > 0 else range(last - 1, first - 1, -1)
        return (places[at] for at in order)

    # -- as a sequence ---------------------------------------------------------------

    def __len__(self) -> int:
        return self._last - self._first

    @overload
    def __getitem__(self, at: int) -> Event: ...

    @overload
    def __getitem__(self, at: slice) -> Sequence[Event]: ...

    def __getitem__(self, at: int | slice) -> Event | Sequence[Event]:
        places = range(self._first, self._last)[at]
        if isinstance(places, int):
            return event_of(self._kept.rows[places])
        if places.step == 1:
            return self._part(places.start, places.stop)
        return tuple(event_of(self._kept.rows[place]) for place in places)

    def __iter__(self) -> Iterator[Event]:
        return map(event_of, self.rows())

    def __reversed__(self) -> Iterator[Event]:
        return (event_of(self._kept.rows[at]) for at in range(self._last - 1, self._first - 1, -1))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Events):
            return list(self.rows()) == list(other.rows())
        if isinstance(other, Sequence):
            return list(self) == list(other)
        return NotImplemented

    def __hash__(self) -> int:
        return hash((len(self), self._kept.rows[self._last - 1] if len(self) else None))

    def __repr__(self) -> str:
        return f"Events({list(self)!r})"
