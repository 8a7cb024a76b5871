"""The seats and options that a game's box offers: only such as the game takes."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from itertools import combinations

import pytest

import web
from companion.games import find_game, games
from companion.journal import Journal
from companion.rules import BadInput
from companion.table import Table
from companion.table.evening import Evening
from tests.checks.loops import some


class Forms(HTMLParser):
    """What each form of a new game sends if its button is pressed at once."""

    def __init__(self, html):
        super().__init__()
        self.forms, self.form, self.select = {}, None, None
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if tag == "form":
            self.form = None
            if "data-possible" in attrs:
                self.form = {"seats": [], "options": {}, "shut": [], "counts": {}}
                self.form["possible"] = json.loads(attrs["data-possible"])
                self.forms[attrs["data-game"]] = self.form
        if self.form is None:
            return
        if attrs.get("name") == "seat":
            if "checked" in attrs:
                self.form["seats"].append(attrs["value"])
            if "disabled" in attrs:
                self.form["shut"].append(attrs["value"])
        elif tag == "select":
            self.select = attrs["name"]
        elif tag == "option" and "selected" in attrs:
            self.form["options"][self.select] = attrs["value"]
        elif "data-default" in attrs:
            self.form["options"][attrs["name"]] = attrs["value"]
        elif "data-count" in attrs:
            self.form["counts"][int(attrs["data-count"])] = "hidden" not in attrs


def form_of(host, name):
    """What the form of a game's box sends if its button is pressed at once."""
    return Forms(host.get(f"/shelf/{name}").text).forms[name]


@pytest.fixture
def context_of(phone_of):
    """Begin a game in a house; return its evening and the host's phone."""
    opened = []

    def begin(name, seats=None, options=None):
        opened.append(Journal())
        game = find_game(name)
        evening = Evening(Table.create(opened[-1], game, game.setup(seats, options)))
        app = web.create_app(evening, config=web.Config(heartbeat=0.0))
        host = phone_of(app, "10.0.0.1")
        host.post("/api/join", code=web.invitation(app).partition("#")[2])
        return evening, host

    yield begin
    for journal in opened:
        journal.close()


@pytest.mark.parametrize("present", games())
def test_from_every_game_each_other_one_begins_as_its_form_stands(context_of, present):
    evening, host = context_of(present)
    for name in some(games()):
        form = form_of(host, name)
        order = next(s for s in form["possible"]["seatings"] if set(s) == set(form["seats"]))
        answer = host.post("/api/new", game=name, seats=order, options=form["options"])
        assert answer.status_code == 200, (name, answer.text)
        assert evening.table.game.name == name


@pytest.mark.parametrize("name", games())
def test_the_page_takes_exactly_what_the_game_takes(context_of, name):
    _, host = context_of("chess")
    form = form_of(host, name)
    game = find_game(name)
    assert set(form["seats"]) == set(game.setup().seats)
    offered = {frozenset(seats) for seats in form["possible"]["seatings"]}
    for size in range(1, len(game.seats) + 1):
        assert form["counts"][size] == any(len(seats) == size for seats in offered)
        for seats in combinations(game.seats, size):
            if frozenset(seats) not in offered:
                with pytest.raises(BadInput):
                    game.setup(seats)


def test_what_is_always_so_cannot_be_unticked_even_without_scripts(context_of):
    _, host = context_of("victorus", ["red", "purple"])
    assert len(form_of(host, "heximeros")["shut"]) == 6
    assert form_of(host, "victorus")["shut"] == []
    assert "HexiMeros is played with all of these." in host.get("/shelf/heximeros").text


def test_the_form_of_the_present_game_stands_as_it_is_played(context_of):
    options = {"placement": "free", "second": "must"}
    _, host = context_of("victorus", ["red", "black"], options)
    form = form_of(host, "victorus")
    assert form["seats"] == ["red", "black"]
    assert form["options"]["placement"] == "free"
    assert form["options"]["second"] == "must"


def test_options_change_who_can_play_at_once(context_of):
    _, host = context_of("chess")
    ask = "/api/seatings?game=victorus"
    assert ["red", "black"] not in host.get(ask).json["seatings"]
    assert ["red", "black"] in host.get(f"{ask}&placement=free").json["seatings"]
    assert {len(s) for s in host.get(f"{ask}&variant=allied").json["seatings"]} == {4, 6}
    excluded = host.get("/api/seatings?game=hoplomachus").json["excluded"]
    assert "54 Conflict cards" in excluded["cards"]["own"]
    assert host.get("/api/seatings?game=hoplomachus&cards=own").json["seatings"] == []


@pytest.mark.parametrize(
    "query", ["", "game=go", "game=chess&minutes=" + "9" * 400, "game=chess&draws=perhaps"]
)
def test_nonsense_gets_a_sentence(context_of, query):
    _, host = context_of("chess")
    answer = host.get(f"/api/seatings?{query}")
    assert answer.status_code == 400
    assert len(answer.json["error"]["message"]) < 300


def test_a_stranger_is_told_nothing(context_of, phone_of):
    _, host = context_of("chess")
    stranger = phone_of(host.client.application, "10.0.0.2")
    assert stranger.get("/api/seatings?game=chess").status_code == 403


@pytest.mark.parametrize("value", ["9" * 400, "9" * 5000, "-1", "1e9", "²", "\ud800"])
def test_no_game_is_committed_whose_numbers_do_not_fit(context_of, value):
    evening, host = context_of("chess")
    before = dict(evening.journal.games())
    answer = host.post("/api/new", game="chess", options={"minutes": value})
    assert answer.status_code == 400
    assert len(answer.json["error"]["message"]) < 200
    assert dict(evening.journal.games()) == before


@pytest.mark.parametrize("seats", [["white"] * 32, ["white", "white"], ["x" * 9000, "black"]])
def test_seats_are_named_once_and_shortly(context_of, seats):
    _, host = context_of("chess")
    answer = host.post("/api/new", game="chess", seats=seats)
    assert answer.status_code == 400
    assert len(answer.json["error"]["message"]) < 400


def test_the_form_is_right_in_any_language(context_of):
    _, host = context_of("chess")
    host.post("/api/language", language="it")
    page = host.get("/shelf/chess").text
    assert "2 giocatori" in page
    assert "si gioca con tutti questi" in page
