"""The Token, Check, captured armies, and how HexiMeros ends."""

from __future__ import annotations

from types import ModuleType

import pytest

from companion.games.heximeros import GAME
from companion.rules import Action, IllegalAction

TOKEN = Action("token")


def test_silver_begins_and_the_token_goes_to_the_left(hx: ModuleType) -> None:
    state = GAME.start(GAME.setup())
    order = []
    for _ in range(7):
        order.append(GAME.to_move(state))
        state = hx.play(state, GAME.legal(state)[0], "token")
    assert order == ["silver", "blue", "yellow", "orange", "green", "red", "silver"]


def test_a_piece_has_to_move_before_the_token_is_passed(hx: ModuleType) -> None:
    state = hx.lay("silver R 0 5")
    ruling, example = hx.judged(state, "token"), GAME.legal(state)[0]
    assert (ruling.allowed, ruling.rule) == (False, "HX-3.2")
    assert ruling.spots == (example.origin, example.target)
    assert ruling.reason == f"Silver has to move before it passes the Token, for example {example}."
    moved = hx.play(state, hx.move((0, 5), (0, 4)))
    assert GAME.legal(moved) == [TOKEN]
    assert GAME.to_move(moved) == "silver"
    assert hx.allowed(moved, "token") == "HX-3.1"
    assert GAME.to_move(hx.play(moved, "token")) == "blue"


def test_one_moves_once_with_ones_own_pieces_in_ones_own_turn(hx: ModuleType) -> None:
    state = hx.lay("silver R 0 5; blue R 3 3")
    assert hx.refused(state, hx.move((3, 3), (3, 4))) == ("HX-3.1", ((3, 3),))
    assert hx.refused(state, hx.move((5, 5), (5, 4))) == ("HX-3.1", ((5, 5),))
    moved = hx.play(state, hx.move((0, 5), (0, 4)))
    assert hx.refused(moved, hx.move((0, 4), (0, 3))) == ("HX-3.1", ((0, 4),))
    with pytest.raises(IllegalAction):
        GAME.apply(moved, hx.move((0, 13), (0, 12)))


def test_nobody_captures_his_own_sides_pieces(hx: ModuleType) -> None:
    state = hx.lay("silver R 0 5; silver C 0 3; red C 2 5")
    assert hx.refused(state, hx.move((0, 5), (0, 3))) == ("HX-3.3", ((0, 3),))
    assert hx.allowed(state, hx.move((0, 5), (2, 5))) == "HX-3.3"


LOCKED = "silver S 6 10; silver M 5 10; silver M 6 9; silver M 4 11; silver M 5 9; " + "; ".join(
    f"blue D {q} {r}" for q, r in ((6, 8), (4, 10), (5, 8))
)
"""Silver's Sovereign among Militants that stand before pieces which only block."""


def test_an_army_that_cannot_move_passes_the_token(hx: ModuleType) -> None:
    state = hx.lay(LOCKED, out="blue", fallen="block")
    assert GAME.legal(state) == [TOKEN]
    assert hx.allowed(state, "token") == "HX-3.2"
    passed = hx.play(state, "token")
    assert GAME.to_move(passed) == "yellow"
    assert hx.standing(passed, (6, 10)) == "silver S"


def test_an_army_that_cannot_move_is_out_where_that_is_agreed(hx: ModuleType) -> None:
    state = hx.lay(LOCKED, out="blue", fallen="block", no_move="out")
    assert GAME.legal(state) == [TOKEN]
    after = hx.play(state, "token")
    assert hx.standing(after, (6, 10)) is None
    assert GAME.scorecards(after)[0].status == "out"
    moved = hx.lay("silver R 0 5", no_move="out")
    kept = hx.play(moved, hx.move((0, 5), (0, 4)), "token")
    assert hx.standing(kept, (0, 13)) == "silver S"


# -- Check ----------------------------------------------------------------------------------------


def checked(hx: ModuleType, **options: str) -> object:
    """Return the position after Silver's Regent has come to face Yellow's Sovereign."""
    state = hx.lay("silver R -6 6; yellow S -6 -2; yellow M -10 4", **options)
    return hx.play(state, hx.move((-6, 6), (-6, 3)))


