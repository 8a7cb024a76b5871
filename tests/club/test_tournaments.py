"""Events of a club: their host pairs, games at the tables count, nobody else changes anything."""

from __future__ import annotations

import re

import pytest

from companion.cli import main
from companion.club.results import Results
from companion.club.tournaments import HostKey, Tournaments
from companion.rules import BadInput
from tests.checks.club_tables import Published

NAMES = ["Ada", "Bo", "Cy", "Di"]


class Clock:
    """Seconds since 1970, for the club and its tables."""

    at = 1_800_000_000.0

    def __call__(self):
        self.at += 1.0
        return self.at


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def events(store, clock):
    return Tournaments(store, clock)


@pytest.fixture
def table(tmp_path, store, clock):
    table = Published(tmp_path, store, "Four", "chess", "a" * 16, now=clock)
    yield table
    table.journal.close()


@pytest.fixture
def results(tmp_path, store):
    (tmp_path / "more").mkdir()
    from companion.club.copies import Copies

    return Results(Copies(store, tmp_path / "more"))


@pytest.fixture
def host(client, store):
    assert client.get(f"/host?key={HostKey(store).renew()}").status_code == 302
    return client


def test_a_game_between_both_at_any_table_is_the_result(events, table, results):
    number = events.begin("swiss", "Monday", "chess", NAMES)
    events.pair(events.course(number, results.games()))
    course = events.course(number, results.games())
    assert [(one.first, one.second) for one in course.pairings] == [(1, 3), (4, 2)]
    table.finish({"white": "Ada", "black": "CY"}, "white")
    table.finish({"white": "Bo", "black": "Di"})
    course = events.course(number, results.games())
    assert [one.result for one in course.pairings] == ["second", "draw"]
    events.pair(course)
    assert events.course(number, results.games()).now == 2


def test_games_before_the_round_or_of_another_game_do_not_count(events, table, results, clock):
    table.finish({"white": "Ada", "black": "Bo"}, "white")
    number = events.begin("swiss", "Monday", "invictus", NAMES[:2])
    events.pair(events.course(number, []))
    table.finish({"white": "Ada", "black": "Bo"}, "white")
    assert events.course(number, results.games()).pairings[0].result == ""
    with pytest.raises(BadInput, match="missing"):
        events.pair(events.course(number, results.games()))


def test_what_the_host_says_stands_whatever_was_played(events, table, results):
    number = events.begin("robin", "Sunday", "chess", NAMES[:2])
    table.finish({"white": "Ada", "black": "Bo"}, "white")
    events.tell(number, 1, 1, "draw")
    assert events.course(number, results.games()).pairings[0].result == "draw"
    events.tell(number, 1, 1, "")
    assert events.course(number, results.games()).pairings[0].result == "second"


def test_an_evening_s_league_counts_all_games_until_it_ends(events, table, results):
    table.finish({"white": "Ada", "black": "Bo"}, "white")
    number = events.begin("league", "Tonight", "", [])
    table.finish({"white": "Ada", "black": "Bo"}, "black")
    table.finish({"white": "Ada", "black": "Cy"})
    events.end(events.course(number, results.games()))
    table.finish({"white": "Ada", "black": "Bo"}, "black")
    scores = events.course(number, results.games()).scores
    assert {name: score.points for name, score in scores.items()} == {
        "Ada": 1.5, "Cy": 0.5, "Bo": 0.0
    }  # fmt: skip
    with pytest.raises(BadInput, match="over"):
        events.end(events.course(number, results.games()))


def test_results_outlast_the_games_they_came_from(events, table, results):
    number = events.begin("robin", "Sunday", "chess", NAMES[:2])
    table.finish({"white": "Ada", "black": "Bo"}, "white")
    events.end(events.course(number, results.games()))
    assert events.course(number, []).pairings[0].result == "second"


def test_whoever_leaves_is_paired_no_more_and_whoever_comes_later_is(events):
    number = events.begin("swiss", "Monday", "", NAMES)
    events.leave(number, 2)
    events.enter(number, ["Ed"])
    events.pair(events.course(number, []))
    paired = {one for pair in events.course(number, []).pairings for one in pair[2:4]}
    assert paired == {1, 3, 4, 5}


