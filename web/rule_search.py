"""Finds what somebody asks in the rules: *how do I win*, *spoke*, a rule's number."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

from companion.rules import Introduction, Rule, say, tell
from web.language import translator

_STEMS = {"en": "english", "it": "italian", "fr": "french", "es": "spanish"}
_SHARE = 0.5
"""Where nothing says all that was asked, what has less than this share of the best stays away."""
_HEADING = 2.0
"""How much more a word of a heading weighs than one of the text."""

_QUESTIONS = {
    "aim": say("what is the aim, the goal, the object, the point of the game; what is it about"),
    "turn": say("how does a turn go, what do I do, may I do, can I do in my turn; how to play"),
    "win": say(
        "how do I win, how to win, who wins, who has won, when is the game won, lost or over, "
        "how does the game end, victory, winner"
    ),
    "needed": say("what do I need, what is needed, how many players, how long does it take"),
}
"""What people ask whom a part of an introduction answers."""


@dataclass(frozen=True)
class Passage:
    """Something that a search may find: a ``rule``, or ``part`` of the introduction of a game."""

    heading: str
    text: str
    language: str
    rule: Rule | None = None
    part: str = ""
    questions: str = field(default="", repr=False)

    @cached_property
    def heading_words(self) -> frozenset[str]:
        """The stems of the words of its heading and of the questions that it answers."""
        return frozenset(stems(f"{self.heading} {self.questions}", self.language))

    @cached_property
    def words(self) -> frozenset[str]:
        """The stems of all its words."""
        return self.heading_words | frozenset(stems(self.text, self.language))


def headings() -> Mapping[str, str]:
    """Return what the parts of an introduction are called, in the order in which they are read."""
    return {
        "aim": say("The aim"),
        "turn": say("How a turn goes"),
        "win": say("How to win"),
        "needed": say("What you need"),
    }


def passages(
    rules: Iterable[Rule], introduction: Introduction | None, language: str
) -> Sequence[Passage]:
    """Return all that can be found of a game: its introduction, then its rules."""
    translate = translator(language)
    found = []
    for part, heading in headings().items() if introduction else ():
        text, asked = str(getattr(introduction, part)), tell(_QUESTIONS[part], translate)
        found.append(Passage(tell(heading, translate), text, language, None, part, asked))
    for rule in rules:
        heading = f"{rule.id} {rule.title} {rule.section}"
        found.append(Passage(heading, rule.text, language, rule))
    return found


def search(among: Sequence[Passage], wanted: str) -> Sequence[Passage]:
    """Return what answers ``wanted``, the best first: what says every word of it; where nothing
    does, what says the words that tell most. Everything, in its order, for no word.

    Words are compared by their stems, so that *winning* is found by *win*; a beginning of a word of
    three letters or more, or of a rule's number, stands for the word.
    """
    asked = stems(wanted, among[0].language if among else "en")
    if not asked:
        return among
    weights = {word: _weight(word, among) for word in asked}
    scored = [(_score(passage, weights), passage) for passage in among]
    whole = [one for one in scored if all(_says(one[1].words, word) for word in asked)]
    best = max(score for score, _ in scored)
    kept = whole or [one for one in scored if best and one[0] >= _SHARE * best]
    return [passage for _, passage in sorted(kept, key=lambda one: -one[0])]


def stems(text: str, language: str) -> list[str]:
    """Return the stems of the words of ``text``, each once."""
    words = re.findall(r"[\w.-]*\w", text.casefold())
    found: list[str] = _stemmer(language).stemWords(words) if words else []
    return list(dict.fromkeys(found))


@cache
def _stemmer(language: str) -> Any:
    # It brings fifty languages, which only who searches needs.
    import snowballstemmer

    return snowballstemmer.stemmer(_STEMS.get(language, "english"))


def _says(words: frozenset[str], word: str) -> bool:
    return word in words or (len(word) > 2 and any(one.startswith(word) for one in words))


def _weight(word: str, among: Sequence[Passage]) -> float:
    """Return how much ``word`` tells: the more the fewer passages have it."""
    count = sum(_says(passage.words, word) for passage in among)
    return math.log(1 + len(among) / count) if count else 0.0


def _score(passage: Passage, weights: Mapping[str, float]) -> float:
    return sum(
        weight * (_HEADING if _says(passage.heading_words, word) else 1.0)
        for word, weight in weights.items()
        if _says(passage.words, word)
    )
