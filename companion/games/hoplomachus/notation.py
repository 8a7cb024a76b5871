"""How actions are written: ``move 2.2``, ``engage yellow blue``, ``roll yellow=hit blue=crit``."""

from __future__ import annotations

import re
from types import MappingProxyType

from companion.games.hoplomachus.cards import TITLE, known, unknown_card
from companion.games.hoplomachus.geometry import CAMPS, NAMES
from companion.games.hoplomachus.pieces import COLOURS, FACES, counted, in_words, roll_in_words
from companion.games.hoplomachus.play import read_roll
from companion.games.hoplomachus.state import ZONES
from companion.rules import Action, no_action, say

_COLOUR = "|".join(COLOURS)
_FACE = "|".join(FACES)
_ZONE = "|".join(ZONES)
_DICE = rf"(?:(?:{_COLOUR})(?: (?:{_COLOUR}))*)?"
_CARD = r"[^\s>=]+"
_CAMP = "|".join(map(re.escape, CAMPS))
_DETAILS = {
    "go": "|".join(map(re.escape, NAMES)), "add": _CAMP, "remove": _CAMP, "toss": _CAMP,
    "engage": _DICE, "recover": _DICE, "recruit": _COLOUR,
    "roll": rf"(?:{_COLOUR})=(?:{_FACE})(?: (?:{_COLOUR})=(?:{_FACE}))*",
    "assign": rf"(?:{_COLOUR})=(?:{_FACE})>{_CARD}",
    "reroll": rf"(?:{_COLOUR})=(?:{_FACE})>(?:{_FACE})",
    "dismiss": rf"(?:{_COLOUR}) (?:{_ZONE})", "reinforce": rf"(?:{_COLOUR}) (?:{_ZONE})",
    "weaken": rf"(?:{_COLOUR}) (?:{_ZONE})",
    "shift": rf"(?:{_COLOUR}) (?:{_ZONE})>(?:{_ZONE})",
    "health": r"[+-]1", "strategy": r"[+-]1", "recovery": r"[+-]1",
    "top": rf"(?:{_CAMP}) {_CARD}", "reveal": rf"{_CARD}>{_CARD}",
    **dict.fromkeys(("lieutenant", "hero", "tactic", "discard", "use", "fulfil", "strike"), _CARD),
    **dict.fromkeys(("scout", "activate", "fight", "heal", "keep", "drop", "final", "stop", "done",
                     "take", "refuse"), ""),
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
    if shape.endswith(_CARD):
        for name in re.findall(_CARD, detail)[-2 if verb == "reveal" else -1 :]:
            if not known(name):
                raise unknown_card(name)
    if shape == _DICE:
        detail = in_words(counted(map(COLOURS.index, detail.split())))
    if verb == "roll":
        detail = roll_in_words(read_roll(detail))
    return Action(verb, detail=detail)
