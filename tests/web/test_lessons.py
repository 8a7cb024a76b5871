"""Lessons on the phones: every one of them played to its end, and what is answered on the way."""

from __future__ import annotations

import pytest

import web
from companion.games import find_game, games
from companion.journal import Journal
from companion.referee.lessons import answered, beginning, lessons_of
from companion.table import Table
from companion.table.evening import Evening
from tests.checks.loops import some

EVERY = [(name, one.name) for name in games() for one in lessons_of(find_game(name))]


@pytest.fixture
def evening():
    with Journal() as journal:
        game = find_game("invictus")
        yield Evening(Table.create(journal, game, game.setup()))


@pytest.fixture
def app(evening):
    return web.create_app(evening, config=web.Config(heartbeat=0.0))


def ask(phone, lesson, made=(), **more):
    query = [("made", action) for action in made] + list(more.items())
    answer = phone.client.get(
        f"/api/lessons/{lesson}", query_string=query, environ_base={"REMOTE_ADDR": phone.address}
    )
    assert answer.status_code == 200, answer.json
    return answer.json


@pytest.mark.parametrize(("name", "lesson"), EVERY)
def test_every_lesson_is_played_to_its_end(host, name, lesson):
    game = find_game(name)
    taken = next(one for one in lessons_of(game) if one.name == lesson)
    start = beginning(game, taken)
    learner, told = game.to_move(start), ask(host, f"{name}/{lesson}")
    assert (told["status"], told["made"]) == ("going", [])
    assert set(told["lit"]) == set(taken.lit)
    while told["status"] == "going":
        done = [game.parse(start.setup, text) for text in told["made"]]
        assert answered(game, taken, done).state is not None
        assert told["to_move"] == learner
        told = ask(host, f"{name}/{lesson}", told["made"], action=taken.solution[len(done)])
        assert told["ruling"]["allowed"]
        assert told["said"]
    assert told["status"] == "done"
    assert told["made"] == list(taken.solution)
    assert set(told["symbols"]) == set(told["position"].values())


@pytest.mark.parametrize("language", ["en", "it", "fr", "es"])
@pytest.mark.parametrize(("name", "lesson"), [EVERY[0], EVERY[-1]])
def test_a_lesson_has_a_page_with_goal_hints_and_rule_in_the_phones_language(
    host, name, lesson, language
):
    taken = next(one for one in lessons_of(find_game(name)) if one.name == lesson)
    page = host.get(f"/lessons/{name}/{lesson}", **{"Accept-Language": language}).text
    text = taken.text(language)
    for sentence in some((text.title, *text.hints)):
        assert sentence.replace("'", "&#39;") in page
    assert taken.rule in page


def test_a_refused_move_is_told_with_its_rule_and_changes_nothing(host):
    told = ask(host, "victorus/edge", **{"from": "h5", "to": "h8"})
    assert told["made"] == []
    assert (told["ruling"]["allowed"], told["ruling"]["rule"]) == (False, "VIC-3.2")
    assert told["ruling"]["text"]


def test_a_legal_move_that_is_not_the_aim_fails_and_what_was_made_can_be_left_out(host):
    told = ask(host, "chess/pawn", **{"from": "d2", "to": "d4"})
    assert (told["status"], told["made"]) == ("failed", ["d2-d4"])
    assert told["legal"] == {}
    assert ask(host, "chess/pawn")["status"] == "going"


def test_what_can_be_said_in_several_ways_is_asked(host):
    told = ask(host, "chess/promotion", **{"from": "b7", "to": "b8"})
    assert {way["action"] for way in told["ways"]} == {f"b7-b8={piece}" for piece in "QRBN"}
    assert told["made"] == []


def test_what_may_not_be_laid_somewhere_is_refused_with_its_rule(host):
    told = ask(host, "victory_honor/another", to="south.R")
    assert (told["ruling"]["allowed"], told["ruling"]["rule"]) == (False, "VH-5.2")
    ways = ask(host, "victory_honor/another", to="south.L")["ways"]
    assert "south.L=black4" in {way["action"] for way in ways}


def test_what_is_only_said_has_a_button_in_the_games_own_words(host):
    told = ask(host, "hoplomachus/scout")
    assert told["legal"] == {}
    assert {"scout", "activate"} <= {one["action"] for one in told["say"]}
    assert not any(one["label"].startswith("player") for one in told["say"])


def test_the_host_puts_a_lesson_on_the_table_and_the_page_follows_it(host, evening):
    body = {"game": "chess", "lesson": "two_rooks"}
    assert "lesson-lay" in host.get("/lessons/chess/two_rooks").text
    assert host.post("/api/lesson/table", body).status_code == 200
    page = host.get("/lessons/chess/two_rooks").text
    assert ('data-table="1"' in page, "lesson-lay" in page) == (True, False)
    table = evening.table
    table.play(table.game.parse(table.setup, "b1-b7"), "camera")
    told = ask(host, "chess/two_rooks", table="1")
    assert (told["status"], told["made"], told["legal"]) == ("going", ["b1-b7"], {})
    assert "f8" in told["said"][0]
    for text in ("g8-f8", "a6-a8"):
        table.play(table.game.parse(table.setup, text), "camera")
    assert ask(host, "chess/two_rooks", table="1")["status"] == "done"
    assert host.get("/api/lessons/chess/mate?table=1").status_code == 409


def test_only_the_host_puts_a_lesson_on_the_table(joined):
    assert joined.post("/api/lesson/table", game="chess", lesson="mate").status_code == 403


def test_the_game_on_the_table_knows_nothing_of_a_lesson(host, evening):
    before = evening.table.state_id
    ask(host, "chess/pawn", **{"from": "e2", "to": "e4"})
    host.get("/lessons/chess/pawn")
    assert evening.table.state_id == before
    assert host.state["game"] == "invictus"


def test_the_host_sees_where_learners_give_up_and_others_do_not(host, app):
    for word in ("begun", "begun", "done"):
        body = {"game": "chess", "lesson": "mate", "word": word}
        assert host.post("/api/lesson", body).status_code == 200
    assert "begun 2 times, finished 1 times" in host.get("/lessons/chess").text
    assert host.post("/api/lesson", game="chess", lesson="mate", word="bored").status_code == 400
    assert host.post("/api/lesson", game="chess", lesson="fly", word="done").status_code == 400


def test_a_guest_learns_nothing_here_before_he_has_joined(phone):
    for path in some(("/lessons/chess", "/lessons/chess/pawn", "/api/lessons/chess/pawn")):
        assert phone.get(path).status_code == 403


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/lessons/chess/fly", 400),
        ("/api/lessons/checkers/pawn", 400),
        ("/api/lessons/chess/pawn?made=e2-e5", 400),
        ("/api/lessons/chess/pawn?action=nonsense", 400),
        ("/api/lessons/chess/pawn?from=z9&to=e4", 400),
        ("/api/lessons/chess/pawn?" + "made=e2-e4&" * 65, 400),
        ("/lessons/chess/fly", 400),
    ],
)
def test_what_no_lesson_has_is_told_in_a_sentence(host, path, status):
    answer = host.get(path)
    assert answer.status_code == status
    assert "rror" not in answer.text.partition("<main")[2]


def test_a_box_leads_to_the_lessons_of_its_game(host):
    assert 'href="/lessons/victorus"' in host.get("/shelf/victorus").text
    assert 'id="lesson-slide"' in host.get("/lessons/victorus").text
