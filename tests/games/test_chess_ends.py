"""How a game of chess ends: on the board, by the clock, and by what is said."""

from __future__ import annotations

import pytest

from companion.games.chess import GAME
from companion.games.chess.ends import can_mate
from companion.rules import Limits, TimePhase, read_action

SETUP = GAME.setup()
TIMED = GAME.setup(options={"minutes": "5"})
AUTOMATIC = GAME.setup(options={"draws": "automatic"})
KNIGHTS = ("g1-f3", "g8-f6", "f3-g1", "f6-g8")


def fen(text, setup=SETUP):
    return GAME.read_position(setup, text)


def play(state, *texts):
    for text in texts:
        state = GAME.apply(state, read_action(text))
    return state


def said(state):
    return {str(action) for action in GAME.claims(state)}


def ended(state, rule, *winners):
    over = GAME.outcome(state)
    assert (over.rule, over.winners) == (rule, winners)
    assert not GAME.legal(state)
    assert not GAME.claims(state)
    assert GAME.to_move(state) is None
    ruling = GAME.judge(state, read_action("e2-e4"))
    assert (ruling.allowed, ruling.rule) == (False, rule)
    assert "over" in ruling.reason


def results(state):
    return [(card.fields[-1].value, card.status) for card in GAME.scorecards(state)]


def test_a_mated_side_has_lost():
    state = play(GAME.start(SETUP), "f2-f3", "e7-e5", "g2-g4", "d8-h4")
    ended(state, "CH-5.1.1", "black")
    assert results(state) == [("0", "lost"), ("1", "won")]
    assert GAME.highlights(state) == {"check": ("e1",)}


def test_a_side_without_a_move_that_is_not_in_check_draws():
    state = fen("k7/2Q5/8/8/8/8/8/K7 b - - 0 1")
    ended(state, "CH-5.2.1")
    assert results(state) == [("½", "draw"), ("½", "draw")]


@pytest.mark.parametrize(
    "men",
    [
        "k7/8/8/8/8/8/8/K7",
        "k7/8/8/8/8/8/8/KN6",
        "kn6/8/8/8/8/8/8/K7",
        "k7/8/8/8/8/8/8/KB6",
        "k6b/8/8/8/8/8/8/K1B5",
    ],
)
def test_too_few_men_to_mate_is_a_draw(men):
    ended(fen(f"{men} w - - 0 1"), "CH-5.2.2")


@pytest.mark.parametrize(
    "men",
    [
        "k7/8/8/8/8/8/8/KBN5",
        "k7/8/8/8/8/8/8/KNN5",
        "kn6/8/8/8/8/8/8/KN6",
        "k6b/8/8/8/8/8/8/KB6",
        "k7/8/8/8/8/8/7P/K7",
        "k7/8/8/8/8/8/8/K6R",
    ],
)
def test_where_a_mate_can_be_thought_of_the_game_goes_on(men):
    assert GAME.outcome(fen(f"{men} w - - 0 1")) is None


# -- repetition --------------------------------------------------------------------------


def test_the_third_time_a_draw_may_be_claimed():
    state = play(GAME.start(SETUP), *KNIGHTS)
    assert "claim=repetition" not in said(state)
    ruling = GAME.judge(state, read_action("claim=repetition"))
    assert (ruling.allowed, ruling.rule) == (False, "CH-9.2.1")
    assert "2 of the 3" in ruling.reason
    state = play(state, *KNIGHTS)
    assert GAME.outcome(state) is None
    assert "claim=repetition" in said(state)
    assert GAME.judge(state, read_action("claim=repetition")).allowed
    ended(play(state, "claim=repetition"), "CH-9.2.1")