def test_check_exists_only_if_it_is_declared(hx: ModuleType) -> None:
    state = checked(hx)
    assert GAME.highlights(state) == {}
    assert Action("check", detail="yellow") in GAME.claims(state)
    assert hx.allowed(state, "check=yellow") == "HX-3.4"
    told = hx.play(state, "check=yellow")
    assert GAME.highlights(told) == {"check": (hx.spot(-6, -2),)}
    assert GAME.scorecards(told)[2].status == "in Check"
    assert hx.refused(told, "check=yellow") == ("HX-3.4", ((-6, -2),))


def test_the_pieces_that_give_check_prove_it(hx: ModuleType) -> None:
    ruling = hx.judged(checked(hx), "check=yellow")
    assert ruling.spots == (hx.spot(-6, -2), hx.spot(-6, 3))


def test_nothing_is_declared_upon_a_sovereign_that_is_safe_or_gone(hx: ModuleType) -> None:
    state = checked(hx)
    assert hx.refused(state, "check=red") == ("HX-3.4", ((13, 0),))
    gone = hx.lay("silver R 0 5", out="red")
    assert hx.refused(gone, "check=red") == ("HX-3.4", ())


def test_check_may_be_declared_upon_the_player_with_the_move(hx: ModuleType) -> None:
    state = hx.lay("silver S 0 5; red R 0 0; blue Ar 5 0; green D 3 5; yellow C 1 1")
    ruling = hx.judged(state, "check=silver")
    assert ruling.allowed
    assert hx.spot(0, 0) in ruling.spots


def test_shots_and_sweeps_give_check_too(hx: ModuleType) -> None:
    state = hx.lay("silver S 0 5; red Ar 0 0; green D 3 5; orange D -2 5; blue D 0 12")
    ruling = hx.judged(state, "check=silver")
    assert set(ruling.spots) == {hx.spot(*cell) for cell in ((0, 5), (0, 0), (3, 5), (-2, 5))}


def test_a_declared_check_need_not_be_answered(hx: ModuleType) -> None:
    state = hx.play(checked(hx), "check=yellow", "token")
    state = hx.play(state, hx.move((-13, 13), (-12, 12)), "token")
    after = hx.play(state, hx.move((-10, 4), (-9, 4)), "token")
    assert GAME.highlights(after) == {}, "it stood for one turn"


def test_a_binding_check_has_to_be_answered(hx: ModuleType) -> None:
    state = hx.play(checked(hx, check="binding"), "check=yellow", "token")
    state = hx.play(state, hx.move((-13, 13), (-12, 12)), "token")
    rule, spots = hx.refused(state, hx.move((-10, 4), (-9, 4)))
    assert (rule, spots) == ("HX-3.4", ((-6, -2), (-6, 3)))
    assert all(action.origin == hx.spot(-6, -2) for action in GAME.legal(state))
    assert hx.allowed(state, hx.move((-6, -2), (-5, -2))) == "HX-4.2"


def test_a_binding_check_without_an_answer_leaves_every_move(hx: ModuleType) -> None:
    circle = [(0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1), (1, 0), (1, 1), (2, -1), (1, -2),
              (-1, -1), (-2, 1), (-1, 2)]  # fmt: skip
    own = "; ".join(f"yellow C {q - 6} {r}" for q, r in circle[6:])
    state = hx.lay(f"silver R -6 6; yellow S -6 0; silver R 0 0; silver P 12 2; "
                   f"silver Al -6 8; {own}", check="binding")  # fmt: skip
    state = hx.play(state, hx.move((-6, 6), (-6, 5)), "check=yellow", "token")
    state = hx.play(state, hx.move((-13, 13), (-12, 12)), "token")
    attacked = GAME.legal(state)
    assert attacked
    assert {GAME.judge(state, action).allowed for action in attacked} == {True}


# -- captured armies ------------------------------------------------------------------------------

DUEL = "silver R 0 5; yellow S 0 1; yellow C 4 1; orange R 6 1; blue M -6 9; silver M 2 9"


def test_a_captured_sovereigns_army_stays_out_of_play(hx: ModuleType) -> None:
    state = hx.play(hx.lay(DUEL), hx.move((0, 5), (0, 1)), "token")
    assert hx.standing(state, (4, 1)) == "yellow C"
    assert hx.refused(state, hx.move((4, 1), (5, 3)))[0] == "HX-5.3"
    state = hx.play(state, hx.move((-13, 13), (-12, 12)), "token")
    assert GAME.to_move(state) == "orange", "Yellow's turn is left out"
    assert hx.allowed(state, hx.move((6, 1), (4, 1))) == "HX-3.3"


