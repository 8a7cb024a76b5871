"""How a phone tells what happened: dice die by die, camps and cards; and what owners enter of
their cards."""

from __future__ import annotations

from collections.abc import Callable, Iterator

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
    UNIVERSAL,
)
from companion.games.hoplomachus.changes import read_die
from companion.games.hoplomachus.geometry import CAMPS
from companion.games.hoplomachus.moves import dice_in, hidden, tops
from companion.games.hoplomachus.pieces import (
    COLOURS,
    FACES,
    INKS,
    Dice,
    counted,
    expanded,
    nearest,
)
from companion.games.hoplomachus.play import read_assignment
from companion.games.hoplomachus.state import HoplomachusState
from companion.games.hoplomachus.words import DIE, SHOWN, ZONE, die_in_words, in_inks
from companion.rules import Action, Blank, Choice, Entry, Text, called, say


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
        yield Entry("roll", title, tuple(map(_rolled, expanded(state.thrown))))
    if kind == s.RECOVER:
        title = say("Tap up to {most} dice that recover, then:", most=state.recovery)
        yield Entry("recover", title, _joining(state.exhausted), most=state.recovery)
    if any(True for _ in tops(state)) and kind in (s.REMOVE, s.CAMP, s.ACT, s.ADD):
        yield _top(state)
    if any(state.primuses) and kind != s.OVER:
        yield _tuck(state)
    if state.hero and kind not in (s.REMOVE, s.OVER, s.CHOOSE_TACTIC):
        yield _shift(state)
        yield from _exchanges(state)


def _joining(dice: Dice) -> tuple[Choice, ...]:
    return tuple(
        Choice(DIE[name], {"": say("stays"), name: say("comes")}, INKS[colour])
        for colour, name in ((colour, COLOURS[colour]) for colour in expanded(dice))
    )


def _rolled(colour: int) -> Choice:
    name = COLOURS[colour]
    faces = FACES[1:] if name == "red" else FACES
    return Choice(DIE[name], {f"{name}={face}": SHOWN[face] for face in faces}, INKS[colour])


def _top(state: HoplomachusState) -> Entry:
    camps = {CAMPS[camp]: called(CAMPS[camp]) for camp, pile in enumerate(state.piles) if pile}
    cards = {name: name for name in hidden(state)}
    choices = (Choice(say("Camp"), camps), Choice(say("Card"), cards))
    return Entry("top", say("Another card lies open on a camp:"), choices, claim=True)


def _tuck(state: HoplomachusState) -> Entry:
    """Ask under which camps the primuses lie: before the first turn everybody has to tell."""
    primuses = {
        name: say("{card}: {camp}", card=name, camp=CAMPS[camp])
        for camp, name in enumerate(state.primuses)
        if name
    }
    camps = {f">{camp}": called(camp) for camp in CAMPS}
    choices = (Choice(say("Primus"), primuses), Choice(say("lies under"), camps))
    title = say("Which primus lies under which camp? Tell where one lies elsewhere:")
    return Entry("tuck", title, choices, between="", claim=state.chip >= 0)


def _dice(state: HoplomachusState, zones: tuple[str, ...]) -> dict[str, str]:
    """Return the dice of ``zones`` as they are written, each with its words; active ones that show
    something one by one, for the player chooses among them."""
    found: dict[str, str] = {}
    for name in zones:
        dice = [(colour, die) for colour, die in dice_in(state, name)]
        faced = {colour for colour, die in dice if "=" in die}
        for colour, die in dice:
            if "=" in die or colour not in faced:
                found[f"{die} {name}"] = say("{die}: {zone}", die=die_in_words(die),
                                             zone=ZONE[name])  # fmt: skip
    return found


def _shift(state: HoplomachusState) -> Entry:
    zones: dict[str, str] = {f">{name}": ZONE[name] for name in s.ZONES}
    choices = (Choice(say("Die"), _dice(state, s.ZONES)), Choice(say("goes to"), zones))
    title = say("A card's text moves a die:")
    return Entry("shift", title, choices, between="", claim=True)


def _exchanges(state: HoplomachusState) -> Iterator[Entry]:
    """Yield the dice that a card may have reinforced or weakened (HV-8.3)."""
    titles = {
        "reinforce": (1, say("A card's text reinforces a die of your choice:")),
        "weaken": (-1, say("A card's text weakens a die of your choice:")),
    }
    for verb, (step, title) in titles.items():
        dice = {
            written: words
            for written, words in _dice(state, s.ZONES[:3]).items()
            if nearest(state.training, read_die(written.split()[0])[0], step) is not None
        }
        if dice:
            yield Entry(verb, title, (Choice(say("Die"), dice),), claim=True)


