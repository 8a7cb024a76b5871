"""Rulings, the rule texts they quote, and the errors that carry one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from importlib import resources
from types import MappingProxyType
from typing import NamedTuple

from companion.rules.action import Action
from companion.rules.errors import BadInput, CompanionError
from companion.rules.given import quoted
from companion.rules.words import say


class Ruling(NamedTuple):
    """The answer to *was that allowed?*.

    ``rule`` is the id of the deciding rule, ``reason`` one sentence in the players' words
    (made with :func:`companion.rules.say`), ``spots`` the places on the board that prove it.
    """

    allowed: bool
    rule: str
    reason: str
    spots: tuple[str, ...] = ()


class Rule(NamedTuple):
    """One rule as the players read it; ``section`` is its heading in the rule book."""

    id: str
    title: str
    text: str
    section: str = ""


class RuleBook(Mapping[str, Rule]):
    """The rules of one game in one language, by id, in the order of the book."""

    def __init__(
        self, rules: Mapping[str, Rule] | Callable[[], dict[str, Rule]], language: str = "en"
    ) -> None:
        self._given = rules if callable(rules) else dict(rules)
        self.language = language

    @cached_property
    def _rules(self) -> Mapping[str, Rule]:
        # A book is read when somebody looks into it: every game is imported for its title.
        given = self._given
        return MappingProxyType(given() if callable(given) else given)

    def __getitem__(self, rule_id: str) -> Rule:
        return self._rules[rule_id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rules)

    def __len__(self) -> int:
        return len(self._rules)


@cache
def rule_book(package: str | None, language: str = "en") -> RuleBook:
    """Load ``rules.<language>.toml`` that lies beside the game in ``package``.

    The file is a list of ``[[rule]]`` tables with ``id``, ``title``, ``text``, ``section``.

    Raises:
        BadInput: there is no rule book in that language, or no package.
    """
    if package is None:
        raise BadInput("a game that lies in no package has no rule texts beside it")
    source = resources.files(package) / f"rules.{language}.toml"
    if not source.is_file():
        raise BadInput(f"no rule texts in language {quoted(language)} for {package}")

    def read() -> dict[str, Rule]:
        import tomllib

        entries = tomllib.loads(source.read_text(encoding="utf-8"))["rule"]
        return {entry["id"]: Rule(**entry) for entry in entries}

    return RuleBook(read, language)


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
