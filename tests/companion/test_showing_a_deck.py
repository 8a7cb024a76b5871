"""A deck of another make is shown to the camera on the real page, and is known from then on."""

from __future__ import annotations

import pytest

from companion.rules import called
from tests.checks import deck_showing
from vision.cards.card_reader import CardReader
from vision.cards.cards import KnownDeck


@pytest.fixture(scope="module")
def checks():
    return deck_showing


@pytest.mark.slow
def test_forty_cards_and_a_back_are_shown_in_three_batches_with_five_presses(checks, tmp_path):
    showing = checks.Showing(tmp_path)
    complaints = showing.show_all()
    # The first press pauses the game, and says so.
    assert ["paused" in complaint for complaint in complaints] == [True]
    assert showing.taps == 5
    assert not showing.table.paused

    fresh = CardReader(checks.GAME, showing.table.setup, {}, deck=KnownDeck())
    showing.faces.recall(fresh)
    assert set(fresh.deck.taught) == {*checks.GAME.tokens(showing.table.setup), "back"}

    showing.cards.put("south.L", "other red 7")
    showing.look(3)
    showing.cards.put("west.C", "other blue G2")
    showing.look(3)
    told = [checks.GAME.format(action) for action in showing.table.actions]
    assert told == ["south.L=red7", "west.C=blueG2"]


@pytest.mark.slow
def test_a_card_laid_twice_is_named_by_the_page_and_exchanged(checks, tmp_path):
    showing = checks.Showing(tmp_path)
    showing.look(2)
    assert showing.press(2).status_code == 409
    asked = showing.asked(2)
    spots = list(asked)
    showing.lay(asked | {spots[1]: asked[spots[0]]})
    answer = showing.press(2)
    assert answer.status_code == 400
    assert called(spots[0]) in answer.json["error"]["message"]
    assert called(spots[1]) in answer.json["error"]["message"]
    showing.lay(asked)
    assert showing.press(2).json["next"] is None


@pytest.mark.slow
def test_while_a_hand_is_over_the_table_nothing_is_learned(checks, tmp_path):
    showing = checks.Showing(tmp_path, hand=4)
    showing.look(2)
    showing.press(2)
    showing.lay(dict(list(showing.asked(2).items())[:2]))
    showing.cards.put("north.L", "other red 1")
    for _ in range(2):
        showing.service.look()
        showing.frames += 1
    answer = showing.press(2)
    assert answer.status_code == 400
    assert "hands" in answer.json["error"]["message"]
