"""What owners entered of their cards, as games ask for it."""

from __future__ import annotations

import pytest

from companion.rules import own


def test_where_nobody_keeps_cards_none_are_entered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own, "_source", [own._nothing])
    assert own.owned("any game") == {}


def test_what_is_entered_is_asked_for_by_the_games_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own, "_source", [own._nothing])
    own.furnish(lambda game: {"cards": [game]})
    assert own.owned("fox") == {"cards": ["fox"]}