def spoken(token: str) -> str:
    """Return what people call a token: a card by its name, a die with what it shows."""
    colour, _, face = token.partition(" ")
    if colour in DIE and face in SHOWN:
        return say("{die}: {face}", die=DIE[colour], face=SHOWN[face])
    return DIE.get(token, token)


_SAID = {
    "scout": say("scout the top card"), "activate": say("face the top card"),
    "fight": say("fight the primus"), "heal": say("Health +1"), "keep": say("keep it"),
    "drop": say("discard it"), "final": say("climb to the lieutenant"),
    "stop": say("end the fight here"), "done": say("done"),
    "take": say("take the reward"), "refuse": say("refuse it"),
    "draw": say("let the companion draw an ally"),
}  # fmt: skip


def _said_of(what: str) -> dict[str, Text]:
    return {
        "go": say("move to {what}", what=what), "hero": say("hero: {what}", what=what),
        "universal": say("in the hero's place: {what}", what=what),
        "ally": say("ally: {what}", what=what),
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
    die, where = die_in_words(colour), ZONE[place]
    return {
        "reinforce": say("reinforce {die}: {zone}", die=die, zone=where),
        "weaken": say("weaken {die}: {zone}", die=die, zone=where),
        "dismiss": say("dismiss {die}: {zone}", die=die, zone=where),
    }[verb]


def _of_card_and_camp(verb: str, detail: str) -> str:
    if verb == "top":
        camp, _, name = detail.partition(" ")
        return say("{card} lies open on {camp}", card=name, camp=camp)
    name, _, camp = detail.partition(">")
    if verb == "tuck":
        return say("{card} lies under {camp}", card=name, camp=camp)
    return say("{name} lies there, not {drawn}", name=camp, drawn=name)


def _of_showing_die(verb: str, detail: str) -> str:
    if verb == "hold":
        return say("keep the {die}", die=die_in_words(detail))
    if verb == "assign":
        colour, face, enemy = read_assignment(detail)
        return say("{die} ({face}) on {enemy}", die=DIE[COLOURS[colour]],
                   face=SHOWN[FACES[face]], enemy=enemy)  # fmt: skip
    name, _, faces = detail.partition("=")
    before, _, after = faces.partition(">")
    return say("{die}: {before} becomes {after}", die=DIE[name], before=SHOWN[before],
               after=SHOWN[after])  # fmt: skip


def _of_die_there(verb: str, detail: str) -> str:
    die, _, place = detail.partition(" ")
    if verb == "shift":
        origin, _, target = place.partition(">")
        return say("{die}: from {zone} to {other}", die=die_in_words(die), zone=ZONE[origin],
                   other=ZONE[target])  # fmt: skip
    return _said_of_die(verb, die, place)


def _of_dice(verb: str, detail: str) -> str:
    if verb == "roll":
        return say("rolled: {dice}", dice=_row(detail))
    if verb == "engage":
        return say("these join: {dice}", dice=_heap(detail)) if detail else say("no more dice join")
    if verb == "recruit":
        return say("recruit the {die}", die=DIE[detail])
    if detail in DIE:
        return say("recover the {die}", die=DIE[detail])
    return say("these recover: {dice}", dice=_heap(detail))


_TOLD: dict[str, Callable[[str, str], str]] = {
    **dict.fromkeys(("roll", "engage", "recruit", "recover"), _of_dice),
    **dict.fromkeys(("shift", "reinforce", "weaken", "dismiss"), _of_die_there),
    **dict.fromkeys(("hold", "assign", "reroll"), _of_showing_die),
    **dict.fromkeys(("top", "tuck", "reveal"), _of_card_and_camp),
}


def said(action: Action) -> str:
    """Return what ``action`` is called on a button and in the history."""
    verb, detail = action.verb, action.detail
    if verb in _SAID:
        return _SAID[verb]
    if verb in _TOLD:
        return _TOLD[verb](verb, detail)
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
    enemies, heroes = (SPORT, CARNAGE, HERO, LIEUTENANT), (HERO, UNIVERSAL)
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
        Blank("health", say("Health at the start"), True, (), heroes),
        Blank("strategy", say("Strategy at the start"), True, (), heroes),
        Blank("recovery", say("Recovery at the start"), True, (), heroes),
        Blank("ability", say("Ability, in your words"), False, (), heroes),
        Blank("plague", say("Plague, in your words"), False, (), (HERO,)),
        Blank("allies", say("How many allies"), True, (), (LIEUTENANT,)),
        Blank("penalty", say("Penalty for scouting, in your words"), False, (), (LIEUTENANT,)),
    )
