"""What may have been played since the last picture of cards, where one of them is in doubt."""

from __future__ import annotations

import pytest

from tests.checks.card_rounds import GAME, laid
from vision.cards.card_sight import CardPlace
from vision.cards.cards import SURE, CardReading
from vision.cards.stories import SeenCards, Stories


@pytest.fixture
def tell():
    """Tell what was played since the beginning, by what lies for sure and what is in doubt."""

    def told(sure, doubts):
        seen = SeenCards(sure, {spot: CardPlace(card=card) for spot, card in doubts.items()})
        found = Stories(GAME, SURE).tell(laid(""), seen)
        return [str(a) for a in found.story.actions], sorted(str(a) for a in found.whatever)

    return told


def rather(face, p, **ratios):
    return CardReading(((face, p),), (face,), **ratios)


def test_what_was_played_after_a_card_in_doubt_is_told_whatever_that_is(tell):
    sure = {"east.L": "black G1", "south.C": "red 6", "north.L": "black 2"}
    certain, ahead = tell(sure, {"south.R": rather("yellow G2", 0.97)})
    assert certain == []
    assert ahead == ["*east.L=black G1", "*north.L=black 2", "*south.C=red 6"]


def test_two_cards_in_doubt_hold_nothing_else_back(tell):
    doubts = {"south.R": rather("yellow G2", 0.97), "east.L": rather("black G1", 0.97)}
    certain, ahead = tell({"south.C": "red 6", "north.L": "black 2"}, doubts)
    assert certain == []
    assert ahead == ["*north.L=black 2", "*south.C=red 6"]


def test_a_play_that_the_likeliest_card_would_forbid_waits_for_the_doubt(tell):
    # Only where south's card is blue may west not open another position with blue.
    for opening in ("red7", "blue7"):
        allowed = {str(action) for action in GAME.legal(laid(f"south.L={opening}"))}
        assert ("*west.C=blue 2" in allowed) == (opening == "red7")
    certain, ahead = tell({"west.C": "blue 2"}, {"south.L": rather("blue 7", 0.97)})
    assert (certain, ahead) == ([], [])


def test_a_card_that_is_certain_is_no_matter_of_doubt(tell):
    certain, ahead = tell({"south.L": "red 7", "west.C": "blue 2"}, {})
    assert certain == ["*south.L=red 7", "*west.C=blue 2"]
    assert ahead == []
