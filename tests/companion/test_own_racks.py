"""Seats that machines play on their own cards: told by somebody, kept in memory alone."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from companion.games import find_game
from companion.journal import Journal
from companion.live.machine_players import SHOWN, MachinePlayers
from companion.live.own_racks import OwnRacks
from companion.rules import BadInput
from companion.rules.own_hand import HandPlay
from companion.table import Table
from companion.table.evening import Evening
from companion.table.machines import give

GAME: Any = find_game("victory_honor")
PATIENCE = 60.0


def dealt(seed: int = 4) -> dict[str, list[str]]:
    """Return ten cards for each seat."""
    cards = list(GAME.tokens(GAME.setup()))
    random.Random(seed).shuffle(cards)
    return {seat: cards[10 * n : 10 * n + 10] for n, seat in enumerate(GAME.seats)}


@pytest.fixture
def evening() -> Iterator[Evening]:
    with Journal() as journal:
        evening = Evening(Table.create(journal, GAME, GAME.setup()))
        say(evening.table, "dealt")
        yield evening


def say(table: Any, text: str, seat: str | None = None) -> None:
    ruling = table.play(GAME.parse(table.setup, text), seat or table.to_move)
    assert ruling.allowed, ruling.reason


class AtTheTable:
    """Machines at a real table, and a person who does what they say."""

    def __init__(self, evening: Evening) -> None:
        self.now, self.table = 100.0, evening.table
        self.machines = MachinePlayers(
            evening, lambda: None, lambda: False, lambda: True, lambda: None, lambda: self.now
        )

    def words(self) -> str:
        return str(self.machines.told()["words"])

    def until(self, done: Callable[[], Any]) -> None:
        end = time.monotonic() + PATIENCE
        while not done():
            assert time.monotonic() < end, self.machines.told()
            self.machines.step()


@pytest.fixture
def there(evening: Evening) -> Iterator[AtTheTable]:
    found = AtTheTable(evening)
    yield found
    found.machines.close()


def test_a_machine_asks_for_its_cards_and_then_says_which_to_pass_by_their_places(
    there: AtTheTable,
) -> None:
    give(there.table, {"south": "level:1", "north": "level:1"}, "host")
    there.machines.step()
    assert there.machines.told()["missing"] == {"south": 10, "north": 10}
    assert "has to be told 10 of its cards" in there.words()
    hands = dealt()
    for seat in ("south", "north"):
        there.machines.tell(seat, hands[seat])
    there.until(lambda: there.words().count(" passes card ") == 2)
    assert not any(card in there.words() for card in hands["south"] + hands["north"])


def test_after_the_pass_it_is_told_the_three_cards_that_it_got_and_plays(
    there: AtTheTable,
) -> None:
    table, hands = there.table, dealt()
    give(table, {"south": "level:1"}, "host")
    there.machines.tell("south", hands["south"])
    there.until(lambda: " passes card " in there.words())
    say(table, "pass")
    there.machines.step()
    assert there.machines.told()["missing"] == {"south": 3}
    there.machines.tell("south", hands["west"][:3])
    there.until(lambda: " of its rack" in there.words())
    action = there.machines.told()["action"]
    assert action.startswith("south.")
    there.now += SHOWN + 1
    there.machines.step()
    assert table.to_move == "south", "own cards are laid by hand"
    say(table, action)
    there.machines.step()
    assert there.machines.told()["missing"] == {}


def test_no_journal_holds_a_card_that_was_told(there: AtTheTable, evening: Evening) -> None:
    hands = dealt()
    give(there.table, {"south": "level:1"}, "host")
    there.machines.tell("south", hands["south"])
    there.until(lambda: " passes card " in there.words())
    events = json.dumps([event.data for event in there.table.events()])
    assert "level:1" in events
    assert not any(card in events for card in hands["south"])
    assert not any(card in json.dumps(there.machines.told()) for card in hands["south"])


@pytest.mark.parametrize(
    ("cards", "sentence"),
    [
        (["red 1"], "holds 10 cards; tell them all"),
        (["red 1"] * 10, "red 1 was told twice"),
        (["red 99", *dealt()["south"][1:]], "no piece of Victory & Honor"),
        ([], "holds 10 cards"),
    ],
)
def test_cards_that_cannot_be_are_refused_in_a_sentence(
    evening: Evening, cards: list[str], sentence: str
) -> None:
    racks = OwnRacks()
    with pytest.raises(BadInput, match=sentence):
        racks.tell(evening.table, "south", cards)
    assert racks.missing(evening.table, "south") == 10


def test_a_card_that_was_seen_is_in_no_rack(evening: Evening) -> None:
    table, racks, hands = evening.table, OwnRacks(), dealt()
    say(table, "pass")
    first = hands["south"][0].replace(" ", "")
    say(table, f"south.L={first}")
    with pytest.raises(BadInput, match="has been seen already"):
        racks.tell(table, "south", hands["south"][:9])


def test_a_card_laid_face_down_is_known_to_its_seat_and_comes_back_when_it_is_taken_back(
    evening: Evening,
) -> None:
    table, racks = evening.table, OwnRacks()
    say(table, "pass")
    while not (backs := [one for one in GAME.legal(table.state) if one.detail == "back"]):
        say(table, GAME.format(GAME.legal(table.state)[0]))
    seat, deck = str(table.to_move), table.state.terms.deck
    unseen = [one for number, one in enumerate(deck.tokens) if not table.state.seen >> number & 1]
    hand = unseen[: GAME.hand_size(table.state, seat)]
    racks.tell(table, seat, hand)
    card, down = hand[3], HandPlay(backs[0], (hand[3],))
    racks.mean(table, seat, down)
    assert racks.known(table, seat).rack.laid == {}, "it is only meant"
    say(table, GAME.format(down.action))
    rack = racks.known(table, seat).rack
    assert tuple(rack.laid.values()) == (card,)
    assert card not in rack.cards
    table.undo(1, "host")
    assert card in racks.known(table, seat).rack.cards


def test_a_new_deal_forgets_every_rack(evening: Evening) -> None:
    table, racks = evening.table, OwnRacks()
    racks.tell(table, "south", dealt()["south"])
    assert racks.missing(table, "south") == 0
    say(table, "redeal")
    assert racks.missing(table, "south") == 10


def test_cards_are_told_to_no_machine_in_a_game_without_own_cards() -> None:
    chess: Any = find_game("chess")
    with Journal() as journal:
        table = Table.create(journal, chess, chess.setup())
        with pytest.raises(BadInput, match="nobody plays on his own cards alone in Chess"):
            OwnRacks().tell(table, "white", ["red 1"])