def test_an_army_out_of_play_may_only_block(hx: ModuleType) -> None:
    state = hx.lay(DUEL, fallen="block")
    state = hx.play(state, hx.move((0, 5), (0, 1)), "token")
    state = hx.play(state, hx.move((-13, 13), (-12, 12)), "token")
    assert hx.refused(state, hx.move((6, 1), (4, 1))) == ("HX-5.3", ((4, 1),))
    assert hx.refused(state, hx.move((6, 1), (3, 1))) == ("HX-4.2", ((4, 1),))


def test_a_dreadnaught_does_not_sweep_what_only_blocks(hx: ModuleType) -> None:
    state = hx.lay("silver D 0 6; yellow C 0 4", out="yellow", fallen="block")
    assert hx.refused(state, hx.move((0, 6), (0, 2))) == ("HX-5.3", ((0, 4),))


# -- leaving, and the end -------------------------------------------------------------------------


def test_who_resigns_takes_his_sovereign_off_and_leaves_his_army(hx: ModuleType) -> None:
    state = hx.play(hx.lay("silver R 0 5"), "resign")
    assert hx.standing(state, (0, 13)) is None
    assert hx.standing(state, (0, 5)) == "silver R"
    assert GAME.to_move(state) == "blue"
    card = GAME.scorecards(state)[0]
    assert (card.status, card.fields[4].value) == ("out", "resigned")


def test_others_concede_and_the_table_expels(hx: ModuleType) -> None:
    state = hx.lay("silver R 0 5")
    assert hx.allowed(state, "resign") == "HX-5.5"
    assert hx.allowed(state, "expel=silver") == "HX-5.5"
    assert hx.allowed(state, "concede=red") == "HX-5.5"
    assert hx.refused(state, "concede=silver")[0] == "HX-5.5"
    state = hx.play(state, "concede=red", "expel=green")
    assert GAME.to_move(state) == "silver"
    assert hx.refused(state, "concede=red")[0] == "HX-5.5"
    assert hx.refused(state, "expel=green")[0] == "HX-5.5"
    state = hx.play(state, "expel=silver")
    assert GAME.to_move(state) == "blue"


def test_the_last_player_with_a_sovereign_wins(hx: ModuleType) -> None:
    state = hx.lay("silver R 0 -5", out="blue yellow green red")
    state = hx.play(state, hx.move((0, -5), (0, -13)))
    assert GAME.outcome(state) is None, "the move may still be taken back"
    state = hx.play(state, "token")
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert (outcome.winners, outcome.rule) == (("silver",), "HX-5.4")
    assert list(GAME.legal(state)) == list(GAME.claims(state)) == []
    assert GAME.to_move(state) is None
    assert GAME.highlights(state) == {}
    assert hx.refused(state, "token")[0] == "HX-5.4"
    assert [card.status for card in GAME.scorecards(state)] == ["won"] + ["out"] * 5


def test_the_last_two_may_agree_that_neither_can_win(hx: ModuleType) -> None:
    state = hx.lay("silver R 0 5")
    assert hx.refused(state, "draw")[0] == "HX-5.4"
    state = hx.lay("silver R 0 5", out="blue yellow green red")
    assert hx.allowed(state, "draw") == "HX-5.4"
    state = hx.play(state, "draw")
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.winners == ()
    assert [card.status for card in GAME.scorecards(state)][::3] == ["draw", "draw"]


def test_a_resignation_may_end_the_game(hx: ModuleType) -> None:
    state = hx.play(hx.lay("silver R 0 5", out="blue yellow green red"), "resign")
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.winners == ("orange",)


def test_nonsense_is_no_action(hx: ModuleType) -> None:
    state = hx.lay("silver R 0 5")
    for action in (Action("dance"), Action("check", detail="pink"), Action("resign", detail="x"),
                   Action("check"), Action("expel", "a1", None, "red"),
                   Action("move", "z99", "a1")):  # fmt: skip
        assert not hx.judged(state, action).allowed
    assert hx.refused(state, hx.place((0, 0), "R"))[0] == "HX-5.2"
