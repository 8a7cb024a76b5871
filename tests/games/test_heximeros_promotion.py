"""Promotion, hats, and resurrection in HexiMeros."""

from __future__ import annotations

from types import ModuleType

import pytest

from companion.games.heximeros import GAME
from companion.games.heximeros.state import NEW_TURN

CAPITALS = {"R", "As", "Ar", "P", "Al", "C", "D"}


def details(state: object, origin: str, target: str) -> set[str]:
    return {a.detail for a in GAME.legal(state) if (a.origin, a.target) == (origin, target)}


def test_on_its_center_line_a_militant_may_be_promoted_or_is_hatted(hx: ModuleType) -> None:
    state = hx.lay("silver M 2 0")
    there = hx.spot(2, 0), hx.spot(2, -1)
    assert details(state, *there) == {"", *CAPITALS}
    assert hx.allowed(state, hx.move((2, 0), (2, -1), "As")) == "HX-5.1"
    promoted = hx.play(state, hx.move((2, 0), (2, -1), "As"))
    assert hx.standing(promoted, (2, -1)) == "silver As"
    assert GAME.effect(state, hx.move((2, 0), (2, -1), "As")).becomes == "silver As"
    hatted = hx.play(state, hx.move((2, 0), (2, -1)))
    assert hx.standing(hatted, (2, -1)) == "silver M+"


def test_before_its_center_line_a_militant_stays_what_it_is(hx: ModuleType) -> None:
    state = hx.lay("silver M 2 1")
    assert details(state, hx.spot(2, 1), hx.spot(2, 0)) == {""}
    assert hx.refused(state, hx.move((2, 1), (2, 0), "R")) == ("HX-5.1", ((2, 0),))
    assert hx.standing(hx.play(state, hx.move((2, 1), (2, 0))), (2, 0)) == "silver M"


def test_a_militant_becomes_a_sibling_but_no_sovereign(hx: ModuleType) -> None:
    state = hx.lay("silver M 2 0; silver R 5 5; silver M+ 4 0")
    assert hx.refused(state, hx.move((2, 0), (2, -1), "S"))[0] == "HX-5.1"
    assert hx.refused(state, hx.move((5, 5), (5, 4), "As"))[0] == "HX-5.1"
    assert hx.refused(state, hx.move((4, 0), (4, -1), "As"))[0] == "HX-5.2"


def test_a_militant_on_ground_zero_is_hatted_only_when_it_leaves(hx: ModuleType) -> None:
    state = hx.lay("silver M 0 1")
    there = hx.play(state, hx.move((0, 1), (0, 0)))
    assert hx.standing(there, (0, 0)) == "silver M"
    assert GAME.check(there) == ()
    off = hx.play(hx.lay("silver M 0 0"), hx.move((0, 0), (0, 2)))
    assert hx.standing(off, (0, 2)) == "silver M+"


def test_a_base_line_promotes_before_the_center_line(hx: ModuleType) -> None:
    g = hx.g
    q, r = next(g.AXIAL[c] for c in g.BASE_LINES[1] if g.depth(c, 0) > 2 and g.AXIAL[c][1] < 13)
    state = hx.lay(f"silver M {q + 1} {r}; red C {q} {r}")
    assert details(state, hx.spot(q + 1, r), hx.spot(q, r)) == {"", *CAPITALS}
    after = hx.play(state, hx.move((q + 1, r), (q, r)))
    assert hx.standing(after, (q, r)) == "silver M+"
    assert len(GAME.legal(after)) == 1, "a hat that is new is promoted no more"


def test_a_new_prelate_has_its_first_move_again(hx: ModuleType) -> None:
    state = hx.play(hx.lay("silver M 2 0; blue M -3 9"), hx.move((2, 0), (2, -1), "P"))
    state = state._replace(turn=NEW_TURN)
    assert (2, 0) in hx.ends(state, (2, -1))


# -- hats on a Base Line ---------------------------------------------------------------------------


def arrived(hx: ModuleType, more: str = "", out: str = "", **options: str) -> object:
    """Return the position after a silver hat has come to Orange's Base Line."""
    text = f"silver M+ 2 -13; orange S 6 -12; {more}"
    return hx.play(hx.lay(text, out=out, **options), hx.move((2, -13), (2, -14)))


def test_a_hat_moves_like_a_sovereign_and_stays_if_it_likes(hx: ModuleType) -> None:
    state = arrived(hx)
    assert hx.standing(state, (2, -14)) == "silver M+"
    assert GAME.highlights(state) == {"promotion": (hx.spot(2, -14),)}
    assert hx.allowed(state, "token") == "HX-3.1"
    assert GAME.highlights(hx.play(state, "token")) == {}


def test_a_hat_may_become_one_capital_of_its_own_in_its_place(hx: ModuleType) -> None:
    state = arrived(hx)
    assert hx.allowed(state, hx.place((2, -14), "R")) == "HX-5.2"
    after = hx.play(state, hx.place((2, -14), "R"))
    assert hx.standing(after, (2, -14)) == "silver R"
    assert hx.refused(state, hx.place((0, 13), "R"))[0] == "HX-5.2"
    assert hx.refused(state, hx.place((2, 12), "R")) == ("HX-5.2", ((2, -14),))


def test_a_hat_may_become_another_colours_piece_here_or_on_its_base_line(hx: ModuleType) -> None:
    state = arrived(hx)
    here = hx.play(state, hx.place((2, -14), "blue R"))
    assert hx.standing(here, (2, -14)) == "blue R"
    there = hx.play(state, hx.place((-16, 10), "blue R"))
    assert hx.standing(there, (-16, 10)) == "blue R"
    assert hx.standing(there, (2, -14)) is None
    assert len(GAME.legal(there)) == 1, "it was used up"
    assert hx.refused(state, hx.place((-13, 13), "blue R")) == ("HX-5.2", ((-13, 13),))
    rule, spots = hx.refused(state, hx.place((0, 0), "blue R"))
    assert rule == "HX-5.2"
    assert {(2, -14), (-16, 10)} <= set(spots)
    assert (-13, 13) not in spots


