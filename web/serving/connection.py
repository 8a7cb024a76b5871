"""What an answer may know of the connection over which it goes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, cast

from flask import request

CONNECTION = "companion.connection"
"""The key of the WSGI environment under which the server hands the connection to the app."""


class PhoneConnection(Protocol):
    """A connection of a phone. ``joined`` tells whether its phone came in by a code."""

    joined: bool

    def behind(self) -> bool:
        """Tell whether something that was sent still waits here to be taken."""

    def live(self, close: Callable[[], None]) -> None:
        """Say that the present answer goes on until ``close`` is called, which happens once, from
        any thread, when the connection is closed."""


class Direct:
    """The connection of a program that calls the app without a server; it reads everything at
    once."""

    joined = False

    def behind(self) -> bool:
        """Return False: nothing ever waits."""
        return False

    def live(self, close: Callable[[], None]) -> None:
        """Do nothing: it is never closed."""


def connection() -> PhoneConnection:
    """Return the connection of the current request."""
    return cast(PhoneConnection, request.environ.get(CONNECTION) or Direct())
