"""Why an action is refused: the rule, and what on the table decides it (section 13)."""

from __future__ import annotations

from collections.abc import Callable

from companion.games.hoplomachus import state as s
from companion.games.hoplomachus.awaiting import AWAITED, not_now
from companion.games.hoplomachus.cards import (
    HERO,
    LIEUTENANT,
    OPPORTUNITY,
    SPORT,
    UNIVERSAL,
)
from companion.games.hoplomachus.changes import read_die
from companion.games.hoplomachus.geometry import CAMPS, FOOT, NAMES, TOP
from companion.games.hoplomachus.moves import called_up, hidden, reachable
from companion.games.hoplomachus.pieces import (
    BLANK,
    COLOURS,
    FACES,
    Dice,
    counted,
    plus,
    weakest,
)
from companion.games.hoplomachus.play import read_assignment, read_roll
from companion.games.hoplomachus.state import HoplomachusState, card_of, zone
from companion.games.hoplomachus.words import DIE, SHOWN, THERE, these
from companion.rules import Action, Text, say

Objection = tuple[str, Text]


def objection(state: HoplomachusState, action: Action) -> Objection:
    """Return the rule by which ``action`` is refused, and why, in the order of docs/rulings.md:
    what is meant lies there and may go there, then what the turn awaits, then the rest."""
    verb, told = action.verb, action.detail
    if (about := _ABOUT.get(verb)) and (refused := about(state, told)):
        return refused
    times = AWAITED.get(verb, ())
    if times and state.awaited[0] not in times:
        return (_stuck(state) if verb in _ENTERING else None) or not_now(state, verb)
    return _OBJECTIONS[verb](state, told)


_ENTERING = ("go", "scout", "activate", "fight")


# -- moving ----------------------------------------------------------------------------------------


def _stuck(state: HoplomachusState) -> Objection | None:
    if state.boss and state.standing:
        return "HV-9.2", say("The conflict with {boss} lasts until all its enemies have fallen; "
                             "meanwhile the chip stays, and nothing else is scouted or faced.",
                             boss=state.boss)  # fmt: skip
    if state.awaited[0] == s.FINAL:
        return "HV-11.1", say("The Final cannot be put off.")
    return None


def _no_camp(state: HoplomachusState, name: str) -> Objection | None:
    camp = NAMES.index(name)
    if camp == TOP:
        final = s.FINAL in (state.stage, state.awaited[0]) or state.chip == TOP
        there = say("The lieutenant's camp is entered in the Final only.")
        return None if final else ("HV-5.2", there)
    if state.chip < 0 and camp not in FOOT:
        return "HV-5.1", say("The first camp is one at the foot of the mountain.")
    if state.is_empty(camp) and camp != state.chip:
        return "HV-5.2", say("Nothing is left in {camp}.", camp=name)
    return None


def _going(state: HoplomachusState, name: str) -> Objection:
    if NAMES.index(name) == state.chip:
        return "HV-5.2", say("The chip has to leave its camp.")
    near = [NAMES[other] for other in reachable(state)]
    return "HV-5.1", say("No way leads to {camp}; the chip may go to {near}.", camp=name, near=near)


def _scouting(state: HoplomachusState, _: str) -> Objection:
    return "HV-5.4", say("No card is left here, and a primus cannot be scouted.")


def _activating(state: HoplomachusState, _: str) -> Objection:
    return "HV-5.3", say("No card is left here; only the primus can be fought.")


def _no_primus(state: HoplomachusState, _: str) -> Objection | None:
    if state.chip < 0 or state.boss or state.chip == TOP or state.primuses[state.chip]:
        return None
    return "HV-5.3", say("No primus is in this camp.")


def _no_enemy_there(state: HoplomachusState, name: str) -> Objection | None:
    camp = CAMPS.index(name)
    if not state.piles[camp]:
        return "HV-5.7", say("No card lies in {camp}.", camp=name)
    if not card_of(state.piles[camp][-1]).is_enemy:
        return "HV-5.7", say("{card} lies on {camp}, an Opportunity, which is no enemy.",
                             card=state.piles[camp][-1], camp=name)  # fmt: skip
    return None


def _adding(state: HoplomachusState, name: str) -> Objection:
    origin = int(state.awaited[1])
    return "HV-5.7", say("More enemies come from the camps beside {origin}, and {camp} is none of "
                         "them.", origin=NAMES[origin], camp=name)  # fmt: skip


def _no_ally(state: HoplomachusState, name: str) -> Objection | None:
    there = called_up(state)
    if name in there:
        return None
    return "HV-11.4", (
        say("{card} is no enemy of the discard, which has these: {cards}.", card=name,
            cards=list(there)) if there
        else say("{card} does not lie in the discard, which has no enemy.", card=name)
    )  # fmt: skip


