"""A turn of Victorus in which only its end is left ends by itself after a moment."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games import find_game
from companion.journal import Journal
from companion.table import Table
from companion.table.turn_end import HELD, MOMENT, end_by_itself, left_alone


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def table(clock: Clock) -> Any:
    game = find_game("victorus")
    setup = game.setup(("red", "purple"), {"gate": "knights"})
    pieces = {"i4": "red white T", "i6": "purple white U", "j14": "purple half K"}
    with Journal(":memory:") as journal:
        yield Table.create(journal, game, setup, pieces, "red", now=clock)


def play(table: Table[Any], *texts: str) -> None:
    for text in texts:
        assert table.play(table.game.parse(table.setup, text), "red").allowed


def test_a_turn_ends_by_itself_after_a_moment(table: Table[Any], clock: Clock) -> None:
    play(table, "i4-i6")
    assert [table.game.format(a) for a in table.game.legal(table.state)] == ["end"]
    clock.now += MOMENT - 1
    end_by_itself(table)
    assert table.to_move == "red"
    clock.now += 1
    end_by_itself(table)
    assert table.to_move == "purple"
    assert (table.events()[-1].actor, table.events()[-1].action) == ("clock", "end")


def test_who_takes_the_end_back_holds_the_turn(table: Table[Any], clock: Clock) -> None:
    play(table, "i4-i6")
    clock.now += MOMENT
    end_by_itself(table)
    table.undo(1, "red")
    clock.now += 10 * MOMENT
    end_by_itself(table)
    assert table.to_move == "red"
    assert left_alone(table) is None
    play(table, "end")
    assert table.to_move == "purple"


def test_a_turn_is_held_by_a_word_and_by_a_pause(table: Table[Any], clock: Clock) -> None:
    play(table, "i4-i6")
    table.note("paused", {}, "red")
    assert left_alone(table) is None
    table.note("continued", {}, "red")
    assert left_alone(table) is not None
    table.note(HELD, {}, "red")
    clock.now += 10 * MOMENT
    end_by_itself(table)
    assert table.to_move == "red"


def test_a_turn_that_may_go_on_waits(clock: Clock) -> None:
    game = find_game("victorus")
    with Journal(":memory:") as journal:
        table = Table.create(journal, game, game.setup(), now=clock)
        clock.now += 10 * MOMENT
        end_by_itself(table)
        assert len(table.actions) == 0


def test_a_move_that_may_be_tried_is_not_ended(clock: Clock) -> None:
    game = find_game("heximeros")
    with Journal(":memory:") as journal:
        table = Table.create(journal, game, game.setup(), now=clock)
        table.play(game.legal(table.state)[0], "silver")
        clock.now += 10 * MOMENT
        end_by_itself(table)
        assert table.to_move == "silver"
