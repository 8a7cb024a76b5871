"""Hidden things: possible worlds, legal so far, and what every game says of them by default."""

from __future__ import annotations

from typing import Any

import pytest

from companion.rules import Action, Breach, Holding, Ruling, so_far, things


def test_a_set_is_read_lowest_thing_first() -> None:
    assert list(things(0b101001)) == [0, 3, 5]
    assert list(things(0)) == []


def test_every_world_is_as_large_as_the_holding_and_holds_what_is_sure() -> None:
    holding = Holding(3, 0b11111, 0b00010)
    worlds = list(holding.worlds())
    assert len(worlds) == len(set(worlds)) == holding.count == 6
    assert all(world.bit_count() == 3 and world & 0b10 for world in worlds)
    assert not holding.known


@pytest.mark.parametrize("holding", [Holding(2, 0b101), Holding(1, 0b111, 0b100), Holding(0, 0b1)])
def test_a_holding_with_one_world_is_known(holding: Holding) -> None:
    assert holding.known
    assert holding.count == len(list(holding.worlds())) == 1


def kinds_by_enumeration(holding: Holding, members: tuple[int, ...]) -> set[int]:
    return {
        sum(1 << kind for kind, group in enumerate(members) if world & group)
        for world in holding.worlds()
    }


def test_the_kinds_that_may_be_held_are_those_of_some_world() -> None:
    members = (0b0011, 0b0100, 0b11000)
    for size in range(5):
        for maybe in range(0b100000):
            for sure in [0, *(1 << thing for thing in things(maybe))]:
                if sure.bit_count() <= size <= maybe.bit_count():
                    holding = Holding(size, maybe, sure)
                    found = holding.kinds(members)
                    assert set(found) == kinds_by_enumeration(holding, members), holding
                    assert list(found) == sorted(set(found))


def test_two_sure_things_of_two_kinds_leave_no_room_for_a_third_kind() -> None:
    assert Holding(2, 0b10101, 0b101).kinds((0b1, 0b100, 0b10000)) == (0b011,)


def ruled(world: tuple[int, bool]) -> tuple[int, Ruling]:
    step, allowed = world
    return step, Ruling(allowed, f"R-{step}", "So it is.")


def test_what_one_world_allows_is_legal_so_far() -> None:
    assert so_far([(3, False), (1, True), (9, True)], ruled).rule == "R-1"


def test_what_no_world_allows_is_refused_where_it_came_farthest() -> None:
    found = so_far([(2, False), (5, False), (5, False), (4, False)], ruled)
    assert (found.allowed, found.rule) == (False, "R-5")


def test_an_action_is_judged_in_at_least_one_world() -> None:
    with pytest.raises(ValueError, match="at least one world"):
        so_far([], ruled)


def test_a_breach_names_the_play_it_concerns() -> None:
    breach = Breach(7, Action("end"), Ruling(False, "R-1", "No."))
    assert (breach.ply, breach.ruling.allowed) == (7, False)


def test_a_rearranged_table_is_an_arranged_one_where_the_board_shows_everything(tiny: Any) -> None:
    state = tiny.start(tiny.setup())
    there = {"b2": "white"}
    assert tiny.rearranged(state, there, "white") == tiny.arrange(tiny.setup(), there, "white")
