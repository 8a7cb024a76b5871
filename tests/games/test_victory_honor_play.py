"""Victory & Honor, turn by turn: who plays, where, and which card."""

from __future__ import annotations

from types import ModuleType

import pytest

from companion.games.victory_honor import GAME
from companion.rules import Action

# Hands for tests that need them: south has red, west blue, north black, east yellow, and each
# the generals of another colour, so that nobody is without one.
HANDS = ("r1234567 bABC", "b1234567 kABC", "k1234567 yABC", "y1234567 rABC")


def allowed(cards: ModuleType, state, *texts: str) -> list[str]:
    return [text for text in texts if cards.ruling(state, text).startswith("allowed")]


# -- whose turn it is ------------------------------------------------------------------------


@pytest.mark.parametrize(("position", "onward"), [("L", "west"), ("C", "north"), ("R", "east")])
def test_the_position_tells_who_plays_next(cards: ModuleType, position: str, onward: str) -> None:
    state = cards.laid(f"south.{position}=red3")
    assert GAME.to_move(state) == onward


def test_only_the_leader_begins(cards: ModuleType) -> None:
    state = cards.laid("")
    assert GAME.to_move(state) == "south"
    assert cards.ruling(state, "west.L=red3") == "refused VH-3.2"
    assert GAME.to_move(GAME.start(GAME.setup(["north", "east", "south", "west"]))) == "north"


def test_nobody_plays_out_of_turn_or_on_another_board(cards: ModuleType) -> None:
    state = cards.laid("south.L=red3")
    assert cards.ruling(state, "north.C=blue3") == "refused VH-2.3"
    assert cards.ruling(state, "south.C=blue3") == "refused VH-2.3"
    assert cards.ruling(state, "west.C=blue3") == "allowed VH-6.3"


def test_a_taken_position_takes_no_second_card(cards: ModuleType) -> None:
    state = cards.laid("south.L=red3 west.R=blue3")
    assert cards.ruling(state, "south.L=red4") == "refused VH-2.3"


def test_a_card_lies_once_and_stays_where_it_is(cards: ModuleType) -> None:
    state = cards.laid("south.L=red3")
    assert cards.ruling(state, "west.C=red3") == "refused VH-1.1"
    for action in (
        Action("move", "south.L", "west.C"),
        Action("place", None, "west.C", "green 3"),
        Action("place", None, "west.X", "blue 3"),
        Action("place", "south.L", "west.C", "blue 3"),
        Action("dance"),
        Action("gather", detail="now"),
    ):
        found = GAME.judge(state, action)
        assert (found.allowed, found.rule in ("VH-1.1", "VH-1.4", "VH-3.1")) == (False, True)


# -- which position --------------------------------------------------------------------------


def test_the_position_of_the_player_before_is_barred(cards: ModuleType) -> None:
    state = cards.laid("south.L=red3")
    assert cards.ruling(state, "west.L=red4") == "refused VH-5.2"
    assert cards.ruling(state, "west.L=back") == "refused VH-5.2"
    found = GAME.judge(state, Action("place", None, "west.L", "red 4"))
    assert found.spots == ("west.L", "south.L")


def test_by_an_option_the_facing_position_is_barred(cards: ModuleType) -> None:
    state = cards.laid("south.L=red3", same_field="facing")
    assert cards.ruling(state, "west.R=blue4") == "refused VH-5.2"
    assert cards.ruling(state, "west.L=red4") == "allowed VH-6.1"
    state = cards.laid("south.C=red3", same_field="facing")
    assert cards.ruling(state, "north.C=red4") == "refused VH-5.2"


def test_an_opening_is_not_sacrificed_while_another_position_is_left(cards: ModuleType) -> None:
    # South holds red and blue only, and both are open.
    state = cards.with_hands("r123456 b1234", "r7ABC b567ABC", "k1234567ABC", "y1234567ABC")
    state = cards.laid("south.L=red1 west.C=blue5 east.L=back", state)
    assert GAME.to_move(state) == "south"
    assert cards.ruling(state, "south.R=back") == "refused VH-5.3"
    found = GAME.judge(state, Action("place", None, "south.R", "back"))
    assert found.spots == ("south.R", "south.C")
    assert cards.ruling(state, "south.R=red2") == "refused VH-5.3"
    assert {a.target for a in GAME.legal(state)} == {"south.C"}


SOUTH_IS_FULL = (
    "south.C=yellowG1 north.L=red2 east.R=blue6 north.C=yellowG2 south.L=redG2 west.R=blue1"
    " south.R=blue7"
)


