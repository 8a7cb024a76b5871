"""Which connections are closed when there are too many.

A connection is a guest's until a phone that joined asks something over it. Closing an idle
connection loses nothing: the browser opens another when it needs one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from enum import IntEnum
from heapq import nsmallest
from typing import Protocol, TypeVar


class Doing(IntEnum):
    """What a connection is at, in the order in which connections are closed."""

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
    """Return those of ``connections`` that are closed for new ones from the addresses
    ``newcomers``, as far as they may be.

    ``most`` is the number of connections there may be, ``guests`` that of the guests of one
    address. Guests are closed before phones that joined, first those of the address that has the
    most, for who has just connected has asked nothing yet; among them idle connections first, the
    oldest before others. A phone that joined is never interrupted.
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
