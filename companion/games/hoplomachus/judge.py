"""Rulings: the rule that decides on any action, and why (section 13)."""

from __future__ import annotations

from collections.abc import Callable

from companion.games.hoplomachus import state as s
from companion.games.hoplomachus.cards import OPPORTUNITY
from companion.games.hoplomachus.geometry import FOOT, NAMES, TOP
from companion.games.hoplomachus.moves import reachable, standing
from companion.games.hoplomachus.pieces import BLANK, COLOURS, counted, nearest, weakest
from companion.games.hoplomachus.play import read_assignment
from companion.games.hoplomachus.state import HoplomachusState, card_of, zone
from companion.rules import Action, Ruling, Text, say

_RULES = {
    "hero": "HV-3.3", "tactic": "HV-8.4", "remove": "HV-12.2", "go": "HV-5.1", "scout": "HV-5.4",
    "activate": "HV-5.6", "fight": "HV-9.1", "add": "HV-5.7", "heal": "HV-5.4", "keep": "HV-5.5",
    "drop": "HV-5.5", "final": "HV-11.1", "engage": "HV-6.1", "roll": "HV-6.2",
    "assign": "HV-6.3", "stop": "HV-6.0", "done": "HV-6.0", "recover": "HV-7.4",
    "take": "HV-7.5", "refuse": "HV-7.5", "recruit": "HV-8.1", "dismiss": "HV-8.2",
    "discard": "HV-8.5", "use": "HV-6.6", "fulfil": "HV-8.6", "health": "HV-15.1",
    "strategy": "HV-15.1", "recovery": "HV-15.1", "shift": "HV-15.1", "reinforce": "HV-8.3",
    "weaken": "HV-8.3", "lieutenant": "HV-3.1", "reveal": "HV-3.3",
    "top": "HV-2.1", "strike": "HV-15.1", "toss": "HV-15.1", "reroll": "HV-15.1",
}  # fmt: skip
"""The rule that an action is done by."""


def judge(state: HoplomachusState, action: Action) -> Ruling:
    """Rule on ``action``."""
    spots = _spots(state, action)
    if action.verb not in _RULES or action.origin or action.target or action.via:
        return Ruling(False, "HV-4.1", say("That is nothing a player of Victorum does."), spots)
    by_rule, by_card = standing(state)
    if action in by_card and action not in by_rule:
        reason = say("The player may do so where the text of a card tells him.")
        if action.verb in ("lieutenant", "reveal", "top"):
            reason = say("What lies open on the table counts.")
        return Ruling(True, _RULES[action.verb], reason, spots)
    if action in by_rule:
        return Ruling(True, _RULES[action.verb], _allowed(state, action), spots)
    if state.ending:
        return Ruling(False, state.ending, say("The game is over."), spots)
    rule, reason = _OBJECTIONS.get(action.verb, _not_now)(state, action.detail)
    return Ruling(False, rule, reason, spots)


def _spots(state: HoplomachusState, action: Action) -> tuple[str, ...]:
    place = action.detail.partition(" ")[0]
    if action.verb in ("go", "add", "remove", "toss", "top") and place in NAMES:
        return (place,)
    if action.verb in ("scout", "activate", "fight") and state.chip >= 0:
        return (NAMES[state.chip],)
    return ()


def _allowed(state: HoplomachusState, action: Action) -> Text:
    if action.verb == "go":
        return say("The chip may go to {camp}.", camp=action.detail)
    if action.verb in ("scout", "activate", "fight"):
        return say("One thing is done in a camp: its top card is scouted or faced, or its primus.")
    if action.verb == "engage":
        left = state.strategy - state.phases
        return say("Any dice of the reserve may join; {left} strategy phases are left.", left=left)
    if action.verb == "assign":
        _, face, name = read_assignment(action.detail)
        need = card_of(name).hits - next(e.hits for e in state.standing if e.card == name)
        return say("{enemy} still needs {need}, and the die brings {hits}.",
                   enemy=name, need=need, hits=face)  # fmt: skip
    return awaited(state)


