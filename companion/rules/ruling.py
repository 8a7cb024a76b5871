"""Rulings, and the rule texts they quote."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from types import MappingProxyType

from companion.rules.errors import BadInput
from companion.rules.given import quoted


@dataclass(frozen=True, slots=True)
class Ruling:
    """The answer to *was that allowed?*.

    ``rule`` is the id of the deciding rule, ``reason`` one sentence in the players' words
    (made with :func:`companion.rules.say`), ``spots`` the places on the board that prove it.
    """

    allowed: bool
    rule: str
    reason: str
    spots: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule as the players read it; ``section`` is its heading in the rule book."""

    id: str
    title: str
    text: str
    section: str = ""


class RuleBook(Mapping[str, Rule]):
    """The rules of one game in one language, by id, in the order of the book."""

    def __init__(self, rules: Mapping[str, Rule], language: str = "en") -> None:
        self._rules = MappingProxyType(dict(rules))
        self.language = language

    def __getitem__(self, rule_id: str) -> Rule:
        return self._rules[rule_id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rules)

    def __len__(self) -> int:
        return len(self._rules)


@cache
def rule_book(package: str, language: str = "en") -> RuleBook:
    """Load ``rules.<language>.toml`` that lies beside the game in ``package``.

    The file is a list of ``[[rule]]`` tables with ``id``, ``title``, ``text``, ``section``.

    Raises:
        BadInput: there is no rule book in that language.
    """
    source = resources.files(package) / f"rules.{language}.toml"
    if not source.is_file():
        raise BadInput(f"no rule texts in language {quoted(language)} for {package}")
    entries = tomllib.loads(source.read_text(encoding="utf-8"))["rule"]
    return RuleBook({entry["id"]: Rule(**entry) for entry in entries}, language)
