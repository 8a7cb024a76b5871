"""What nobody may know yet: hidden things, possible worlds, and the audit once they are shown.

A game numbers its hidden things (cards, tiles) from 0; a set of them is an ``int`` whose bit *i*
stands for thing *i*. What a hand, a face-down heap or a bag may hold is a :class:`Holding`. An
action is *legal so far* if it is legal in some world that fits what was seen. When hidden things
are shown, holdings of the past become known too, and what was legal in no world is a
:class:`Breach`: never a suspicion, only what the things that were shown prove.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from math import comb
from typing import Final, NamedTuple, TypeVar

from companion.rules.action import Action
from companion.rules.plain import Plain
from companion.rules.ruling import Ruling

W = TypeVar("W")

BACK: Final = "back"
"""The token of a thing that lies face down."""


def things(bits: int) -> list[int]:
    """Return the numbers of the things in the set ``bits``, lowest first."""
    found = []
    while bits:
        low = bits & -bits
        found.append(low.bit_length() - 1)
        bits ^= low
    return found


class Holding(Plain):
    """What a hidden place may hold: ``size`` things out of ``maybe``, all of ``sure`` among them.

    ``sure`` is a subset of ``maybe`` and no larger than ``size``; ``maybe`` is no smaller.
    """

    PARTS = ("size", "maybe", "sure")
    __slots__ = PARTS

    def __init__(self, size: int, maybe: int, sure: int = 0) -> None:
        self.size: Final = size
        self.maybe: Final = maybe
        self.sure: Final = sure

    @property
    def known(self) -> bool:
        """Tell whether there is one world only."""
        return self.size in (self.maybe.bit_count(), self.sure.bit_count())

    @property
    def count(self) -> int:
        """Return the number of possible worlds."""
        sure = self.sure.bit_count()
        return comb(self.maybe.bit_count() - sure, self.size - sure)

    def worlds(self) -> Iterator[int]:
        """Yield every set of things that the place may hold."""
        rest = tuple(things(self.maybe & ~self.sure))
        for chosen in combinations(rest, self.size - self.sure.bit_count()):
            yield self.sure | sum(1 << thing for thing in chosen)

    def kinds(self, members: Sequence[int]) -> tuple[int, ...]:
        """Return every set of kinds that the held things may be of, smallest number first.

        ``members[k]`` is the set of all things of kind *k*; bit *k* of a result stands for it.
        Rules that ask only *do you hold any of these?* need no more than this of the worlds.
        """
        maybe, certain = self.maybe, self.sure
        if maybe.bit_count() == self.size:
            certain = maybe
        if certain.bit_count() == self.size:
            return (_kinds_of(certain, members),)
        counts = tuple([(maybe & group).bit_count() for group in members])
        sure = _kinds_of(certain, members) if certain else 0
        return _kinds(counts, self.size, sure, self.size - certain.bit_count())


def _kinds_of(held: int, members: Sequence[int]) -> int:
    kinds, bit = 0, 1
    for group in members:
        if held & group:
            kinds |= bit
        bit <<= 1
    return kinds


@lru_cache(maxsize=1 << 14)
def _kinds(counts: tuple[int, ...], size: int, sure: int, missing: int) -> tuple[int, ...]:
    """Return the sets of kinds that ``size`` things may be of: ``counts`` things of each kind to
    choose from, those of the kinds ``sure`` and ``missing`` more."""
    totals, there = [0], 0
    for kind, count in enumerate(counts):
        there |= (count > 0) << kind
        totals += [total + count for total in totals]
    # A world holds something of each of its kinds, and all its kinds together have enough.
    most = sure.bit_count() + missing
    return tuple(
        held
        for held, total in enumerate(totals)
        if total >= size
        and held & there == held
        and held & sure == sure
        and held.bit_count() <= most
    )


def so_far(worlds: Iterable[W], ruling_in: Callable[[W], tuple[int, Ruling]]) -> Ruling:
    """Return the ruling on an action that is judged in every one of ``worlds``.

    ``ruling_in`` gives how far an action came before it was refused, and the ruling. The action
    is allowed if some world allows it; else the refusal of the world in which it came farthest
    is told.

    Raises:
        ValueError: there is no world at all.
    """
    best: tuple[int, Ruling] | None = None
    for world in worlds:
        found = ruling_in(world)
        if found[1].allowed:
            return found[1]
        if best is None or found[0] > best[0]:
            best = found
    if best is None:
        raise ValueError("an action is judged in at least one world")
    return best[1]


class Breach(NamedTuple):
    """An action that stood when it was made and is now known to have broken a rule.

    ``ply`` counts the accepted actions of the game before it, so that its event and its
    photograph are found.
    """

    ply: int
    action: Action
    ruling: Ruling