def test_the_turn_is_passed_to_a_board_with_room(cards: ModuleType) -> None:
    state = cards.laid(SOUTH_IS_FULL)
    assert cards.ruling(state, "east.L=back") == "refused VH-5.4"
    assert cards.ruling(state, "east.L=red1") == "refused VH-5.4"
    assert {action.target for action in GAME.legal(state)} == {"east.C"}
    found = GAME.judge(state, Action("place", None, "east.L", "red 1"))
    assert found.spots == ("east.L", "east.C")


# -- the end of regular order ----------------------------------------------------------------

BROKEN_OFF = (
    "south.R=blackG1 east.L=blue1 south.C=yellow5 north.R=black3 west.C=yellow3 east.R=black2"
    " north.C=yellow1 south.L=back west.L=blue7"
)


def test_regular_order_ends_where_only_full_boards_could_follow(cards: ModuleType) -> None:
    state = cards.laid(BROKEN_OFF.rpartition(" ")[0])
    assert (GAME.to_move(state), state.phase.filling) == ("west", False)
    # Of L and R he must leave L, as South chose it; from R the turn would come to South's full
    # board. So regular order ends with him, and he fills both.
    assert {action.target for action in GAME.legal(state)} == {"west.L", "west.R"}
    state = cards.laid("west.L=blue7", state)
    assert (GAME.to_move(state), state.phase.filling) == ("west", True)
    told = "Regular order has ended; all empty positions are filled in turn."
    assert told in GAME.situation(state)


def test_each_board_is_filled_before_the_next_clockwise(cards: ModuleType) -> None:
    state = cards.laid(BROKEN_OFF)
    assert GAME.to_move(state) == "west"
    assert cards.ruling(state, "north.L=back") == "refused VH-8.1"
    state = cards.laid("west.R=black4 north.L=blue2 east.C=yellow7", state)
    assert (state.stage, state.phase.turn) == ("reveal", -1)


def test_while_boards_are_filled_the_rules_for_cards_hold(cards: ModuleType) -> None:
    state = cards.laid(BROKEN_OFF)
    assert cards.ruling(state, "west.R=black4") == "allowed VH-6.1"
    assert cards.ruling(state, "west.R=back") == "allowed VH-6.2"
    assert cards.ruling(state, "west.R=redG3") == "refused VH-6.2"


def test_while_boards_are_filled_scouts_name_nothing(cards: ModuleType) -> None:
    state = cards.laid(BROKEN_OFF)
    state = cards.laid("west.R=black1", state)
    assert cards.ruling(state, "scout L") == "refused VH-8.2"
    assert GAME.claims(state) == []


def test_a_phase_is_twelve_cards_whatever_happens(cards: ModuleType) -> None:
    state = cards.laid(BROKEN_OFF + " west.R=black4 north.L=blue2 east.C=yellow7")
    assert len(state.phase.order) == 12
    assert cards.ruling(state, "west.L=blue3") == "refused VH-9.11"


# -- which card ------------------------------------------------------------------------------


def test_who_holds_the_colour_follows_face_up(cards: ModuleType) -> None:
    state = cards.with_hands(*HANDS)
    state = cards.laid("south.C=blueG1 north.L=black1 east.C=back", state)
    assert GAME.to_move(state) == "west"
    assert cards.ruling(state, "west.L=blackG1") == "allowed VH-6.1"
    assert cards.ruling(state, "west.L=back") == "refused VH-6.1"
    assert cards.ruling(state, "west.L=blue2") == "refused VH-6.1"
    assert cards.ruling(state, "west.L=red2") == "refused VH-1.1"


def test_who_lacks_the_colour_lays_any_card_face_down(cards: ModuleType) -> None:
    state = cards.laid("south.L=red1 west.C=blue1", cards.with_hands(*HANDS))
    assert GAME.to_move(state) == "east"
    assert cards.ruling(state, "east.L=redG1") == "allowed VH-6.1"
    state = cards.laid("south.C=blueG1 north.R=black1", cards.with_hands(*HANDS))
    assert GAME.to_move(state) == "west"
    assert cards.ruling(state, "west.C=blue1") == "allowed VH-6.1"
    state = cards.laid("west.C=blue1 east.R=back", state)
    assert cards.ruling(state, "north.C=back") == "allowed VH-6.2"
    assert cards.ruling(state, "north.C=yellowG1") == "refused VH-6.2"


