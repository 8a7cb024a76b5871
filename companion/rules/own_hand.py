"""What one seat alone knows: its own cards. Machines play on this and on what lies open, on nothing
else (an *information set*: Kuhn, Extensive games and the problem of information, 1953)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Generic, NamedTuple, Protocol

from companion.rules.action import Action
from companion.rules.values import S


class Rack(NamedTuple):
    """A seat's own cards: ``cards`` in the order in which they stand before it, and those that lie
    face down, ``laid``, by their spot. ``given`` are cards that it handed to other seats, by
    card."""

    cards: tuple[str, ...]
    laid: Mapping[str, str] = MappingProxyType({})
    given: Mapping[str, str] = MappingProxyType({})


class InformationSet(NamedTuple, Generic[S]):
    """All that ``seat`` knows: the ``state`` as everybody sees it, and its own ``rack``."""

    state: S
    seat: str
    rack: Rack


class HandPlay(NamedTuple):
    """What a seat does: ``action`` is what everybody sees, ``cards`` are those it takes from its
    rack for it, seen or not."""

    action: Action
    cards: tuple[str, ...] = ()


class OwnHands(Protocol[S]):
    """A game at which each seat sees its own rack and the table, and nothing else."""

    state: S
    """The position as everybody sees it."""

    @property
    def asked(self) -> str | None:
        """Return the seat that has to decide something, None at the end of the game."""

    def known(self, seat: str) -> InformationSet[S]:
        """Return all that ``seat`` knows."""

    def do(self, seat: str, play: HandPlay) -> None:
        """Let ``seat`` do what it decided, and everything that follows by itself."""
