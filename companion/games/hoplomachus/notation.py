"""How actions are written: ``move 2.2``, ``engage yellow blue``, ``roll yellow=hit blue=crit``."""

from __future__ import annotations

import re
from types import MappingProxyType

from companion.games.hoplomachus.cards import TITLE, known, unknown_card
from companion.games.hoplomachus.geometry import CAMPS, NAMES
from companion.games.hoplomachus.pieces import COLOURS, FACES, counted, in_words, roll_in_words
from companion.games.hoplomachus.play import read_roll
from companion.games.hoplomachus.state import ZONES
from companion.rules import Action, BadInput, Text, misspoken, no_action, quoted, say

_COLOUR = "|".join(COLOURS)
_FACE = "|".join(FACES)
_ZONE = "|".join(ZONES)
_DIE_THERE = rf"(?:(?:{_COLOUR}) (?:{_ZONE})|(?:{_COLOUR})=(?:{_FACE}) active)"
"""A die and its zone; of active ones also what it shows."""
_DICE = rf"(?:(?:{_COLOUR})(?: (?:{_COLOUR}))*)?"
_CARD = r"[^\s>=]+"
_CAMP = "|".join(map(re.escape, CAMPS))
_DETAILS = {
    "go": "|".join(map(re.escape, NAMES)), "add": _CAMP, "remove": _CAMP, "toss": _CAMP,
    "engage": _DICE, "recover": _DICE, "recruit": _COLOUR,
    "roll": rf"(?:{_COLOUR})=(?:{_FACE})(?: (?:{_COLOUR})=(?:{_FACE}))*",
    "assign": rf"(?:{_COLOUR})=(?:{_FACE})>{_CARD}",
    "reroll": rf"(?:{_COLOUR})=(?:{_FACE})>(?:{_FACE})",
    "dismiss": rf"(?:{_COLOUR}) (?:{_ZONE})", "reinforce": _DIE_THERE, "weaken": _DIE_THERE,
    "shift": rf"{_DIE_THERE}>(?:{_ZONE})", "hold": rf"(?:{_COLOUR})=(?:{_FACE})",
    "health": r"[+-]1", "strategy": r"[+-]1", "recovery": r"[+-]1",
    "top": rf"(?:{_CAMP}) {_CARD}", "reveal": rf"{_CARD}>{_CARD}",
    "tuck": rf"{_CARD}>(?:{_CAMP})",
    **dict.fromkeys(("lieutenant", "hero", "universal", "tactic", "discard", "use", "fulfil",
                     "strike", "ally"), _CARD),
    **dict.fromkeys(("scout", "activate", "fight", "heal", "keep", "drop", "final", "stop", "done",
                     "take", "refuse", "draw"), ""),
}  # fmt: skip
VERBS = tuple(_DETAILS)
WORDS = MappingProxyType({verb: say("{word}", word=verb) for verb in VERBS})
"""What each verb is called; what its buttons say is in ``entering``."""
_SAID = {"go": "move"}
_MEANT = {word: verb for verb, word in _SAID.items()}


def written(action: Action) -> str:
    """Return the notation of ``action``."""
    return f"{_SAID.get(action.verb, action.verb)} {action.detail}".strip()


def read(text: str) -> Action:
    """Read the notation of :func:`written`; the order of dice does not matter.

    Raises:
        BadInput: no action of this game, or no camp, colour, zone or card of it.
    """
    word, _, detail = " ".join(text.split()).partition(" ")
    verb = _MEANT.get(word, word)
    shape = _DETAILS.get(verb)
    if shape is None or word in _SAID or not re.fullmatch(shape, detail):
        raise no_action(text, TITLE)
    for name in _cards_in(verb, detail):
        if not known(name):
            raise unknown_card(name)
    if shape == _DICE:
        detail = in_words(counted(map(COLOURS.index, detail.split())))
    if verb == "roll":
        detail = roll_in_words(read_roll(detail))
    return Action(verb, detail=detail)


def is_written(action: Action) -> bool:
    """Tell whether ``action`` can be written down as one of this game."""
    if action.origin or action.target or action.via:
        return False
    try:
        return read(written(action)) == action
    except BadInput:
        return False


_NEEDS = {
    **dict.fromkeys(("go", "add", "remove", "toss"), say("a camp")),
    **dict.fromkeys(("engage", "recover"), say("dice")), "recruit": say("a die"),
    "roll": say("dice and what they show"), "hold": say("a die and what it shows"),
    "assign": say("a die, what it shows and an enemy"),
    "reroll": say("a die, what it shows and what it shows then"),
    **dict.fromkeys(("dismiss", "reinforce", "weaken"), say("a die and where it lies")),
    "shift": say("a die, where it lies and where it goes"),
    **dict.fromkeys(("health", "strategy", "recovery"), say("one more or one less")),
    "top": say("a camp and a card"), "tuck": say("a primus and a camp"),
    "reveal": say("two heroes"),
}  # fmt: skip
"""What is said with each verb, where it is not a card or nothing."""


def miswritten(action: Action) -> Text:
    """Return what is wrong with an ``action`` that cannot be written down as one of this game."""
    if action.origin or action.target or action.via:
        return say("{action} is nothing that a player of Victorum does.", action=quoted(action))
    word = quoted(_SAID.get(action.verb, action.verb))
    if action.verb not in _DETAILS:
        return say("{action} is nothing that a player of Victorum does.", action=word)
    if not _DETAILS[action.verb]:
        return misspoken(action, WORDS, {}, TITLE)
    needed = _NEEDS.get(action.verb, say("a card"))
    if re.fullmatch(_DETAILS[action.verb], action.detail):
        strange = [card for card in _cards_in(action.verb, action.detail) if not known(card)]
        if strange:
            return say("{card} is no card of this deck.", card=quoted(strange[0]))
        told = quoted(written(read(written(action))))
        return say("{action} is written {told}.", action=quoted(written(action)), told=told)
    if not action.detail:
        return say("{word} is said with this: {needed}.", word=word, needed=needed)
    return say(
        "{word} is said with this: {needed}; {added} is not that.",
        word=word, needed=needed, added=quoted(action.detail),
    )  # fmt: skip


def _cards_in(verb: str, detail: str) -> list[str]:
    """Return the cards that are named in what is written after ``verb``."""
    if verb == "tuck":
        return [detail.partition(">")[0]]
    if not _DETAILS[verb].endswith(_CARD):
        return []
    return re.findall(_CARD, detail)[-2 if verb == "reveal" else -1 :]
