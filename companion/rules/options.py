"""Who plays and by which options: what the players may choose before a game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

from companion.rules.errors import BadInput

MOST = 1_000_000
"""The greatest number of an option that names no other."""
LISTED = 24
"""Of more choices than these it is not told which go with the others."""
_SMALL = 6
_SHOWN = 40

Seating = tuple[str, ...]
"""Seats in order of play."""


@dataclass(frozen=True, slots=True)
class Option:
    """A choice the players make before the game; ``rule`` is where it is described.

    ``choices`` empty means a whole number from ``least`` to ``most``.
    """

    name: str
    default: str
    choices: tuple[str, ...]
    rule: str
    about: str
    least: int = 0
    most: int = MOST

    def problem(self, value: str) -> str | None:
        """Return one sentence saying why ``value`` does not fit, or None."""
        if self.choices and value not in self.choices:
            return f"option {self.name} is one of {', '.join(self.choices)}, not {shown(value)}"
        return None if self.choices else self._miscounts(value)

    def _miscounts(self, value: str) -> str | None:
        plain = value.isascii() and value.isdecimal()
        # The length first: Python refuses to read numbers of thousands of digits.
        if plain and (len(value) > len(str(self.most)) or int(value) > self.most):
            return f"option {self.name} is at most {self.most}, not {shown(value)}"
        if not plain or int(value) < self.least:
            return f"option {self.name} is a whole number from {self.least} up, not {shown(value)}"
        return None


@dataclass(frozen=True, slots=True)
class Setup:
    """Who plays, in order of play, and every option with its value."""

    seats: Seating
    options: Mapping[str, str]

    def __getitem__(self, name: str) -> str:
        return self.options[name]


def shown(value: str) -> str:
    """Return ``value`` as a sentence quotes it: what is long is cut."""
    return repr(value if len(value) <= _SHOWN else f"{value[:_SHOWN]}…")


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
