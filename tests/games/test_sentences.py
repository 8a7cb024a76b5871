"""Every sentence of every game with every piece, kind and seat in each of its places, in four
languages: articles fit what they stand before, words are elided, sentences begin with capitals."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

from companion.games import find_game, games
from companion.rules import Text, called, say, tell, tokens_of
from companion.rules.joints import filled
from web.language import languages, translator

pytestmark = pytest.mark.no_cover  # other tests prove the rules line by line

GAMES = Path(__file__).parents[2] / "companion/games"
KIND_WORDS, PREPOSITIONS = 3, ("to", "of", "on", "upon")
"""What a piece, a kind or a colour is called has no more words, and ends in none of these."""
UNFIT = {
    "en": re.compile(r"\b[Aa] (?=[aeiouAEIOU][a-z])|\b[Aa]n (?![aeiouAEIOU8]|1[18])"),
    "it": re.compile(
        r"\b(?:[Aa] (?=[aA][a-z])|[Ee] (?=[eE][a-z])|(?:[Ii]l|[Dd]el|[Aa]l) (?=[aeiou]))"
    ),
    "fr": re.compile(
        r"\b(?:[DdNnSsLlJj]e|[Qq]ue|[Ll]a) (?=[aeiouâàéèêîôAEIOUÉÈ][a-zéèêî])|\b[ÀàDd]e? le "
    ),
    "es": re.compile(r"\b(?:[Aa]|[Dd]e) el |\b[Yy] (?=h?[iI][b-df-z])|\b[Oo] (?=h?[oO][a-z])"),
}  # fmt: skip
"""What stands in no language: an article or a short word that does not fit what follows."""


@cache
def templates(name: str) -> tuple[str, ...]:
    """Return every sentence that the source of a game makes."""
    found = {}
    for file in sorted((GAMES / name).glob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "say":
                first = node.args[0]
                if isinstance(first, ast.Constant):
                    found[str(first.value)] = True
    return tuple(found)


def places(template: str) -> list[str]:
    return [name for _, name, _, _ in Formatter().parse(template) if name]


def values(name: str) -> tuple[str, ...]:
    """Return what every piece, kind, colour, place and seat of a game is called."""
    game = find_game(name)
    setup = game.setup()
    tokens = {*tokens_of(game, setup), *game.expect(game.start(setup)).values()}
    words = [
        say(text)  # type: ignore[misc]
        for text in templates(name)
        if not places(text)
        and text[-1] not in ".?!"
        and text.split()[-1] not in PREPOSITIONS
        and len(text.split()) <= KIND_WORDS
    ]
    named = [
        *map(game.spoken, sorted(tokens)),
        *map(called, game.seats),
        *map(called, game.board(setup).spots),
    ]
    return tuple({str(value): value for value in [*words, *named]}.values())


def rendered(name: str, language: str) -> Iterator[tuple[str, str]]:
    """Yield each sentence with each value in all its places, and the value."""
    translate = translator(language)
    said = [tell(value, translate) for value in values(name)]
    for template in templates(name):
        sentence = translate(template)
        spoken = "en" if sentence == template else language
        names = places(template)
        for value in said if names else [""]:
            yield filled(sentence, dict.fromkeys(names, value), spoken), value


@pytest.mark.slow
@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", games())
def test_whatever_stands_in_a_sentence_its_article_fits(name: str, language: str) -> None:
    found = {}
    for sentence, value in rendered(name, language):
        # What is wrong within a value is looked at where that is said.
        if (odd := UNFIT[language].search(sentence)) and not UNFIT[language].search(value):
            found[sentence] = odd.group()
    assert found == {}


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", games())
def test_every_sentence_begins_with_a_capital(name: str, language: str) -> None:
    small = re.compile(r"[a-zà-ÿ]{2}")
    found = [
        sentence
        for sentence, _ in rendered(name, language)
        if sentence[-1:] in (".", "?", "!") and small.match(sentence)
    ]
    assert found == []


@pytest.mark.parametrize(
    ("language", "message", "value", "told"),
    [
        ("en", "A {piece} takes it.", "Excalibur", "An Excalibur takes it."),
        ("en", "becomes a {piece}", "orange Regent", "becomes an orange Regent"),
        ("en", "from a {spot}", "a1", "from a a1"),
        ("fr", "le roi de {side}", "orange", "le roi d'orange"),
        ("fr", "il faut que {who} joue", "Est", "il faut qu'Est joue"),
        ("it", "tocca a {side}", "argento", "tocca ad argento"),
        ("es", "el rey de {side}", "el rojo", "el rey del rojo"),
        ("es", "uno y {other}", "Isabel", "uno e Isabel"),
        ("en", "{who} has won.", "white", "White has won."),
        ("en", "{what}.", "a hero is chosen", "A hero is chosen."),
        ("en", "{spot} is taken.", "a1", "a1 is taken."),
    ],
)
def test_a_word_joins_the_value_beside_it(
    language: str, message: str, value: str, told: str
) -> None:
    assert filled(message, dict.fromkeys(places(message), value), language) == told


@pytest.mark.parametrize(
    ("why", "told"),
    [
        ("it cannot be reached: Connection refused", "It cannot be reached: Connection refused."),
        ("The strip is closed; open it again.", "The strip is closed; open it again."),
        ("is it plugged in?", "Is it plugged in?"),
    ],
)
def test_of_two_sentences_the_first_ends_with_one_stop_and_both_begin_with_capitals(
    why: str, told: str
) -> None:
    kept = say("The game is kept.")
    assert say("{fault}. {kept}", fault=why, kept=kept) == f"{told} The game is kept."


def test_a_sentence_joins_its_values_when_it_is_said() -> None:
    assert say("A {piece}.", piece=Text("orange Regent")) == "An orange Regent."
