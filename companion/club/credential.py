"""By what a table comes in at its club. An invitation is good once: with it, the table tells by
which password of its own it comes in from then on; nobody else ever has that."""

from __future__ import annotations

import hashlib
import json
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from companion.club.link import Address, Link, MqttLink, NotLetIn
from companion.club.messages import hashed, topic, write_password
from companion.rules import BadInput, HardwareFault
from companion.runtime.files import read_json, write_private

ONCE = "once-"
"""How the password of an invitation begins."""
AGAIN = 2.0
"""Seconds after which the password is told again: a broker may lose it."""
FILE = "club-password.json"
LACKING = (
    "the club lets this table in no more: its invitation was used, is too old or was withdrawn; "
    "ask the club's host for another one"
)


def connecting(address: Address, folder: Path) -> Callable[..., Link]:
    """Return what makes the line of a table to the broker at ``address``, from the arguments of
    MqttLink that follow; ``folder`` is the table's own."""
    if address.password.startswith(ONCE):
        return partial(InvitedLink, address, folder / FILE)
    return partial(MqttLink, address)


class InvitedLink:
    """A line to the broker of a table that was invited by ``address``; ``file`` keeps its own
    password. What follows is as of MqttLink. The line is up once the password stands; a broker that
    knows neither it nor the invitation is told as NotLetIn."""

    def __init__(
        self,
        address: Address,
        file: Path,
        client: str,
        topics: Sequence[str],
        will: tuple[str, bytes] | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._file, self._table = file, address.name
        self._invitation = hashlib.sha256(address.password.encode()).hexdigest()
        kept = _read(file)
        if kept.get("invitation") != self._invitation:
            kept = {"password": secrets.token_urlsafe(18), "taken": False}
        self._password, self._taken = str(kept["password"]), bool(kept["taken"])
        if not self._taken:
            # Kept before it is told: a plug that is pulled in between locks nobody out.
            self._keep()
        self._own = MqttLink(address._replace(password=self._password), client, topics, will)
        self._first = MqttLink(address, client, [])
        self._link, self._told = self._own if self._taken else self._first, False
        self._clock, self._tell_at = clock, clock()

    @property
    def up(self) -> bool:
        """Whether the broker has let the table in by its own password, and all subscriptions
        stand."""
        return self._link is self._own and self._own.up

    @property
    def hosts(self) -> int:
        """Return at how many hosts the broker is."""
        return self._own.hosts

    def open(self) -> None:
        """Connect anew."""
        self._told, self._tell_at = False, self._clock()
        self._link.open()

    def turn(self, seconds: float) -> Sequence[tuple[str, bytes]]:
        """Send and receive for at most so long."""
        try:
            came = self._link.turn(seconds)
        except NotLetIn:
            self._link = self._first if self._link is self._own and not self._taken else self._own
            raise NotLetIn(LACKING) from None
        except HardwareFault:
            if not self._told:
                raise
            # The club has taken the password, by which the broker knows the table from now on.
            self._link = self._own
            self.open()
            return ()
        if self.up and not self._taken:
            self._taken = True
            self._keep()
        elif self._first.up and self._link is self._first and self._clock() >= self._tell_at:
            told = write_password(hashed(self._password, secrets.token_bytes(12)))
            self._first.publish(topic(self._table, "password"), told)
            self._told, self._tell_at = True, self._clock() + AGAIN
        return came

    def wake(self) -> None:
        """End the wait of a turn."""
        self._link.wake()

    def publish(self, topic: str, payload: bytes, *, retain: bool = False) -> None:
        """Send a message."""
        self._own.publish(topic, payload, retain=retain)

    def close(self) -> None:
        """Take leave."""
        self._link.close()

    def _keep(self) -> None:
        kept = {
            "invitation": self._invitation, "password": self._password, "taken": self._taken,
        }  # fmt: skip
        try:
            write_private(self._file, json.dumps(kept))
        except OSError as error:
            raise HardwareFault(f"{self._file} cannot be written: {error.strerror}") from error


def _read(file: Path) -> Mapping[str, Any]:
    try:
        return read_json(file) if file.exists() else {}
    except BadInput:
        return {}
