"""When a broker that was lost is tried again."""

from __future__ import annotations

from collections.abc import Callable

FIRST, LONGEST = 1.0, 60.0
"""Seconds until the first host is tried again once none of them could be used; they double."""
STANDS = 1.0
"""Seconds for which a line has to stand to count as found: a node that lets in and cuts at once is
a failure like another."""


class Backoff:
    """When to try again a broker of so many ``hosts``, each of which is tried after the one before.
    As long as one of them has not failed in a row it is tried at once; once all have, after a
    pause, which doubles each time and is ``longest`` seconds at most. ``clock`` gives seconds that
    pass."""

    def __init__(self, hosts: int, clock: Callable[[], float], longest: float = LONGEST) -> None:
        self._hosts, self._clock, self.longest = hosts, clock, longest
        self._pause, self._failed, self._again_at = FIRST, 0, clock()
        self._since: float | None = None

    def worked(self) -> None:
        """Notice that the line stands."""
        if self._since is None:
            self._since = self._clock()

    def failed(self) -> None:
        """Notice that a host could not be reached, or that its line broke."""
        now = self._clock()
        if self._since is not None and now - self._since >= STANDS:
            self._pause, self._failed = FIRST, 0
        self._since, self._again_at = None, now
        self._failed += 1
        if self._failed % self._hosts == 0:
            self._again_at = now + min(self._pause, self.longest)
            self._pause = min(2 * self._pause, self.longest)

    @property
    def resting(self) -> float:
        """Return for how many seconds nothing is to be tried."""
        return max(0.0, self._again_at - self._clock())
