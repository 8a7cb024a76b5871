"""Nine men's morris, a package of its own: rulings on what players get wrong."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games import find_game
from companion.rules import perft


@pytest.fixture
def morris() -> Any:
    return find_game("morris")


def stands(game: Any, white: str, black: str, to_move: str = "white", **options: str) -> Any:
    """Return a position with the men of both seats on these spots."""
    position = dict.fromkeys(white.split(), "white") | dict.fromkeys(black.split(), "black")
    return game.arrange(game.setup(None, options), position, to_move)


def told(game: Any, state: Any, text: str) -> tuple[bool, str]:
    ruling = game.judge(state, game.parse(state.setup, text))
    return ruling.allowed, ruling.rule


def played(game: Any, state: Any, *texts: str) -> Any:
    for text in texts:
        state = game.apply(state, game.parse(state.setup, text))
    return state


def test_any_man_of_the_row_may_be_placed_on_any_point(morris: Any) -> None:
    begun = morris.start(morris.setup())
    assert perft(morris, begun, 1) == 9 * 24
    assert perft(morris, begun, 2) == 9 * 24 * 9 * 23


def test_no_man_moves_while_another_waits_to_be_placed(morris: Any) -> None:
    state = stands(morris, "a1 d1 white1", "g7 g4 black1")
    assert told(morris, state, "a1-a4") == (False, "NM-2.2")
    assert told(morris, state, "white1-a4") == (True, "NM-2.1")
    assert told(morris, state, "white1-g7") == (False, "NM-2.1")


def test_a_man_goes_along_a_line_to_the_next_point(morris: Any) -> None:
    state = stands(morris, "a1 b2 c3 g1", "g7 f6 e5 d7")
    assert told(morris, state, "a1-d1") == (True, "NM-3.1")
    assert told(morris, state, "b2-a1") == (False, "NM-3.1")
    assert told(morris, state, "a1-b4") == (False, "NM-3.1")
    assert told(morris, state, "g7-g4") == (False, "NM-1.3")


def test_three_men_fly_unless_the_players_chose_otherwise(morris: Any) -> None:
    for flying, ruling in (("yes", (True, "NM-3.2")), ("no", (False, "NM-3.1"))):
        state = stands(morris, "a1 b2 c3", "g7 f6 e5 d7", flying=flying)
        assert told(morris, state, "a1-g4") == ruling


def test_who_closes_a_mill_takes_a_man_before_the_turn_ends(morris: Any) -> None:
    state = played(morris, stands(morris, "a1 a4 b6 f2", "g7 f6 e5 d7"), "b6-d6")
    assert not state.takes
    state = played(morris, stands(morris, "a1 a4 d7 f2", "g7 f6 e5 g1"), "d7-a7")
    assert (morris.to_move(state), morris.highlights(state)["mill"]) == (
        "white",
        ("a1", "a4", "a7"),
    )
    assert told(morris, state, "f2-d2") == (False, "NM-4.1")
    assert told(morris, state, "g1-g4") == (False, "NM-4.3")
    assert told(morris, state, "g1-white1") == (True, "NM-4.1")
    state = played(morris, state, "g1-white1")
    assert morris.to_move(state) == "black"
    assert told(morris, state, "white1-g1") == (False, "NM-4.3")


def test_a_man_in_a_mill_is_taken_only_if_all_are_in_mills(morris: Any) -> None:
    free = played(morris, stands(morris, "a1 a4 d7 f2", "g1 g4 g7 e5"), "d7-a7")
    assert told(morris, free, "g4-white1") == (False, "NM-4.2")
    assert morris.judge(free, morris.parse(free.setup, "g4-white1")).spots == ("g1", "g4", "g7")
    assert told(morris, free, "e5-white1") == (True, "NM-4.1")
    every = played(morris, stands(morris, "a1 a4 d7 f2", "g1 g4 g7"), "d7-a7")
    assert told(morris, every, "g4-white1") == (True, "NM-4.1")


def test_two_mills_at_once_take_one_man(morris: Any) -> None:
    state = stands(morris, "a1 a7 b4 c4 white1", "g7 f6 e5 e3")
    state = played(morris, state, "white1-a4", "g7-white1")
    assert morris.to_move(state) == "black"


def test_two_men_left_or_no_move_lose(morris: Any) -> None:
    state = played(morris, stands(morris, "a1 a4 d7 f2", "g1 g4 e5"), "d7-a7", "e5-white1")
    assert (morris.outcome(state).winners, morris.outcome(state).rule) == (("white",), "NM-5.1")
    shut = stands(morris, "a1 a4 a7 b4", "d1 d7 c4 b2 b6")
    assert (morris.outcome(shut).winners, morris.outcome(shut).rule) == (("black",), "NM-5.2")


def test_the_game_is_drawn_when_the_men_stand_so_for_the_third_time(morris: Any) -> None:
    state = stands(morris, "a1 b2 c3 f2", "g7 f6 e5 d7")
    for text in ("a1-d1", "g7-g4", "d1-a1", "g4-g7") * 2:
        assert morris.outcome(state) is None
        state = played(morris, state, text)
    assert (morris.outcome(state).winners, morris.outcome(state).rule) == ((), "NM-5.3")


def test_fifty_moves_without_a_mill_are_a_draw(morris: Any) -> None:
    state = stands(morris, "a1 b2 c3 f2", "g7 f6 e5 d7")._replace(quiet=99)
    after = played(morris, state, "a1-d1")
    assert (morris.outcome(after).winners, morris.outcome(after).rule) == ((), "NM-5.4")
