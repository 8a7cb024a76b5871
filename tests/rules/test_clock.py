"""Game clocks: every time is handed in, so every case is exact."""

from __future__ import annotations

import pytest

from companion.rules import Action, Clock, Limits, TimePhase, shown_on_clock

QUICK = Limits(game=3600.0, begin=60.0)
CHESS = Limits(phases=(TimePhase(300.0, increment=2.0),))


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


def play(phases: tuple[TimePhase, ...], *seconds: float) -> tuple[Clock, float]:
    """White and Black move in turn, each after so many seconds; the clock then, and the time."""
    now, clock = 0.0, Clock(Limits(phases=phases), "white", 0.0)
    for number, passed in enumerate(seconds):
        now += passed
        clock = clock.tap(("black", "white")[number % 2], now)
    return clock, now


def test_each_seat_uses_its_own_time_and_is_given_an_increment_prior_to_each_move() -> None:
    clock = Clock(CHESS, "white", 0.0)
    assert clock.seat_left("white", 0.0) == clock.seat_left("black", 0.0) == 302.0
    clock = clock.tap("black", 10.0).tap("white", 15.0)
    assert clock.spent("white", 15.0) == 10.0
    assert clock.spent("black", 15.0) == 5.0
    assert clock.seat_left("white", 20.0) == 300.0 + 2 * 2 - 10.0 - 5.0
    assert clock.seat_left("black", 20.0) == 299.0
    assert clock.due(15.0 + 294.0) == (Action("flag", detail="white"),)
    assert clock.due(15.0 + 293.9) == ()


def test_a_flag_that_fell_is_given_nothing_more() -> None:
    assert Clock(CHESS, "white", 0.0).tap(None, 302.0).seat_left("white", 999.0) == 0.0


@pytest.mark.parametrize(("used", "costs"), [(0.0, 0.0), (2.9, 0.0), (3.0, 0.0), (7.5, 4.5)])
@pytest.mark.parametrize("bronstein", [False, True])
def test_a_delay_costs_nothing_in_either_mode(used: float, costs: float, bronstein: bool) -> None:
    phases = (TimePhase(300.0, delay=3.0, bronstein=bronstein),)
    clock, now = play(phases, used, 1.0)
    shown = 3.0 if bronstein else 0.0
    assert clock.seat_left("white", now) == pytest.approx(300.0 + shown - costs)
    assert clock.seat_left("black", now) == 300.0 + shown
    assert clock.due(now + 302.9 - costs) == ()
    assert clock.due(now + 303.0 - costs) == (Action("flag", detail="white"),)


def test_a_simple_delay_stands_still_first_and_bronsteins_runs() -> None:
    simple, _ = play((TimePhase(60.0, delay=5.0),))
    assert [simple.seat_left("white", at) for at in (0.0, 5.0, 6.0)] == [60.0, 60.0, 59.0]
    assert [simple.free_left(at) for at in (0.0, 2.0, 6.0)] == [5.0, 3.0, 0.0]
    bronstein, _ = play((TimePhase(60.0, delay=5.0, bronstein=True),))
    assert [bronstein.seat_left("white", at) for at in (0.0, 5.0, 6.0)] == [65.0, 60.0, 59.0]
    assert bronstein.free_left(0.0) == 0.0
    assert simple.tap(None, 1.0).free_left(2.0) == 0.0


def test_a_delay_is_one_though_the_clock_is_looked_at_often_and_paused() -> None:
    clock, _ = play((TimePhase(60.0, delay=5.0),))
    for now in (1.0, 2.0, 4.0):
        clock = clock.at(now)
    clock = clock.pause(4.5).go(100.0).at(100.25)
    assert clock.seat_left("white", 100.5) == 60.0
    assert clock.seat_left("white", 102.5) == 58.0


TOURNAMENT = (TimePhase(100.0, increment=10.0, moves=2), TimePhase(50.0, increment=1.0))


def test_the_next_phase_is_added_once_its_moves_are_made() -> None:
    clock, now = play(TOURNAMENT, 20.0, 5.0)
    assert clock.seat_left("white", now) == 100.0 + 2 * 10.0 - 20.0
    assert (clock.moves_left("white"), clock.moves_left("black")) == (1, 1)
    clock, now = play(TOURNAMENT, 20.0, 5.0, 30.0)
    assert clock.seat_left("white", now) == 100.0 + 2 * 10.0 - 50.0 + 50.0 + 1.0
    assert (clock.moves_left("white"), clock.moves_left("black")) == (None, 1)
    clock, now = play(TOURNAMENT, 20.0, 5.0, 30.0, 5.0, 8.0, 5.0)
    assert clock.seat_left("white", now) == 100.0 + 2 * 10.0 + 50.0 + 2 * 1.0 - 58.0


def test_moves_that_were_not_made_in_their_phase_lose() -> None:
    clock, now = play(TOURNAMENT, 20.0, 5.0)
    assert clock.due(now + 100.0) == (Action("flag", detail="white"),)


def test_a_move_that_is_taken_back_counts_for_no_phase() -> None:
    clock, now = play(TOURNAMENT, 20.0, 5.0, 30.0)
    back = clock.back("white", now, 1)
    assert back.moves_left("white") == 1
    assert back.seat_left("white", now) == 100.0 + 2 * 10.0 - 50.0
    again = back.tap("black", now + 1.0)
    assert again.seat_left("white", now + 1.0) == 100.0 + 2 * 10.0 - 51.0 + 50.0 + 1.0


def test_a_bronstein_delay_goes_over_to_a_phase_without_one() -> None:
    phases = (TimePhase(60.0, delay=5.0, bronstein=True, moves=1), TimePhase(30.0))
    clock, now = play(phases, 7.0)
    assert clock.seat_left("white", now) == 60.0 - 2.0 + 30.0


def test_after_phases_that_all_have_their_moves_nothing_more_is_given() -> None:
    clock, now = play((TimePhase(60.0, moves=1),), 10.0, 1.0)
    assert clock.moves_left("white") is None
    assert clock.seat_left("white", now) == 50.0


def test_a_turn_of_several_actions_is_one_move() -> None:
    clock = Clock(Limits(phases=TOURNAMENT), "white", 0.0)
    clock = clock.tap("white", 1.0).tap("white", 2.0).tap("black", 3.0)
    assert clock.moves_left("white") == 1
    assert clock.back("white", 3.0, 3).moves_left("white") == 2


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


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (0.0, "0:00"), (9.99, "0:09"), (65, "1:05"), (3599.9, "59:59"), (3600, "1:00:00"),
        (5430, "1:30:30"), (86_399, "23:59:59"), (-3.0, "0:00"),
    ],
)  # fmt: skip
def test_a_clock_shows_hours_from_an_hour_on(seconds, shown):
    assert shown_on_clock(seconds) == shown