def awaited(state: HoplomachusState) -> Text:
    """Return what the game waits for, in words."""
    kind, what = state.awaited
    return {
        s.CHOOSE_HERO: say("A hero is chosen among the cards revealed."),
        s.CHOOSE_TACTIC: say("A tactic is chosen to begin with."),
        s.CAMP: say("The chip moves to a camp beside its own."),
        s.ACT: say("The camp's top card is scouted or activated, or its primus is fought."),
        s.ENGAGE: say("A strategy phase begins, or the fight is left to its resolution."),
        s.ROLL: say("All active dice are rolled."),
        s.ASSIGN: say("Hits are assigned to enemies, as many as the player likes."),
        s.FINAL: say("The last primus has fallen: the Final begins."),
        s.OVER: say("The game is over."),
        s.REMOVE: say("The rank removes the top card of a pile that is still whole."),
        s.DISMISS: say("A die that is not assigned is dismissed."),
        s.ADD: say("Another enemy comes from the top of a camp beside."),
        s.SCOUTED: say("After scouting a die recovers, or Health rises by one."),
        s.OPENED: say("The Opportunity {card} is kept or discarded.", card=what),
        s.REWARD: say("{card} gives its reward, or a die, or a tactic.", card=what),
        s.RECOVER: say("Dice recover, {most} at most.", most=state.recovery),
        s.GAIN: say("The item {card} is taken or refused.", card=what),
        s.LIMIT: say("There are more items than Strategy allows: one is discarded."),
        s.PLAGUE: say("The plague of {card} is carried out.", card=what),
    }[kind]


Objection = tuple[str, Text]


def _not_now(state: HoplomachusState, _: str) -> Objection:
    rule = "HV-9.2" if state.boss and state.awaited[0] == s.ENGAGE else "HV-4.1"
    return rule, say("It is not the time for that; {awaited}", awaited=awaited(state))


def _going(state: HoplomachusState, name: str) -> Objection:
    if state.boss:
        return "HV-9.2", say("Until all enemies of this conflict have fallen the chip stays.")
    if state.awaited[0] == s.FINAL:
        return "HV-11.1", say("The Final cannot be put off.")
    if state.awaited[0] != s.CAMP:
        return _not_now(state, name)
    camp = NAMES.index(name) if name in NAMES else -1
    if camp == TOP:
        return "HV-5.2", say("The lieutenant's camp is entered in the Final only.")
    if state.chip < 0 and camp not in FOOT:
        return "HV-5.1", say("The first camp is one at the foot of the mountain.")
    if camp == state.chip:
        return "HV-5.2", say("The chip has to leave its camp.")
    if camp >= 0 and state.is_empty(camp):
        return "HV-5.2", say("Nothing is left in {camp}.", camp=name)
    near = [NAMES[other] for other in reachable(state)]
    return "HV-5.1", say("No way leads to {camp}; the chip may go to {near}.", camp=name, near=near)


def _scouting(state: HoplomachusState, _: str) -> Objection:
    if state.awaited[0] == s.ACT:
        return "HV-5.4", say("A primus cannot be scouted, and no card is left here.")
    return _not_now(state, _)


def _fighting(state: HoplomachusState, _: str) -> Objection:
    if state.awaited[0] == s.ACT:
        return "HV-5.3", say("No primus is in this camp.")
    return _not_now(state, _)


def _adding(state: HoplomachusState, name: str) -> Objection:
    if state.awaited[0] != s.ADD:
        return _not_now(state, name)
    return "HV-5.7", say("More enemies come from the tops of the camps beside the one that calls.")


def _engaging(state: HoplomachusState, told: str) -> Objection:
    if state.awaited[0] != s.ENGAGE:
        return _not_now(state, told)
    return "HV-6.1", say("Only dice of the reserve are engaged; there are {dice}.",
                         dice=sum(state.reserve))  # fmt: skip


def _rolling(state: HoplomachusState, told: str) -> Objection:
    if state.awaited[0] != s.ROLL:
        return _not_now(state, told)
    return "HV-6.2", say("A roll tells the face of every active die, {dice} of them.",
                         dice=sum(state.active))  # fmt: skip


def _assigning(state: HoplomachusState, told: str) -> Objection:
    if state.awaited[0] != s.ASSIGN:
        return _not_now(state, told)
    colour, face, name = read_assignment(told)
    if face == BLANK:
        return "HV-6.3", say("A blank hits nobody.")
    if name not in [enemy.card for enemy in state.standing]:
        return "HV-6.3", say("{enemy} is no enemy that still stands.", enemy=name)
    return "HV-6.4", say("No {die} that is free shows this; assigned dice stay where they are.",
                         die=COLOURS[colour])  # fmt: skip


