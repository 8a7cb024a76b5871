"""The checks that all games undergo are not blind: a game that breaks them is caught."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from companion.games import find_game
from companion.rules import Action, Effect, Outcome, Ruling

EVERYWHERE = frozenset(range(40))


def test_a_game_that_keeps_the_contract_passes(tiny: Any, checks: ModuleType) -> None:
    total = checks.play(tiny, 1, 40, EVERYWHERE)
    assert total.whole == total.states > 1
    assert (total.ended, total.records) == (1, 1)


def lying_judge(game: Any, state: Any, action: Action) -> Ruling:
    return Ruling(True, "TINY-1", "All is well.")


def unknown_rule(game: Any, state: Any, action: Action) -> Ruling:
    allowed = action in game.legal(state) or action in game.claims(state)
    return Ruling(allowed, "TINY-99", "So it is.")


def two_sentences(game: Any, state: Any, action: Action) -> Ruling:
    allowed = action in game.legal(state) or action in game.claims(state)
    return Ruling(allowed, "TINY-1", "No. Never.")


def no_effect(game: Any, state: Any, action: Action) -> Effect:
    return Effect(None, None)


def wrong_effect(game: Any, state: Any, action: Action) -> Effect:
    changes = {str(action.origin): "black", str(action.target): "black"}
    return Effect("black", "black", (), changes)


def forgetful_dump(game: Any, state: Any) -> dict[str, Any]:
    return {"seats": ["black", "white"], "capture": "yes", "pegs": {}, "turn": 0, "resigned": False}


def hasty_outcome(game: Any, state: Any) -> Outcome:
    return Outcome(("black",), "TINY-4", "Black has won before it began.")


@pytest.mark.parametrize(
    ("method", "wrong"),
    [
        ("judge", lying_judge),
        ("judge", unknown_rule),
        ("judge", two_sentences),
        ("effect", no_effect),
        ("effect", wrong_effect),
        ("dump", forgetful_dump),
        ("outcome", hasty_outcome),
    ],
    ids=lambda value: getattr(value, "__name__", value),
)
def test_a_game_that_breaks_the_contract_is_caught(
    tiny: Any, checks: ModuleType, monkeypatch: pytest.MonkeyPatch, method: str, wrong: Any
) -> None:
    legal = type(tiny)._moves
    if method == "outcome":
        monkeypatch.setattr(type(tiny), "legal", lambda game, state: legal(game, state))
    monkeypatch.setattr(type(tiny), method, wrong)
    with pytest.raises((AssertionError, KeyError)):
        checks.play(tiny, 1, 40, EVERYWHERE)


def test_a_lost_piece_is_caught(checks: ModuleType) -> None:
    game = find_game("victorus")
    setup = game.setup()
    state = game.start(setup)
    checks.check_invariants(game, state)
    fewer = {spot: token for spot, token in game.expect(state).items() if spot != "h2"}
    with pytest.raises(AssertionError):
        checks.check_invariants(game, game.arrange(setup, fewer))