@pytest.mark.parametrize(
    ("kind", "name", "names"),
    [
        ("cup", "Monday", NAMES),
        ("swiss", " ", NAMES),
        ("swiss", "Monday", ["Ada", "ada"]),
        ("robin", "Monday", ["Ada"]),
        ("swiss", "x" * 81, NAMES),
        ("swiss", "Monday", [f"P{n}" for n in range(501)]),
    ],
)
def test_an_event_that_cannot_be_held_is_not_begun(events, kind, name, names):
    with pytest.raises(BadInput):
        events.begin(kind, name, "", names)
    assert events.every() == []


def test_the_host_holds_an_event_on_his_pages(host):
    form = {"kind": "swiss", "name": "Monday", "game": "chess", "players": "\n".join(NAMES)}
    page = host.post("/events", data=form, follow_redirects=True).text
    address = re.search(r'action="(/events/\d+)/pair"', page)[1]
    page = host.post(f"{address}/pair", follow_redirects=True).text
    assert "Round 1" in page
    for board in ("1", "2"):
        told = {"round": "1", "board": board, "result": "first"}
        page = host.post(f"{address}/result", data=told, follow_redirects=True).text
    assert page.count("1 : 0</td>") == 2
    assert "Round 2" in host.post(f"{address}/pair", follow_redirects=True).text
    page = host.post(f"{address}/end", follow_redirects=True).text
    assert "End this event" not in page
    assert host.post(f"{address}/pair").status_code == 400
    assert "Monday" in host.get("/events").text


def test_what_is_more_than_is_taken_is_told(host):
    answer = host.post("/events", data={"players": "a" * 70_000})
    assert (answer.status_code, "more was sent than is taken" in answer.text) == (413, True)


def test_an_event_of_a_game_that_nobody_knows_is_not_held(events):
    with pytest.raises(BadInput, match="zzz"):
        events.begin("league", "Monday", "zzz", NAMES)
    assert events.every() == []


@pytest.mark.parametrize("what", ["", "/1/pair", "/1/result", "/1/end", "/1/enter", "/1/leave"])
def test_nobody_but_the_host_changes_an_event(client, events, what):
    events.begin("swiss", "Monday", "", NAMES)
    form = {"kind": "swiss", "name": "Mine", "players": "A", "result": "first"}
    answer = client.post(f"/events{what}", data=form)
    assert (answer.status_code, "the host alone may do this" in answer.text) == (403, True)
    assert "<form" not in client.get("/events").text
    assert "<form" not in client.get("/events/1").text


def test_a_guessed_or_replaced_link_lets_nobody_in(client, store):
    assert client.get("/host?key=guess").status_code == 404
    old, new = (HostKey(store).renew() for _ in range(2))
    assert client.get(f"/host?key={old}").status_code == 404
    assert client.get(f"/host?key={new}").status_code == 302
    HostKey(store).renew()
    assert client.post("/events", data={"kind": "swiss", "name": "M"}).status_code == 403


def test_the_host_s_link_is_told_by_a_command(client, store, address, tmp_path, capsys):
    assert main(["club", "host", "--database", address, "--data", str(tmp_path)]) == 0
    key = re.search(r"/host\?key=(\S+)", capsys.readouterr().out)[1]
    answer = client.get(f"/host?key={key}")
    assert "HttpOnly" in answer.headers["Set-Cookie"]
    assert "SameSite=Strict" in answer.headers["Set-Cookie"]


def test_who_is_forgotten_stands_in_no_event(events, store, client):
    number = events.begin("swiss", "Monday", "", NAMES)
    store.forget("ADA")
    assert "Ada" not in client.get(f"/events/{number}").text
    assert client.get("/events/99").status_code == 400


@pytest.mark.parametrize("language", ["it", "fr", "es"])
def test_events_speak_the_browser_s_language(client, events, language):
    number = events.begin("robin", "Monday", "", NAMES)
    page = client.get(f"/events/{number}", headers={"Accept-Language": language}).text
    assert "Standing" not in page
    assert "Round" not in page
