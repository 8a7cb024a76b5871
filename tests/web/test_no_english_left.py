"""No English is left on a page in another language. The language here marks every sentence of the
catalogs: whatever letters stand outside of the marks were never given to the translators."""

import random
import re
from html.parser import HTMLParser

import pytest

import web
from companion.games import find_game
from companion.journal import Journal
from companion.rules import Action, Text, tokens_of
from companion.table import Table
from companion.table.evening import Evening
from tests.checks.fake_doors import FakeCalibrator, FakeElsewhere
from tests.checks.fake_readings import FakeReadings
from tests.checks.pages_alone import Top
from web import language

PAGES = ("/", "/allowed", "/history", "/rules", "/join", "/settings", "/shelf", "/shelf/victorus",
         "/start", "/games", "/games/1", "/view")  # fmt: skip
HIDDEN = ("script", "style", "time", "title")
SAID = ("aria-label", "title", "placeholder", "alt", "data-confirm", "data-said")
NAMES = re.compile(r"\{[^}]*\}|%\(\w+\)s")
CODES = re.compile(
    r"\b[a-z]{1,2}\d{1,2}\b|http\S+|\b[A-Z0-9]{8}\b|[A-Z]{2,3}-\d\S*|\w+\.[a-z]{3,4}$"
    r"|\b(?:south|west|north|east)\.\w+(?:=\w+)?|\bG[1-3]\b"
)
"""Spots, addresses, codes to join, numbers of rules, names of files."""
PLIES, CHEATS = 24, 6


def marked(sentence):
    """Return ``sentence`` with everything but its names between marks."""
    rest = NAMES.split(sentence)
    names = [*NAMES.findall(sentence), ""]
    return "".join(
        f"«{words}»" * bool(words) + name for words, name in zip(rest, names, strict=True)
    )


class Marking:
    """A catalog that marks whatever it is asked for."""

    def gettext(self, message):
        return marked(message)

    def ngettext(self, one, many, count):
        return marked(one if count == 1 else many)


class Page(HTMLParser):
    """Collects what people read or hear on a page."""

    def __init__(self):
        super().__init__()
        self.open, self.texts, self.goes_on = [], [], False

    def handle_starttag(self, tag, attrs):
        if tag not in ("meta", "link", "input", "img", "br"):
            self.open.append(tag)
        self.goes_on = tag in ("b", "tspan")
        self.texts += [value for name, value in attrs if name in SAID and value]

    def handle_endtag(self, tag):
        self.goes_on = tag in ("b", "tspan")
        while self.open and self.open.pop() != tag:
            pass

    def handle_data(self, data):
        if set(HIDDEN) & set(self.open):
            return
        if self.goes_on and self.texts:
            # A sentence may have words in bold, or stand on two lines of a drawing.
            self.texts[-1] += data
        else:
            self.texts.append(data)


def unmarked(text):
    """Return what of ``text`` no translator was asked for."""
    while (inner := re.sub(r"«[^«»]*»", " ", text)) != text:
        text = inner
    return CODES.sub("", text).strip(" \n·,:;.→()–-✓✗")


@pytest.fixture
def marking(monkeypatch):
    monkeypatch.setattr(language, "_catalog", lambda name: Marking())


