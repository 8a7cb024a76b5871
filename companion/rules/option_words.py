"""What the options of the games and their values are called on the pages, in any language.

Records, commands and the journal keep the names as they are written there.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.rules.words import Text, say

_NAMES = (
    say("assassin side"), say("bombarded opening"), say("bonus"), say("bonus strategic"),
    say("cards"), say("check"), say("corner"), say("deal"), say("direction"), say("divide scores"),
    say("dogleg"), say("double"), say("draws"), say("edge"), say("empty kingdom"), say("fallen"),
    say("fallen walls"), say("from enemy"), say("game minutes"), say("gate"), say("ground zero"),
    say("hidden setup"), say("increment"), say("later leader"), say("lieutenant"), say("minutes"),
    say("move seconds"), say("multiply"), say("must move"), say("no move"), say("no progress"),
    say("order"), say("partners"), say("pass on"), say("pivot"), say("placement"), say("portal"),
    say("rank"), say("reopen"), say("return"), say("rim"), say("ring1"), say("rounds"),
    say("royal bonus colour"), say("same field"), say("scoring"), say("seats"), say("second"),
    say("second colour"), say("target"), say("tie"), say("token"), say("variant"), say("wall tip"),
)  # fmt: skip
_VALUES = (
    say("Aedile"), say("Censor"), say("Centurion"), say("Consul"), say("Legate"), say("Praetor"),
    say("Prefect"), say("Quaestor"), say("Tribune"), say("all"), say("allied"), say("allowed"),
    say("any"), say("automatic"), say("away"), say("basic"), say("battlefield"), say("binding"),
    say("block"), say("blocks"), say("blue"), say("claimed"), say("clockwise"), say("draw"),
    say("facing"), say("far"), say("fewest"), say("forbidden"), say("free"), say("generals"),
    say("given"), say("gone"), say("green"), say("grey"), say("home"), say("invented"),
    say("kingdom"), say("knights"), say("left"), say("lost"), say("may"), say("must"), say("name"),
    say("black"), say("orange"), say("purple"), say("red"),
    say("no"), say("noted"), say("open"), say("opposite"), say("out"), say("own"), say("pass"),
    say("prey"), say("quick"), say("random"), say("rest fight"), say("right"), say("said"),
    say("same"), say("seen"), say("shared"), say("six"), say("stand"), say("stars"),
    say("symmetric"), say("three"), say("toward"), say("white"), say("yes"),
)  # fmt: skip
_WORDS: dict[str, Text] = {str(word): word for word in (*_NAMES, *_VALUES)}


def option_word(name: str) -> str:
    """Return the words for an option or a value; orders such as ``red-blue`` part by part. What
    has no words (numbers, names of one's own) stands as it is."""
    plain = name.replace("_", " ")
    if plain in _WORDS:
        return _WORDS[plain]
    first, dash, rest = plain.partition("-")
    if not dash or first not in _WORDS:
        return plain
    return say("{first}-{rest}", first=_WORDS[first], rest=option_word(rest))


def told_options(options: Mapping[str, str]) -> Text | str:
    """Return the options in play as one line."""
    line: Text | str = ""
    for name, value in options.items():
        pair = say("{name} = {value}", name=option_word(name), value=option_word(value))
        line = say("{one}, {other}", one=line, other=pair) if line else pair
    return line
