"""How a word joins the value beside it (``a orange`` is said ``an orange``), and how a sentence
begins: what a translator cannot write, because it hangs on the value."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from functools import cache, lru_cache
from string import Formatter
from types import MappingProxyType

_Rule = tuple[re.Pattern[str], re.Pattern[str], str, str]
"""The word before a value, how the value begins, and what becomes of both."""
# A letter that a number follows is a place, such as a1: it is spelt, and joins nothing.
_VOWEL = r"[aeiouàâäèéêëìíîïòóôöùúûü](?!\d|\W|$)"
_WORDS: Mapping[str, tuple[tuple[str, str, str, str], ...]] = MappingProxyType({
    "en": (("a", rf"(?:{_VOWEL}|8|11\b|18\b)", r"\1n ", r"\g<0>"),),
    "fr": (
        ("d|l|n|s|qu", _VOWEL, r"\1'", r"\g<0>"),
        ("d", r"le\s", r"\1u ", ""), ("d", r"les\s", r"\1es ", ""),
        ("à", r"le\s", "au ", ""), ("à", r"les\s", "aux ", ""),
    ),
    "it": (
        ("a", r"a(?!\d|\W|$)", r"\1d ", r"\g<0>"), ("e", r"e(?!\d|\W|$)", r"\1d ", r"\g<0>"),
    ),
    "es": (
        ("a|de", r"el\s", r"\1l ", ""),
        ("y", r"h?i(?![\dae]|\W|$)", "e ", r"\g<0>"),
        ("o", r"h?o(?!\d|\W|$)", "u ", r"\g<0>"),
    ),
})  # fmt: skip
_ELIDED = r"(?i)\b(?:(d|n|s|qu)e|(l)[ea])\s$"
"""French words that lose their last letter before a vowel."""

_ENDS = (".", "!", "?")
_TWICE = re.compile(r"([.!?])\.(?=\s|$)")


@cache
def _rules(language: str) -> tuple[_Rule, ...]:
    """Return the rules of ``language``, none for one that joins nothing."""
    return tuple(
        (
            re.compile(rf"(?:(?<=\s)|(?<=[(“‘«'’])|^)({before})\s$", re.IGNORECASE),
            re.compile(value, re.IGNORECASE),
            joined,
            begins,
        )
        for before, value, joined, begins in _WORDS.get(language, ())
    )


@lru_cache(4096)
def _parts(message: str) -> tuple[tuple[str, str | None], ...]:
    return tuple((literal, name) for literal, name, _, _ in Formatter().parse(message))


@lru_cache(4096)
def _before_stops(message: str) -> tuple[str, ...]:
    """Return the names of the values behind which ``message`` puts a stop."""
    parts = _parts(message)
    return tuple(
        name
        for (_, name), (literal, _) in itertools.pairwise(parts)
        if name is not None and literal.startswith(".")
    )


@lru_cache(4096)
def _may_join(message: str, language: str) -> bool:
    """Tell whether some word before a value may change with it."""
    return any(
        name is not None and rule[0].search(_bare(literal, language))
        for literal, name in _parts(message)
        for rule in _rules(language)
    )


def _bare(literal: str, language: str) -> str:
    return re.sub(_ELIDED, r"\1\2 ", literal) if language == "fr" else literal


def filled(message: str, values: Mapping[str, object], language: str) -> str:
    """Return ``message`` of ``language`` with its ``{names}`` filled in: the word before a value is
    joined to it, a sentence begins with a capital, and ends with one stop where the value before
    brings its own.

    Raises:
        KeyError: ``message`` names a value that was not given.

    >>> filled("A {piece} stands there.", {"piece": "orange Regent"}, "en")
    'An orange Regent stands there.'
    >>> filled("{why}. {kept}", {"why": "is it plugged in?", "kept": "It is kept."}, "en")
    'Is it plugged in? It is kept.'
    """
    if values and _may_join(message, language):
        text = "".join(
            _joined(literal, name, values, language) for literal, name in _parts(message)
        )
    else:
        text = message.format_map(values)
    if any(str(values[name])[-1:] in _ENDS for name in _before_stops(message)):
        text = _TWICE.sub(r"\1", text)
    # What begins with a1 is a place and stays as it is written.
    if text[-1:] in _ENDS and text[:1].islower() and not text[1:2].isdigit():
        return text[0].upper() + text[1:]
    return text


def _joined(literal: str, name: str | None, values: Mapping[str, object], language: str) -> str:
    if name is None:
        return literal
    value = str(values[name])
    bare = _bare(literal, language)
    for before, begins, joined, begun in _rules(language):
        if begins.match(value) and before.search(bare):
            return before.sub(joined, bare) + begins.sub(begun, value, count=1)
    return literal + value
