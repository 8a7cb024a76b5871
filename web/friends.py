"""Friends who follow a game from elsewhere: one link that shows what everybody may know, later."""

from __future__ import annotations

import secrets
from typing import Any, NamedTuple

from companion.rules import say
from companion.table import Table
from web.access.refusal import Refusal

MOST_MOVES, MOST_SECONDS = 99, 3600
"""The longest delays that a host may choose."""


class FriendLink(NamedTuple):
    """What lets friends look: a ``token`` that nobody guesses, and by how many actions and how many
    seconds they are told later."""

    token: str
    moves: int
    seconds: int


class Friends:
    """The link of a house, while there is one. It ends when the host withdraws it, and with the
    companion."""

    def __init__(self) -> None:
        self.link: FriendLink | None = None

    def open(self, moves: int, seconds: int) -> FriendLink:
        """Return the link with these delays; one that is there already stays good."""
        token = self.link.token if self.link else secrets.token_urlsafe(12)
        self.link = FriendLink(token, min(moves, MOST_MOVES), min(seconds, MOST_SECONDS))
        return self.link

    def withdraw(self) -> None:
        """Let nobody look any more."""
        self.link = None

    def check(self, token: str) -> FriendLink:
        """Return the link with this token.

        Raises:
            Refusal: there is none, or no more.
        """
        link = self.link
        if link is None or not secrets.compare_digest(link.token.encode(), token.encode()):
            raise Refusal(404, "no_link", say("this link is over; ask the table for a new one"))
        return link


def shown(table: Table[Any], link: FriendLink, now: float) -> int:
    """Return the last event of ``table`` of which friends are told at ``now``, in seconds since
    1970. The last actions of a game that is over are waited for no longer."""
    events, line = table.events(), table.line
    first = events[0].seq
    last = table.state_id
    if link.moves and table.outcome is None:
        # What is told ends before the first action that is still kept back.
        last = line.seqs[max(0, line.length - link.moves)] - 1 if line.length else first
    seen = (event.seq for event in reversed(events) if event.at <= now - link.seconds)
    return max(first, min(last, next(seen, first)))
