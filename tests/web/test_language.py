"""Every phone is spoken to in its own language, and never in none."""

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po
from flask import render_template_string

from companion.rules import say
from web import language


@pytest.fixture
def italian(tmp_path, monkeypatch):
    """An Italian catalog with two sentences in it."""
    catalog = Catalog(locale="it")
    catalog.add("no {seat} man stands there", "lì non c'è un uomo {seat}")
    # How many forms Italian has depends on Babel's release: some count millions apart.
    more = ["%(num)d telefoni"] * (catalog.num_plurals - 1)
    catalog.add(("%(num)d phone", "%(num)d phones"), ("%(num)d telefono", *more))
    path = tmp_path / "it.po"
    with path.open("wb") as file:
        write_po(file, catalog)
    monkeypatch.setattr(
        language,
        "_source",
        lambda package, code: path if (package, code) == ("companion", "it") else None,
    )
    language._joined.cache_clear()
    yield
    language._joined.cache_clear()


def test_the_languages_are_the_four_of_the_house():
    assert language.languages() == ("en", "it", "fr", "es")


@pytest.mark.parametrize(
    ("wanted", "spoken"),
    [
        ("it-IT,it;q=0.9,en;q=0.5", "it"),
        ("de-DE,fr;q=0.4", "fr"),
        ("es-419", "es"),
        ("ja", "en"),
        ("", "en"),
    ],
)
def test_a_phone_is_spoken_to_in_the_first_of_its_languages_that_we_know(phone, wanted, spoken):
    answer = phone.get("/", **{"Accept-Language": wanted})
    assert answer.headers["Content-Language"] == spoken


def test_what_was_chosen_on_the_phone_weighs_more_than_its_browser(phone):
    phone.client.set_cookie("companion_language", "fr")
    assert phone.get("/", **{"Accept-Language": "it"}).headers["Content-Language"] == "fr"


def test_a_language_that_nobody_speaks_is_not_chosen(phone):
    phone.client.set_cookie("companion_language", "../../etc/passwd")
    assert phone.get("/", **{"Accept-Language": "it"}).headers["Content-Language"] == "it"


def test_a_sentence_is_told_in_the_language_with_its_values(italian):
    told = say("no {seat} man stands there", seat="red").told(language.translator("it"))
    assert told == "lì non c'è un uomo red"


def test_what_a_catalog_lacks_stays_english(italian):
    assert language.translator("it")("the turn may end") == "the turn may end"
    assert language.translator("fr")("the turn may end") == "the turn may end"


def test_only_sentences_are_told_not_spots_and_names(italian):
    values = {"a1": [say("no {seat} man stands there", seat="red"), "no {seat} man stands there"]}
    told = language.in_words(values, language.translator("it"))
    assert told == {"a1": ["lì non c'è un uomo red", "no {seat} man stands there"]}


def test_templates_speak_with_numbers_in_order(app, italian):
    text = "{{ ngettext('%(num)d phone', '%(num)d phones', 2) }} {{ _('Hello') }}"
    with app.test_request_context("/", headers={"Accept-Language": "it"}):
        assert render_template_string(text) == "2 telefoni Hello"


def test_rules_that_nobody_has_translated_are_read_in_english(game):
    assert language.rules_in(game, "it") is game.rules
