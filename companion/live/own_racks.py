"""The own cards of seats that machines play, as somebody at the table tells them. They are kept in
memory alone: no page, no journal, no recording and no trace ever holds them."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from companion.rules import BadInput, HandPlays, name_of, say, tokens_of
from companion.rules.own_hand import HandPlay, InformationSet, Rack
from companion.rules.unknown import unknown_token
from companion.table import Table


class _Told(NamedTuple):
    """A rack told for the deal number ``deal`` of the game number ``game``."""

    game: int
    deal: int
    rack: Rack


class OwnRacks:
    """What was told of the racks, by seat. A new deal makes it forgotten."""

    def __init__(self) -> None:
        self._told: dict[str, _Told] = {}

    def known(self, table: Table[Any], seat: str) -> InformationSet[Any]:
        """Return what ``seat`` knows, with as much of its rack as was told."""
        game: Any = table.game
        rack = game.rack_now(table.state, seat, self._rack(table, seat))
        return InformationSet(table.state, seat, rack)

    def missing(self, table: Table[Any], seat: str) -> int:
        """Return how many cards of its rack ``seat`` still has to be told; all of them where what
        was told cannot be."""
        game: Any = table.game
        size: int = game.hand_size(table.state, seat)
        held = len(self.known(table, seat).rack.cards)
        return size - held if held <= size else size

    def tell(self, table: Table[Any], seat: str, cards: Sequence[str]) -> None:
        """Take in the rack of ``seat`` from left to right: all of it, or only what is missing at
        its right end.

        Raises:
            BadInput: another number of cards, a card that the game does not have, one that was told
                twice or that was seen already.
        """
        game = table.game
        if not isinstance(game, HandPlays):
            raise BadInput(say("nobody plays on his own cards alone in {game}", game=game.title))
        known, missing = self.known(table, seat), self.missing(table, seat)
        size = game.hand_size(table.state, seat)
        deck = tokens_of(game, table.setup)
        for card in cards:
            if card not in deck:
                raise unknown_token(card, game.title)
        if len(cards) not in (missing, size) or not cards:
            raise BadInput(
                say(
                    "{seat} holds {size} cards; tell them all from the left, or the {missing} that "
                    "are missing",
                    seat=say(seat), size=size, missing=missing,
                )
            )  # fmt: skip
        whole = tuple(cards) if len(cards) == size else (*known.rack.cards, *cards)
        for card in whole:
            if whole.count(card) > 1:
                raise BadInput(say("{card} was told twice", card=name_of(game, card)))
        told = self._rack(table, seat)._replace(cards=whole)
        if game.rack_now(table.state, seat, told).cards != whole:
            raise BadInput(say("one of these cards lies on the table, or has been seen already"))
        # What lies face down is the seat's as well.
        laid = tuple(known.rack.laid.values())
        self._keep(table, seat, told._replace(cards=(*whole, *laid)))

    def mean(self, table: Table[Any], seat: str, play: HandPlay) -> None:
        """Note what ``seat`` means to do: a card that lies face down then is the one it meant."""
        game: Any = table.game
        rack = self._rack(table, seat)
        after = game.rack_after(self.known(table, seat), play)
        laid, given = {**rack.laid, **after.laid}, after.given or rack.given
        self._keep(table, seat, Rack(rack.cards, MappingProxyType(laid), given))

    def _rack(self, table: Table[Any], seat: str) -> Rack:
        told, game = self._told.get(seat), table.game
        assert isinstance(game, HandPlays)
        if told is None or (told.game, told.deal) != (table.game_id, game.deal_of(table.state)):
            return Rack(())
        return told.rack

    def _keep(self, table: Table[Any], seat: str, rack: Rack) -> None:
        game: Any = table.game
        self._told[seat] = _Told(table.game_id, game.deal_of(table.state), rack)
