"""Telling systemd that the companion is ready and alive (the protocol of sd_notify(3))."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable, Mapping


class Notifier:
    """Sends messages to the socket that systemd names in ``NOTIFY_SOCKET``; does nothing without
    one."""

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        found = os.environ if environment is None else environment
        self._address = found.get("NOTIFY_SOCKET", "")
        if self._address.startswith("@"):
            self._address = "\0" + self._address[1:]
        microseconds = found.get("WATCHDOG_USEC", "")
        self.interval = int(microseconds) / 2e6 if microseconds.isdecimal() else None
        """Seconds between two signs of life; None where no watchdog waits for them."""

    @property
    def listened_to(self) -> bool:
        """Tell whether systemd started this process and listens."""
        return bool(self._address)

    def send(self, *facts: str) -> None:
        """Send messages such as ``READY=1``. Nothing is raised if systemd does not answer."""
        if not self._address:
            return
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
                sender.sendto("\n".join(facts).encode(), self._address)
        except OSError:
            return


class Heartbeat:
    """Gives signs of life to systemd's watchdog, but only as long as ``progress`` grows in
    between."""

    def __init__(self, notifier: Notifier, progress: Callable[[], int]) -> None:
        self._notifier, self._progress = notifier, progress
        self._seen = -1

    def beat(self) -> bool:
        """Give a sign of life if there was progress since the last one; return whether."""
        now = self._progress()
        alive = now != self._seen
        self._seen = now
        if alive:
            self._notifier.send("WATCHDOG=1")
        return alive

    def run(self, stop: threading.Event) -> bool:
        """Wait until the next sign of life is due and give it; return whether there will be another
        one: not if nobody waits for it, nor once ``stop`` is set."""
        interval = self._notifier.interval
        if interval is None or stop.wait(interval):
            return False
        self.beat()
        return True
