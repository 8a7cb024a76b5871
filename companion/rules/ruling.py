"""Rulings, the rule texts they quote, and the errors that carry one."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from types import MappingProxyType

from companion.rules.action import Action
from companion.rules.errors import BadInput, CompanionError
from companion.rules.given import quoted
from companion.rules.words import say


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


class IllegalAction(CompanionError, ValueError):
    """A player's mistake: the rules refuse the action. Carries the ruling that says why."""

    def __init__(self, action: Action, ruling: Ruling) -> None:
        super().__init__(say("{reason} ({rule})", reason=ruling.reason, rule=ruling.rule))
        self.action = action
        self.ruling = ruling


class Uncertain(CompanionError, LookupError):
    """Our doubt: nobody did wrong, but several things may be meant, or what follows from something
    is not known. Carries what may have been done, most likely first."""

    def __init__(self, message: str, candidates: Sequence[Sequence[Action]] = ()) -> None:
        super().__init__(message)
        self.candidates = tuple(tuple(c) for c in candidates)
