"""What a phone shows beside buttons: actions that have too many forms for a button each, and the
cards that are read before one chooses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from companion.rules.words import Text


class Choice(NamedTuple):
    """One thing to choose: what is written for it and what it is called, the first until another
    is chosen. ``label`` says what it is about; a ``colour`` is that of a die."""

    label: str
    words: Mapping[str, str]
    colour: str = ""


class Entry(NamedTuple):
    """The actions of one ``verb`` (as :meth:`companion.rules.Game.format` writes it): what is
    chosen is written after it, in order, with ``between`` in between. ``most`` limits how many of
    the choices may be other than nothing; ``claim``: somebody may say so, nobody has to."""

    verb: str
    title: Text
    choices: tuple[Choice, ...]
    between: str = " "
    most: int | None = None
    claim: bool = False


class CardSide(NamedTuple):
    """One side of a card: what the side is called, and what stands there, line by line."""

    title: str
    lines: tuple[str, ...]


class CardText(NamedTuple):
    """A card that may be read now: its ``name``, ``where`` it lies, its ``sides``; ``asked`` if
    the present decision is about it, ``lacking`` if some text of it is not known."""

    name: str
    where: str
    sides: tuple[CardSide, ...]
    asked: bool = False
    lacking: bool = False
