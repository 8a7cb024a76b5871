"""Game clocks: every time is handed in, so every case is exact."""

from __future__ import annotations

import pytest

from companion.rules import Action, Clock, Limits

QUICK = Limits(game=3600.0, begin=60.0)
CHESS = Limits(seat=300.0, increment=2.0)


def quick(at: float = 100.0) -> Clock:
    return Clock(QUICK, "red", at)


def test_a_game_without_limits_has_nothing_to_announce() -> None:
    clock = Clock(Limits(), "red", 0.0)
    assert not Limits()
    assert clock.due(1e9) == ()
    assert (clock.game_left(9.0), clock.seat_left("red", 9.0), clock.begin_left(9.0)) == (
        None,
        None,
        None,
    )


@pytest.mark.parametrize("limits", [QUICK, CHESS, Limits(begin=60.0)])
def test_any_limit_makes_a_clock_worth_having(limits: Limits) -> None:
    assert limits


def test_a_turn_not_begun_in_time_is_forfeited() -> None:
    assert quick().begin_left(130.0) == 30.0
    assert quick().due(159.9) == ()
    assert quick().due(160.0) == (Action("forfeit"),)
    assert quick().begin_left(500.0) == 0.0


def test_a_turn_that_has_begun_may_take_as_long_as_it_likes() -> None:
    clock = quick().tap("red", 159.0)
    assert clock.begun
    assert clock.begin_left(1000.0) is None
    assert clock.due(1000.0) == ()


def test_the_next_seat_has_its_own_time_to_begin() -> None:
    clock = quick().tap("red", 110.0).tap("blue", 150.0)
    assert (clock.seat, clock.begun) == ("blue", False)
    assert clock.begin_left(160.0) == 50.0
    assert clock.due(210.0) == (Action("forfeit"),)


def test_the_games_time_counts_all_seats_together() -> None:
    clock = quick().tap("blue", 1900.0).tap("red", 3000.0)
    assert clock.game_left(3000.0) == 700.0
    assert clock.tap("red", 3001.0).due(3700.0) == (Action("time"),)


def test_time_and_forfeit_can_be_due_at_once_time_first() -> None:
    assert quick().due(100.0 + 3600.0) == (Action("time"), Action("forfeit"))


def test_each_seat_uses_its_own_time_and_is_given_its_increment() -> None:
    clock = Clock(CHESS, "white", 0.0).tap("black", 10.0).tap("white", 15.0)
    assert clock.spent("white", 15.0) == 8.0
    assert clock.spent("black", 15.0) == 3.0
    assert clock.seat_left("white", 20.0) == 287.0
    assert clock.seat_left("black", 20.0) == 297.0
    assert clock.due(15.0 + 292.0) == (Action("flag", detail="white"),)
    assert clock.due(15.0 + 291.9) == ()


def test_a_paused_clock_stands_and_goes_on_where_it_stood() -> None:
    clock = quick().pause(110.0)
    assert clock.begin_left(9999.0) == 50.0
    assert clock.due(9999.0) == ()
    clock = clock.go(5000.0)
    assert clock.begin_left(5010.0) == 40.0
    assert clock.game_left(5010.0) == 3580.0


def test_a_clock_stops_for_good_when_the_game_is_over() -> None:
    clock = quick().tap(None, 120.0)
    assert clock.due(1e6) == ()
    assert clock.begin_left(1e6) is None
    assert clock.game_left(1e6) == 3580.0


def test_a_take_back_gives_a_fresh_time_to_begin_but_no_time_back() -> None:
    clock = quick().tap("blue", 150.0).back("red", 190.0)
    assert (clock.seat, clock.begun) == ("red", False)
    assert clock.begin_left(190.0) == 60.0
    assert clock.spent("red", 190.0) == 50.0
    assert clock.spent("blue", 190.0) == 40.0


def test_a_take_back_of_the_last_move_takes_the_game_up_again() -> None:
    clock = quick().tap(None, 120.0).back("red", 500.0)
    assert clock.game_left(510.0) == 3600.0 - 20.0 - 10.0
    assert clock.tap(None, 510.0).tap("blue", 600.0).spent("red", 600.0) == 30.0


def test_a_time_of_day_that_is_set_back_takes_nothing_from_anybody() -> None:
    clock = quick().at(50.0)
    assert (clock.elapsed, clock.begin_left(60.0)) == (0.0, 50.0)
