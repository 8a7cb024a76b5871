"""How a game might go on: what chance does, and what a player does at first sight. The adviser
plays on by it. What only the texts of cards say is not known here (section 15)."""

from __future__ import annotations

import random

from companion.games.hoplomachus import moves
from companion.games.hoplomachus import state as s
from companion.games.hoplomachus.cards import Card
from companion.games.hoplomachus.changes import shifted
from companion.games.hoplomachus.geometry import CAMPS
from companion.games.hoplomachus.pieces import (
    COLOURS,
    CRIT,
    FACES,
    HIT,
    NONE,
    SIDES,
    Dice,
    counted,
    expanded,
    in_words,
    plus,
    weakest,
)
from companion.games.hoplomachus.play import advance, read_assignment
from companion.games.hoplomachus.state import HoplomachusState, card_of
from companion.rules import Action
from companion.rules.own_hand import HandPlay

WON = 2.5
"""What a game won counts, as the logarithm of the odds; a lost one counts as much below 0. The mean
of many then gives the share of those won, but for less than a tenth."""
POSITIONS = 4
"""What a game played on counts for, in positions looked at."""
LONGEST = 600
"""Actions after which a game that goes on counts as lost."""
WAYS = 5
"""Ways to engage dice that are weighed, beside engaging none."""
SPARE = 0.7
"""Hits within reach that a player wants for each that is needed: luck, and a second turn, do the
rest. Of 0.7 to 1.5 this won most games at first sight, with the next one (150 games each)."""
WELL = 5
"""Health below which a player heals rather than fights."""
CALLED = 2.5
"""Hits that an enemy needs who is called and not yet known."""
VERBS = (
    "hero", "tactic", "remove", "go", "scout", "activate", "fight", "add", "heal", "keep", "drop",
    "final", "engage", "assign", "stop", "done", "recover", "take", "refuse", "recruit", "dismiss",
    "discard", "universal",
)  # fmt: skip
"""What is weighed. What an item does only its text says, so nobody is told to use it."""


# -- what may be decided, and what chance decides -------------------------------------------------


def plays(state: HoplomachusState) -> list[HandPlay]:
    """Return what the player may decide now, of very many ways the most promising; nothing where
    chance decides."""
    kind = state.awaited[0]
    if kind in (s.ROLL, s.ALLY, s.OVER):
        return []
    if kind == s.ENGAGE:
        heaps = sorted(_heaps(state.reserve), key=lambda dice: -_engaging(state, dice))[:WAYS]
        found = [*(_dice("engage", dice) for dice in heaps), moves.STOP]
    elif kind == s.RECOVER:
        listed = list(expanded(state.exhausted))
        best = counted(listed[-min(len(listed), state.recovery) :])
        found = [_dice("recover", best), _dice("recover", NONE)]
    else:
        found = [action for action in moves.legal(state) if action.verb in VERBS]
    return [HandPlay(action) for action in found]


def _heaps(dice: Dice) -> list[Dice]:
    """Return choices from ``dice``: so many of the strongest, or so many of the weakest."""
    listed = list(expanded(dice))
    strong = [counted(listed[at:]) for at in range(len(listed) + 1)]
    weak = [counted(listed[:at]) for at in range(len(listed))]
    return list(dict.fromkeys((*strong, *weak)))


def _dice(verb: str, dice: Dice) -> Action:
    return Action(verb, detail=in_words(dice))


def by_chance(state: HoplomachusState, chance: random.Random) -> Action | None:
    """Return what chance does now: how the dice fall, or which ally comes; None for nothing."""
    kind = state.awaited[0]
    if kind == s.ALLY:
        return Action("ally", detail=chance.choice(moves.called_up(state)))
    if kind != s.ROLL:
        return None
    told = [
        (colour, chance.choices(range(3), SIDES[colour])[0]) for colour in expanded(state.thrown)
    ]
    words = " ".join(f"{COLOURS[colour]}={FACES[face]}" for colour, face in sorted(told))
    return Action("roll", detail=words)


def world(state: HoplomachusState, chance: random.Random) -> HoplomachusState:
    """Return ``state`` with the cards that lie beneath others in any order."""
    hidden = [card for pile in state.piles for card in pile[:-1]]
    chance.shuffle(hidden)
    piles = []
    for pile in state.piles:
        below = max(0, len(pile) - 1)
        piles.append((*hidden[:below], *pile[below:]))
        del hidden[:below]
    return state._replace(piles=tuple(piles))


def prospect(there: HoplomachusState, play: HandPlay, chance: random.Random) -> tuple[float, int]:
    """Return how the game ends if ``play`` is made in the world ``there`` and all that follows is
    done at first sight: the logarithm of the odds, and what that counts for in positions."""
    state = _advanced(there, play.action)
    for _ in range(LONGEST):
        if state.ending:
            break
        state = _advanced(state, by_chance(state, chance) or usual(state))
    return (WON if state.ending == s.WON else -WON), POSITIONS


