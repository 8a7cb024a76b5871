"""What is read before the rules, and what a search in them answers."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

import web
from companion.games import find_game, games
from companion.journal import Journal
from companion.rules import picture_of, props_of
from companion.rules.introduction import introduction
from companion.table import Table
from tests.checks.loops import some
from web.cover import cover, framed
from web.language import introduced, languages, rules_in
from web.rule_search import passages, search

DOCS = Path(web.__file__).parents[1] / "docs"
WIN = {
    "en": ["how do I win", "How do I win?", "who wins?", "winning", "how does the game end"],
    "it": ["come si vince", "come vinco?", "chi vince", "vincere", "come finisce il gioco"],
    "fr": ["comment gagner", "comment gagne-t-on ?", "qui gagne", "gagnant"],
    "es": ["cómo gano", "¿cómo se gana?", "quién gana", "ganar", "como puedo ganar"],
}
TURN = {
    "en": "what can I do in my turn", "it": "come si svolge un turno",
    "fr": "comment se déroule un tour", "es": "qué puedo hacer en mi turno",
}  # fmt: skip


@cache
def among(name, language):
    game = find_game(name)
    return passages(rules_in(game, language).values(), introduced(game, language), language)


@pytest.mark.parametrize(
    ("language", "asked"), [(language, one) for language, all_ in WIN.items() for one in all_]
)
@pytest.mark.parametrize("name", games())
def test_whoever_asks_how_to_win_is_told_first_of_all(name, language, asked):
    assert search(among(name, language), asked)[0].part == "win"


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", games())
def test_whoever_asks_how_a_turn_goes_is_told(name, language):
    assert search(among(name, language), TURN[language])[0].part == "turn"


@pytest.mark.parametrize("name", games())
def test_a_rule_is_found_by_its_number_and_by_words_in_any_form(name):
    for rule in some(list(rules_in(find_game(name), "en").values())[::9]):
        assert search(among(name, "en"), rule.id)[0].rule == rule
        assert rule in [one.rule for one in search(among(name, "en"), rule.title)]


def test_no_word_finds_everything_in_the_order_of_the_book():
    found = among("victorus", "en")
    assert list(search(found, " ")) == list(found)
    assert [one.part for one in found[:5]] == ["aim", "turn", "win", "needed", ""]


def test_what_nobody_says_finds_nothing():
    assert not search(among("victorus", "en"), "xylophone")


def test_a_word_that_is_nowhere_does_not_hide_the_others():
    found = search(among("victorus", "en"), "xylophone hospitaller")
    assert "Hospitaller" in found[0].heading + found[0].text


def test_the_rules_page_shows_the_answer_before_the_rules(full_house):
    page = full_house.get("/rules?q=how+do+I+win").get_data(as_text=True)
    assert page.index('id="win"') < page.index("</main>")
    whole = full_house.get("/rules").get_data(as_text=True)
    assert whole.index("/cover/chess.svg") < whole.index('id="aim"') < whole.index('id="CH-1.2"')


def test_the_cover_of_every_game_is_drawn(full_house):
    for name in some(games()):
        answer = full_house.get(f"/cover/{name}.svg")
        assert answer.mimetype == "image/svg+xml"
        assert answer.get_data(as_text=True).count("<path") > 1
    assert full_house.get("/cover/nothing.svg").status_code == 400


@pytest.mark.parametrize("name", ["victory_honor", "hoplomachus"])
def test_what_lies_beside_the_spots_at_the_start_is_on_the_cover(name):
    game = find_game(name)
    setup = game.setup()
    state, drawn = game.start(setup), cover(game, setup)
    tokens = [prop.token for prop in props_of(game, state) if prop.token]
    for token in some(tokens):
        fill = next(stroke.fill for stroke in picture_of(game, setup, token) if stroke.fill)
        assert drawn.count(f'fill="{fill}"') >= tokens.count(token)


@pytest.fixture
def full_house():
    """A phone at a table on which any game can be played."""
    with Journal() as journal:
        chess = find_game("chess")
        table = Table.create(journal, chess, chess.setup())
        yield web.create_app(table, config=web.Config(open_house=True)).test_client()


@pytest.mark.parametrize("name", games())
def test_the_page_of_a_game_begins_with_its_introduction_and_its_picture(name):
    page = (DOCS / "games" / f"{name}.md").read_text(encoding="utf-8")
    told = introduction(f"companion.games.{name}")
    places = [page.index(" ".join(text.split())) for text in (told.aim, told.turn, told.win)]
    assert places == sorted(places)
    assert places[0] < page.index(f"../screenshots/cover-{name}.svg") < places[1]
    game = find_game(name)
    kept = (DOCS / "screenshots" / f"cover-{name}.svg").read_text(encoding="utf-8")
    assert kept == str(framed(cover(game, game.setup())))
