"""Draughts, a package of its own: the published counts, and rulings on what players get wrong."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games import find_game
from companion.rules import Action, perft

COLOURS = {"W": "white", "B": "black"}
QUICK = 30_000


@pytest.fixture
def draughts() -> Any:
    return find_game("draughts")


def numbered(game: Any, setup: Any, text: str) -> Any:
    """Return the state that draughts players write ``B:W21,K30:B1,2``: the dark squares are
    numbered row by row from Black's right."""
    dark = [spot for spot in game.board(setup) if (ord(spot[0]) + int(spot[1:])) % 2 == 0]
    dark.sort(key=lambda spot: (int(spot[1:]), -ord(spot[0])))
    turn, *armies = text.split(":")
    position = {
        dark[
            int(man.removeprefix("K")) - 1
        ]: f"{COLOURS[army[0]]} {'king' if 'K' in man else 'man'}"
        for army in armies
        for man in army[1:].split(",")
    }
    return game.arrange(setup, position, COLOURS[turn])


def counts() -> list[Any]:
    """Positions and the numbers of sequences of moves from them, by depth. The first two: Aart
    Bik, aartbik.com/MISC/checkers.html and aartbik.blogspot.com/2012/10 (BikDam); the others: the
    thread "Perft" of the World Draughts Forum, laatste.info/bb3/viewtopic.php?f=53&t=2308."""
    english = [7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680]
    international = [9, 81, 658, 4265, 27117, 167140, 1049442]
    captures = "B:W6,9,10,11,20,21,22,23,30,K31,33,37,41,42,43,44,46:BK17,K24"
    woldouby = "W:W25,27,28,30,32,33,34,35,37,38:B12,13,14,16,18,19,21,23,24,26"
    told = [
        ("english", "start", english),
        ("international", "start", international),
        ("international", captures, [14, 55, 1168, 5432, 87195, 629010]),
        ("international", woldouby, [6, 12, 30, 73, 215, 590, 1944, 6269, 22369, 88050, 377436]),
    ]
    return [
        pytest.param(
            rules, where, depth, nodes, id=f"{rules} {where[:7]} {depth}",
            marks=[pytest.mark.slow] if nodes > QUICK else [],
        )
        for rules, where, numbers in told
        for depth, nodes in enumerate(numbers, start=1)
    ]  # fmt: skip


@pytest.mark.parametrize(("rules", "where", "depth", "nodes"), counts())
@pytest.mark.slow
def test_the_published_count_of_moves(
    draughts: Any, rules: str, where: str, depth: int, nodes: int
) -> None:
    setup = draughts.setup(None, {"rules": rules})
    begun = draughts.start(setup) if where == "start" else numbered(draughts, setup, where)
    assert perft(draughts, begun, depth) == nodes


def stands(game: Any, rules: str, to_move: str, **men: str) -> Any:
    """Return a position: ``c3="black man"``."""
    return game.arrange(game.setup(None, {"rules": rules}), men, to_move)


def told(game: Any, state: Any, text: str) -> tuple[bool, str]:
    ruling = game.judge(state, game.parse(state.setup, text))
    return ruling.allowed, ruling.rule


BLACK, WHITE = "black man", "white man"


@pytest.mark.slow
def test_who_can_capture_has_to(draughts: Any) -> None:
    state = stands(draughts, "english", "black", c3=BLACK, g3=BLACK, d4=WHITE, h8=WHITE)
    assert told(draughts, state, "g3-h4") == (False, "DR-3.4")
    assert told(draughts, state, "c3-e5") == (True, "DR-3.1")
    assert draughts.judge(state, Action("move", "g3", "h4")).spots == ("c3", "d4")


def test_a_capture_is_not_left_in_the_middle(draughts: Any) -> None:
    state = stands(draughts, "english", "black", c3=BLACK, d4=WHITE, f6=WHITE)
    assert told(draughts, state, "c3-e5") == (False, "DR-3.5")
    assert told(draughts, state, "c3-g7") == (True, "DR-3.1")
    after = draughts.apply(state, Action("move", "c3", "g7"))
    assert draughts.expect(after) == {"g7": BLACK}
    assert draughts.outcome(after).rule == "DR-5.1"


