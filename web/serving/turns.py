"""In which order requests are answered, and in how many threads.

Requests of guests share a few places. Addresses of waiting guests take turns, however many
connections each has, so that a guest who floods the house only waits for himself.
"""

from __future__ import annotations

import math
import threading
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Any, Protocol

from waitress.task import ThreadedTaskDispatcher


class Asking(Protocol):
    """A connection over which a request has arrived."""

    address: str
    joined: bool

    def service(self, turn: RequestTurn) -> None:
        """Answer the request in its turn."""

    def cancel(self) -> None:
        """Answer nothing any more."""


def _nothing() -> None:
    """Leave no place: phones that joined need none."""


class RequestTurn:
    """The turn of one request. A guest occupies a place meanwhile, which :meth:`leave` frees."""

    def __init__(self, asking: Asking, leave: Callable[[], None] = _nothing) -> None:
        self.asking, self._leave = asking, leave

    @property
    def joined(self) -> bool:
        """Whether the phone joined."""
        return self.asking.joined

    def service(self) -> None:
        """Answer the request."""
        try:
            self.asking.service(self)
        finally:
            self.leave()

    def leave(self) -> None:
        """Free the place, because the request is answered, or its answer goes on for long."""
        leave, self._leave = self._leave, _nothing
        leave()

    def cancel(self) -> None:
        """Answer nothing any more."""
        self.asking.cancel()


class Dispatcher(ThreadedTaskDispatcher):  # type: ignore[misc]
    """Threads that answer requests, started when they are needed. Threads lent to live answers do
    not count."""

    def __init__(self, most: int, guests: int) -> None:
        """Begin ``most`` threads at most; guests have ``guests`` of them at once."""
        super().__init__()
        self._most: float = most
        self._growing = threading.Lock()
        self._places = guests
        self._line: OrderedDict[str, deque[Asking]] = OrderedDict()

    def add_task(self, task: Any) -> None:
        """Have ``task``, an :class:`Asking`, answered as soon as a thread is free, phones that
        joined first."""
        with self.lock:
            if task.joined:
                before = sum(turn.joined for turn in self.queue)
                self.queue.insert(before, RequestTurn(task))
            elif self._places:
                self._places -= 1
                self.queue.append(RequestTurn(task, self._next_guest))
            else:
                self._line.setdefault(task.address, deque()).append(task)
                return
            self.queue_cv.notify()
        self._grow()

    def _next_guest(self) -> None:
        """Give a guest's place that is free to the address that has waited longest."""
        with self.lock:
            if not self._line:
                self._places += 1
                return
            address, waiting = self._line.popitem(last=False)
            self.queue.append(RequestTurn(waiting.popleft(), self._next_guest))
            if waiting:
                self._line[address] = waiting
            self.queue_cv.notify()
        self._grow()

    def lend(self, number: int) -> None:
        """Allow ``number`` more threads for answers that go on; a negative number takes them
        back."""
        with self._growing:
            self._most += number
        self._grow()

    def _grow(self) -> None:
        """Begin a thread if somebody waits for one and there may be more."""
        with self._growing:
            with self.lock:
                idle = len(self.threads) - self.stop_count - self.active_count
                wanted = len(self.threads) + 1
                short = len(self.queue) > idle
            if short and wanted <= self._most:
                self.set_thread_count(wanted)

    def shutdown(self, cancel_pending: bool = True, timeout: float = 5) -> bool:
        """End all threads; none is begun any more."""
        with self._growing:
            self._most = -math.inf
        with self.lock:
            self._line.clear()
        return bool(super().shutdown(cancel_pending, timeout))
