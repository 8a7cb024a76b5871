"""What is seen beside the cards on the boards."""

from __future__ import annotations

import math
import random

import pytest

from companion.games import find_game
from companion.games.victory_honor.geometry import SLOTS
from companion.games.victory_honor.state import FOUGHT, OVER
from companion.rules.hidden import BACK

GAME = find_game("victory_honor")


@pytest.fixture(scope="module")
def fought():
    """A phase of which all cards lie, before they are gathered."""
    state, choose = GAME.start(GAME.setup()), random.Random(3)
    while state.stage != FOUGHT:
        state = GAME.advance(state, choose.choice(GAME.legal(state)))
    return state


def test_every_hand_lies_face_down_before_its_seat():
    backs = [prop for prop in GAME.props(GAME.start(GAME.setup())) if prop.token]
    assert {prop.token for prop in backs} == {BACK}
    assert [sum(prop.turn == 90 * seat for prop in backs) for seat in range(4)] == [10] * 4


def test_no_card_is_seen_that_does_not_lie_open_on_the_table(fought):
    seen = {prop.token for prop in GAME.props(fought)} - {"", BACK}
    assert seen
    assert seen <= set(GAME.expect(fought).values())


def test_cards_are_numbered_in_the_order_in_which_they_were_laid(fought):
    board = GAME.board(fought.setup)
    numbers = [prop for prop in GAME.props(fought) if prop.words.isdigit()]
    assert [prop.words for prop in numbers] == [str(number) for number in range(1, 13)]
    nearest = [
        min(SLOTS, key=lambda name, at=prop.at: math.dist(board[name].centre, at))
        for prop in numbers
    ]
    assert nearest == [SLOTS[slot] for slot in fought.phase.order]


def test_battles_are_decided_one_after_another(fought):
    steps = [prop.step for prop in GAME.props(fought) if prop.step]
    assert steps == sorted(steps)
    assert set(steps) == {1, 2, 3}


def test_a_battle_that_nobody_wins_shows_a_dash_and_no_seat(cards):
    position = {f"{seat}.{part}": BACK for part in "LCR" for seat in GAME.seats}
    state = GAME.arrange(GAME.setup(), position)
    for number, spot in enumerate(position):
        state = cards.laid(f"{spot}={state.terms.deck.tokens[number].replace(' ', '')}", state)
    decided = [prop for prop in GAME.props(state) if prop.step]
    assert [(prop.words, prop.token, prop.step) for prop in decided] == [
        ("–", "", 1), ("–", "", 2), ("–", "", 3),
    ]  # fmt: skip


def test_nothing_is_decided_while_cards_are_still_laid():
    state = GAME.start(GAME.setup())
    state = GAME.advance(state, GAME.legal(state)[0])
    assert not any(prop.step for prop in GAME.props(state))


def test_after_the_game_there_are_no_hands(fought):
    assert GAME.props(fought._replace(stage=OVER)) == ()