def _removing(state: HoplomachusState, name: str) -> Objection:
    return "HV-12.2", say("Each pile gives one card at most.")


# -- dice ------------------------------------------------------------------------------------------


def _not_in_reserve(state: HoplomachusState, told: str) -> Objection | None:
    if min(plus(state.reserve, _dice(told), -1)) >= 0:
        return None
    return "HV-6.1", (
        say("Only dice of the reserve are engaged; it holds {dice}.", dice=these(state.reserve))
        if any(state.reserve)
        else say("Only dice of the reserve are engaged, and it is empty.")
    )


def _dice(told: str) -> Dice:
    return counted(map(COLOURS.index, told.split()))


def _red_blank(_: HoplomachusState, told: str) -> Objection | None:
    if not read_roll(told)[4][BLANK]:
        return None
    return "HV-1.3", say("The red die has no blank.")


def _rolling(state: HoplomachusState, told: str) -> Objection:
    return "HV-6.2", say("A roll tells the face of each of these dice: {dice}.",
                         dice=these(state.thrown))  # fmt: skip


def _not_kept(state: HoplomachusState, told: str) -> Objection | None:
    if not state.house.keeps_hits:
        return "HV-6.2", say("All active dice are rolled; the option to keep hits was not chosen.")
    if told.endswith(FACES[BLANK]):
        return "HV-6.2", say("A blank is not kept from the roll.")
    return None


def _holding_back(state: HoplomachusState, told: str) -> Objection:
    return "HV-6.2", _none_shows(told)


def _none_shows(die: str) -> Text:
    colour, _, face = die.partition("=")
    return say("No active {die} shows a {face}.", die=DIE[colour], face=SHOWN[face])


def _not_to_assign(state: HoplomachusState, told: str) -> Objection | None:
    colour, face, name = read_assignment(told)
    if face == BLANK:
        return "HV-6.3", say("A blank hits nobody.")
    if name not in [enemy.card for enemy in state.standing]:
        beaten = name in [enemy.card for enemy in state.enemies]
        return "HV-6.3", (
            say("{enemy} is defeated already.", enemy=name) if beaten
            else say("{enemy} is no active enemy.", enemy=name)
        )  # fmt: skip
    there = [e.card for e in state.enemies if (colour, face) in e.assigned]
    if there and not state.shown[colour][face]:
        return "HV-6.4", say("The {die} that shows a {face} is assigned to {enemy} and stays "
                             "there.", die=DIE[COLOURS[colour]], face=SHOWN[FACES[face]],
                             enemy=there[0])  # fmt: skip
    return None


def _assigning(state: HoplomachusState, told: str) -> Objection:
    return "HV-6.3", _none_shows(told.partition(">")[0])


def _finishing(state: HoplomachusState, _: str) -> Objection:
    return "HV-6.3", say("By your option every hit is assigned; some are not yet.")


def _not_exhausted(state: HoplomachusState, told: str) -> Objection | None:
    if min(plus(state.exhausted, _dice(told), -1)) >= 0:
        return None
    rule = "HV-5.4" if state.awaited[0] == s.SCOUTED else "HV-7.4"
    return rule, (
        say("Only exhausted dice recover; exhausted are {dice}.", dice=these(state.exhausted))
        if any(state.exhausted)
        else say("Only exhausted dice recover, and none is exhausted.")
    )


def _recovering(state: HoplomachusState, told: str) -> Objection:
    if state.awaited[0] == s.SCOUTED:
        return "HV-5.4", say("Scouting brings one exhausted die back.")
    return "HV-7.4", say("At most {most} dice recover in a turn.", most=state.recovery)


def _not_weakest(state: HoplomachusState, told: str) -> Objection | None:
    colour = weakest(state.training)
    if colour is None:
        return "HV-8.1", say("No die is left in the training ground.")
    if told == COLOURS[colour]:
        return None
    return "HV-8.1", say("The weakest die of the training ground is recruited: a {die}.",
                         die=DIE[COLOURS[colour]])  # fmt: skip


def _recruiting(state: HoplomachusState, _: str) -> Objection:
    return "HV-8.1", say("{card} is no Sport card, which alone gives a die instead.",
                         card=state.awaited[1])  # fmt: skip


def _not_dismissed(state: HoplomachusState, told: str) -> Objection | None:
    colour, place = told.split()
    if place in ("training", "banished"):
        return "HV-8.2", say(
            "Only a die of the reserve, an active or an exhausted one is dismissed."
        )
    return None if _lies(state, colour, place) else ("HV-8.2", _none_lies(colour, place))


