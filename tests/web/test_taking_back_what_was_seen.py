"""A card that was shown or dice that were thrown are taken back by all who saw them."""

import random

import pytest

import web
from companion.games import find_game
from companion.journal import Journal
from companion.table import Table
from companion.table.evening import Evening
from companion.table.revelation import revealed
from tests.web.conftest import Phone


@pytest.fixture
def cards():
    game = find_game("victory_honor")
    with Journal() as journal:
        table = Table.create(journal, game, game.setup())
        while not any(token != "?" for token in game.expect(table.state).values()):
            legal = game.legal(table.state)
            table.play(next((a for a in legal if a.target), legal[0]), "camera")
        yield table


@pytest.fixture
def people(cards):
    """Phones on the seats of the first two, by name of the seat."""
    app = web.create_app(Evening(cards), config=web.Config())
    found = {}
    for seat in cards.setup.seats:
        found[seat] = Phone(app)
        found[seat].post("/api/join", code=web.invitation(app).partition("#")[2])
        found[seat].say("/api/seat", seat=seat)
    return found


def test_a_card_that_lies_open_was_shown_and_a_spoken_word_was_not(cards):
    assert revealed(cards, 1)
    chess = find_game("chess")
    with Journal() as journal:
        table = Table.create(journal, chess, chess.setup())
        table.play(chess.legal(table.state)[0], "camera")
        assert not revealed(table, 1)


def test_dice_that_fall_otherwise_were_thrown():
    game = find_game("hoplomachus")
    with Journal() as journal:
        table = Table.create(journal, game, game.setup())
        chance = random.Random(1)
        while not str(table.actions[-1] if table.actions else "").startswith("roll"):
            legal = game.legal(table.state)
            table.play(next((a for a in legal if a.verb == "roll"), chance.choice(legal)), "camera")
        assert revealed(table, 1)


def test_all_who_saw_it_agree_before_it_is_taken_back(cards, people):
    first, *others = cards.setup.seats
    shown = cards.actions
    assert people[first].say("/api/undo", count=1).status_code == 200
    assert cards.actions == shown
    told = people[others[0]].state["draw"]
    assert (told["seat"], told["undo"], told["waiting"]) == (first, 1, others)
    for seat in others:
        assert cards.actions == shown
        people[seat].say("/api/draw", answer="accept", seat=seat)
    assert cards.actions == shown[:-1]
    kept = [event.action for event in cards.events() if event.kind == "action"]
    assert kept[-1] == cards.game.format(shown[-1]), "the journal keeps what was seen"


def test_one_who_declines_lets_it_stand(cards, people):
    first, other, *_ = cards.setup.seats
    shown = cards.actions
    people[first].say("/api/undo", count=1)
    people[other].say("/api/draw", answer="decline", seat=other)
    assert people[first].state["draw"] is None
    assert cards.actions == shown
