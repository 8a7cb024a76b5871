"""The shelf: every game in its box, what can be done at once, choices that are kept."""

from __future__ import annotations

import pytest

import web
from companion.games import find_game, games
from companion.journal import Journal
from companion.table import Table
from companion.table.evening import Evening
from tests.checks.loops import some
from web import drawing


@pytest.fixture
def evening():
    with Journal() as journal:
        chess = find_game("chess")
        yield Evening(Table.create(journal, chess, chess.setup()))


@pytest.fixture
def app(evening):
    return web.create_app(evening, config=web.Config(heartbeat=0.0))


def test_every_game_has_its_box_with_players_minutes_and_what_is_needed(host):
    page = host.get("/shelf").text
    for name in some(games()):
        box = page.partition(f'id="box-{name}"')[2].partition("</li>")[0]
        for told in some(("<path", "player", "minutes", "Open the box")):
            assert told in box, name


def test_the_game_on_the_table_comes_first_and_goes_on(host):
    page = host.get("/shelf").text
    first = page.partition('id="box-')[2].partition("</li>")[0]
    assert first.startswith("chess")
    assert "on your table now" in first
    assert "Continue" in first


def test_two_of_us_is_offered_where_fewer_than_all_can_play(host):
    page = host.get("/shelf").text
    assert page.count("Two of us") == 1
    assert "&#34;red&#34;, &#34;purple&#34;" in page or '["red", "purple"]' in page


def test_what_was_left_goes_on_from_the_shelf(host, evening):
    first = evening.table
    first.play(first.game.parse(first.setup, "e2-e4"), "white")
    assert host.post("/api/new", game="invictus").status_code == 200
    assert host.state["aside"] == {"number": first.game_id, "title": "Chess"}
    assert 'id="continue-chess"' in host.get("/shelf").text
    assert host.post("/api/resume", number=first.game_id).status_code == 200
    assert evening.table.game_id == first.game_id


def test_a_game_in_which_nothing_was_done_is_not_offered_again(host):
    assert host.post("/api/new", game="invictus").status_code == 200
    assert host.state["aside"] is None


def test_a_choice_is_kept_by_its_name_over_a_restart_and_forgotten(host, evening):
    options = {"placement": "free", "seats": "red,blue,black,orange,green,purple"}
    kept = {"game": "victorus", "name": " Sunday  six ", "seats": ["red", "black"]}
    assert host.post("/api/preset", {**kept, "options": options}).status_code == 200
    again = Evening(Table.resume(evening.journal, evening.table.game_id))
    (preset,) = again.presets("victorus")
    assert (preset.name, preset.seats) == ("Sunday six", ("red", "black"))
    assert "Sunday six" in host.get("/shelf").text
    assert "Sunday six" in host.get("/shelf/victorus").text
    begun = host.post("/api/new", game="victorus", seats=list(preset.seats),
                      options=dict(preset.options))  # fmt: skip
    assert begun.status_code == 200
    assert evening.table.setup["seats"] == "red-blue-black-orange-green-purple"
    assert host.post("/api/preset/forget", game="victorus", name="Sunday six").status_code == 200
    assert evening.presets("victorus") == ()


@pytest.mark.parametrize(
    "body",
    [
        {"game": "victorus", "name": "x", "seats": ["red", "black"]},
        {"game": "victorus", "name": " ", "seats": ["red", "purple"]},
        {"game": "nothing", "name": "x", "seats": ["red"]},
        {"game": "chess", "name": "x", "seats": ["white", "black"], "options": {"minutes": "-1"}},
    ],
)
def test_what_cannot_be_played_is_not_kept(host, evening, body):
    assert host.post("/api/preset", body).status_code == 400
    assert evening.presets(body["game"]) == ()


def test_a_forgotten_choice_cannot_be_forgotten_again(host):
    assert host.post("/api/preset/forget", game="chess", name="x").status_code == 400


def test_the_host_alone_takes_a_game_from_the_shelf(host, joined):
    assert joined.get("/shelf").status_code == 200
    assert 'id="play-chess"' not in joined.get("/shelf").text
    kept = {"game": "chess", "name": "x", "seats": ["white", "black"]}
    assert joined.post("/api/preset", kept).status_code == 403
    assert joined.post("/api/preset/forget", game="chess", name="x").status_code == 403


def test_whoever_did_not_come_in_sees_no_shelf(phone):
    assert phone.get("/shelf").status_code == 403
    assert phone.get("/shelf/chess").status_code == 403


def test_what_is_chosen_from_game_to_game_comes_before_the_house_rules(host):
    page = host.get("/shelf/victorus").text
    assert page.index('name="variant"') < page.index('id="house-rules"') < page.index('name="rim"')
    assert page.index('id="option-ring1"') < page.index("/cover/victorus.svg?ring1=grey")
    assert "A regular Templar" not in page
    assert find_game("victorus").rules["VIC-3.3"].text[:30] in page


def test_a_seat_has_the_colour_of_its_pieces_where_another_game_is_on_the_table(host, evening):
    victorus = find_game("victorus")
    colours = drawing.colours(victorus, victorus.setup())
    box = host.get("/shelf/victorus").text
    evening.begin("victorus", None, {})
    evening.begin("chess", None, {})
    for page in (box, host.get("/games").text):
        assert [seat for seat, colour in colours.items() if f'fill="{colour}"' not in page] == []


def test_the_time_of_each_side_is_written_as_players_write_it(host, evening):
    field = host.get("/shelf/chess").text.partition('id="field-minutes"')[2].partition(">")[0]
    assert 'value="0"' in field
    assert "min=" not in field
    options = {"minutes": "40/90 + 30, 30 d5"}
    assert host.post("/api/new", game="chess", options=options).status_code == 200
    assert evening.table.setup["minutes"] == "40/90+30,30 d5"
    assert "40 moves to go" in host.get("/view").text
    answer = host.post("/api/new", game="chess", options={"minutes": "90/40,"})
    assert answer.status_code == 400
    assert "40/90+30,30+30" in answer.json["error"]["message"]


def test_a_delay_holds_the_clock_of_whoever_is_to_move(host, evening):
    options = {"minutes": "5 d30"}
    assert host.post("/api/new", game="chess", options=options).status_code == 200
    clock = host.state["clock"]
    assert clock["seats"] == {"white": 300.0, "black": 300.0}
    assert 0 < clock["free"] <= 30
    assert host.get("/view").text.count("data-free=") == 1
