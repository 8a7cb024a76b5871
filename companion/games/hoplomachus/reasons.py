"""What speaks for a thing that the player may do, in hits, damage and dice."""

from __future__ import annotations

from collections.abc import Callable

from companion.games.hoplomachus import state as s
from companion.games.hoplomachus.cards import Card
from companion.games.hoplomachus.geometry import CAMPS
from companion.games.hoplomachus.pieces import COLOURS, counted, plus
from companion.games.hoplomachus.play import read_assignment
from companion.games.hoplomachus.rehearsal import needed, reach
from companion.games.hoplomachus.state import HoplomachusState, card_of
from companion.rules import Action, Text, say


def why(state: HoplomachusState, action: Action) -> Text | None:
    """Return what ``action`` is about, as the end of a sentence; None for nothing to speak of."""
    tell = _WHY.get(action.verb)
    return tell(state, action.detail) if tell else None


def _engaging(state: HoplomachusState, told: str) -> Text:
    rolls = max(1, state.strategy - state.phases)
    dice = plus(state.active, counted(map(COLOURS.index, told.split())))
    return say("{need} hits are needed; these dice may be expected to bring {hits} in as many "
               "rolls as are left ({rolls})",
               need=needed(state), hits=_tenths(reach(dice, rolls)), rolls=rolls)  # fmt: skip


def _leaving(state: HoplomachusState, _: str) -> Text:
    damage = sum(card_of(enemy.card).damage for enemy in state.standing)
    return say("no more dice are exhausted, and whoever stands does his damage: {damage}",
               damage=damage)  # fmt: skip


def _assigning(state: HoplomachusState, told: str) -> Text:
    _, face, name = read_assignment(told)
    enemy = next(enemy for enemy in state.standing if enemy.card == name)
    left = card_of(name).hits - enemy.hits - face
    if left <= 0:
        return say("{enemy} falls at once", enemy=name)
    return say("hits that {enemy} then lacks: {hits}", enemy=name, hits=left)


def _going(state: HoplomachusState, place: str) -> Text:
    camp = CAMPS.index(place)
    if state.primuses[camp]:
        return _fighting(state, place)
    return _activating(state._replace(chip=camp), place)


def _fighting(state: HoplomachusState, place: str) -> Text:
    camp = CAMPS.index(place) if place else state.chip
    return _against(state, card_of(state.primuses[camp]))


def _activating(state: HoplomachusState, _: str) -> Text:
    card = card_of(state.piles[state.chip][-1])
    if not card.is_enemy:
        return say("{card} is an Opportunity, and nothing is fought", card=card.name)
    return _against(state, card)


def _against(state: HoplomachusState, card: Card) -> Text:
    hits = _tenths(reach(state.reserve, state.strategy))
    if card.plus:
        return say("{enemy} needs {need} hits and calls others ({more}); the whole reserve may be "
                   "expected to bring {hits}",
                   enemy=card.name, need=card.hits, more=card.plus, hits=hits)  # fmt: skip
    return say("{enemy} needs {need} hits; the whole reserve may be expected to bring {hits}",
               enemy=card.name, need=card.hits, hits=hits)  # fmt: skip


def _scouting(state: HoplomachusState, _: str) -> Text:
    return say("nobody is fought; a die recovers or Health rises, for the lieutenant's penalty")


def _recovering(state: HoplomachusState, told: str) -> Text:
    return say("{count} dice are in the reserve after it",
               count=sum(state.reserve) + len(told.split()))  # fmt: skip


def _healing(state: HoplomachusState, _: str) -> Text:
    return say("Health is {health} after it", health=min(state.house.most, state.health + 1))


def _recruiting(state: HoplomachusState, _: str) -> Text:
    return say("{count} dice are in the reserve after it", count=sum(state.reserve) + 1)


def _adding(state: HoplomachusState, place: str) -> Text:
    card = card_of(state.piles[CAMPS.index(place)][-1])
    return say("{enemy} needs {need} hits and does damage {damage}",
               enemy=card.name, need=card.hits, damage=card.damage)  # fmt: skip


def _hero(state: HoplomachusState, name: str) -> Text:
    card = card_of(name)
    return say("Health {health}, Strategy {strategy}, Recovery {recovery}",
               health=card.health, strategy=card.strategy, recovery=card.recovery)  # fmt: skip


def _text(state: HoplomachusState, _: str) -> Text | None:
    """A reward is worth what its text says, which nobody has weighed."""
    kind = state.awaited[0]
    return say("what its text says is not weighed") if kind in (s.REWARD, s.GAIN) else None


def _tenths(hits: float) -> float:
    return round(hits, 1)


_WHY: dict[str, Callable[[HoplomachusState, str], Text | None]] = {
    "engage": _engaging, "stop": _leaving, "assign": _assigning, "go": _going,
    "fight": _fighting, "activate": _activating, "scout": _scouting, "recover": _recovering,
    "heal": _healing, "recruit": _recruiting, "add": _adding,
    "hero": _hero, "universal": _hero, "take": _text,
}  # fmt: skip