def test_the_move_that_brings_the_third_time_may_be_declared():
    state = play(GAME.start(SETUP), *KNIGHTS, *KNIGHTS[:3])
    assert {text for text in said(state) if "claim" in text} == {"claim=repetition f6-g8"}
    assert not GAME.judge(state, read_action("claim=repetition f6-d5")).allowed
    after = play(state, "claim=repetition f6-g8")
    ended(after, "CH-9.2.1")
    assert GAME.expect(after)["f6"] == "black N"


def test_the_fifth_time_ends_the_game():
    state = play(GAME.start(SETUP), *KNIGHTS * 3)
    assert GAME.outcome(state) is None
    ended(play(state, *KNIGHTS), "CH-9.6.1")


def test_by_the_option_the_third_time_ends_the_game():
    state = play(GAME.start(AUTOMATIC), *KNIGHTS)
    assert GAME.outcome(state) is None
    ended(play(state, *KNIGHTS), "CH-9.2.1")


def test_a_lost_right_to_castle_makes_another_position():
    state = fen("r3k3/8/8/8/8/8/8/4K2R w K - 0 1")
    turn = ("e1-f1", "e8-f8", "f1-e1", "f8-e8")
    state = play(state, *turn, *turn)
    assert "claim=repetition" not in said(state)
    assert "claim=repetition" in said(play(state, *turn))


def test_a_pawn_that_can_be_taken_in_passing_makes_another_position():
    turn = ("e1-f1", "e8-f8", "f1-e1", "f8-e8")
    live = fen("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1")
    assert "claim=repetition" not in said(play(live, *turn, *turn))
    nobody = fen("4k3/8/8/3p4/8/4P3/8/4K3 w - d6 0 1")
    assert "claim=repetition" in said(play(nobody, *turn, *turn))


def test_a_pinned_pawn_that_cannot_take_in_passing_makes_no_other_position():
    state = fen("4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 1")
    turn = ("e1-e2", "h8-g8", "e2-e1", "g8-h8")
    assert "claim=repetition" in said(play(state, *turn, *turn))


# -- fifty and seventy-five moves --------------------------------------------------------

QUIET = "4k3/8/8/7p/8/8/8/R3K3 {side} - - {count} 90"


def test_after_fifty_quiet_moves_a_draw_may_be_claimed():
    state = fen(QUIET.format(side="w", count=100))
    assert "claim=fifty" in said(state)
    assert GAME.outcome(state) is None
    ended(play(state, "claim=fifty"), "CH-9.3.1")


def test_the_move_that_makes_it_fifty_may_be_declared():
    state = fen(QUIET.format(side="b", count=99))
    assert "claim=fifty" not in said(state)
    assert "claim=fifty e8-e7" in said(state)
    assert "claim=fifty h5-h4" not in said(state)
    ended(play(state, "claim=fifty e8-e7"), "CH-9.3.1")


def test_a_capture_declared_is_no_quiet_move():
    state = fen("4k3/8/8/8/8/8/7p/R3K2R w - - 99 90")
    assert "claim=fifty h1-g1" in said(state)
    assert "claim=fifty h1-h2" not in said(state)


def test_before_fifty_moves_there_is_nothing_to_claim():
    ruling = GAME.judge(fen(QUIET.format(side="w", count=98)), read_action("claim=fifty"))
    assert (ruling.allowed, ruling.rule) == (False, "CH-9.3.1")
    assert "49 of the 50" in ruling.reason


def test_seventy_five_quiet_moves_end_the_game():
    state = fen(QUIET.format(side="w", count=149))
    assert GAME.outcome(state) is None
    ended(play(state, "e1-e2"), "CH-9.6.2")


def test_a_mate_on_the_last_of_the_moves_still_wins():
    state = fen("7k/8/6K1/8/8/8/8/R7 w - - 149 90")
    ended(play(state, "a1-a8"), "CH-5.1.1", "white")


def test_by_the_option_the_fiftieth_move_ends_the_game():
    state = fen(QUIET.format(side="w", count=99), AUTOMATIC)
    assert GAME.outcome(state) is None
    ended(play(state, "e1-e2"), "CH-9.3.1")


