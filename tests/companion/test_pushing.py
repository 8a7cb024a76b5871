"""A game is pushed to a broadcast whenever it has changed, with the owner's token."""

from __future__ import annotations

import pytest

from companion.games import find_game
from companion.journal import Journal
from companion.live.pushing import APART, LATE, Pusher
from companion.rules import BadInput
from companion.table import Table
from companion.table.evening import Evening

CHESS = find_game("chess")


@pytest.fixture
def table():
    with Journal() as journal:
        yield Table.create(journal, CHESS, CHESS.setup())


def play(table, *moves):
    for move in moves:
        table.play(CHESS.parse(table.setup, move), "white")


class Pushing:
    """A pusher with a clock that stands until it is moved, and that never waits."""

    def __init__(self, table, address):
        self.now = 0.0
        self.pusher = Pusher(Evening(table), address, "lip_mine", lambda: self.now)

    def look(self):
        self.pusher._wake.set()
        self.pusher.step()


@pytest.fixture
def pushing(table, hook):
    found = Pushing(table, hook.address)
    yield found
    found.pusher.close()


def moves(hook):
    return [body.decode().splitlines()[-1] for _, _, body in hook.heard]


def test_the_whole_game_is_pushed_with_the_token_when_it_has_changed(table, hook, pushing):
    pushing.look()
    play(table, "e2-e4")
    pushing.now += APART
    pushing.look()
    pushing.now += APART
    pushing.look()
    assert moves(hook) == ["*", "1. e4 *"]
    assert hook.heard[0][1]["Authorization"] == "Bearer lip_mine"


def test_a_burst_of_moves_is_pushed_together(table, hook, pushing):
    pushing.look()
    for move in ("e2-e4", "e7-e5", "g1-f3"):
        play(table, move)
        pushing.look()
    assert len(hook.heard) == 1
    pushing.now += APART
    pushing.look()
    assert moves(hook)[-1] == "1. e4 e5 2. Nf3 *"


def test_what_is_not_taken_is_tried_again_after_growing_pauses(table, hook, pushing):
    hook.status = 500
    told = []
    for _ in range(12):
        pushing.look()
        told.append(pushing.pusher._due - pushing.now)
        pushing.now = pushing.pusher._due
    assert told == sorted(told)
    assert (told[0], told[-1]) == (2 * APART, LATE)
    hook.status = 200
    pushing.look()
    assert pushing.pusher._pause == APART


def test_a_game_that_broadcasts_cannot_read_is_pushed_nowhere(hook):
    invictus = find_game("invictus")
    with Journal() as journal:
        found = Pushing(Table.create(journal, invictus, invictus.setup()), hook.address)
        found.look()
        found.pusher.close()
    assert hook.heard == []
    assert "pgn" in CHESS.notations


def test_an_address_that_is_none_is_refused(table):
    with pytest.raises(BadInput, match="no address"):
        Pusher(Evening(table), "lichess", "", lambda: 0.0)
