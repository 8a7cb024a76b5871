"""Who plays and by which options: what the players may choose before a game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from random import Random
from types import MappingProxyType
from typing import Any, NamedTuple

from companion.rules.errors import BadInput
from companion.rules.given import quoted, whole_number
from companion.rules.words import Text, say

MOST = 1_000_000
"""The greatest number of an option that names no other."""
LISTED = 24
"""Of more choices than these not all are told, nor which go with the others."""
_SMALL = 6
_JOINT = "-"
"""What stands between the things of an order in records and journals."""

Seating = tuple[str, ...]
"""Seats in order of play."""


def option_words(*texts: Text) -> Mapping[str, Text]:
    """Return what an option and its values are called, by how programs write them:
    ``option_words(say("no progress"), say("yes"))`` for ``no_progress`` and ``yes``."""
    return MappingProxyType({str(text).replace(" ", "_"): text for text in texts})


class Option(NamedTuple):
    """A choice the players make before the game; ``rule`` is where it is described.

    ``choices`` empty means a whole number from ``least`` to ``most``. ``called`` are the words for
    its name and values (see :func:`option_words`); records, commands and the journal keep the
    names as they are written there. ``earlier`` are the values by which games were played as a
    matter of course in versions 1, 2, … of the rules, before :attr:`default`; ``once`` is the
    option's name in version 1, if it was another. ``drawn``: the page for a new game draws a value,
    of choices another than the default; everybody else is given the default. ``house_rule``: a
    reading of a rule, which a table settles once; not so what is chosen from game to game, such as
    a variant, how long it lasts, how hard it is: pages show that first. See also
    :class:`OrderOption`.
    """

    name: str
    default: str
    choices: tuple[str, ...]
    rule: str
    about: str
    least: int = 0
    most: int = MOST
    called: Mapping[str, Text] = MappingProxyType({})
    earlier: tuple[str, ...] = ()
    once: str = ""
    drawn: bool = False
    house_rule: bool = True

    def read(self, value: str) -> str:
        """Return ``value`` as records and journals write it; see :meth:`problem` for what fits."""
        return value

    def draw(self, chance: Random) -> str:
        """Return a value that ``chance`` draws, of choices another than the default."""
        others = [choice for choice in self.choices if choice != self.default]
        return chance.choice(others) if others else str(chance.randint(self.least, self.most))

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


class OrderOption(Option):
    """A choice that is an order of things: of all in ``default``, joined by hyphens. The first of
    them stays first, where the order goes round in a circle.

    A value may be written with hyphens or, as on a command line, with commas; an order that is
    turned round its circle is the same order.
    """

    __slots__ = ()

    @property
    def things(self) -> tuple[str, ...]:
        """What is put in order, as it usually is."""
        return self.parts(self.default)

    def parts(self, value: str) -> tuple[str, ...]:
        """Return the things in the order of ``value``."""
        return tuple(self.read(value).split(_JOINT))

    def read(self, value: str) -> str:
        """Return ``value`` joined by hyphens and turned so that the first thing is first."""
        order = [part.strip() for part in value.replace(",", _JOINT).split(_JOINT)]
        first = self.default.split(_JOINT)[0]
        if first in order:
            turn = order.index(first)
            order = order[turn:] + order[:turn]
        return _JOINT.join(order)

    def problem(self, value: str) -> str | None:
        """Return one sentence saying why ``value`` does not fit, or None."""
        if sorted(self.parts(value)) == sorted(self.things):
            return None
        return say(
            "{option}: all of {things} in any order, each once, such as {usual}; not {value}",
            option=self.label,
            things=[self.word(thing) for thing in self.things],
            usual=",".join(self.things),
            value=quoted(value),
        )

    def draw(self, chance: Random) -> str:
        """Return an order that ``chance`` draws."""
        first, *rest = self.things
        return _JOINT.join((first, *chance.sample(rest, len(rest))))


def order_option(
    name: str, things: Sequence[str], rule: str, about: str, **more: Any
) -> OrderOption:
    """Return the option called ``name`` in which ``things`` are put in order, as they stand by
    default; ``more`` are further fields of :class:`Option`."""
    return OrderOption(name, _JOINT.join(things), (), rule, about, **more)


def version_of(options: Sequence[Option]) -> int:
    """Return the version of the rules by which games with these ``options`` begin: one more than
    the readings that were given up."""
    return 1 + max((len(option.earlier) for option in options), default=0)


def as_begun(options: Sequence[Option], given: Mapping[str, str], version: int) -> dict[str, str]:
    """Return what was ``given`` to a game begun by ``version`` of the rules, 1 or more, in the
    names of the present ones, and the values by which all games were played then."""
    then = {o.name: o.earlier[version - 1] for o in options if version <= len(o.earlier)}
    names = {o.once: o.name for o in options if o.once} if version == 1 else {}
    return then | {names.get(name, name): value for name, value in given.items()}


@dataclass(frozen=True, slots=True)
class Setup:
    """Who plays, in order of play, and every option with its value."""

    seats: Seating
    options: Mapping[str, str]

    def __getitem__(self, name: str) -> str:
        return self.options[name]


def worded(called: Mapping[str, Text], options: Sequence[Option]) -> tuple[Option, ...]:
    """Return ``options`` with the words by which they and their values are ``called``."""
    return tuple(option._replace(called=called) for option in options)


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
