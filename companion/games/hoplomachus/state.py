"""The state of a game: camps, dice by zone, enemies, what is owed before play goes on."""

from __future__ import annotations

import random
from types import MappingProxyType
from typing import NamedTuple

from companion.games.hoplomachus.cards import (
    CARNAGE,
    HERO,
    LIEUTENANT,
    OPPORTUNITY,
    SPORT,
    TACTIC,
    Card,
    Deck,
    by_kind,
    deck_called,
    deck_for,
    invented,
    own,
)
from companion.games.hoplomachus.geometry import CAMPS, NUMBERED, PILE
from companion.games.hoplomachus.pieces import (
    NONE,
    NOTHING_SHOWN,
    NUMBER,
    RESERVE_AT_START,
    Dice,
    Shown,
    plus,
)
from companion.games.hoplomachus.setup import House, house_of
from companion.rules import Setup

SEAT = "player"
PRIMUSES = (0, 3, 4, 5, 6, 7)
REMOVED = (0, 0, 2, 3, 4, 5)
"""Primuses, and top cards removed, by difficulty rank (section 12)."""

# What is awaited when nothing is owed.
CHOOSE_HERO, CHOOSE_TACTIC, CAMP, ACT, ENGAGE, ROLL, ASSIGN, FINAL, OVER = (
    "hero", "tactic", "camp", "act", "engage", "roll", "assign", "final", "over",
)  # fmt: skip

# What may be owed before that.
REMOVE, DISMISS, ADD, SCOUTED, OPENED, REWARD, RECOVER, GAIN, LIMIT, UPKEEP, PLAGUE, ALLY, LATER = (
    "remove", "dismiss", "add", "scouted", "opened", "reward", "recover", "gain", "limit",
    "upkeep", "plague", "ally", "later",
)  # fmt: skip

WON, DIED = "HV-11.6", "HV-1.5"


class Enemy(NamedTuple):
    """An active enemy: its card, the camp it came from (-1 for none), the showing dice assigned
    to it as pairs of colour and face, whether it is beaten."""

    card: str
    camp: int = -1
    assigned: tuple[tuple[int, int], ...] = ()
    beaten: bool = False

    @property
    def hits(self) -> int:
        """The hits assigned: a crit counts two (HV-6.3)."""
        return sum(face for _, face in self.assigned)


class HoplomachusState(NamedTuple):
    """A position. Heaps of dice are numbers by colour; cards are names, the top card last.

    ``chip`` is the camp of the chip, -1 before the first turn. ``active`` are the engaged dice
    that are not assigned, ``shown`` what they show since the last roll; ``kept`` are those of
    them, with their faces, that are kept from the roll that is awaited. ``boss`` is the primus
    or lieutenant of a conflict that lasts until all enemies are defeated. ``phases`` are the
    strategy phases begun in this turn. ``items`` are single-use and permanent items, tactics
    and Opportunities; ``ready`` those Opportunities whose condition was met. ``owed`` is what
    the player has to do before the game goes on, in order.
    """

    options: tuple[tuple[str, str], ...]
    stage: str
    lieutenant: str
    offered: tuple[str, ...]
    piles: tuple[tuple[str, ...], ...]
    tactics: tuple[str, ...]
    primuses: tuple[str, ...] = ("",) * len(CAMPS)
    hero: str = ""
    chip: int = -1
    health: int = 0
    strategy: int = 0
    recovery: int = 0
    reserve: Dice = RESERVE_AT_START
    active: Dice = NONE
    shown: Shown = NOTHING_SHOWN
    kept: Shown = NOTHING_SHOWN
    exhausted: Dice = NONE
    training: Dice = plus(NUMBER, RESERVE_AT_START, -1)
    banished: Dice = NONE
    enemies: tuple[Enemy, ...] = ()
    boss: str = ""
    phases: int = 0
    items: tuple[str, ...] = ()
    ready: frozenset[str] = frozenset()
    influence: tuple[str, ...] = ()
    discard: tuple[str, ...] = ()
    owed: tuple[tuple[str, str], ...] = ()
    turn: int = 0
    ending: str = ""

    @property
    def setup(self) -> Setup:
        """The set-up that the game was begun with."""
        return Setup((SEAT,), MappingProxyType(dict(self.options)))

    @property
    def awaited(self) -> tuple[str, str]:
        """What the player has to decide now: what is owed first, else the stage."""
        return self.owed[0] if self.owed else (self.stage, "")

    @property
    def rank(self) -> int:
        """The difficulty rank, 1 to 5."""
        return int(dict(self.options)["rank"])

    @property
    def house(self) -> House:
        """The readings of the rules that were agreed on."""
        return house_of(self.options)

    @property
    def thrown(self) -> Dice:
        """The active dice that the next roll throws."""
        return tuple(count - sum(kept) for count, kept in zip(self.active, self.kept, strict=True))

    @property
    def standing(self) -> tuple[Enemy, ...]:
        """The active enemies that are not defeated."""
        return tuple(enemy for enemy in self.enemies if not enemy.beaten)

    def is_empty(self, camp: int) -> bool:
        """Tell whether nothing is left in a camp: neither card nor primus (R3)."""
        return not self.piles[camp] and not self.primuses[camp]

    def assigned(self) -> Dice:
        """Return the dice on enemy cards."""
        listed = [colour for enemy in self.enemies for colour, _ in enemy.assigned]
        return tuple(listed.count(colour) for colour in range(5))


ZONES = ("reserve", "active", "exhausted", "training", "banished")
"""The zones of dice that are not on an enemy card (HV-1.6)."""


def zone(state: HoplomachusState, name: str) -> Dice:
    """Return the dice in zone ``name``."""
    found: Dice = getattr(state, name)
    return found


def card_of(name: str) -> Card:
    """Return the card called ``name``."""
    return invented().get(name) or own()[name]


def deck_of(state: HoplomachusState) -> Deck:
    """Return the cards that the game is played with."""
    return deck_called(dict(state.options)["cards"])


def begin(setup: Setup) -> HoplomachusState:
    """Return the mountain built from the shuffle that option ``deal`` numbers (section 3).

    Raises:
        BadInput: the owner's cards do not suffice, or the lieutenant is none of them.
    """
    deck = deck_for(setup.options)
    shuffle = random.Random(f"hoplomachus {setup['deal']}")
    conflict = list(by_kind(deck, SPORT, CARNAGE, OPPORTUNITY))
    heroes = list(by_kind(deck, HERO))
    lieutenants = by_kind(deck, LIEUTENANT)
    shuffle.shuffle(conflict)
    shuffle.shuffle(heroes)
    conflict = conflict[: PILE * len(CAMPS)]
    piles = tuple(tuple(conflict[at : at + PILE]) for at in range(0, len(conflict), PILE))
    chosen = setup["lieutenant"]
    return HoplomachusState(
        tuple(setup.options.items()),
        CHOOSE_HERO,
        lieutenants[shuffle.randrange(len(lieutenants))] if chosen == "random" else chosen,
        tuple(heroes[: PRIMUSES[int(setup["rank"])] + 1]),
        piles,
        by_kind(deck, TACTIC),
    )


def tucked(offered: tuple[str, ...], hero: str) -> tuple[str, ...]:
    """Return which primus lies under which camp: all offered ones but the hero, in order."""
    camps = [""] * len(CAMPS)
    rest = [name for name in offered if name != hero]
    for camp, name in zip(NUMBERED, rest, strict=False):
        camps[camp] = name
    return tuple(camps)
