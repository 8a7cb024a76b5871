"""Where the engine and the naive oracle once differed: the smallest positions, decided."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from companion.games import find_game
from companion.rules import Ruling, read_action, read_record, setup_then

GAME = find_game("victorus")
ROYALS = {"h2": "red half Q", "p2": "green half Q", "a2": "black half Q", "n11": "blue half Q"}


def table(options: dict[str, str] | None = None, **pieces: str) -> Any:
    """Arrange a table of six with every seat's Queen that ``pieces`` does not replace."""
    return GAME.arrange(GAME.setup(options=options), {**ROYALS, **pieces}, "red")


def play(state: Any, *texts: str) -> Any:
    for text in texts:
        state = GAME.apply(state, read_action(text))
    return state


def judge(state: Any, text: str) -> Ruling:
    return GAME.judge(state, read_action(text))


def test_a_captor_that_made_a_kingdom_fall_still_goes_on_to_the_battlefield_only() -> None:
    state = table(g11="red white U+", k13="purple half Q", b5="orange half Q")
    assert judge(state, "g11-k13").allowed
    state = play(state, "g11-k13")
    assert "purple" not in {token.split()[0] for token in GAME.expect(state).values()}
    ruling = judge(state, "k13-b5")
    assert (ruling.allowed, ruling.rule) == (False, "VIC-5.7")
    assert judge(state, "k13-d9").allowed
    assert judge(state, "k13-l13").allowed, "the fallen kingdom is battlefield now"


def test_a_captor_of_the_quick_game_may_take_its_bonus_instead_of_its_second_move() -> None:
    state = table(
        {"variant": "quick", "return": "no"},
        h5="red white T+",
        h7="purple white T",
        b5="orange half Q",
    )
    state = play(state, "h5-h7")
    ruling = judge(state, "h7-h5")
    assert ruling.allowed, ruling  # no second move, which may not end where the turn began
    assert GAME.to_move(play(state, "h7-h5")) == "black"


def test_a_winning_royal_stands_on_the_centre() -> None:
    golden = Path(__file__).parent / "golden" / "victorus_round_the_centre.txt"
    record = read_record(golden.read_text(encoding="utf-8"))
    state = GAME.start(setup_then(GAME, record.seats, record.options, record.rules))
    before = play(state, *record.actions[:-1])
    after = play(before, record.actions[-1])
    origin, centre = record.actions[-1].split("-")
    assert GAME.expect(after)[centre] == GAME.expect(before)[origin] == "red half K"
    assert origin not in GAME.expect(after)
    changes = GAME.effect(before, read_action(record.actions[-1])).changes
    assert dict(changes) == {origin: None, centre: "red half K"}
