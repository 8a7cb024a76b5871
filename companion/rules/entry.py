"""Actions that have too many forms for a button each: how a phone puts them together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.rules.words import Text


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing to choose: what is written for it and what it is called, the first until another
    is chosen. ``label`` says what it is about; a ``colour`` is that of a die."""

    label: str
    words: Mapping[str, str]
    colour: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """The actions of one ``verb`` (as :meth:`companion.rules.Game.format` writes it): what is
    chosen is written after it, in order, with ``between`` in between. ``most`` limits how many of
    the choices may be other than nothing; ``claim``: somebody may say so, nobody has to."""

    verb: str
    title: Text
    choices: tuple[Choice, ...]
    between: str = " "
    most: int | None = None
    claim: bool = False