def test_english_men_capture_forward_only_and_international_men_both_ways(draughts: Any) -> None:
    for rules, ruling in (("english", (False, "DR-3.1")), ("international", (True, "DR-3.2"))):
        state = stands(draughts, rules, "black", e5=BLACK, d4=WHITE, h8=WHITE)
        assert told(draughts, state, "e5-c3") == ruling


def test_most_go_first_in_international_draughts_alone(draughts: Any) -> None:
    men = {"b2": BLACK, "c3": WHITE, "g3": BLACK, "h4": WHITE, "h6": WHITE, "b8": WHITE}
    international = stands(draughts, "international", "black", **men)
    assert told(draughts, international, "b2-d4") == (False, "DR-3.7")
    assert [str(action) for action in draughts.legal(international)] == ["g3-g7"]
    english = stands(draughts, "english", "black", b2=BLACK, c3=WHITE, f2=BLACK, g3=WHITE, g5=WHITE)
    assert {str(action) for action in draughts.legal(english)} == {"b2-d4", "f2-f6"}


def test_reaching_the_last_row_ends_the_move_in_english_draughts(draughts: Any) -> None:
    men = {"c6": WHITE, "b6": BLACK, "c7": WHITE, "e7": WHITE}
    state = stands(draughts, "english", "black", **men)
    assert [str(action) for action in draughts.legal(state)] == ["b6-d8"]
    effect = draughts.effect(state, Action("move", "b6", "d8"))
    assert effect.becomes == "black king"
    assert effect.captures == (WHITE,)


def test_a_man_that_jumps_on_from_the_last_row_stays_a_man(draughts: Any) -> None:
    men = {"b8": BLACK, "c9": WHITE, "e9": WHITE, "a1": WHITE}
    state = stands(draughts, "international", "black", **men)
    (action,) = draughts.legal(state)
    assert (action.origin, action.target) == ("b8", "f8")
    assert draughts.expect(draughts.apply(state, action))["f8"] == BLACK


def test_kings_fly_in_international_draughts_alone(draughts: Any) -> None:
    king = {"a1": "black king", "f6": WHITE}
    flying = stands(draughts, "international", "black", **king)
    assert {action.target for action in draughts.legal(flying)} == {"g7", "h8", "i9", "j10"}
    walking = stands(draughts, "english", "black", **king)
    assert told(draughts, walking, "a1-d4") == (False, "DR-2.2")
    assert told(draughts, walking, "a1-b2") == (True, "DR-2.2")


def test_a_man_is_jumped_once(draughts: Any) -> None:
    state = stands(draughts, "international", "black", a1="black king", c3=WHITE)
    assert {len(draughts.effect(state, a).captures) for a in draughts.legal(state)} == {1}


def test_two_captures_with_the_same_ends_are_told_by_what_they_take(draughts: Any) -> None:
    men = {"d2": "black king", "c3": WHITE, "e3": WHITE, "c5": WHITE, "e5": WHITE}
    state = stands(draughts, "english", "black", **men)
    both = [action for action in draughts.legal(state) if action.origin == "d2"]
    assert all(action.via for action in both if action.target == "d2")
    assert told(draughts, state, "d2-d2") == (False, "DR-3.6")


def test_the_game_is_drawn_when_a_position_stands_for_the_third_time(draughts: Any) -> None:
    state = stands(draughts, "english", "black", a1="black king", h8="white king")
    for move in ("a1-b2", "h8-g7", "b2-a1", "g7-h8") * 2:
        assert draughts.outcome(state) is None
        state = draughts.apply(state, draughts.parse(state.setup, move))
    assert (draughts.outcome(state).winners, draughts.outcome(state).rule) == ((), "DR-5.2")


def test_a_lone_king_holds_out_for_five_moves(draughts: Any) -> None:
    state = stands(draughts, "international", "white", a1="black king", j8="white king")
    for _ in range(10):
        assert draughts.outcome(state) is None
        quiet = [a for a in draughts.legal(state) if not draughts.effect(state, a).captures]
        fresh = [a for a in quiet if safe(draughts, draughts.advance(state, a))]
        state = draughts.advance(state, fresh[0])
    assert draughts.outcome(state).rule == "DR-5.4"


def safe(game: Any, state: Any) -> bool:
    return not any(game.effect(state, action).captures for action in game.legal(state))
