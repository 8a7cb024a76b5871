"""How a phone tells what happened: dice die by die, camps and cards; and what owners enter of
their cards."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.hoplomachus import state as s
from companion.games.hoplomachus.cards import (
    CARNAGE,
    HERO,
    INSTANT,
    KINDS,
    LIEUTENANT,
    PERMANENT,
    SINGLE,
    SPORT,
)
from companion.games.hoplomachus.geometry import CAMPS
from companion.games.hoplomachus.moves import hidden, tops
from companion.games.hoplomachus.pieces import COLOURS, FACES, INKS, Dice, counted, expanded
from companion.games.hoplomachus.play import read_assignment
from companion.games.hoplomachus.scorecards import in_inks
from companion.games.hoplomachus.state import HoplomachusState, zone
from companion.rules import Action, Blank, Choice, Entry, Text, called, say

_DIE = {
    "yellow": say("yellow die"), "green": say("green die"), "blue": say("blue die"),
    "purple": say("purple die"), "red": say("red die"),
}  # fmt: skip
_SHOWN = {"blank": say("blank"), "hit": say("hit"), "crit": say("crit")}
_ZONE = {
    "reserve": say("reserve"), "active": say("active dice"), "exhausted": say("exhausted dice"),
    "training": say("training ground"), "banished": say("banished dice"),
}  # fmt: skip


def entries(state: HoplomachusState) -> tuple[Entry, ...]:
    """Return what is put together on a phone: dice that join, roll or recover, dice that a card's
    text moves, and which card lies open on a camp."""
    return tuple(_entries(state))


def _entries(state: HoplomachusState) -> Iterator[Entry]:
    kind = state.awaited[0]
    if kind == s.ENGAGE:
        yield Entry("engage", say("Tap the dice that join, then:"), _joining(state.reserve))
    if kind == s.ROLL:
        title = say("Tap each die until it shows what was rolled, then:")
        yield Entry("roll", title, tuple(map(_rolled, expanded(state.active))))
    if kind == s.RECOVER:
        title = say("Tap up to {most} dice that recover, then:", most=state.recovery)
        yield Entry("recover", title, _joining(state.exhausted), most=state.recovery)
    if any(True for _ in tops(state)) and kind in (s.REMOVE, s.CAMP, s.ACT, s.ADD):
        yield _top(state)
    if state.hero and kind not in (s.REMOVE, s.OVER, s.CHOOSE_TACTIC):
        yield _shift(state)


def _joining(dice: Dice) -> tuple[Choice, ...]:
    return tuple(
        Choice(_DIE[name], {"": say("stays"), name: say("comes")}, INKS[colour])
        for colour, name in ((colour, COLOURS[colour]) for colour in expanded(dice))
    )


def _rolled(colour: int) -> Choice:
    name = COLOURS[colour]
    faces = FACES[1:] if name == "red" else FACES
    return Choice(_DIE[name], {f"{name}={face}": _SHOWN[face] for face in faces}, INKS[colour])


def _top(state: HoplomachusState) -> Entry:
    camps = {CAMPS[camp]: called(CAMPS[camp]) for camp, pile in enumerate(state.piles) if pile}
    cards = {name: name for name in hidden(state)}
    choices = (Choice(say("Camp"), camps), Choice(say("Card"), cards))
    return Entry("top", say("Another card lies open on a camp:"), choices, claim=True)


def _shift(state: HoplomachusState) -> Entry:
    dice: dict[str, str] = {
        f"{COLOURS[colour]} {name}": say("{die}: {zone}", die=_DIE[COLOURS[colour]],
                                         zone=_ZONE[name])
        for name in s.ZONES
        for colour, count in enumerate(zone(state, name))
        if count
    }  # fmt: skip
    zones: dict[str, str] = {f">{name}": _ZONE[name] for name in s.ZONES}
    choices = (Choice(say("Die"), dice), Choice(say("goes to"), zones))
    title = say("A card's text moves a die:")
    return Entry("shift", title, choices, between="", claim=True)


def spoken(token: str) -> str:
    """Return what people call a token: a card by its name, a die with what it shows, a zone."""
    colour, _, face = token.partition(" ")
    if colour in _DIE and face in _SHOWN:
        return say("{die}: {face}", die=_DIE[colour], face=_SHOWN[face])
    if token.startswith("enemy."):
        return say("enemy {number}", number=token.partition(".")[2])
    return _ZONE.get(token, token)


_SAID = {
    "scout": say("scout the top card"), "activate": say("face the top card"),
    "fight": say("fight the primus"), "heal": say("Health +1"), "keep": say("keep it"),
    "drop": say("discard it"), "final": say("climb to the lieutenant"),
    "stop": say("end the fight here"), "done": say("done"),
    "take": say("take the reward"), "refuse": say("refuse it"),
}  # fmt: skip


def _said_of(what: str) -> dict[str, Text]:
    return {
        "go": say("move to {what}", what=what), "hero": say("hero: {what}", what=what),
        "lieutenant": say("lieutenant: {what}", what=what),
        "tactic": say("tactic: {what}", what=what),
        "remove": say("remove the top card of {what}", what=what),
        "add": say("add the enemy of {what}", what=what),
        "toss": say("discard the top card of {what}", what=what),
        "use": say("use {what}", what=what), "discard": say("discard {what}", what=what),
        "fulfil": say("the condition of {what} is met", what=what),
        "strike": say("{what} is defeated", what=what), "health": say("Health {what}", what=what),
        "strategy": say("Strategy {what}", what=what),
        "recovery": say("Recovery {what}", what=what),
    }  # fmt: skip


def _said_of_die(verb: str, colour: str, place: str) -> Text:
    die, where = _DIE[colour], _ZONE[place]
    return {
        "reinforce": say("reinforce {die}: {zone}", die=die, zone=where),
        "weaken": say("weaken {die}: {zone}", die=die, zone=where),
        "dismiss": say("dismiss {die}: {zone}", die=die, zone=where),
    }[verb]


def said(action: Action) -> str:
    """Return what ``action`` is called on a button and in the history."""
    verb, detail = action.verb, action.detail
    if verb == "roll":
        return say("rolled: {dice}", dice=_row(detail))
    if verb == "engage":
        return say("these join: {dice}", dice=_heap(detail)) if detail else say("no more dice join")
    if verb in _SAID:
        return _SAID[verb]
    if verb in ("reinforce", "weaken", "dismiss"):
        colour, _, place = detail.partition(" ")
        return _said_of_die(verb, colour, place)
    if verb == "assign":
        colour_number, face, enemy = read_assignment(detail)
        return say("{die} ({face}) on {enemy}", die=_DIE[COLOURS[colour_number]],
                   face=_SHOWN[FACES[face]], enemy=enemy)  # fmt: skip
    if verb == "reveal":
        drawn, _, name = detail.partition(">")
        return say("{name} lies there, not {drawn}", name=name, drawn=drawn)
    if verb == "reroll":
        colour, _, faces = detail.partition("=")
        before, _, after = faces.partition(">")
        return say("{die}: {before} becomes {after}", die=_DIE[colour], before=_SHOWN[before],
                   after=_SHOWN[after])  # fmt: skip
    if verb == "recruit":
        return say("recruit the {die}", die=_DIE[detail])
    if verb == "recover" and detail in _DIE:
        return say("recover the {die}", die=_DIE[detail])
    if verb == "recover":
        return say("these recover: {dice}", dice=_heap(detail))
    return _said_of(detail).get(verb, "")


def _heap(detail: str) -> str:
    return in_inks(counted(map(COLOURS.index, detail.split())))


def _row(detail: str) -> str:
    """Return ``yellow=hit blue=crit`` in words."""
    row = ""
    for die in detail.split():
        shown = spoken(die.replace("=", " "))
        row = say("{one}, {other}", one=row, other=shown) if row else shown
    return row


def blanks() -> tuple[Blank, ...]:
    """Return the schema of a card (section 15 of the rules): numbers and icons, and texts that
    the player carries out."""
    enemies = (SPORT, CARNAGE, HERO, LIEUTENANT)
    return (
        Blank("name", say("Name, one word")),
        Blank("kind", say("Kind"), choices=KINDS),
        Blank("hits", say("Hits to defeat it (of a hero: as primus)"), True, (), enemies),
        Blank("damage", say("Damage"), True, (), enemies),
        Blank("plus", say("Icons for more enemies"), True, (), enemies),
        Blank("influence", say("Icons of influence"), True),
        Blank("timing", say("When the reward is taken"), False, ("", INSTANT, SINGLE, PERMANENT)),
        Blank("reward", say("Reward, in your words")),
        Blank("effect", say("Effect, in your words")),
        Blank("health", say("Health at the start"), True, (), (HERO,)),
        Blank("strategy", say("Strategy at the start"), True, (), (HERO,)),
        Blank("recovery", say("Recovery at the start"), True, (), (HERO,)),
        Blank("plague", say("Plague, in your words"), False, (), (HERO,)),
        Blank("allies", say("How many allies"), True, (), (LIEUTENANT,)),
        Blank("penalty", say("Penalty for scouting, in your words"), False, (), (LIEUTENANT,)),
    )