def test_nobody_must_trump_and_a_sacrifice_may_be_chosen(cards: ModuleType) -> None:
    state = cards.laid("south.C=blueG1 north.R=black1", cards.with_hands(*HANDS))
    # North can open L, which west could too; east lacks blue and black and may choose either.
    state = cards.laid("west.C=blue1", state)
    assert allowed(cards, state, "east.R=back", "east.L=yellow1", "east.L=redG1") == [
        "east.R=back", "east.L=yellow1", "east.L=redG1",
    ]  # fmt: skip


def test_an_unopened_position_is_opened_by_any_rank_of_a_new_colour(cards: ModuleType) -> None:
    state = cards.laid("south.R=black3")
    assert allowed(cards, state, "east.L=red1", "east.L=yellowG3") == [
        "east.L=red1", "east.L=yellowG3",
    ]  # fmt: skip
    assert cards.ruling(state, "east.L=black1") == "refused VH-6.3"
    assert cards.ruling(state, "east.L=back") == "refused VH-6.3"
    assert cards.ruling(cards.laid(""), "south.L=back") == "refused VH-6.3"


SACRIFICED = "south.L=yellow7 west.R=black4 south.C=back"


def test_an_opening_is_sacrificed_by_who_cannot_open(cards: ModuleType) -> None:
    hands = ("y1234567 k123", "k4567ABC bABC", "r1234567 yABC", "b1234567 rABC")
    state = cards.laid("south.L=yellow7 west.R=black4", cards.with_hands(*hands))
    assert GAME.to_move(state) == "south"
    # R is barred, as West chose it; for the centre he has yellow and black alone, which are open.
    assert cards.ruling(state, "south.C=back") == "allowed VH-6.4"
    assert cards.ruling(state, "south.C=black1") == "refused VH-6.4"
    assert cards.ruling(state, "south.R=black1") == "refused VH-5.2"


def test_after_a_sacrificed_opening_a_position_may_still_be_opened(cards: ModuleType) -> None:
    state = cards.laid(SACRIFICED)
    assert state.phase.opened == (3, -1, 2)
    assert GAME.to_move(state) == "north"
    state = cards.laid("north.R=black1", state)
    assert cards.ruling(state, "west.C=red1") == "allowed VH-6.3"


def test_by_an_option_it_stays_unopened_for_good(cards: ModuleType) -> None:
    state = cards.laid(SACRIFICED + " north.R=black1", reopen="no")
    assert cards.ruling(state, "west.C=red1") == "refused VH-5.3"
    assert state.phase.trump == -1
    shut = "south.L=blue4 west.R=black5 south.C=back north.L=back east.R=back"
    state = cards.laid(shut, reopen="no")
    assert cards.ruling(state, "north.C=yellow2") == "refused VH-6.4"
    assert cards.ruling(state, "north.C=back") == "allowed VH-6.4"
    assert cards.ruling(cards.laid(shut), "north.C=yellow2") == "allowed VH-6.3"


# -- trump -----------------------------------------------------------------------------------


def test_the_fourth_colour_is_trump_once_three_are_open(cards: ModuleType) -> None:
    state = cards.laid("south.R=black3 east.C=redG2")
    assert state.phase.trump == -1
    state = cards.laid("west.L=yellow2", state)
    assert state.phase.trump == 1
    assert "Trump is blue." in GAME.situation(state)
    assert cards.ruling(state, "north.C=blue7") == "refused VH-6.2"


def test_hidden_cards_stay_hidden_to_the_end_of_the_phase(cards: ModuleType) -> None:
    state = cards.laid(SACRIFICED)
    assert cards.ruling(state, "south.C=red1") == "refused VH-6.6"
    state = cards.laid("north.R=black1", state)
    assert cards.ruling(state, "south.C=red1") == "refused VH-6.6"
    assert GAME.unknown(state)["south.C"] == tuple(
        token for token in state.terms.deck.tokens[:40]
        if token not in ("yellow 7", "black 4", "black 1")
    )  # fmt: skip


def test_a_hidden_card_is_not_turned_up_by_its_owner_when_he_plays_again(
    cards: ModuleType,
) -> None:
    state = cards.laid(SACRIFICED + " north.R=black1 west.C=red1 east.L=yellow1")
    assert GAME.to_move(state) == "south"
    found = GAME.judge(state, Action("place", None, "south.C", "red 3"))
    assert (found.rule, found.spots) == ("VH-6.6", ("south.C",))
    assert found.reason.endswith("stays face down until the phase is played.")


