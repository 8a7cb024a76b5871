"""Who belongs to a club: one credential a table, given and withdrawn in one command. What is given
is an invitation: it is good once, for some time."""

from __future__ import annotations

import json
import logging
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from companion.club.backoff import Backoff
from companion.club.credential import ONCE
from companion.club.link import Link
from companion.club.messages import ROOT, read_password, table_of
from companion.rules import BadInput, HardwareFault, quoted
from companion.runtime.files import alone, read_json, write_private

_log = logging.getLogger(__name__)

LONGEST = 100
"""Letters of a table's name."""
HOURS = 7 * 24
"""For how long an invitation is good."""
PAUSE = 1.0
"""Seconds after which a broker that is away is tried again, and until the next look at whose time
is over."""


class Invitation(NamedTuple):
    """By what a table comes in: its id and its password, and what it knows the broker by. It is
    told once and kept nowhere."""

    table: str
    password: str
    pin: str

    def address(self, host: str, port: int) -> str:
        """Return what the table's setting ``club.broker`` has to be."""
        return f"mqtts://{self.table}:{self.password}@{host}:{port}#{self.pin}"

    def at_cluster(self, hosts: str) -> str:
        """Return it for a cluster of ``hosts``, with commas between."""
        return f"mqtts://{self.table}:{self.password}@{hosts}"


class Doorkeeper(Protocol):
    """Who says at a broker who comes in; ``pin`` is by what tables know it."""

    @property
    def pin(self) -> str:
        """Return the SHA-256 of its certificate; empty where an authority signed for it."""

    def admit(self, name: str, password: str) -> None:
        """Let ``name`` in by ``password`` from now on, and by no other."""

    def shut_out(self, name: str) -> None:
        """Let ``name`` in no more."""


class Invitations:
    """The tables that belong to the club in ``folder``, by their names; ``now`` gives the seconds
    since 1970. Several processes may use the same folder."""

    def __init__(
        self, folder: Path, servers: Doorkeeper, now: Callable[[], float] = time.time
    ) -> None:
        self._folder, self._servers, self._now = folder, servers, now

    @property
    def tables(self) -> Mapping[str, str]:
        """Return the id of every table that was invited, by its name."""
        return self._kept("invited")

    @property
    def open(self) -> Mapping[str, float]:
        """Return the ids of the tables that have not taken their invitation yet, and until when it
        is good."""
        return self._kept("open")

    def invite(self, name: str, hours: float | None = HOURS) -> Invitation:
        """Let the table ``name`` in by a new password; an earlier one of it lets nobody in any
        more. It is good once, for so many ``hours``; again and again without an end where they are
        None.

        Raises:
            BadInput: the name is none.
        """
        if not name or len(name) > LONGEST or not name.isprintable():
            raise BadInput(f"name the table, in {LONGEST} letters at most")
        once = "" if hours is None else ONCE
        with alone(self._folder):
            known = self.tables
            table = known.get(name) or secrets.token_hex(8)
            password = f"{once}{secrets.token_urlsafe(18)}"
            # Kept first: an invitation of which nothing is known would never end.
            self._keep("invited", {**known, name: table})
            until = {} if hours is None else {table: self._now() + 3600 * hours}
            self._keep("open", {**_without(self.open, table), **until})
            self._servers.admit(table, password)
        return Invitation(table, password, self._servers.pin)

    def redeem(self, table: str, password: str) -> None:
        """Let ``table`` in by ``password``, which is hashed, instead of by its invitation.

        Raises:
            BadInput: it has no open invitation.
        """
        with alone(self._folder):
            if self.open.get(table, 0.0) <= self._now():
                raise BadInput(f"table {quoted(table)} has no invitation that is still good")
            self._servers.admit(table, password)
            self._keep("open", _without(self.open, table))

    def tidy(self) -> Sequence[str]:
        """End the invitations whose time is over; return whose they were."""
        now = self._now()
        if not any(until <= now for until in self.open.values()):
            return ()
        with alone(self._folder):
            left = {table: until for table, until in self.open.items() if until > now}
            over = [table for table in self.open if table not in left]
            for table in over:
                self._servers.shut_out(table)
            self._keep("open", left)
            return [name for name, table in self.tables.items() if table in over]

    def withdraw(self, name: str) -> None:
        """Let the table ``name`` in no more: a line that it has is cut at once.

        Raises:
            BadInput: no such table was invited.
        """
        with alone(self._folder):
            known = self.tables
            if name not in known:
                there = ", ".join(quoted(one) for one in known) or "none"
                raise BadInput(f"no table was invited as {quoted(name)}; there are {there}")
            self._servers.shut_out(known[name])
            self._keep("open", _without(self.open, known[name]))
            self._keep("invited", {one: table for one, table in known.items() if one != name})

    def _kept(self, what: str) -> Mapping[str, Any]:
        file = self._folder / f"{what}.json"
        return dict(read_json(file)) if file.exists() else {}

    def _keep(self, what: str, kept: Mapping[str, Any]) -> None:
        write_private(self._folder / f"{what}.json", json.dumps(kept, indent=1))


class Admission:
    """Takes the passwords by which tables come in that were invited. ``connect`` makes the line to
    the broker from the topics to hear."""

    def __init__(
        self,
        invitations: Invitations,
        connect: Callable[[list[str]], Link],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._invitations = invitations
        self._link = connect([f"{ROOT}/+/+/password"])
        self._open, self._backoff = False, Backoff(self._link.hosts, clock, PAUSE)

    def step(self, seconds: float = 0.0) -> None:
        """Take one turn, which waits so long for the broker; one that is away is tried again."""
        for name in self._invitations.tidy():
            print(f"companion: the invitation of {quoted(name)} is over; nobody took it.")
        if self._backoff.resting:
            return
        try:
            if not self._open:
                self._link.open()
                self._open = True
            for topic, payload in self._link.turn(seconds):
                self._take(topic, payload)
            if self._link.up:
                self._backoff.worked()
        except HardwareFault as fault:
            _log.info("%s", fault)
            self._open = False
            self._backoff.failed()

    @property
    def resting(self) -> float:
        """Return for how many seconds there is nothing to do."""
        return min(PAUSE, self._backoff.resting)

    def _take(self, topic: str, payload: bytes) -> None:
        try:
            self._invitations.redeem(table_of(topic)[0], read_password(payload))
        except BadInput as error:
            _log.warning("a password at %s was refused: %s", topic[:100], error)


def _without(kept: Mapping[str, Any], table: str) -> dict[str, Any]:
    return {one: value for one, value in kept.items() if one != table}
