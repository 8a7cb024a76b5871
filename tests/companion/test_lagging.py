"""A board that lags behind its game: what has still to be made is lit, what could not be taken is
taken once it can."""

from __future__ import annotations

import pytest

from companion.games import find_game
from companion.journal import Journal
from companion.live.lagging import Lag
from companion.live.service import Status, moment_of
from companion.table import Table
from companion.table.mirror import Elsewhere
from vision.decoding.reading import Reading, Step


@pytest.fixture
def table():
    with Journal() as journal:
        game = find_game("chess")
        yield Table.create(journal, game, game.setup())


def action(table, text):
    return table.game.parse(table.setup, text)


def seen(table, *moves, steps=()):
    """Return the reading of a board on which ``moves`` were made since the start."""
    state = table.past[0]
    for text in moves:
        state = table.game.advance(state, action(table, text))
    return Reading("picture", True, dict(table.game.expect(state)), tuple(steps))


def step(table, text):
    made = action(table, text)
    return Step(made, 1.0, table.game.judge(table.state, made))


def test_a_move_told_elsewhere_is_to_be_made_until_the_board_shows_it(table):
    lag = Lag(table)
    table.play(action(table, "e2-e4"), "white")
    assert lag.changed
    told = lag.compared(seen(table), changed=True)
    assert told.differs == ("e2", "e4")
    assert [table.game.format(one) for one in lag.unmade] == ["e2-e4"]
    moment = moment_of(Status(differs=told.differs), table.actions, None, lag.unmade)
    assert (moment.meant, moment.differs) == (("e2", "e4"), ())
    assert not lag.compared(seen(table, "e2-e4"), changed=False).differs
    assert not lag.unmade


def test_of_two_moves_the_one_that_was_made_is_no_longer_shown(table):
    lag = Lag(table)
    for text in ("e2-e4", "e7-e5"):
        table.play(action(table, text), "white")
    told = lag.compared(seen(table, "e2-e4"), changed=True)
    moment = moment_of(Status(differs=told.differs), table.actions, None, lag.unmade)
    assert moment.meant == ("e7", "e5")


def test_what_was_taken_back_elsewhere_is_lit_as_differing(table):
    table.play(action(table, "e2-e4"), "white")
    lag = Lag(table)
    table.undo(1, "white")
    told = lag.compared(seen(table, "e2-e4"), changed=True)
    assert told.differs == ("e2", "e4")
    assert not lag.unmade


def test_a_move_that_could_not_be_kept_is_tried_again_while_it_stands(table):
    lag, made = Lag(table), step(table, "e2-e4")
    lag.keep((made,))
    assert lag.again(seen(table, "e2-e4")).steps == (made,)
    assert lag.again(seen(table, "e2-e4")).steps == ()


def test_a_move_that_was_put_back_meanwhile_is_not_tried_again(table):
    lag = Lag(table)
    lag.keep((step(table, "e2-e4"),))
    assert lag.again(seen(table)).steps == ()
    assert not lag.compared(seen(table), changed=False).differs


def test_a_move_is_not_tried_again_once_the_game_went_on(table):
    lag = Lag(table)
    lag.keep((step(table, "e2-e4"),))
    table.play(action(table, "d2-d4"), "white")
    reading = lag.again(seen(table, "e2-e4"))
    assert reading.steps == ()
    assert lag.compared(reading, changed=True).differs == ("d2", "d4", "e2", "e4")


def test_what_the_owner_does_not_take_is_told_until_it_is_put_back(table):
    lag, reading = Lag(table), seen(table, "e2-e4", steps=[step(table, "e2-e4")])
    told = lag.not_taken(reading, Elsewhere("white plays at the other table"))
    assert (told.steps, told.differs) == ((), ("e2", "e4"))
    assert told.message == "white plays at the other table"
    assert lag.compared(seen(table, "e2-e4"), changed=False).differs == ("e2", "e4")
    assert not lag.compared(seen(table), changed=False).differs