def test_a_capture_or_a_pawn_starts_the_count_again():
    state = fen("4k3/8/8/8/7p/8/8/4K2R w - - 40 60")
    assert play(state, "e1-e2").halfmoves == 41
    assert play(state, "h1-h4").halfmoves == 0
    assert play(state, "e1-e2", "h4-h3").halfmoves == 0


# -- what is said ------------------------------------------------------------------------


@pytest.mark.parametrize(("seat", "winner"), [("white", "black"), ("black", "white")])
def test_a_player_may_resign_at_any_time(seat, winner):
    state = GAME.start(SETUP)
    assert GAME.effect(state, read_action(f"resign={seat}")).seat == seat
    ended(play(state, f"resign={seat}"), "CH-5.1.2", winner)


def test_who_resigns_must_be_said():
    ruling = GAME.judge(GAME.start(SETUP), read_action("resign"))
    assert (ruling.allowed, ruling.rule) == (False, "CH-5.1.2")
    assert GAME.effect(GAME.start(SETUP), read_action("resign")).seat == "white"


def test_a_draw_is_agreed_after_both_have_moved():
    state = play(GAME.start(SETUP), "e2-e4")
    ruling = GAME.judge(state, read_action("agree"))
    assert (ruling.allowed, ruling.rule) == (False, "CH-5.2.3")
    ended(play(state, "e7-e5", "agree"), "CH-5.2.3")


def test_a_claim_names_what_is_claimed():
    ruling = GAME.judge(GAME.start(SETUP), read_action("claim=luck"))
    assert (ruling.allowed, ruling.rule) == (False, "CH-9.2.1")
    assert "fifty moves" in ruling.reason


def test_a_fallen_flag_loses():
    state = play(GAME.start(TIMED), "e2-e4")
    assert {"flag=white", "flag=black"} <= said(state)
    ended(play(state, "flag=black"), "CH-6.9", "white")


def test_a_fallen_flag_draws_against_a_side_that_cannot_mate():
    state = fen("4k3/8/8/7p/8/8/8/4K3 w - - 0 1", TIMED)
    ended(play(state, "flag=black"), "CH-6.9")
    ended(play(state, "flag=white"), "CH-6.9", "black")


def test_without_a_clock_no_flag_falls():
    state = GAME.start(SETUP)
    assert "without a clock" in GAME.judge(state, read_action("flag=white")).reason
    assert "Say whose" in GAME.judge(GAME.start(TIMED), read_action("flag")).reason


@pytest.mark.parametrize(
    ("white", "black", "possible"),
    [
        ("K7", "k7", False),
        ("KQ6", "k7", True),
        ("KN6", "k6q", False),
        ("KN6", "k6r", True),
        ("KN6", "k6n", True),
        ("KNN5", "k7", True),
        ("KB6", "k6r", False),
        ("KB6", "k6n", True),
        ("KB6", "k6b", True),
        ("KB6", "k5b1", False),
        ("KBN5", "k7", True),
    ],
)
def test_who_could_still_mate_with_help(white, black, possible):
    assert can_mate(fen(f"{black}/8/8/8/8/8/8/{white} w - - 0 1").squares, 0) is possible


def test_each_side_has_the_minutes_agreed_and_seconds_for_every_move() -> None:
    agreed = GAME.setup(options={"minutes": "5", "increment": "3"})
    assert GAME.limits(agreed) == Limits(phases=(TimePhase(300.0, increment=3.0),))
    phases = (TimePhase(5400.0, increment=30.0, moves=40), TimePhase(1800.0, increment=3.0))
    longer = GAME.setup(options={"minutes": "40 / 90 + 30, 30", "increment": "3"})
    assert GAME.limits(longer) == Limits(phases=phases)
    assert longer["minutes"] == "40/90+30,30"
    assert not GAME.limits(GAME.setup())
