"""The claims by which players give a game up or agree on a draw, where the rules have them."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games import find_game, games
from companion.rules import Settlements, claims_of
from companion.table.agreement import settled_between

CHESS, SIX, DICE = find_game("chess"), find_game("heximeros"), find_game("invictus")


def after(game: Any, *actions: str) -> Any:
    setup = game.setup()
    state = game.start(setup)
    for text in actions:
        state = game.apply(state, game.parse(setup, text))
    return state


def test_either_side_resigns_at_chess_and_both_agree_once_they_have_moved() -> None:
    begun = after(CHESS, "e2-e4", "e7-e5")
    for seat in ("white", "black"):
        resigned = CHESS.resignation(begun, seat)
        assert CHESS.binds(begun, resigned) == (seat,)
        assert seat not in CHESS.outcome(CHESS.apply(begun, resigned)).winners
    assert CHESS.agreement(after(CHESS)) is None
    drawn = CHESS.apply(begun, CHESS.agreement(begun))
    assert CHESS.outcome(drawn).winners == ()
    assert CHESS.resignation(drawn, "white") is CHESS.agreement(drawn) is None


def test_who_has_the_token_resigns_and_the_others_concede() -> None:
    begun = after(SIX)
    assert str(SIX.resignation(begun, "silver")) == "resign"
    assert str(SIX.resignation(begun, "green")) == "concede=green"
    left = SIX.apply(begun, SIX.resignation(begun, "green"))
    assert SIX.resignation(left, "green") is None
    assert SIX.agreement(begun) is None


def test_an_agreed_end_of_invictus_is_a_draw_only_while_the_scores_are_equal() -> None:
    even = after(DICE)
    assert DICE.outcome(DICE.apply(even, DICE.agreement(even))).winners == ()
    setup = DICE.setup()
    ahead = DICE.arrange(setup, {"e9": "black 3", "a1": "white 6", "e5": "white 2"}, "black")
    assert DICE.agreement(DICE.arrange(setup, {"e7": "black 3", "e6": "white 2"}, "black")) is None
    assert DICE.resignation(ahead, "black") is None


@pytest.mark.parametrize("name", games())
def test_what_is_settled_between_players_is_a_claim(name: str) -> None:
    game = find_game(name)
    state = game.start(game.setup())
    settled = [claim for claim in claims_of(game, state) if settled_between(game, state, claim)]
    assert not settled or isinstance(game, Settlements)
    assert all(game.judge(state, claim).allowed for claim in settled)