def _lies(state: HoplomachusState, die: str, place: str) -> bool:
    """Tell whether a die, of active ones one that shows what is told, lies in a zone."""
    colour, face = read_die(die)
    return bool(zone(state, place)[colour]) and (face is None or bool(state.shown[colour][face]))


def _none_lies(die: str, place: str) -> Text:
    if "=" in die:
        return _none_shows(die)
    return say("No {die} lies {there}.", die=DIE[die], there=THERE[place])


def _swapping(step: int) -> Callable[[HoplomachusState, str], Objection]:
    def object_to(state: HoplomachusState, told: str) -> Objection:
        die, place = told.split()
        if place not in s.ZONES[:3]:
            return "HV-8.3", say("Only a die of the reserve, an active or an exhausted one is "
                                 "exchanged.")  # fmt: skip
        if not _lies(state, die, place):
            return "HV-8.3", _none_lies(die, place)
        if _unready(state):
            return not_now(state, "")
        holds = these(state.training)
        return "HV-8.3", (
            say("The training ground has no die stronger than the {die}; it holds {dice}.",
                die=DIE[die.partition("=")[0]], dice=holds) if step > 0
            else say("The training ground has no die weaker than the {die}; it holds {dice}.",
                     die=DIE[die.partition("=")[0]], dice=holds)
        )  # fmt: skip

    return object_to


def _unready(state: HoplomachusState) -> bool:
    """Tell whether the game is still being set up: no text has been read yet."""
    return not state.hero or state.awaited[0] in (s.REMOVE, s.CHOOSE_TACTIC)


def _shifting(state: HoplomachusState, told: str) -> Objection:
    die, _, way = told.partition(" ")
    origin, _, target = way.partition(">")
    if not _lies(state, die, origin):
        return "HV-15.1", _none_lies(die, origin)
    if origin == target:
        return "HV-15.1", say("The die lies there already.")
    return not_now(state, "")


def _not_again(state: HoplomachusState, told: str) -> Objection | None:
    colour, _, faces = told.partition("=")
    before, _, after = faces.partition(">")
    if before == after:
        return "HV-15.1", say(
            "A die that is rolled again is told from one face to another, not to the same."
        )
    return _red_blank(state, f"{colour}={after}")


def _rerolling(_: HoplomachusState, told: str) -> Objection:
    return "HV-15.1", _none_shows(told.partition(">")[0])


# -- cards -----------------------------------------------------------------------------------------


def _no_room(state: HoplomachusState, _: str) -> Objection:
    return "HV-8.5", say("Strategy {limit} allows no more items; discard one first.",
                         limit=state.strategy)  # fmt: skip


def _no_hero(_: HoplomachusState, told: str) -> Objection | None:
    name = told.rpartition(">")[2]
    if card_of(name).kind == HERO:
        return None
    return "HV-3.3", say("{card} is no hero of this deck.", card=name)


def _choosing(state: HoplomachusState, name: str) -> Objection:
    return "HV-3.3", say("{card} is not among the heroes revealed.", card=name)


def _not_universal(_: HoplomachusState, name: str) -> Objection | None:
    if card_of(name).kind == UNIVERSAL:
        return None
    return "HV-12.4", say("{card} is no universal hero.", card=name)


def _replacing(state: HoplomachusState, _: str) -> Objection:
    return "HV-12.4", say("{card} has taken the hero's place already.", card=state.hero)


def _no_tactic(state: HoplomachusState, name: str) -> Objection | None:
    if name in state.tactics:
        return None
    return "HV-8.4", say("{card} does not lie among the tactics.", card=name)


def _tactic(state: HoplomachusState, name: str) -> Objection:
    card = state.awaited[1]
    if card_of(card).kind != SPORT:
        return "HV-8.4", say("{card} is no Sport card, which alone gives a tactic instead.",
                             card=card)  # fmt: skip
    return _no_room(state, name)


def _using(state: HoplomachusState, name: str) -> Objection:
    if name not in state.items:
        return "HV-6.6", say("{card} is no item at hand.", card=name)
    if card_of(name).kind == OPPORTUNITY and name not in state.ready:
        return "HV-8.6", say("The condition of {card} is not met yet.", card=name)
    return "HV-6.6", say("Items are used before a move, before engaging or before assigning.")


def _discarding(state: HoplomachusState, name: str) -> Objection:
    if name not in state.items:
        return "HV-8.5", say("{card} is no item at hand.", card=name)
    return not_now(state, "")


