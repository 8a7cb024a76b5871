"""What the game waits for, in words."""

from __future__ import annotations

from companion.games.hoplomachus import state as s
from companion.games.hoplomachus.cards import SPORT
from companion.games.hoplomachus.state import HoplomachusState, card_of
from companion.rules import Text, say


def awaited(state: HoplomachusState) -> Text:
    """Return what the game waits for, in words."""
    kind, what = state.awaited
    if kind == s.REWARD:
        return _reward(what)
    return {
        s.CHOOSE_HERO: say("A hero is chosen among the cards revealed."),
        s.CHOOSE_TACTIC: say("A tactic is chosen to begin with."),
        s.CAMP: say("The chip is put on a camp at the foot of the mountain.")
        if state.chip < 0
        else say("The chip moves to a camp beside its own."),
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
        s.RECOVER: say("Dice recover, {most} at most.", most=state.recovery),
        s.GAIN: say("The item {card} is taken or refused.", card=what),
        s.LIMIT: say("There are more items than Strategy allows: one is discarded."),
        s.PLAGUE: say("The plague of {card} is carried out.", card=what),
        s.ALLY: say("An ally of the lieutenant comes from the discard."),
        s.LATER: say("The last enemy has fallen; the effects of cards are carried out."),
    }[kind]


def _reward(card: str) -> Text:
    if card_of(card).kind == SPORT:
        return say("{card} gives its reward, or a die, or a tactic.", card=card)
    return say("{card} gives its reward.", card=card)
