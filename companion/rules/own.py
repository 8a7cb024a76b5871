"""What people own and nobody else may hand out, such as the numbers on published cards: they enter
it themselves, and games get it as plain data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from companion.rules.words import Text

Source = Callable[[str], Mapping[str, Any]]
"""Gives what was entered for the game of a name; the same object until something changes."""
NOTHING: Mapping[str, Any] = MappingProxyType({})


class Blank(NamedTuple):
    """One thing that owners enter of each card: a text, a whole number, or one of ``choices``;
    only for the ``kinds`` of card that have it, for all if there are none."""

    name: str
    about: Text
    number: bool = False
    choices: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()


def _nothing(game: str) -> Mapping[str, Any]:
    return NOTHING


_source: list[Source] = [_nothing]


def furnish(source: Source) -> None:
    """Let games read what their owners entered from ``source``. The composition root calls this
    once, before any game is set up."""
    _source[0] = source


def owned(game: str) -> Mapping[str, Any]:
    """Return what was entered for ``game``, empty if nothing was.

    Raises:
        BadInput: the source cannot be read.
    """
    return _source[0](game)
