"""Cards as their owner enters them: numbers and icons; free text is for the player (section 15)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Any

from companion.rules import BadInput

SPORT, CARNAGE, OPPORTUNITY = "sport", "carnage", "opportunity"
HERO, LIEUTENANT, TACTIC = "hero", "lieutenant", "tactic"
KINDS = (SPORT, CARNAGE, OPPORTUNITY, HERO, LIEUTENANT, TACTIC)
INSTANT, SINGLE, PERMANENT = "instant", "single_use", "permanent"


@dataclass(frozen=True, slots=True)
class Card:
    """A card's numbers and icons. ``plus`` are icons for additional enemies; a hero's ``hits``,
    ``damage`` and ``plus`` are those of its other side, the primus. The texts are shown when
    their time comes and are carried out by the player."""

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

    @property
    def is_enemy(self) -> bool:
        """Whether it is fought when it comes up from a pile."""
        return self.kind in (SPORT, CARNAGE)

    @property
    def is_item(self) -> bool:
        """Whether its reward is an item (section 7, step 5)."""
        return self.timing in (SINGLE, PERMANENT)


Deck = Mapping[str, Card]
"""All cards by name."""
_TEXTS = ("name", "kind", "timing", "reward", "effect", "penalty", "plague")
_KNOWN = frozenset(field.name for field in fields(Card))


def read_deck(data: Mapping[str, Any]) -> Deck:
    """Return the deck of a card file: lists ``card``, ``hero``, ``lieutenant`` and ``tactic``.

    Raises:
        BadInput: a field is missing, unknown or of the wrong kind, a name stands twice.
    """
    found: dict[str, Card] = {}
    for kind in ("card", HERO, LIEUTENANT, TACTIC):
        for entry in data.get(kind, ()):
            card = _read(kind, dict(entry))
            if card.name in found:
                raise BadInput(f"the card file names {card.name!r} twice")
            found[card.name] = card
    return MappingProxyType(found)


def _read(kind: str, entry: dict[str, Any]) -> Card:
    name = entry.get("name", "")
    if not isinstance(name, str) or not name or " " in name:
        raise BadInput(f"a card of the card file needs a name of one word, not {name!r}")
    entry.setdefault("kind", kind)
    if unknown := sorted(set(entry) - _KNOWN):
        raise BadInput(f"card {name}: there is no field {unknown[0]!r}")
    if entry["kind"] not in KINDS:
        raise BadInput(f"card {name}: kind is one of {', '.join(KINDS)}, not {entry['kind']!r}")
    for field, value in entry.items():
        right = isinstance(value, str) if field in _TEXTS else type(value) is int and value >= 0
        if not right:
            wanted = "text" if field in _TEXTS else "a whole number from 0 up"
            raise BadInput(f"card {name}: {field} is {wanted}, not {value!r}")
    return Card(**entry)


@cache
def invented() -> Deck:
    """Return the cards that were invented for trying the game out."""
    source = resources.files(__package__) / "cards.toml"
    return read_deck(tomllib.loads(source.read_text(encoding="utf-8")))


@cache
def by_kind(*kinds: str) -> tuple[str, ...]:
    """Return the names of the invented cards of ``kinds``, in the order of the file."""
    return tuple(card.name for card in invented().values() if card.kind in kinds)
