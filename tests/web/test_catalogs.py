"""The catalogs of the languages: no sentence missing, none left over, the same names in each."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.pofile import read_po

from companion.games import find_game, games
from tests.checks.loops import some
from web.language import languages

ROOT = Path(__file__).parents[2]
OTHERS = [language for language in languages() if language != "en"]
OTHERWISE = {
    "es": r"usted|(diga|ponga|toque|mire|elija|escriba|espere|siga|vea|calibre)|vosotros",
    "it": r"vostr[aeio]|(mettete|toccate|guardate|calibrate|mostrate|sedetevi|premete)",
    "fr": r"tu|toi|ton|tes|(regarde|touche|mets|choisis) (le|la|les|un|une)",
}
"""How nobody is addressed: Spanish and Italian say *tu* to whoever reads, French *vous*."""
NAME = re.compile(r"\{(\w+)\}|%\((\w+)\)")

Message = str | tuple[str, ...]


@pytest.fixture(scope="module")
def said() -> set[Message]:
    """Every sentence of the source, a pair where it depends on a number."""
    with (ROOT / "babel.cfg").open(encoding="utf-8") as file:
        methods, options = parse_mapping_cfg(file)
    keywords = {"say": None, "_": None, "gettext": None, "ngettext": (1, 2)}
    found = {
        message
        for folder in ("companion", "vision", "hardware", "web")
        for _, _, message, _, _ in extract_from_dir(
            str(ROOT / folder),
            [(pattern.removeprefix(f"{folder}/"), method) for pattern, method in methods
             if pattern.startswith(f"{folder}/")],
            options,
            keywords,
        )
    }  # fmt: skip
    # A catalog has one entry for a sentence that is said alone and with a number.
    return found - {message[0] for message in found if isinstance(message, tuple)}


def catalog(language: str) -> Catalog:
    with (ROOT / f"companion/languages/{language}.po").open("rb") as file:
        return read_po(file, locale=language)


def names(text: str) -> set[str]:
    return {one or other for one, other in NAME.findall(text)}


@pytest.mark.thorough
def test_the_source_is_read(said: set[Message]) -> None:
    assert "{piece} may not leave {spot}" not in said
    assert "Was that allowed?" in said
    assert "The {piece} conquers the centre." in said


@pytest.mark.parametrize("language", OTHERS)
def test_no_sentence_is_missing_and_none_left_over(language: str, said: set[Message]) -> None:
    told = {entry.id for entry in catalog(language) if entry.id}
    assert said - told == set(), "run `make languages` and translate what is empty"
    assert told - said == set(), "run `make languages`"


@pytest.mark.parametrize("language", OTHERS)
def test_every_sentence_is_translated_with_all_its_names(language: str) -> None:
    for entry in some(catalog(language)):
        if not entry.id:
            continue
        assert not entry.fuzzy, entry.id
        texts = [entry.string] if isinstance(entry.string, str) else list(entry.string)
        english = entry.id if isinstance(entry.id, str) else entry.id[-1]
        for text in some(texts):
            assert text, entry.id
            assert names(text) == names(english), entry.id


@pytest.mark.parametrize("game", games())
def test_every_seat_is_called_by_a_word_that_is_translated(game: str, said: set[Message]) -> None:
    assert set(find_game(game).seats) <= said


@pytest.mark.parametrize("language", OTHERS)
def test_whoever_reads_is_addressed_in_one_way(language: str) -> None:
    wrong = re.compile(rf"(^|[.;:!?¡¿] )({OTHERWISE[language]})\b", re.IGNORECASE)
    found = [one.string for one in some(catalog(language)) if wrong.search(str(one.string))]
    assert found == []
