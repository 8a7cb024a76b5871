"""Every ruling that random games bring about is a whole sentence in all four languages: filled in,
with a capital and a full stop, without names of the program, without leftovers of English."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from companion.games import find_game, games
from companion.games.hoplomachus.cards import invented
from companion.rules import Text, tell, tokens_of
from tests.checks.refusals import rulings
from tests.games.test_sentences import UNFIT, templates
from web.language import languages, translator

pytestmark = pytest.mark.no_cover  # other tests prove the rules line by line

OTHERS = [language for language in languages() if language != "en"]
SEEDS, LIMIT, ASKED, OF_A_KIND = range(5), 90, 10, 12
ENGLISH = re.compile(r"\b(?:the|and|is|not|with|of|may|has|its|this|there|that|by|are|it|to)\b")
ALIKE = {
    "it": {"Excalibur", "Alcazar", "Dreadnaught"},
    "fr": {"Excalibur", "Alcazar", "Dreadnaught", "Archer", "Assassin", "Cavalier", "Militant",
           "orange", "centre"},
    "es": {"Dreadnaught"},
}  # fmt: skip
"""Words that a language has in common with English."""
CODE = re.compile(r"[_=<>{}\[\]]|\b(?:None|True|False)\b|\b[A-Z]{2,3}-\d")


@cache
def collected(name: str) -> tuple[Text, ...]:
    """Return some rulings of each kind, in the order in which they came."""
    found: dict[str, dict[str, Text]] = {}
    for reason in rulings(name, SEEDS, LIMIT, ASKED):
        assert isinstance(reason, Text), f"{reason!r} cannot be translated"
        alike = found.setdefault(reason.message, {})
        if len(alike) < OF_A_KIND:
            alike[str(reason)] = reason
    return tuple(reason for alike in found.values() for reason in alike.values())


def parts(text: Text) -> Iterator[Any]:
    """Yield a sentence and all that stands in it."""
    yield text
    for value in text.values.values():
        for one in value if isinstance(value, list | tuple) else (value,):
            if isinstance(one, Text):
                yield from parts(one)
            else:
                yield one


def bare(sentence: str) -> str:
    """Return a sentence without what was given and is quoted."""
    return re.sub("“[^”]*”", "", sentence)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", games())
def test_a_ruling_is_a_whole_sentence(name: str, language: str) -> None:
    translate, found = translator(language), {}
    for reason in collected(name):
        told = tell(reason, translate)
        whole = re.match(r"[^a-zà-ÿ]|[a-z]{1,2}\d", told) and told.endswith(".")
        one = not re.search(r"\. [A-ZÀ-Ý]|\n|  ", told)
        if not (whole and one) or CODE.search(bare(told)) or UNFIT[language].search(told):
            found[reason.message] = told
    assert found == {}


@pytest.mark.parametrize("name", games())
def test_what_stands_in_a_ruling_is_a_place_a_number_a_card_or_words(name: str) -> None:
    game = find_game(name)
    setup = game.setup()
    known = {*game.board(setup), *game.seats, *game.called, *invented(), "4.1", game.title}
    found = {
        f"{value} in {reason.message}"
        for reason in collected(name)
        for value in parts(reason)
        if not isinstance(value, Text)
        and re.search("[a-zA-Z]{2}", str(value))
        and not str(value).startswith("“")
        and not re.fullmatch(r"[a-z]{1,2}\d+(?:-[a-z]{1,2}\d+)*", str(value))
        and str(value) not in known
    }
    assert found == set()


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("name", games())
def test_no_english_is_left_in_a_translated_ruling(name: str, language: str) -> None:
    translate, found = translator(language), {}
    for reason in collected(name):
        told = bare(tell(reason, translate))
        same = [
            part.message
            for part in parts(reason)
            if isinstance(part, Text)
            and re.search("[a-z]{3}", re.sub(r"\{\w+\}", "", part.message))
            and translate(part.message) == part.message
            and part.message not in ALIKE[language]
        ]
        if same or ENGLISH.search(told):
            found[told] = same
    assert found == {}


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("name", games())
def test_what_ends_with_a_stop_does_so_in_every_language(name: str, language: str) -> None:
    translate = translator(language)
    found = {
        template: translate(template)
        for template in templates(name)
        if (template[-1] in ".?!") != (translate(template)[-1] in ".?!")
        or (template[-1] in ".?!" and translate(template)[:1].islower())
    }
    assert found == {}


@pytest.mark.parametrize("name", games())
def test_no_token_is_named_by_its_code(name: str) -> None:
    game: Any = find_game(name)
    coded = [token for token in tokens_of(game, game.setup()) if re.search(" .*[A-Z]", token)]
    written = re.compile(rf"\b(?:{'|'.join(map(re.escape, coded))})(?!\w)") if coded else None
    if written is None:
        pytest.skip("tokens of this game are written as people say them")
    found = {str(r) for r in collected(name) if written.search(bare(str(r)))}
    assert found == set()


@pytest.mark.parametrize("name", games())
def test_many_kinds_of_rulings_were_collected(name: str) -> None:
    assert len({reason.message for reason in collected(name)}) >= 20
