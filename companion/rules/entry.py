"""What a phone shows beside buttons: actions that have too many forms for a button each, and the
cards that are read before one chooses."""

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


@dataclass(frozen=True, slots=True)
class CardSide:
    """One side of a card: what the side is called, and what stands there, line by line."""

    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CardText:
    """A card that may be read now: its ``name``, ``where`` it lies, its ``sides``; ``asked`` if
    the present decision is about it, ``lacking`` if some text of it is not known."""

    name: str
    where: str
    sides: tuple[CardSide, ...]
    asked: bool = False
    lacking: bool = False
