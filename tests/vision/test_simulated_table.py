"""The simulated table: what a hand can do, and that it knows nothing of legality."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from companion.rules import BadInput
from companion.simulation.tabletop import SimulatedTable


@pytest.fixture
def table(tiny: Any) -> SimulatedTable:
    setup = tiny.setup()
    return SimulatedTable(tiny, setup, tiny.expect(tiny.start(setup)), seed=1)


def test_a_moved_token_stands_on_its_target_and_nowhere_else(table: SimulatedTable) -> None:
    table.move("a1", "a2")
    assert table.position == {
        "a2": "black", "b1": "black", "c1": "black", "a3": "white", "b3": "white", "c3": "white",
    }  # fmt: skip


def test_what_stood_on_the_target_goes_off_the_board(table: SimulatedTable) -> None:
    table.move("a1", "c3")
    assert table.position["c3"] == "black"
    assert table.off == ("white",)


def test_a_token_may_be_carried_anywhere_even_onto_its_own_colour(table: SimulatedTable) -> None:
    table.move("a1", "b1")
    assert table.off == ("black",)


def test_a_lifted_token_is_in_the_hand_and_neither_on_nor_off_the_board(
    table: SimulatedTable,
) -> None:
    table.lift("a1")
    assert table.held == "black"
    assert "a1" not in table.position
    assert table.off == ()
    table.drop("b3")
    assert table.held is None
    assert table.position["b3"] == "black"
    assert table.off == ("white",)


def test_a_full_hand_lifts_nothing_and_an_empty_one_drops_nothing(table: SimulatedTable) -> None:
    with pytest.raises(BadInput, match="the hand is empty"):
        table.drop("a2")
    table.lift("a1")
    with pytest.raises(BadInput, match="already holds black"):
        table.lift("b1")
    assert table.position["b1"] == "black"


def test_a_token_put_back_is_taken_from_beside_the_board(table: SimulatedTable) -> None:
    table.remove("a1")
    table.remove("a3")
    table.put("b2", "black")
    assert table.off == ("white",)
    assert table.position["b2"] == "black"


def test_a_token_is_turned_over_turned_round_and_pushed_where_it_lies(
    table: SimulatedTable,
) -> None:
    before = table.pieces["a1"]
    table.flip("a1", "white")
    table.turn("a1")
    table.nudge("a1", 3.0, -2.0, 10.0)
    after = table.pieces["a1"]
    assert after.token == "white"
    assert (after.dx - before.dx, after.dy - before.dy) == pytest.approx((3.0, -2.0))
    assert after.turn == pytest.approx((before.turn + 180) % 360 + 10)


def test_a_token_that_lies_upside_down_is_carried_upside_down(table: SimulatedTable) -> None:
    table.turn("a1")
    table.move("a1", "b2")
    assert abs(table.pieces["b2"].turn - 180) < 10


@pytest.mark.parametrize("verb", ["lift", "remove", "turn"])
def test_an_empty_spot_is_named(table: SimulatedTable, verb: str) -> None:
    with pytest.raises(BadInput, match="nothing lies on b2"):
        getattr(table, verb)("b2")


def test_an_unknown_spot_changes_nothing(table: SimulatedTable) -> None:
    before = table.position
    with pytest.raises(BadInput, match="no spot “z9”"):
        table.move("a1", "z9")
    assert table.position == before
    assert table.gestures() == ()


def test_each_gesture_is_told_once_with_what_lay_before_and_after(table: SimulatedTable) -> None:
    table.move("a1", "a2")
    table.remove("a2")
    first, second = table.gestures()
    assert (first.origin, first.target, second.origin, second.target) == ("a1", "a2", "a2", None)
    assert "a1" in first.before
    assert first.after == second.before
    assert table.gestures() == ()


def test_hands_from_several_threads_lose_nothing(table: SimulatedTable) -> None:
    def push(spot: str) -> None:
        for _ in range(50):
            table.nudge(spot, 1.0, 0.0)

    start = table.pieces["a1"].dx
    threads = [threading.Thread(target=push, args=("a1",)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert table.pieces["a1"].dx == pytest.approx(start + 200)
    assert len(table.gestures()) == 200


def test_a_tidy_player_puts_tokens_exactly_on_the_middle(tiny: Any) -> None:
    tidy = SimulatedTable(tiny, tiny.setup(), {"a1": "black"}, tidy=1.0)
    assert (tidy.pieces["a1"].dx, tidy.pieces["a1"].turn) == (0, 0)


def test_a_token_stands_on_its_edge_until_it_is_laid_down(table: SimulatedTable) -> None:
    table.stand("a1")
    assert table.pieces["a1"].edge
    table.stand("a1")
    assert not table.pieces["a1"].edge