def _fulfilling(state: HoplomachusState, name: str) -> Objection:
    if name not in state.items:
        return "HV-8.5", say("{card} is no item at hand.", card=name)
    if card_of(name).kind != OPPORTUNITY:
        return "HV-8.6", say("{card} is no Opportunity and has no condition.", card=name)
    return "HV-8.6", say("{card} is turned over already.", card=name)


def _not_standing(state: HoplomachusState, name: str) -> Objection | None:
    if name in [enemy.card for enemy in state.standing]:
        return None
    return "HV-15.1", say("{enemy} is no enemy that still stands.", enemy=name)


def _tossing(state: HoplomachusState, name: str) -> Objection:
    if not state.piles[CAMPS.index(name)]:
        return "HV-15.1", say("No card lies in {camp}.", camp=name)
    return not_now(state, "toss")


def _opening(state: HoplomachusState, told: str) -> Objection:
    place, _, name = told.partition(" ")
    pile = state.piles[CAMPS.index(place)]
    if not pile:
        return "HV-2.1", say("No card lies in {camp}.", camp=place)
    if pile[-1] == name:
        return "HV-2.1", say("{card} lies open there already.", card=name)
    if name in hidden(state):
        return not_now(state, "top")
    return "HV-2.1", say("{card} lies under none of the open cards.", card=name)


def _tucking(state: HoplomachusState, told: str) -> Objection:
    name, _, camp = told.partition(">")
    if state.awaited[0] == s.CHOOSE_HERO and name in state.offered:
        return not_now(state, "tuck")
    if name not in state.primuses:
        return "HV-2.4", say("{card} is no primus that lies under a camp.", card=name)
    return "HV-2.4", say("{card} lies under {camp} already.", card=name, camp=camp)


def _revealing(state: HoplomachusState, told: str) -> Objection:
    drawn, _, name = told.partition(">")
    if drawn not in state.offered:
        return _choosing(state, drawn)
    return "HV-3.3", say("{card} lies there already.", card=name)


def _no_lieutenant(_: HoplomachusState, name: str) -> Objection | None:
    if card_of(name).kind == LIEUTENANT:
        return None
    return "HV-3.1", say("{card} is no lieutenant.", card=name)


def _serving(_: HoplomachusState, name: str) -> Objection:
    return "HV-3.1", say("{card} lies there already.", card=name)


def _stat(name: str) -> Callable[[HoplomachusState, str], Objection]:
    def object_to(state: HoplomachusState, told: str) -> Objection:
        if _unready(state):
            return not_now(state, "")
        stat = {"stat": _STATS[name], "value": getattr(state, name)}
        return "HV-1.5", (
            say("{stat} is {value}, the most that it can be.", **stat) if told == "+1"
            else say("{stat} is {value}, the least that it can be.", **stat)
        )  # fmt: skip

    return object_to


_STATS = {"health": say("Health"), "strategy": say("Strategy"), "recovery": say("Recovery")}

_ABOUT: dict[str, Callable[[HoplomachusState, str], Objection | None]] = {
    "go": _no_camp, "fight": _no_primus, "add": _no_enemy_there, "engage": _not_in_reserve,
    "roll": _red_blank, "hold": _not_kept, "assign": _not_to_assign, "recover": _not_exhausted,
    "recruit": _not_weakest, "dismiss": _not_dismissed, "reroll": _not_again,
    "strike": _not_standing, "ally": _no_ally, "hero": _no_hero, "reveal": _no_hero,
    "universal": _not_universal,
    "tactic": _no_tactic, "lieutenant": _no_lieutenant,
}  # fmt: skip
"""What is asked first: whether the card, die or camp that is meant is there, is one of that sort,
and may be where it comes to. What dice show is asked after the time: the roll makes it."""

_OBJECTIONS: dict[str, Callable[[HoplomachusState, str], Objection]] = {
    "go": _going, "scout": _scouting, "activate": _activating,
    "add": _adding, "hold": _holding_back,
    "roll": _rolling, "assign": _assigning, "done": _finishing, "recover": _recovering,
    "take": _no_room, "keep": _no_room, "tactic": _tactic, "recruit": _recruiting,
    "remove": _removing, "use": _using, "fulfil": _fulfilling,
    "discard": _discarding, "reinforce": _swapping(1), "weaken": _swapping(-1),
    "hero": _choosing, "universal": _replacing, "shift": _shifting, "reroll": _rerolling,
    "toss": _tossing, "top": _opening, "tuck": _tucking,
    "reveal": _revealing, "lieutenant": _serving, **{stat: _stat(stat) for stat in _STATS},
}  # fmt: skip