# -- scouts ----------------------------------------------------------------------------------


def test_a_scout_orders_an_opponent_to_a_position(cards: ModuleType) -> None:
    state = cards.laid("south.R=red1")
    assert cards.ruling(state, "scout L") == "allowed VH-9.7"
    state = cards.laid("scout=L", state)
    assert cards.ruling(state, "east.C=blue3") == "refused VH-5.1"
    assert cards.ruling(state, "east.L=blue3") == "allowed VH-6.3"
    assert "A scout has ordered East to the left flank." in GAME.situation(state)


def test_an_order_may_name_the_position_just_played(cards: ModuleType) -> None:
    state = cards.laid("south.R=red1 scout=R")
    assert cards.ruling(state, "east.R=red2") == "allowed VH-6.1"


def test_an_order_to_an_unopened_position_opens_it(cards: ModuleType) -> None:
    state = cards.laid("south.R=red1 scout=C")
    assert cards.ruling(state, "east.C=red2") == "refused VH-6.3"
    assert cards.ruling(state, "east.C=yellow2") == "allowed VH-6.3"


def test_a_scout_may_name_nothing(cards: ModuleType) -> None:
    state = cards.laid("south.R=red1")
    assert cards.ruling(state, "scout none") == "allowed VH-9.7"
    assert cards.ruling(state, "east.C=blue3") == "allowed VH-6.3"
    state = cards.laid("scout=none", state)
    assert cards.ruling(state, "scout L") == "refused VH-9.7"
    assert GAME.judge(state, Action("scout", detail="up")).rule == "VH-9.7"


def test_only_an_empty_position_is_named_and_only_by_a_scout(cards: ModuleType) -> None:
    state = cards.laid("south.R=blackG1 east.L=blue1")
    assert cards.ruling(state, "scout R") == "refused VH-9.7"
    assert cards.ruling(cards.laid("south.R=red2"), "scout L") == "refused VH-9.7"
    found = GAME.judge(cards.laid("south.R=red1"), Action("scout", detail="up"))
    assert (found.allowed, found.rule) == (False, "VH-9.7")
    assert cards.ruling(cards.laid("south.C=red1 scout=L north.L=blue2"), "scout L") == (
        "refused VH-9.7"
    )


def test_to_a_partner_a_scout_only_suggests(cards: ModuleType) -> None:
    state = cards.laid("south.C=blue1")
    assert cards.ruling(state, "scout L") == "allowed VH-9.8"
    state = cards.laid("scout=L", state)
    assert cards.ruling(state, "north.R=red2") == "allowed VH-6.3"
    alone = cards.laid("south.C=blue1 scout=L", partners="no")
    assert cards.ruling(alone, "north.R=red2") == "refused VH-5.1"


def test_a_scout_may_not_end_regular_order_early(cards: ModuleType) -> None:
    state = cards.laid(
        "south.R=redG1 east.C=yellowG2 west.R=back south.L=black5 west.C=yellow5 east.L=blackG2"
        " south.C=yellow1"
    )
    assert GAME.to_move(state) == "north"
    assert cards.ruling(state, "scout C") == "refused VH-9.9"
    assert Action("scout", detail="C") not in GAME.claims(state)
    assert cards.ruling(state, "scout L") == "allowed VH-9.8"


def test_where_regular_order_ends_anyway_the_order_lapses(cards: ModuleType) -> None:
    state = cards.laid(
        "south.L=yellow4 west.C=blue7 east.L=yellowG3 south.R=blackG1 east.C=blueG1"
        " west.L=yellow7 north.C=blue5 south.C=blue4 north.R=black1"
    )
    assert cards.ruling(state, "scout R") == "refused VH-9.9"
    assert cards.ruling(state, "scout none") == "refused VH-9.9"
    assert GAME.claims(state) == [], "what has no effect is not offered"
    assert not any("may name" in said for said in GAME.situation(state))
    old = cards.replaced(state, terms=state.terms._replace(guides=False))
    assert cards.ruling(old, "scout R") == "allowed VH-9.9"
    state = cards.laid("scout=R", old)
    assert state.phase.ordered == -1
    assert GAME.to_move(state) == "west"
    assert {a.target for a in GAME.legal(state)} == {"west.R"}


def test_a_scout_face_down_orders_nobody(cards: ModuleType) -> None:
    state = cards.laid(SACRIFICED)
    assert state.phase.scouting == -1
    assert cards.ruling(state, "scout L") == "refused VH-9.7"