@pytest.fixture
def table():
    """Plays a while, with refused moves, and takes the last action back."""

    def play(game):
        chance, setup = random.Random(5), game.setup()
        table = Table.create(Journal(), game, setup)
        spots = sorted(game.board(setup).spots)
        for ply in range(PLIES):
            table.play(chance.choice(game.legal(table.state)), "camera")
            if ply % (PLIES // CHEATS) == 0:
                spot, other = chance.choice(spots), chance.choice(spots)
                cheat = Action("move", spot, other)
                if game.look(tokens_of(game, setup)[0]).card:
                    cheat = Action("place", None, spot, chance.choice(tokens_of(game, setup)))
                table.play(cheat, "camera")
        table.undo(1, "button")
        return table

    return play


@pytest.mark.slow
@pytest.mark.parametrize("name", ["chess", "heximeros", "invictus", "victorus", "victory_honor"])
def test_every_word_of_every_page_is_the_translators(name, table, marking):
    game = find_game(name)
    evening = Evening(table(game))
    app = web.create_app(evening, config=web.Config(open_house=True))
    client = app.test_client()
    client.set_cookie("companion_language", "it")
    client.post(
        "/api/join",
        json={"key": "a" * 20, "code": web.invitation(app, host=True).partition("#")[2]},
    )
    seat = game.to_move(evening.table.state)
    client.post("/api/seat", json={"key": "b" * 20, "seat": seat})
    for number, (path, answer) in enumerate(
        [("draw", "offer"), ("draw", "decline"), ("draw", "offer"), ("resign", ""), ("undo", "")]
    ):
        body = {"key": f"{number}" * 20, "answer": answer, "seat": seat, "count": 1}
        told = client.post(f"/api/{path}", json={**body, "state_id": evening.table.state_id})
        assert told.status_code in (200, 400), told.text
    book = {
        part.strip(" .")
        for rule in language.rules_in(game, "it").values()
        for part in (rule.text, rule.title, rule.section)
    }
    for other in web_games(client):
        told = language.introduced(find_game(other), "it")
        book |= {text.strip(" .") for text in (told.aim, told.turn, told.win, told.needed)}
    book |= {
        part.strip(" .")
        for rule in language.rules_in(find_game("victorus"), "it").values()
        for part in (rule.text, rule.title)
    }
    titles = {find_game(other).title for other in web_games(client)}
    own = book | titles | set(language.NAMES.values())
    refused = [event for event in evening.table.events() if event.kind == "refused"]
    refused = [event for event in refused if "-" in event.action]
    asked = [f"/allowed?at={e.seq}&from={e.action.partition('-')[0]}" for e in refused]
    asked = [
        f"{path}&to={e.action.partition('-')[2]}" for path, e in zip(asked, refused, strict=True)
    ]
    for path in (*PAGES, *asked):
        answer = client.get(path)
        assert answer.status_code == 200, path
        page = Page()
        page.feed(answer.text)
        left = {unmarked(text) for text in page.texts}
        words = {text for text in left if re.search("[A-Za-z]{3}", text)}
        assert {text for text in words if not any(text in part for part in own)} == set(), path


def test_a_game_is_called_by_its_name_in_the_language_of_the_phone(table):
    client = web.create_app(Evening(table(find_game("chess"))), config=web.Config()).test_client()
    client.set_cookie("companion_language", "it")
    page = client.get("/").text
    assert "Scacchi" in page
    assert "Chess" not in page


def web_games(client):
    """Return the names of the games on the page of settings."""
    return [one["name"] for one in client.get("/api/settings").json["choices"]["games"]]


def untold(value):
    """Yield every sentence within a JSON value that no translator was asked for."""
    if isinstance(value, Text):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if listed(value) else ():
        yield from untold(inner)


def listed(value):
    return isinstance(value, list | tuple)


ASKED = {"/api/seatings": {"game": "victorus", "variant": "quick"}}
"""What is asked besides where a path needs it."""


def test_no_answer_to_a_page_leaves_a_sentence_in_english(table, monkeypatch):
    game = find_game("victorus")
    evening = Evening(table(game))
    app = web.create_app(
        evening, config=web.Config(open_house=True), virtual=Top(game.expect(evening.table.state)),
        calibrator=FakeCalibrator(), readings=FakeReadings(), elsewhere=FakeElsewhere(),
    )  # fmt: skip
    client = app.test_client()
    client.set_cookie("companion_language", "it")
    code = web.invitation(app, host=True).partition("#")[2]
    client.post("/api/join", json={"key": "a" * 20, "code": code})
    left, dumps = [], app.json.dumps
    monkeypatch.setattr(
        app.json, "dumps", lambda value, **how: left.extend(untold(value)) or dumps(value, **how)
    )
    asked = [
        rule.rule
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith("/api/") and "GET" in rule.methods and not rule.arguments
    ]
    answers = [
        client.get(path, query_string=ASKED.get(path)) for path in asked if "events" not in path
    ]
    assert sum(answer.is_json and answer.status_code == 200 for answer in answers) > 9
    assert left == []
