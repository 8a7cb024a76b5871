"""Who belongs to a club: one credential a table, given and withdrawn in one command."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from companion.club.servers import Servers
from companion.rules import BadInput, quoted
from companion.runtime.files import read_json, write_private

LONGEST = 100
"""Letters of a table's name."""


class Invitation(NamedTuple):
    """By what a table comes in: its id and its password, and what it knows the broker by. It is
    told once and kept nowhere."""

    table: str
    password: str
    pin: str

    def address(self, host: str, port: int) -> str:
        """Return what the table's setting ``club.broker`` has to be."""
        return f"mqtts://{self.table}:{self.password}@{host}:{port}#{self.pin}"


class Invitations:
    """The tables that belong to the club in ``folder``, by their names."""

    def __init__(self, folder: Path, servers: Servers) -> None:
        self._file, self._servers = folder / "invited.json", servers

    @property
    def tables(self) -> Mapping[str, str]:
        """Return the id of every table that was invited, by its name."""
        return dict(read_json(self._file)) if self._file.exists() else {}

    def invite(self, name: str) -> Invitation:
        """Let the table ``name`` in by a new password; an earlier one of it lets nobody in any
        more.

        Raises:
            BadInput: the name is none.
        """
        if not name or len(name) > LONGEST or not name.isprintable():
            raise BadInput(f"name the table, in {LONGEST} letters at most")
        known = self.tables
        table = known.get(name) or secrets.token_hex(8)
        invitation = Invitation(table, secrets.token_urlsafe(18), self._servers.pin)
        self._servers.admit(table, invitation.password)
        self._keep({**known, name: table})
        return invitation

    def withdraw(self, name: str) -> None:
        """Let the table ``name`` in no more: a line that it has is cut at once.

        Raises:
            BadInput: no such table was invited.
        """
        known = self.tables
        if name not in known:
            there = ", ".join(quoted(one) for one in known) or "none"
            raise BadInput(f"no table was invited as {quoted(name)}; there are {there}")
        self._servers.shut_out(known[name])
        self._keep({one: table for one, table in known.items() if one != name})

    def _keep(self, tables: Mapping[str, str]) -> None:
        write_private(self._file, json.dumps(tables, indent=1))
