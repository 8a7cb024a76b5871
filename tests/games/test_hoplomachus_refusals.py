"""Hoplomachus: Victorum refuses: which rule, and what on the table decides it."""

from __future__ import annotations

import pytest

from companion.games.hoplomachus import GAME
from companion.games.hoplomachus import state as s
from companion.games.hoplomachus.cards import HERO, LIEUTENANT, by_kind, invented
from companion.games.hoplomachus.state import HoplomachusState
from companion.rules import Action
from tests.checks.mountain_play import SETUP, a_card, dice, play, refused

# -- camps ---------------------------------------------------------------------------------------


def test_where_a_primus_is_left_alone_no_card_is_faced(ready):
    bare = ready._replace(chip=4, stage=s.ACT, piles=((),) * 9)
    assert refused(bare, "activate", "HV-5.3") == (
        "No card is left here; only the primus can be fought."
    )


def test_no_enemy_comes_from_a_camp_without_cards(ready):
    caller = a_card("sport", plus=1)
    there = ready._replace(piles=((caller,), ("Wolf",), *((),) * 7))
    state = play(there, "move 1.1", "activate")
    assert refused(state, "add 2.1", "HV-5.7") == "No card lies in camp 1 of row 2."


def test_what_lies_in_an_empty_camp_is_neither_discarded_nor_opened(ready):
    bare = ready._replace(piles=((), *ready.piles[1:]))
    assert refused(bare, "toss 1.1", "HV-15.1") == "No card lies in camp 1 of row 1."
    assert refused(bare, "top 1.1 Wolf", "HV-2.1") == "No card lies in camp 1 of row 1."


def test_which_card_lies_open_is_not_told_in_a_fight(fight):
    state = fight("Bear")
    hidden = state.piles[0][0]
    assert "Which card lies open is told before a move" in refused(
        state, f"top 1.1 {hidden}", "HV-4.1"
    )


# -- dice ----------------------------------------------------------------------------------------


def test_a_red_die_never_shows_a_blank(fight):
    rolling = play(fight("Bear", reserve=dice(green=1, red=1)), "engage green red")
    assert refused(rolling, "roll green=hit red=blank", "HV-1.3") == "The red die has no blank."
    rolled = play(rolling, "roll green=hit red=hit")
    assert refused(rolled, "reroll red=hit>blank", "HV-1.3") == "The red die has no blank."


def test_a_die_is_rolled_again_from_what_it_shows_to_something_else(fight):
    rolled = play(fight("Bear", reserve=dice(green=1)), "engage green", "roll green=hit")
    assert refused(rolled, "reroll green=hit>hit", "HV-15.1").endswith("not to the same.")
    assert refused(rolled, "reroll green=crit>hit", "HV-15.1") == (
        "No active green die shows a crit."
    )


def test_a_hit_that_no_die_shows_is_not_kept(fight):
    state = fight("Bear", reserve=dice(green=1), strategy=3)
    state = state._replace(options=(*state.options, ("keep_hits", "yes")))
    again = play(state, "engage green", "roll green=hit", "done", "engage")
    assert refused(again, "hold green=crit", "HV-6.2") == "No active green die shows a crit."


def test_a_die_does_not_move_to_where_it_lies(ready):
    assert refused(ready, "shift red reserve>reserve", "HV-15.1") == "The die lies there already."


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        (
            "reinforce red reserve",
            "has no die stronger than the red die; it holds yellow: 2, green: 2",
        ),
        (
            "weaken yellow reserve",
            "has no die weaker than the yellow die; it holds yellow: 2, green: 2",
        ),
        ("reinforce red exhausted", "No red die lies among the exhausted dice."),
    ],
)
def test_a_die_is_exchanged_for_one_that_is_in_training(ready, told: str, reason: str):
    assert reason in refused(ready, told, "HV-8.3")


# -- cards ---------------------------------------------------------------------------------------


def test_only_an_opportunity_has_a_condition(ready):
    assert refused(ready, "fulfil Rally", "HV-8.6") == (
        "Rally is no Opportunity and has no condition."
    )


def test_before_a_hero_is_chosen_no_primus_lies_under_a_camp():
    state = GAME.start(SETUP)
    assert "tucked under camps once a hero is chosen" in refused(
        state, f"tuck {state.offered[0]}>2.1", "HV-2.4"
    )


def revealed(state: HoplomachusState) -> tuple[str, str, str]:
    """Return two heroes that lie on the table and one of the deck that does not."""
    other = next(name for name in by_kind(invented(), HERO) if name not in state.offered)
    return state.offered[0], state.offered[1], other


def test_another_hero_is_revealed_for_one_that_lies_there():
    state = GAME.start(SETUP)
    first, second, other = revealed(state)
    assert play(state, f"reveal {first}>{other}").offered[0] == other
    assert "lies there already" in refused(state, f"reveal {first}>{second}", "HV-3.3")
    assert "no hero of this deck" in refused(state, f"reveal {first}>Wolf", "HV-3.3")
    assert "not among the heroes revealed" in refused(state, f"reveal {other}>{first}", "HV-3.3")


def test_another_lieutenant_is_a_lieutenant():
    state = GAME.start(SETUP)
    other = next(name for name in by_kind(invented(), LIEUTENANT) if name != state.lieutenant)
    assert play(state, f"lieutenant {other}").lieutenant == other
    assert "is no lieutenant" in refused(state, "lieutenant Wolf", "HV-3.1")
    assert "lies there already" in refused(state, f"lieutenant {state.lieutenant}", "HV-3.1")


@pytest.mark.parametrize("verb", [*GAME.words, "move", "place", "dance"])
def test_what_cannot_be_written_as_an_action_is_refused_like_any_other(verb, ready):
    stands = {*GAME.legal(ready), *GAME.claims(ready)}
    for detail in ("", "x", "1", "1.1", "A>B", "green=hit active", "green=hit"):
        for ends in ({}, {"origin": "1.1"}, {"target": "1.1"}):
            action = Action(verb, detail=detail, **ends)
            ruling = GAME.judge(ready, action)
            assert ruling.reason
            assert ruling.allowed == (action in stands)