def _recovering(state: HoplomachusState, told: str) -> Objection:
    if state.awaited[0] == s.SCOUTED:
        return "HV-5.4", say("Scouting brings one exhausted die back.")
    if state.awaited[0] != s.RECOVER:
        return _not_now(state, told)
    dice = counted(map(COLOURS.index, told.split()))
    if sum(dice) > state.recovery:
        return "HV-7.4", say("{most} dice recover in a turn.", most=state.recovery)
    return "HV-7.4", say("Only exhausted dice recover.")


def _taking(state: HoplomachusState, _: str) -> Objection:
    if state.awaited[0] == s.GAIN:
        return "HV-8.5", say("Strategy {limit} allows no more items; discard one first.",
                             limit=state.strategy)  # fmt: skip
    return _not_now(state, _)


def _keeping(state: HoplomachusState, _: str) -> Objection:
    if state.awaited[0] == s.OPENED:
        return "HV-8.5", say("Strategy {limit} allows no more items; discard one first.",
                             limit=state.strategy)  # fmt: skip
    return _not_now(state, _)


def _tactic(state: HoplomachusState, name: str) -> Objection:
    if name not in state.tactics:
        return "HV-8.4", say("{card} does not lie among the tactics.", card=name)
    if state.awaited[0] in (s.REWARD, s.GAIN):
        return "HV-8.5", say("There is no room for a tactic, or the card is no Sport card.")
    return _not_now(state, name)


def _recruiting(state: HoplomachusState, told: str) -> Objection:
    if state.awaited[0] not in (s.REWARD, s.GAIN):
        return _not_now(state, told)
    colour = weakest(state.training)
    if colour is None:
        return "HV-8.1", say("No die is left in the training ground.")
    return "HV-8.1", say("The weakest die of the training ground is recruited, a {die} one, and "
                         "only a Sport card gives it.", die=COLOURS[colour])  # fmt: skip


def _dismissing(state: HoplomachusState, told: str) -> Objection:
    if state.awaited[0] != s.DISMISS:
        return _not_now(state, told)
    return "HV-8.2", say("Only a die of the reserve, an active or an exhausted one is dismissed.")


def _removing(state: HoplomachusState, name: str) -> Objection:
    if state.awaited[0] != s.REMOVE:
        return _not_now(state, name)
    return "HV-12.2", say("Each pile gives one card at most.")


def _using(state: HoplomachusState, name: str) -> Objection:
    if name not in state.items:
        return "HV-6.6", say("{card} is no item at hand.", card=name)
    if card_of(name).kind == OPPORTUNITY and name not in state.ready:
        return "HV-8.6", say("The condition of {card} is not met yet.", card=name)
    return "HV-6.6", say("Items are used before a move, before engaging or before assigning.")


def _holding(state: HoplomachusState, name: str) -> Objection:
    if name not in state.items:
        return "HV-8.5", say("{card} is no item at hand.", card=name)
    return "HV-8.6", say("{card} cannot be turned over now.", card=name)


def _swapping(state: HoplomachusState, told: str) -> Objection:
    colour, name = told.split()
    number = COLOURS.index(colour)
    if name not in ("reserve", "active", "exhausted") or not zone(state, name)[number]:
        return "HV-8.3", say("There is no {die} die to exchange in that zone.", die=colour)
    if nearest(state.training, number, 1) is None and nearest(state.training, number, -1) is None:
        return "HV-8.3", say("The training ground has no other die to offer.")
    return "HV-8.3", say("The training ground has none that fits.")


def _hero(state: HoplomachusState, name: str) -> Objection:
    if state.awaited[0] != s.CHOOSE_HERO:
        return _not_now(state, name)
    return "HV-3.3", say("{card} is not among the heroes revealed.", card=name)


_OBJECTIONS: dict[str, Callable[[HoplomachusState, str], Objection]] = {
    "go": _going, "scout": _scouting, "fight": _fighting, "add": _adding, "engage": _engaging,
    "roll": _rolling, "assign": _assigning, "recover": _recovering, "take": _taking,
    "keep": _keeping, "tactic": _tactic, "recruit": _recruiting, "dismiss": _dismissing,
    "remove": _removing, "use": _using, "fulfil": _holding, "discard": _holding,
    "reinforce": _swapping, "weaken": _swapping, "hero": _hero,
}  # fmt: skip
