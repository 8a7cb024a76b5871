"""What every game gets from the contract, shown by the tiny game."""

from __future__ import annotations

from typing import Any

import pytest

from companion.rules import (
    Action,
    BadInput,
    Field,
    Game,
    IllegalAction,
    Option,
    Outcome,
    Problem,
    Scorecard,
    perft,
)

DATA = {
    "name", "title", "seats", "options", "rules", "words", "ends_turn", "ends_itself", "called",
    "tidies",
}  # fmt: skip
"""What a game says of itself without being asked about a state."""


def test_the_defaults_fill_in_what_is_not_chosen(tiny: Any) -> None:
    setup = tiny.setup()
    assert setup.seats == ("black", "white")
    assert dict(setup.options) == {"capture": "yes", "pegs": "3"}
    assert setup["pegs"] == "3"
    assert tiny.setup(["white", "black"], {"pegs": "1"}).seats == ("white", "black")


def test_the_core_has_at_most_fifteen_methods() -> None:
    methods = [name for name in vars(Game) if not name.startswith("_") and name not in DATA]
    assert len(methods) <= 15, methods
    assert {name for name in Game.__annotations__ if not name.startswith("_")} == DATA


@pytest.mark.parametrize(
    ("seats", "options", "sentence"),
    [
        (["red"], {}, "Slide has no seat “red”; it has black, white"),
        (["black", "black"], {}, "a seat is named twice in black, black"),
        (None, {"speed": "1"}, "Slide has no option “speed”; it has capture, pegs"),
        (None, {"capture": "maybe"}, "capture is one of yes, no, not “maybe”"),
        (None, {"pegs": "0"}, "pegs is a whole number from 1 up, not “0”"),
        (None, {"pegs": "two"}, "pegs is a whole number from 1 up, not “two”"),
    ],
)
def test_a_set_up_that_cannot_be_played_is_refused(
    tiny: Any, seats: list[str] | None, options: dict[str, str], sentence: str
) -> None:
    with pytest.raises(BadInput, match=sentence):
        tiny.setup(seats, options)


def test_a_game_without_options_says_so(tiny: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(tiny), "options", ())
    with pytest.raises(BadInput, match="no option “speed”; it has none"):
        tiny.setup(options={"speed": "1"})


def test_an_option_says_nothing_of_a_value_that_fits() -> None:
    assert Option("x", "1", (), "X-1", "", least=1).problem("12") is None
    assert Option("x", "a", ("a", "b"), "X-1", "").problem("b") is None


def test_a_legal_action_is_played_and_an_illegal_one_carries_its_ruling(tiny: Any) -> None:
    state = tiny.start(tiny.setup())
    after = tiny.apply(state, Action("move", "a1", "a2"))
    assert tiny.expect(after)["a2"] == "black"
    assert tiny.to_move(after) == "white"
    with pytest.raises(IllegalAction, match=r"(TINY-3)") as caught:
        tiny.apply(state, Action("move", "a1", "b1"))
    assert caught.value.ruling == tiny.judge(state, Action("move", "a1", "b1"))


def test_a_claim_is_played_though_it_is_no_legal_move(tiny: Any) -> None:
    state = tiny.start(tiny.setup())
    claim = Action("resign")
    assert claim not in tiny.legal(state)
    assert claim in tiny.claims(state)
    assert tiny.judge(state, claim).allowed
    assert tiny.outcome(tiny.apply(state, claim)) == Outcome(
        ("white",), "TINY-5", "black resigned."
    )


def test_actions_are_read_against_the_board(tiny: Any) -> None:
    setup = tiny.setup()
    action = tiny.parse(setup, "a1-b1-b2")
    assert action == Action("move", "a1", "b2", via=("b1",))
    assert tiny.format(action) == "a1-b1-b2"
    assert tiny.parse(setup, "resign") == Action("resign")
    for text in ("a1-a9", "j1-a1", "a1-j1-a2", "*d4"):
        with pytest.raises(BadInput, match="there is no spot"):
            tiny.parse(setup, text)


def test_the_values_of_the_contract_have_modest_defaults() -> None:
    assert Field("pegs") == Field("pegs", (), "")
    assert Scorecard("red", ()).score is None
    assert Problem("X-1", "no").spots == ()


def brute(tiny: Any, state: Any, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(brute(tiny, tiny.apply(state, a), depth - 1) for a in tiny.legal(state))


def test_perft_counts_what_playing_it_out_counts(tiny: Any) -> None:
    state = tiny.start(tiny.setup())
    assert [perft(tiny, state, depth) for depth in range(5)] == [
        brute(tiny, state, depth) for depth in range(5)
    ]
    assert perft(tiny, state, 1) == 3
    assert perft(tiny, state, 2) == 9


def test_a_game_that_is_over_has_no_longer_sequences(tiny: Any) -> None:
    state = tiny.start(tiny.setup(options={"pegs": "1"}))
    over = tiny.apply(state, Action("resign"))
    assert perft(tiny, over, 1) == 0
    assert perft(tiny, over, 3) == 0
    assert perft(tiny, over, 0) == 1


def test_a_word_that_the_game_does_not_know_is_no_action(tiny):
    assert tiny.parse(tiny.setup(), "resign") == Action("resign")
    with pytest.raises(BadInput, match="“surrender” is no action of Slide"):
        tiny.parse(tiny.setup(), "surrender")
