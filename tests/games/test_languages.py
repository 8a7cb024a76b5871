"""The rule texts in every language: none missing, none left over."""

from __future__ import annotations

import pytest

from companion.games import find_game, games
from companion.rules import RuleBook, package_of, rule_book

OTHERS = ("it", "fr", "es")


def book(name: str, language: str) -> RuleBook:
    return rule_book(package_of(find_game(name)), language)


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("name", games())
def test_every_rule_is_told_in_every_language(name: str, language: str) -> None:
    english, other = find_game(name).rules, book(name, language)
    assert list(other) == list(english)
    for rule in other.values():
        assert rule.title
        assert rule.text.endswith(".")
        assert rule.section


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("name", games())
def test_a_section_has_one_name_in_each_language(name: str, language: str) -> None:
    english, other = find_game(name).rules, book(name, language)
    pairs = {(english[rule].section, other[rule].section) for rule in english}
    assert len(pairs) == len({section for section, _ in pairs})
