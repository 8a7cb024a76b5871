"""The rule book that lies beside a game."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.rules import BadInput, Rule, RuleBook, rule_book

TEXT = """
[[rule]]
id = "X-2"
title = "Second"
text = "The second rule stands first in the book."

[[rule]]
id = "X-1"
title = "First"
text = "Another."
section = "How to play"
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    folder = tmp_path / "a_game_with_rules"
    folder.mkdir()
    (folder / "__init__.py").write_text('"""A game."""\n')
    (folder / "rules.en.toml").write_text(TEXT)
    monkeypatch.syspath_prepend(str(tmp_path))
    rule_book.cache_clear()
    return folder.name


def test_a_rule_book_keeps_the_order_of_the_book(package: str) -> None:
    book = rule_book(package)
    assert list(book) == ["X-2", "X-1"]
    assert len(book) == 2
    assert book["X-1"] == Rule("X-1", "First", "Another.", "How to play")
    assert book["X-2"].section == ""
    assert book.language == "en"
    assert "X-3" not in book


def test_a_missing_language_is_named(package: str) -> None:
    with pytest.raises(BadInput, match="no rule texts in language “tlh” for a_game_with_rules"):
        rule_book(package, "tlh")


def test_a_rule_book_cannot_be_changed_from_outside() -> None:
    rules = {"X-1": Rule("X-1", "First", "Another.")}
    book = RuleBook(rules, "it")
    rules.clear()
    assert list(book) == ["X-1"]
    assert book.language == "it"
