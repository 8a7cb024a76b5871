"""Who plays and by which options: what the players may choose before a game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, permutations
from types import MappingProxyType

from companion.rules.errors import BadInput
from companion.rules.given import quoted, whole_number
from companion.rules.words import Text, say

MOST = 1_000_000
"""The greatest number of an option that names no other."""
LISTED = 24
"""Of more choices than these not all are told, nor which go with the others."""
_SMALL = 6

Seating = tuple[str, ...]
"""Seats in order of play."""


def option_words(*texts: Text) -> Mapping[str, Text]:
    """Return what an option and its values are called, by how programs write them:
    ``option_words(say("no progress"), say("yes"))`` for ``no_progress`` and ``yes``."""
    return MappingProxyType({str(text).replace(" ", "_"): text for text in texts})


def _nothing_called() -> Mapping[str, Text]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Option:
    """A choice the players make before the game; ``rule`` is where it is described.

    ``choices`` empty means a whole number from ``least`` to ``most``. ``called`` are the words for
    its name and values (see :func:`option_words`); records, commands and the journal keep the
    names as they are written there.
    """

    name: str
    default: str
    choices: tuple[str, ...]
    rule: str
    about: str
    least: int = 0
    most: int = MOST
    called: Mapping[str, Text] = field(default_factory=_nothing_called, compare=False)

    @property
    def label(self) -> str:
        """Return what the option is called on the pages, in any language."""
        return self.called.get(self.name, self.name.replace("_", " "))

    def word(self, value: str) -> str:
        """Return the words for ``value``; of several names with hyphens, such as an order of
        seats, part by part. What has no words (numbers, names of one's own) stands as it is."""
        if value in self.called:
            return self.called[value]
        first, dash, rest = value.partition("-")
        if not dash or first not in self.called:
            return value.replace("_", " ")
        return say("{first}-{rest}", first=self.called[first], rest=self.word(rest))

    def problem(self, value: str) -> str | None:
        """Return one sentence saying why ``value`` does not fit, or None."""
        if self.choices and value not in self.choices:
            return say(
                "{option} is one of {choices}, not {value}",
                option=self.label,
                choices=self._listed(),
                value=quoted(value),
            )
        return None if self.choices else self._miscounts(value)

    def _miscounts(self, value: str) -> str | None:
        option, number = self.label, whole_number(value)
        plain = value.isascii() and value.isdecimal()
        if plain and (number is None or number > self.most):
            return say(
                "{option} is at most {most}, not {value}",
                option=option,
                most=self.most,
                value=quoted(value),
            )
        if number is None or number < self.least:
            return say(
                "{option} is a whole number from {least} up, not {value}",
                option=option,
                least=self.least,
                value=quoted(value),
            )
        return None

    def _listed(self) -> list[str]:
        words = [self.word(choice) for choice in self.choices]
        return words if len(words) <= LISTED else [*words[:LISTED], "…"]


@dataclass(frozen=True, slots=True)
class Setup:
    """Who plays, in order of play, and every option with its value."""

    seats: Seating
    options: Mapping[str, str]

    def __getitem__(self, name: str) -> str:
        return self.options[name]


def worded(called: Mapping[str, Text], options: Sequence[Option]) -> tuple[Option, ...]:
    """Return ``options`` with the words by which they and their values are ``called``."""
    return tuple(replace(option, called=called) for option in options)


def seatings(
    seats: Seating, stands: Callable[[Sequence[str] | None], Seating]
) -> tuple[Seating, ...]:
    """Return every set of ``seats`` that plays together, each in the first order that stands: the
    usual one first, the others from few players to many.

    ``stands`` returns seats in order of play, the usual ones for None, or raises BadInput.
    """
    found: dict[frozenset[str], Seating] = {}
    usual = _tried(stands, None)
    if usual is not None:
        found[frozenset(usual)] = usual
    for size in range(1, len(seats) + 1):
        for chosen in combinations(seats, size):
            tried = (_tried(stands, order) for order in _orders(chosen))
            if frozenset(chosen) not in found and (order := next(filter(None, tried), None)):
                found[frozenset(chosen)] = order
    return tuple(found.values())


def excluded(
    options: Sequence[Option],
    chosen: Mapping[str, str],
    stands: Callable[[Mapping[str, str]], str | None],
) -> dict[str, dict[str, str]]:
    """Return, option by option, the choices that do not go with the others that are ``chosen``,
    each with the reason. ``stands`` tells why options cannot be played, None where they can."""
    found: dict[str, dict[str, str]] = {}
    for option in options:
        if len(option.choices) > LISTED:
            continue
        for choice in option.choices:
            if choice != chosen[option.name] and (why := stands({**chosen, option.name: choice})):
                found.setdefault(option.name, {})[choice] = why
    return found


def _tried(
    stands: Callable[[Sequence[str] | None], Seating], order: Sequence[str] | None
) -> Seating | None:
    try:
        return stands(order)
    except BadInput:
        return None


def _orders(chosen: Seating) -> Iterator[Seating]:
    """Yield the orders to try; of many seats only who begins."""
    if len(chosen) <= _SMALL:
        yield from permutations(chosen)
    else:
        yield from ((*chosen[turn:], *chosen[:turn]) for turn in range(len(chosen)))


def told_options(options: Sequence[Option], values: Mapping[str, str]) -> str:
    """Return the ``values`` of ``options`` as one line."""
    line = ""
    for option in options:
        pair = say("{name} = {value}", name=option.label, value=option.word(values[option.name]))
        line = say("{one}, {other}", one=line, other=pair) if line else pair
    return line
