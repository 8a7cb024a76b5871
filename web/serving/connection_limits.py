"""Who goes when the places for connections are short.

A connection is a guest's until a phone that joined asks something over it. Nothing is lost with a
connection on which nothing is under way: the browser opens another when it needs one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from enum import IntEnum
from heapq import nsmallest
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


def leavers(
    connections: Collection[P], newcomers: Sequence[str], most: int, guests: int
) -> list[P]:
    """Return which of ``connections`` make room for new ones from the addresses ``newcomers``:
    those that have to, as far as they can.

    ``most`` is how many places there are, ``guests`` how many of them guests of one address may
    have. Guests go before phones that joined, those of the address that has the most before
    others, for who has just connected has asked nothing yet; of those, idle connections before
    others, the oldest first. What a phone that joined is doing is never cut off.
    """
    strangers = [each for each in connections if not each.joined]
    crowd = Counter(each.address for each in strangers)
    going: list[P] = []
    for address, number in Counter(newcomers).items():
        if (over := crowd[address] + number - guests) > 0:
            own = (each for each in strangers if each.address == address)
            going += nsmallest(over, own, key=lambda each: (each.doing, each.since))
    missing = len(connections) - len(going) + len(newcomers) - most
    if missing > 0:
        gone = set(map(id, going))
        others = (each for each in strangers if id(each) not in gone)
        going += nsmallest(
            missing, others, key=lambda each: (-crowd[each.address], each.doing, each.since)
        )
        idle = (e for e in connections if e.joined and e.doing is Doing.NOTHING)
        still = len(connections) - len(going) + len(newcomers) - most
        going += nsmallest(max(0, still), idle, key=lambda each: each.since)
    return going
