"""Values in hot paths, by those of Victory & Honor: equal by their parts, changed by being made
anew. A class made for the test could not inherit what is compiled."""

from __future__ import annotations

import pytest

from companion.games.victory_honor import GAME
from companion.games.victory_honor.phase import Phase
from companion.rules.hidden import Holding


def test_values_are_equal_by_their_parts_and_their_kind() -> None:
    assert Holding(3, 0b111, 0b1) == Holding(3, 0b111, 0b1)
    assert Holding(3, 0b111, 0b1) != Holding(3, 0b111)
    assert Holding(3, 0b111) != (3, 0b111, 0)
    assert Phase(2) == Phase(2)
    assert Phase(2) != Holding(2, 0b11)


def test_equal_values_have_one_hash() -> None:
    assert len({Phase(1), Phase(1), Phase(2)}) == 2


def test_a_part_that_does_not_count_is_neither_compared_nor_hashed() -> None:
    state = GAME.start(GAME.setup())
    other = state._replace(plays=(*state.plays, *state.plays), terms=state.terms._replace(rounds=9))
    assert state == other
    assert hash(state) == hash(other)
    assert state != state._replace(setup=GAME.setup(options={"rounds": "3"}))


def test_a_changed_value_is_another_one() -> None:
    here = Holding(1, 0b11)
    there = here._replace(size=2)
    assert repr(there) == "Holding(size=2, maybe=3, sure=0)"
    assert repr(here) == "Holding(size=1, maybe=3, sure=0)"
    with pytest.raises(TypeError):
        here._replace(weight=1)
