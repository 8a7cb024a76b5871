"""What the game waits for, and when each thing is done, in words."""

from __future__ import annotations

from companion.games.hoplomachus import state as s
from companion.games.hoplomachus.cards import SPORT
from companion.games.hoplomachus.state import HoplomachusState, card_of
from companion.rules import Text, say


def awaited(state: HoplomachusState) -> Text:
    """Return what the game waits for, in a sentence."""
    return say("{what}.", what=pending(state))


def pending(state: HoplomachusState) -> Text:
    """Return what the game waits for, as a clause of a sentence: ``all active dice are rolled``."""
    kind, what = state.awaited
    if kind == s.REWARD:
        return _reward(what)
    if kind == s.ACT:
        return _act(state)
    return {
        s.CHOOSE_HERO: say("a hero is chosen among the cards revealed"),
        s.CHOOSE_TACTIC: say("a tactic is chosen to begin with"),
        s.CAMP: say("the chip is put on a camp at the foot of the mountain")
        if state.chip < 0
        else say("the chip moves to a camp beside its own"),
        s.ENGAGE: say("a strategy phase begins, or the fight is left to its resolution"),
        s.ROLL: say("all active dice are rolled"),
        s.ASSIGN: say("every hit is assigned to an enemy")
        if state.house.must_assign
        else say("hits are assigned to enemies, as many as the player likes"),
        s.FINAL: say("the last primus has fallen and the Final begins"),
        s.OVER: say("the game is over"),
        s.REMOVE: say("the rank removes the top card of a pile that is still whole"),
        s.DISMISS: say("a die that is not assigned is dismissed"),
        s.ADD: say("another enemy comes from the top of a camp beside"),
        s.SCOUTED: say("a die recovers after scouting, or Health rises by one"),
        s.OPENED: say("the Opportunity {card} is kept or discarded", card=what),
        s.RECOVER: say("dice recover, {most} at most", most=state.recovery),
        s.GAIN: say("the item {card} is taken or refused", card=what),
        s.LIMIT: say("an item is discarded, for there are more than Strategy allows"),
        s.PLAGUE: say("the plague of {card} is carried out", card=what),
        s.ALLY: say("an ally of the lieutenant comes from the discard"),
        s.LATER: say("the effects of cards are carried out, for the last enemy has fallen"),
    }[kind]


def _act(state: HoplomachusState) -> Text:
    """Return what may be done in the camp of the chip, by what lies there."""
    if not state.piles[state.chip]:
        return say("the primus of the camp is fought")
    if not state.primuses[state.chip]:
        return say("the camp's top card is scouted or activated")
    return say("the camp's top card is scouted or activated, or its primus is fought")


def _reward(card: str) -> Text:
    if card_of(card).kind == SPORT:
        return say("{card} gives its reward, or a die, or a tactic", card=card)
    return say("{card} gives its reward", card=card)


# -- when each thing is done ----------------------------------------------------------------------

_ALLIES_COME = say("Allies come from the discard when the Final begins and the influence pile "
                   "falls short")  # fmt: skip
_TIMES = {
    "hero": say("A hero is chosen at the start"),
    "universal": say("Another hero takes the hero's place at the start, after he is chosen"),
    "lieutenant": say("Which lieutenant lies on the table is told before the hero is chosen"),
    "reveal": say("Which heroes lie on the table is told before one is chosen"),
    "tactic": say("A tactic is chosen at the start, or instead of a Sport card's reward"),
    "remove": say("Top cards are removed at the start, in games of a higher rank"),
    "top": say("Which card lies open is told before a move, in a camp, or while enemies come"),
    "tuck": say("Primuses are tucked under camps once a hero is chosen"),
    "go": say("The chip moves at the beginning of a turn"),
    "scout": say("A card is scouted when the chip has come to its camp"),
    "activate": say("A card is activated when the chip has come to its camp"),
    "fight": say("A primus is fought when the chip has come to its camp"),
    "add": say("Another enemy comes where the icon of an active one calls it"),
    "heal": say("Health rises after scouting"),
    "keep": say("An Opportunity is kept when it has been activated"),
    "drop": say("An Opportunity is discarded when it has been activated"),
    "final": say("The Final begins after the last primus conflict"),
    "ally": _ALLIES_COME,
    "draw": _ALLIES_COME,
    "engage": say("Dice are engaged at the beginning of a strategy phase"),
    "hold": say("A hit is kept after engaging, before the roll"),
    "roll": say("Dice are rolled after engaging"),
    "assign": say("Hits are assigned after a roll"),
    "stop": say("A fight is left before engaging"),
    "done": say("“done” is said when hits have been assigned, or a text has been carried out"),
    "recover": say("Dice recover after scouting, or in the resolution of a fight"),
    "take": say("A reward is taken when its enemy has been defeated"),
    "refuse": say("An item is refused in the resolution of a fight"),
    "recruit": say("A die is recruited instead of a Sport card's reward"),
    "dismiss": say("A die is dismissed when a Carnage did damage, or a removed card costs one"),
    "strike": say("An enemy is defeated by a text in a strategy phase"),
    "reroll": say("A die is rolled again by a text after a roll"),
    "toss": say("A text discards the top card of a camp in the course of a turn"),
}
"""When each thing is done."""
AWAITED: dict[str, tuple[str, ...]] = {
    "hero": (s.CHOOSE_HERO,), "universal": (s.CHOOSE_TACTIC,), "lieutenant": (s.CHOOSE_HERO,),
    "reveal": (s.CHOOSE_HERO,), "tactic": (s.CHOOSE_TACTIC, s.REWARD, s.GAIN),
    "remove": (s.REMOVE,), "go": (s.CAMP,), "scout": (s.ACT,), "activate": (s.ACT,),
    "fight": (s.ACT,), "add": (s.ADD,), "heal": (s.SCOUTED,), "keep": (s.OPENED,),
    "drop": (s.OPENED,), "final": (s.FINAL,), "ally": (s.ALLY,), "draw": (s.ALLY,),
    "engage": (s.ENGAGE,), "hold": (s.ROLL,), "roll": (s.ROLL,), "assign": (s.ASSIGN,),
    "stop": (s.ENGAGE,), "done": (s.ASSIGN, s.PLAGUE, s.LATER),
    "recover": (s.RECOVER, s.SCOUTED), "take": (s.REWARD, s.GAIN), "refuse": (s.GAIN,),
    "recruit": (s.REWARD, s.GAIN), "dismiss": (s.DISMISS,),
    "strike": (s.ENGAGE, s.ROLL, s.ASSIGN), "reroll": (s.ASSIGN,),
}  # fmt: skip
"""What is awaited when each thing may be done."""
_OUTSIDE = {
    "hero": "HV-3.3", "reveal": "HV-3.3", "lieutenant": "HV-3.1", "universal": "HV-12.4",
    "remove": "HV-12.2", "tuck": "HV-2.4", "final": "HV-11.1", "ally": "HV-11.4",
    "draw": "HV-11.4",
}  # fmt: skip
"""The rule that tells when a thing is done that is no part of a usual turn."""


def not_now(state: HoplomachusState, verb: str) -> tuple[str, Text]:
    """Refuse what belongs to another step of the turn, and name both."""
    when = _TIMES.get(
        verb, say("This is done where a card's text tells it in the course of a turn")
    )
    told = say("{when}; now {awaited}.", when=when, awaited=pending(state))
    return _OUTSIDE.get(verb, "HV-4.1"), told
