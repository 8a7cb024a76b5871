"""Cards as their owner enters them: numbers and icons; free text is for the player (section 15)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Any

from companion.rules import BadInput, quoted, say
from companion.rules.own import owned

SPORT, CARNAGE, OPPORTUNITY = "sport", "carnage", "opportunity"
HERO, UNIVERSAL, LIEUTENANT, TACTIC = "hero", "universal", "lieutenant", "tactic"
KINDS = (SPORT, CARNAGE, OPPORTUNITY, HERO, UNIVERSAL, LIEUTENANT, TACTIC)
INSTANT, SINGLE, PERMANENT = "instant", "single_use", "permanent"


@dataclass(frozen=True, slots=True)
class Card:
    """A card's numbers and icons. ``plus`` are icons for additional enemies; a hero's ``hits``,
    ``damage`` and ``plus`` are those of its other side, the primus; a lieutenant's ``effect`` is
    on the side that fights. The texts may be read at any time and are carried out by the player;
    a text that is empty was not entered."""

    name: str
    kind: str
    hits: int = 0
    damage: int = 0
    plus: int = 0
    influence: int = 0
    timing: str = ""
    reward: str = ""
    effect: str = ""
    health: int = 0
    strategy: int = 0
    recovery: int = 0
    allies: int = 0
    penalty: str = ""
    plague: str = ""
    ability: str = ""

    @property
    def is_enemy(self) -> bool:
        """Tell whether a card of this kind is fought when it comes up from a pile."""
        return self.kind in (SPORT, CARNAGE)

    @property
    def is_item(self) -> bool:
        """Tell whether the reward of this card is an item (section 7, step 5)."""
        return self.timing in (SINGLE, PERMANENT)


Deck = Mapping[str, Card]
"""All cards by name."""
_TEXTS = ("name", "kind", "timing", "reward", "effect", "penalty", "plague", "ability")
_NAME = re.compile(r"[^\s>=]{1,40}")
MOST, LONGEST = 999, 1000
"""The greatest number on a card, and the most characters of its texts."""
_LISTS = ("card", HERO, UNIVERSAL, LIEUTENANT, TACTIC)
_KNOWN = frozenset(field.name for field in fields(Card))


def read_deck(data: Mapping[str, Any]) -> Deck:
    """Return the deck of a card file: lists ``card``, ``hero``, ``universal``,
    ``lieutenant`` and ``tactic``.

    Raises:
        BadInput: a field is missing, unknown or of the wrong kind, a name stands twice.
    """
    found: dict[str, Card] = {}
    if not isinstance(data, Mapping):
        raise BadInput(say("the card file holds no lists of cards"))
    if strange := sorted(set(data) - set(_LISTS)):
        raise BadInput(
            say(
                "the card file has lists {lists}; {name} is none",
                lists=_LISTS,
                name=quoted(strange[0]),
            )
        )
    for kind in _LISTS:
        entries = data.get(kind, ())
        if not isinstance(entries, list | tuple) or not all(
            isinstance(e, Mapping) for e in entries
        ):
            raise BadInput(
                say("{name} in the card file is a list of cards, each with its fields", name=kind)
            )
        for entry in entries:
            card = _read(kind, dict(entry))
            if card.name in found:
                raise BadInput(say("the card file names {card} twice", card=quoted(card.name)))
            found[card.name] = card
    return MappingProxyType(found)


def unknown_card(name: object) -> BadInput:
    """Return the error that the deck has no such card."""
    return BadInput(say("there is no card {card} in this deck", card=quoted(name)))


def _text(value: object) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST


def _read(kind: str, entry: dict[str, Any]) -> Card:
    name = entry.get("name", "")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise BadInput(
            say("a card needs a name of one word without > and =, not {name}", name=quoted(name))
        )
    entry.setdefault("kind", kind)
    if unknown := sorted(set(entry) - _KNOWN):
        raise BadInput(
            say(
                "card {card}: no card has a field {name}",
                card=quoted(name),
                name=quoted(unknown[0]),
            )
        )
    if entry["kind"] not in KINDS:
        raise BadInput(
            say(
                "card {card}: its kind is one of {kinds}, not {kind}",
                card=quoted(name),
                kinds=KINDS,
                kind=quoted(entry["kind"]),
            )
        )
    for field, value in entry.items():
        right = _text(value) if field in _TEXTS else type(value) is int and 0 <= value <= MOST
        if not right:
            wanted = say("a text") if field in _TEXTS else say("a whole number from 0 to 999")
            raise BadInput(
                say("card {card}: {field} is {wanted}, not {value}",
                    card=quoted(name), field=field, wanted=wanted, value=quoted(value))
            )  # fmt: skip
    return Card(**entry)


INVENTED, OWN = "invented", "own"
"""The values of the option ``cards``: the invented cards, or the owner's."""
GAME_NAME, TITLE = "hoplomachus", "Hoplomachus: Victorum"
NEEDED = {
    (SPORT, CARNAGE, OPPORTUNITY): (54, say("Conflict cards")),
    (HERO,): (8, say("heroes")),
    (LIEUTENANT,): (1, say("lieutenant")),
    (TACTIC,): (1, say("tactic")),
}
"""For each group of kinds: how many cards a game needs at least, and what they are called."""


@cache
def invented() -> Deck:
    """Return the cards that were invented for trying the game out."""
    source = resources.files(__package__) / "cards.toml"
    return read_deck(tomllib.loads(source.read_text(encoding="utf-8")))


_read_last: list[tuple[Mapping[str, Any], Deck]] = [({}, MappingProxyType({}))]


def own() -> Deck:
    """Return the cards that their owner entered, none if there are none.

    Raises:
        BadInput: what was entered cannot be read.
    """
    data = owned(GAME_NAME)
    if data is not _read_last[0][0]:
        _read_last[0] = (data, checked(data))
    return _read_last[0][1]


def checked(data: Mapping[str, Any]) -> Deck:
    """Return the deck of an owner's card file, whose names must not be those of invented cards.

    Raises:
        BadInput: it is no card file, or a name is taken.
    """
    deck = read_deck(data)
    if taken := [name for name in deck if name in invented()]:
        raise BadInput(
            say("an invented card is called {card}; call your own one otherwise", card=taken[0])
        )
    return deck


def deck_called(name: str) -> Deck:
    """Return the deck that option ``cards`` names.

    Raises:
        BadInput: it is the owner's, and does not suffice for a game.
    """
    if name == INVENTED:
        return invented()
    deck = own()
    for kinds, (least, called) in NEEDED.items():
        count = len(by_kind(deck, *kinds))
        if count < least:
            raise BadInput(
                say(
                    "your card file has {count} of the {least} {cards} that a game needs at least; "
                    "enter the others on the page of your cards, or play with the invented cards",
                    count=count,
                    least=least,
                    cards=called,
                )
            )
    return deck


def deck_for(options: Mapping[str, str]) -> Deck:
    """Return the cards that are played with.

    Raises:
        BadInput: the owner's cards do not suffice, or the lieutenant is none of them.
    """
    deck = deck_called(options["cards"])
    if options["lieutenant"] not in ("random", *by_kind(deck, LIEUTENANT)):
        raise BadInput(
            say("no lieutenant of these cards is called {name}", name=quoted(options["lieutenant"]))
        )
    return deck


def known(name: str) -> bool:
    """Tell whether there is a card called ``name``, invented or entered."""
    return name in invented() or name in own()


def by_kind(deck: Deck, *kinds: str) -> tuple[str, ...]:
    """Return the names of the cards of ``kinds``, in the order of the file."""
    return tuple(card.name for card in deck.values() if card.kind in kinds)
