"""How old events are: the time that is known to have passed since each.

Dates do not tell that, because a clock may have been wrong then or may be wrong now. What counts is
the time for which the table itself ran, and the time for which it was off if a time server
confirmed the clock both before and after. All other time counts as none, so that what is deleted or
locked out because of its age is so too late rather than too early.
"""

from __future__ import annotations

import threading
from bisect import bisect_left
from itertools import accumulate
from typing import NamedTuple

from companion.journal import Journal
from companion.runtime.timekeeper import Timekeeper

FINE = 3600.0
"""Seconds: ages are written down in multiples of it."""
ASTRAY = 60.0
"""Seconds by which a clock that a time server confirms may differ from the time for which the table
ran."""


class TimeMark(NamedTuple):
    """A time server confirmed the time ``at`` (seconds since 1970) when ``seq`` was the last event;
    ``ran`` are the seconds written down since."""

    seq: int
    at: float
    ran: float = 0.0


class Ages:
    """The ages of a journal's events. All methods may be called from any thread."""

    def __init__(self, journal: Journal, clock: Timekeeper) -> None:
        self._journal, self._clock = journal, clock
        self._guard = threading.RLock()
        self._spans = dict(journal.spans())
        self._sum()
        mark = journal.mark()
        self._mark = None if mark is None else TimeMark(*mark)
        self._anchor: tuple[float, float] | None = None
        self._astray = False
        # When each event was met that came while the table runs.
        self._met = [(journal.last_seq, clock.steady())]

    def meet(self, seq: int) -> None:
        """Note that event ``seq`` happened just now."""
        with self._guard:
            if seq > self._met[-1][0]:
                self._met.append((seq, self._clock.steady()))

    def of(self, seq: int) -> float:
        """Return the seconds that are known to have passed since event ``seq``."""
        with self._guard:
            return self._written(seq) + self._running(seq)

    def older(self, seconds: float) -> int:
        """Return the last event that is known to be older than ``seconds``; 0 if none is."""
        with self._guard:
            known = sorted({*self._spans, *(seq for seq, _ in self._met)})
            # The later an event, the younger it is.
            found = bisect_left(known, True, key=lambda seq: self.of(seq) <= seconds)
            return known[found - 1] if found else 0

    def keep(self) -> None:
        """Write down the time that has passed, so that the next start knows of it.

        Raises:
            HardwareFault: the journal cannot be written; the next call tries again.
        """
        with self._guard:
            now, last = self._clock.steady(), self._met[-1][0]
            true = None if self._astray else self._clock.confirmed()
            fresh = self._fresh(now)
            mark = self._vouched(true, fresh, now)
            spans = {seq: self._spans.get(seq, 0.0) + more for seq, more in fresh.items() if more}
            self._journal.keep_spans(spans, None if mark is None else (mark.seq, mark.at, mark.ran))
            self._spans |= spans
            self._sum()
            self._mark, self._met = mark, [(last, now)]
            if true is not None and self._anchor is None:
                self._anchor = (true, now)

    def _sum(self) -> None:
        """Add up what is written down, from the last event to the first."""
        self._seqs = sorted(self._spans)
        sums = accumulate((self._spans[seq] for seq in reversed(self._seqs)), initial=0.0)
        self._sums = list(sums)[::-1]

    def _written(self, seq: int) -> float:
        return self._sums[bisect_left(self._seqs, seq)]

    def _running(self, seq: int) -> float:
        """Return the seconds since ``seq`` that are not written down yet."""
        found = bisect_left(self._met, seq, key=lambda met: met[0])
        if found == len(self._met):
            return 0.0
        return self._clock.steady() - self._met[found][1]

    def _fresh(self, now: float) -> dict[int, float]:
        """Return what is to be written down: the seconds after each event and before the next.
        Short ones are put to those before them, which makes things younger by an hour at most."""
        key, fresh = self._met[0][0], {self._met[0][0]: 0.0}
        ends = [met for _, met in self._met[1:]] + [now]
        for (seq, began), end in zip(self._met, ends, strict=True):
            if fresh[key] + end - began >= FINE:
                key = seq
            fresh[key] = fresh.get(key, 0.0) + end - began
        return fresh

    def _vouched(self, true: float | None, fresh: dict[int, float], now: float) -> TimeMark | None:
        """Return the mark from now on, when it is ``true`` by the time server, and add the time
        that the table was off to ``fresh``."""
        mark, ran = self._mark, sum(fresh.values())
        if true is None:
            return None if mark is None else TimeMark(mark.seq, mark.at, mark.ran + ran)
        if self._anchor is None:
            if mark is not None:
                off = true - mark.at - mark.ran - ran
                fresh[mark.seq] = fresh.get(mark.seq, 0.0) + max(0.0, off)
        elif abs(true - self._anchor[0] - (now - self._anchor[1])) > ASTRAY:
            # The time server contradicts itself: nobody knows when it was right.
            self._astray = True
            return None
        return TimeMark(self._met[-1][0], true)
