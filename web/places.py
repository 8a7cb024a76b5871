"""Who goes when the places for connections are short.

A connection is a guest's until a phone that joined asks something over it. Nothing is lost with a
connection on which nothing is under way: the browser opens another when it needs one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from enum import IntEnum
from typing import Protocol, TypeVar


class Doing(IntEnum):
    """What a connection is at, the most dispensable first."""

    NOTHING = 0
    SENDING = 1
    """The phone is sending a request."""
    READING = 2
    """The phone is reading an answer."""
    SERVED = 3
    """We are answering, or telling it live what happens."""


class Placed(Protocol):
    """A connection as this module sees it. ``since`` is when it began what it is ``doing``, in
    seconds of any clock."""

    address: str
    joined: bool
    since: float

    @property
    def doing(self) -> Doing:
        """What it is at."""


P = TypeVar("P", bound=Placed)


def leaver(connections: Collection[P], address: str, most: int, guests: int) -> P | None:
    """Return which of ``connections`` makes room for a new one from ``address``; None if none has
    to, or none can.

    ``most`` is how many places there are, ``guests`` how many of them guests of one address may
    have. Guests go before phones that joined, idle connections before others, and of those the
    ones of the address that has the most, the oldest first. What a phone that joined is doing is
    never cut off.
    """
    strangers = [each for each in connections if not each.joined]
    own = [each for each in strangers if each.address == address]
    if len(own) >= guests:
        return min(own, key=lambda each: (each.doing, each.since))
    if len(connections) < most:
        return None
    if strangers:
        crowd = Counter(each.address for each in strangers)
        return min(strangers, key=lambda each: (each.doing, -crowd[each.address], each.since))
    idle = [each for each in connections if each.doing is Doing.NOTHING]
    return min(idle, key=lambda each: each.since, default=None)
