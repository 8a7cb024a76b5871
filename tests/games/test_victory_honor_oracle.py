"""Victory & Honor read a second time: the rules of play as loops over cards, for one known hand.

The engine thinks in sets of colours and in possible worlds; here every rule is said once more, in
the order of the rule book, for a player whose cards are all known.
"""

from __future__ import annotations

import random
from types import ModuleType

import pytest

from companion.games.victory_honor import GAME
from companion.games.victory_honor.state import PLAY, VictoryHonorState
from companion.rules.hidden import Holding, things

LETTERS = "LCR"
Card = tuple[str, str]


def neighbour(seat: int, letter: str) -> int:
    return (seat + {"L": 1, "C": 2, "R": 3}[letter]) % 4


class Reading:
    """What lies on the table, read from its picture and the order of the plays alone."""

    def __init__(self, state: VictoryHonorState) -> None:
        self.options = state.setup
        self.table = dict(GAME.expect(state))
        self.order = [f"{GAME.seats[s // 3]}.{LETTERS[s % 3]}" for s in state.phase.order]
        self.filling = state.phase.filling
        self.turn = state.phase.turn
        self.ordered = state.phase.ordered

    def empty(self, seat: int) -> list[str]:
        return [x for x in LETTERS if f"{GAME.seats[seat]}.{x}" not in self.table]

    def opened(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for spot in self.order:
            token = self.table[spot]
            if token != "back":
                found.setdefault(spot[-1], token.split()[0])
        return found

    def only_sacrifice(self, hand: set[Card], letter: str) -> bool:
        opened = self.opened()
        if letter in opened:
            return False
        touched = any(spot.endswith("." + letter) for spot in self.order)
        if self.options["reopen"] == "no" and touched:
            return True
        return all(colour in opened.values() for colour, _ in hand)

    def where(self, hand: set[Card]) -> list[str]:
        if self.ordered >= 0:
            return [LETTERS[self.ordered]]
        empty = self.empty(self.turn)
        left = list(empty)
        if self.order and not self.filling:
            last = self.order[-1][-1]
            if self.options["same_field"] == "facing":
                last = {"L": "R", "C": "C", "R": "L"}[last]
            left = [x for x in left if x != last] or left
        if not self.filling:
            useful = [x for x in left if not self.only_sacrifice(hand, x)] or left
            onward = [x for x in useful if self.empty(neighbour(self.turn, x))]
            if onward:
                return onward
        return [x for x in empty if not self.only_sacrifice(hand, x)] or empty

    def plays(self, hand: set[Card]) -> set[str]:
        found, opened = set(), self.opened()
        for letter in self.where(hand):
            spot = f"{GAME.seats[self.turn]}.{letter}"
            if letter in opened:
                up = {card for card in hand if card[0] == opened[letter]}
            elif self.only_sacrifice(hand, letter):
                up = set()
            else:
                up = {card for card in hand if card[0] not in opened.values()}
            found |= {f"{spot}={colour}{rank}" for colour, rank in up} or {f"{spot}=back"}
        return found


def cards_of(state: VictoryHonorState, hand: set[int]) -> set[Card]:
    tokens = state.terms.deck.tokens
    return {(t.split()[0], t.split()[1]) for t in (tokens[card] for card in hand)}


@pytest.mark.parametrize("seed", range(36))
def test_the_engine_and_a_second_reading_allow_the_same_plays(cards: ModuleType, seed: int) -> None:
    game = cards.Round(seed, lies=0.05)
    plain, compared = game.lay, 0

    def lay() -> None:
        nonlocal compared
        hand = game.hands[game.state.phase.turn]
        wanted = Reading(game.state).plays(cards_of(game.state, hand))
        tokens = game.state.terms.deck.tokens
        spots = {slot: spot for spot, slot in cards.SLOTS.items()}
        found = {
            f"{spots[slot]}={'back' if hidden else tokens[card].replace(' ', '')}"
            for slot, card, hidden in cards.honest(game.state, hand)
        }
        assert found == wanted
        compared += 1
        plain()

    game.lay = lay
    game.play()
    assert compared == 36


@pytest.mark.no_cover  # other tests prove line by line
def test_legal_so_far_is_what_some_hand_allows(cards: ModuleType) -> None:
    """Late in a round few cards are unseen: every possible hand is tried."""
    tried = 0
    for seed in range(18):
        game = cards.Round(seed)
        for _ in range(2):
            game.phase()
        rng = random.Random(seed)
        while game.state.stage == PLAY:
            state = game.state
            holding = state.holding(state.phase.turn)
            if holding.count <= 400:
                tried += 1
                reading, some = Reading(state), set()
                for world in holding.worlds():
                    some |= reading.plays(cards_of(state, set(things(world))))
                assert {GAME.format(action) for action in GAME.legal(state)} == some
            game.lay()
            if rng.random() < 0.5:
                game.name_a_position()
    assert tried > 60


def test_a_hand_is_as_large_as_the_plays_left(cards: ModuleType) -> None:
    state = cards.laid("south.L=red3 west.C=blue3")
    assert state.holding(0) == Holding(9, state.hidden_cards(0))
    assert state.holding(3) == Holding(10, state.hidden_cards(0))
    assert state.hidden_cards(0).bit_count() == 38