def _advanced(state: HoplomachusState, action: Action) -> HoplomachusState:
    """Return the state after ``action``. Scouting has a price that is told in a text; it is taken
    to be a die of the reserve that is exhausted."""
    state = advance(state, action)
    worst = weakest(state.reserve)
    if action.verb == "scout" and worst is not None:
        state = shifted(state, (worst, None), "reserve", "exhausted")
    return state


# -- at first sight -------------------------------------------------------------------------------


def usual(state: HoplomachusState) -> Action:
    """Return what a player does at first sight."""
    return max((play.action for play in plays(state)), key=lambda action: at_once(state, action))


def at_once(state: HoplomachusState, action: Action) -> float:
    """Return what ``action`` promises at first sight; only the order means anything."""
    verb, detail = action.verb, action.detail
    if verb == "engage":
        return _engaging(state, counted(map(COLOURS.index, detail.split())))
    if verb == "stop":
        return -SPARE * needed(state) - 1
    if verb == "assign":
        return _assigning(state, *read_assignment(detail))
    if verb == "go":
        camp = CAMPS.index(detail)
        return max(_fought(state, camp), _activated(state, camp), _scouted(state, camp))
    if verb in _IN_CAMP:
        return _IN_CAMP[verb](state, state.chip)
    if verb in ("hero", "universal"):
        card = card_of(detail)
        return card.health + 1.5 * card.strategy + card.recovery
    if verb == "add":
        return -_burden(card_of(state.piles[CAMPS.index(detail)][-1]))
    if verb == "dismiss":
        return -COLOURS.index(detail.split()[0])
    if verb == "heal":
        return 1.0 if state.health < state.house.most else 0.2
    if verb == "recover":
        return 0.5 + sum(map(COLOURS.index, detail.split())) / 10
    return _PLAIN.get(verb, 0.0)


_PLAIN = {"recruit": 2.0, "take": 1.5, "keep": 1.0, "done": -1.0}


def reach(dice: Dice, rolls: int) -> float:
    """Return the hits that ``dice`` may be expected to bring in so many ``rolls``, if each die is
    rolled until it hits."""
    total = 0.0
    for colour, count in enumerate(dice):
        blank, hit, crit = SIDES[colour]
        total += count * (1 - (blank / 6) ** rolls) * (hit + 2 * crit) / (hit + crit)
    return total


def needed(state: HoplomachusState) -> int:
    """Return how many hits the enemies who stand still need."""
    return sum(card_of(enemy.card).hits - enemy.hits for enemy in state.standing)


def _burden(card: Card) -> float:
    """Return the hits that it takes to defeat ``card`` and all whom it calls."""
    return card.hits + CALLED * card.plus


def _spare(state: HoplomachusState, card: Card) -> float:
    """Return the hits that the reserve has to spare beyond those against ``card``."""
    return reach(state.reserve, state.strategy) - SPARE * _burden(card)


def _engaging(state: HoplomachusState, dice: Dice) -> float:
    """Enough for what is needed, and few dice for it."""
    within = reach(plus(state.active, dice), max(1, state.strategy - state.phases))
    return -max(0.0, SPARE * needed(state) - within) - reach(dice, 1) / 10


def _assigning(state: HoplomachusState, colour: int, face: int, name: str) -> float:
    """An enemy that falls at once first, the harmful before others; no crit on a last hit."""
    enemy = next(enemy for enemy in state.standing if enemy.card == name)
    card = card_of(name)
    left = card.hits - enemy.hits - (2 if face == CRIT else 1)
    return card.damage - left - (2.5 if left < 0 and state.shown[colour][HIT] else 0.0) + 10


def _fought(state: HoplomachusState, camp: int) -> float:
    """A primus is for a hero who is well."""
    name = state.primuses[camp]
    if not name:
        return -9.0
    spare = _spare(state, card_of(name))
    return 3.0 if spare > 0 and state.health >= WELL else min(0.0, spare / 4) - 1


def _activated(state: HoplomachusState, camp: int) -> float:
    if not state.piles[camp]:
        return -9.0
    card = card_of(state.piles[camp][-1])
    if not card.is_enemy:
        return 0.4
    if _spare(state, card) <= 0:
        return -0.5 - card.damage
    return 2.0 - _burden(card) / 10 if any(state.training) else 0.3


def _scouted(state: HoplomachusState, camp: int) -> float:
    if not state.piles[camp]:
        return -9.0
    return 2.5 if state.health < WELL else 0.6 if state.health < state.house.most else 0.0


_IN_CAMP = {"fight": _fought, "activate": _activated, "scout": _scouted}