def test_a_hat_may_become_two_capitals(hx: ModuleType) -> None:
    state = hx.play(arrived(hx), hx.place((2, -14), "R"))
    for cell in ((0, -13), (-6, 16)):
        assert hx.allowed(state, hx.place(cell, "P")) == "HX-5.2"
    assert hx.allowed(state, hx.place((-16, 10), "blue P")) == "HX-5.2"
    assert hx.refused(state, hx.place((-16, 10), "P"))[0] == "HX-5.2"
    assert hx.refused(state, hx.place((0, 13), "P")) == ("HX-5.2", ((0, 13),))
    assert hx.refused(state, hx.place((-16, 10), "blue S"))[0] == "HX-5.2"
    both = hx.play(state, hx.place((0, -13), "P"))
    assert hx.standing(both, (0, -13)) == "silver P"
    assert hx.standing(both, (2, -14)) == "silver R"
    assert len(GAME.legal(both)) == 1


def test_a_sibling_takes_the_militants_place(hx: ModuleType) -> None:
    state = hx.play(arrived(hx), hx.place((2, -14), "blue R"))
    assert hx.refused(state, hx.place((0, -13), "P")) == ("HX-5.2", ((2, -14),))
    assert hx.allowed(state, hx.place((0, -13), "yellow P")) == "HX-5.2"


def test_a_second_piece_needs_its_sovereign_in_play(hx: ModuleType) -> None:
    state = hx.play(arrived(hx, out="blue"), hx.place((2, -14), "R"))
    assert hx.refused(state, hx.place((0, -13), "blue P"))[0] == "HX-5.2"


def test_both_of_two_new_capitals_are_of_armies_with_a_sovereign(hx: ModuleType) -> None:
    state = hx.play(arrived(hx, out="blue"), hx.place((2, -14), "blue R"))
    assert [GAME.format(action) for action in GAME.legal(state)] == ["token"]
    assert hx.refused(state, hx.place((0, -13), "yellow P")) == ("HX-5.2", ((2, -14),))
    reason = hx.judged(state, hx.place((0, -13), "yellow P")).reason
    assert reason.startswith(
        "The first piece, the blue Regent on s27, is of an army without a Sovereign"
    )
    assert GAME.highlights(state) == {}
    earlier = arrived(hx, out="blue", two_capitals="any")
    state = hx.play(earlier, hx.place((2, -14), "blue R"))
    assert hx.allowed(state, hx.place((0, -13), "yellow P")) == "HX-5.2"


def test_the_piece_has_to_be_named(hx: ModuleType) -> None:
    state = arrived(hx)
    for detail in ("", "X", "pink R", "M"):
        assert hx.refused(state, hx.place((2, -14), detail))[0] == "HX-5.2"


def test_a_captured_sovereign_is_resurrected_and_played_by_who_did_it(hx: ModuleType) -> None:
    state = arrived(hx, "blue R -8 8", out="blue")
    assert hx.allowed(state, hx.place((2, -14), "blue S")) == "HX-5.3"
    assert hx.refused(state, hx.place((2, -14), "red S")) == ("HX-5.3", ((13, 0),))
    assert hx.refused(state, hx.place((2, -14), "S")) == ("HX-5.3", ((0, 13),))
    after = hx.play(state, hx.place((-13, 13), "blue S"), "token")
    assert hx.standing(after, (-13, 13)) == "blue S"
    assert hx.standing(after, (2, -14)) is None
    assert GAME.to_move(after) == "silver", "in Blue's turn"
    assert GAME.scorecards(after)[0].fields[0].value == "silver, blue"
    moved = hx.play(after, hx.move((-8, 8), (-7, 8)), "token")
    assert GAME.to_move(moved) == "yellow"


def test_two_armies_of_one_player_do_not_capture_each_other(hx: ModuleType) -> None:
    state = arrived(hx, "blue R -8 8; silver C -4 8; red C -8 12", out="blue")
    state = hx.play(state, hx.place((-13, 13), "blue S"), "token")
    assert hx.refused(state, hx.move((-8, 8), (-4, 8))) == ("HX-3.3", ((-4, 8),))
    assert hx.allowed(state, hx.move((-8, 8), (-8, 12))) == "HX-3.3"


def test_who_plays_two_armies_is_in_until_both_sovereigns_are_gone(hx: ModuleType) -> None:
    state = arrived(hx, "yellow R 0 4; yellow Al -13 5", out="blue")
    state = hx.play(state, hx.place((-13, 13), "blue S"), "token")
    state = hx.play(state, hx.move((-13, 13), (-12, 12)), "token")
    state = hx.play(state, hx.move((0, 4), (0, 13)), "token")
    card = GAME.scorecards(state)[0]
    assert (card.fields[0].value, card.fields[3].value) == ("blue", "1")
    resigned = hx.play(state, "concede=silver")
    assert GAME.scorecards(resigned)[0].status == "out"
    assert hx.standing(resigned, (-12, 12)) is None


@pytest.mark.parametrize("word", ["expel", "concede"])
def test_who_leaves_takes_both_sovereigns_off(hx: ModuleType, word: str) -> None:
    state = arrived(hx, out="blue")
    state = hx.play(state, hx.place((2, -14), "blue S"), "token")
    state = hx.play(state, hx.move((2, -14), (2, -13)), "token", f"{word}=silver")
    assert hx.standing(state, (0, 13)) is None
    assert hx.standing(state, (2, -13)) is None
