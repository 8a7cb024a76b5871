"""Cards on a simulated table, told by the camera from their faces."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

from companion.rules import BadInput
from vision.cards.cards import Deck

HERE = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def rounds():
    if str(HERE / "checks") not in sys.path:
        sys.path.insert(0, str(HERE / "checks"))
    return importlib.import_module("card_evenings")


@pytest.fixture
def table(rounds):
    """A table at the start of a round, watched by a camera."""
    return rounds.CardEvening(0, trouble=False, size=(1280, 960))


def told(table):
    return [str(table.table.game.format(action)) for action in table.table.actions]


def lay(table, spot, token):
    table.cards.put(spot, token)
    table.watch()
    for _ in range(6):
        table._read()


def test_a_phase_is_read_card_by_card(table):
    table.phase()
    assert table.counts["cards"] >= 12
    assert table.failures == []
    assert table.table.state.number == 2, "gathered cards end the phase"


def test_two_cards_laid_in_one_picture_are_told_in_the_order_of_play(table):
    table.cards.put("west.C", "blue 2")
    table.cards.put("south.L", "red 7")
    table.watch(2)
    assert told(table) == ["south.L=red7", "west.C=blue2"]


def test_a_card_on_a_wrong_place_is_refused_once_and_may_be_moved(table):
    lay(table, "north.L", "red 7")
    refused = [event for event in table.table.events() if event.kind == "refused"]
    assert len(refused) == 1
    assert "north.L" in table._read().message
    table.cards.move("north.L", "south.L")
    table.watch(1)
    assert told(table) == ["south.L=red7"]
    assert table._read().message == ""


def test_a_card_taken_up_again_is_missing_until_another_is_played(table):
    lay(table, "south.L", "red 7")
    table.cards.remove("south.L")
    table.watch()
    assert "south.L" in table._read().differs
    lay(table, "south.C", "black 5")
    assert told(table) == ["south.C=black5"]


def test_a_card_of_another_deck_is_asked_about_and_then_known(table, rounds):
    file = table.camera.table_file()
    reader = rounds.CardReader(rounds.GAME, table.table.setup, file, live=True, deck=Deck())
    table.reader = reader
    table.cards.put("south.L", "red 7")
    asks = ()
    for _ in range(8):
        asks = asks or table._read().asks
    assert [str(steps[0].action) for steps in asks][:2] == ["*south.L=red 1", "*south.L=red 2"]
    game = table.table.game
    table.table.play(game.parse(table.table.setup, "south.L=red7"), "phone")
    for _ in range(3):
        table._read()
    assert "red 7" in reader.deck.faces
    assert table._read().position["south.L"] == "red 7"
    assert table._read().asks == ()


def test_a_hand_that_rests_on_the_cards_changes_nothing(table):
    lay(table, "south.L", "red 7")
    table.camera.troubles = table.camera.troubles.__class__(paper="south.L")
    for _ in range(6):
        reading = table._read()
    assert told(table) == ["south.L=red7"]
    assert reading.differs == ()


def test_a_deck_that_is_shown_once_is_known_on_another_evening(table, rounds):
    file, game = table.camera.table_file(), rounds.GAME
    shown = dict(zip(table.cards.board, ("red 7", "red 6", "blue G2", "yellow 4"), strict=False))
    for spot, token in shown.items():
        table.cards.put(spot, token)
    while table.camera.read() and (table.camera.busy or table.camera.hand_in_view):
        pass
    picture = table.camera.read().image
    reader = rounds.CardReader(game, table.table.setup, file, live=True, deck=Deck())
    reader.teach(picture, shown)
    assert set(reader.deck.taught) == set(shown.values())

    with pytest.raises(BadInput, match=r"No card can be made out on west\.C"):
        reader.teach(picture, {"west.C": "blue 1"})

    other = Deck()
    other.recall(reader.deck.taught)
    again = rounds.CardReader(game, table.table.setup, file, live=True, deck=other)
    again._find(picture)
    seen = again._sight.look(picture, again.camera, shown)
    assert {spot: place.token for spot, place in seen.items()} == shown
