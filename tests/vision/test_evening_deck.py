"""Whose deck lies on the table is learned from the cards of an evening."""

from __future__ import annotations

from vision.cards.card_sight import CardPlace
from vision.cards.cards import LOOKALIKES, CardReading
from vision.cards.evening_deck import EveningDeck

OWN, OTHER, OPEN = 1e-3, 1e3, 1.0
"""How many times as likely a picture is if its card has no code."""


def card(face, lookalike):
    reading = CardReading(((face, 1.0),), (face,), lookalike=lookalike)
    return CardPlace(card=reading.among(LOOKALIKES))


def known(deck, ratio, others):
    """Return how likely a card is of the own deck on a table with ``others``, named by number."""
    places = {str(n): card(f"red {n}", other) for n, other in enumerate(others)}
    return deck.weighed({"here": card("blue 4", ratio), **places})["here"].card.known


def test_a_code_that_is_hardly_seen_is_enough_where_all_others_are_seen():
    assert known(EveningDeck(), 3.0, []) < 0.98
    assert known(EveningDeck(), 3.0, [OWN] * 6) > 0.99
    assert known(EveningDeck(), 3.0, [OWN] * 12) > known(EveningDeck(), 3.0, [OWN] * 3)


def test_nothing_is_learned_from_cards_whose_codes_cannot_be_seen():
    alone = known(EveningDeck(), OPEN, [])
    assert abs(known(EveningDeck(), OPEN, [OPEN] * 12) - alone) < 1e-3


def test_where_cards_of_another_deck_lie_a_doubtful_one_is_less_trusted():
    assert known(EveningDeck(), OPEN, [OWN] * 4 + [OTHER] * 4) < 0.7


def test_a_card_without_a_code_is_a_lookalike_on_any_evening():
    assert known(EveningDeck(), 1e4, [OWN] * 30) < 0.9


def test_one_face_that_is_seen_often_says_no_more_than_once():
    often, once = EveningDeck(), EveningDeck()
    for _ in range(9):
        known(often, 3.0, [OWN])
    assert known(often, 3.0, [OWN]) == known(once, 3.0, [OWN])


def test_what_was_gathered_still_says_whose_deck_it_is():
    deck = EveningDeck()
    known(deck, 3.0, [OWN] * 12)
    assert known(deck, 3.0, []) > 0.99
