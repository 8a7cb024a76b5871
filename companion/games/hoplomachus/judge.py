"""Rulings: the rule that decides on any action, and why (section 13)."""

from __future__ import annotations

from companion.games.hoplomachus.awaiting import awaited
from companion.games.hoplomachus.geometry import NAMES
from companion.games.hoplomachus.moves import standing
from companion.games.hoplomachus.notation import is_written, miswritten
from companion.games.hoplomachus.play import read_assignment
from companion.games.hoplomachus.refusing import objection
from companion.games.hoplomachus.scorecards import ENEMIES
from companion.games.hoplomachus.state import HoplomachusState, card_of
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
    "universal": "HV-12.4", "tuck": "HV-2.4", "ally": "HV-11.4", "draw": "HV-11.4",
    "hold": "HV-6.2",
}  # fmt: skip
"""The rule that an action is done by."""


_HEAPS = {"engage": "reserve", "roll": "active", "hold": "active", "reroll": "active",
          "recover": "exhausted", "recruit": "training"}  # fmt: skip
"""The zone of the dice that an action is about."""


def judge(state: HoplomachusState, action: Action) -> Ruling:
    """Rule on ``action``."""
    if not is_written(action):
        return _miswritten(state, action)
    spots = _spots(state, action)
    by_rule, by_card = standing(state)
    if action in by_card and action not in by_rule:
        return Ruling(True, _RULES[action.verb], _claimed(action), spots)
    if action in by_rule:
        return Ruling(True, _RULES[action.verb], _allowed(state, action), spots)
    if state.ending:
        return Ruling(False, state.ending, say("The game is over."), spots)
    rule, reason = objection(state, action)
    return Ruling(False, rule, reason, spots)


def _miswritten(state: HoplomachusState, action: Action) -> Ruling:
    """Refuse what is no action: the word alone, where it may be said so, before what follows it."""
    alone, rule = Action(action.verb), "HV-4.1"
    if action == Action(action.verb, detail=action.detail) and is_written(alone):
        ruling = judge(state, alone)
        if not ruling.allowed:
            return ruling
        rule = ruling.rule
    return Ruling(False, rule, miswritten(action))


def _spots(state: HoplomachusState, action: Action) -> tuple[str, ...]:
    first, _, last = action.detail.partition(">" if action.verb == "tuck" else " ")
    place = last if action.verb == "tuck" else first
    if action.verb in ("go", "add", "remove", "toss", "top", "tuck") and place in NAMES:
        return (place,)
    if action.verb in _HEAPS:
        return (_HEAPS[action.verb],)
    if action.verb in ("dismiss", "reinforce", "weaken", "shift"):
        return tuple(dict.fromkeys(last.split(">")))
    if action.verb in ("assign", "strike"):
        name, there = action.detail.rpartition(">")[2], [enemy.card for enemy in state.enemies]
        return (f"enemy.{there.index(name) + 1}",) if name in there[:ENEMIES] else ()
    if action.verb in ("scout", "activate", "fight") and state.chip >= 0:
        return (NAMES[state.chip],)
    return ()


def _claimed(action: Action) -> Text:
    """Return why something may be announced beside the course of the turn."""
    if action.verb in ("lieutenant", "reveal", "top", "tuck"):
        return say("What lies open on the table counts.")
    if action.verb == "discard":
        return say("Any item may be discarded at any time.")
    if action.verb == "fulfil":
        return say("{card} is turned over when its condition is met.", card=action.detail)
    return say("The player may do so where the text of a card tells him.")


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
    if action.verb == "use":
        return say("{card} may be used now.", card=action.detail)
    return awaited(state)
