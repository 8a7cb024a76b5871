"""The host's part: another game, settings, past games, what is deleted; and what is taken away."""

import csv
import io
from xml.etree import ElementTree

import pytest

from companion.games import find_game
from companion.journal import Journal
from companion.rules import Action, read_record
from companion.table import Table
from companion.table.evening import Evening
from web import Config, create_app


def refused(answer):
    return answer.status_code, answer.json["error"]["code"]


@pytest.fixture
def played(host, red, blue, table):
    """A game of Anna and Bela that red gave up."""
    red.post("/api/name", name="Anna")
    blue.post("/api/name", name="=Bela()")
    table.play(Action("move", "a1", "a2"), "camera", {"after": b"\xff\xd8 picture"})
    red.say("/api/resign")
    return host


class TestGames:
    def test_another_game_begins_and_everybody_stays_seated(self, host, red, evening):
        before = host.state
        assert host.post("/api/new", game="men", seats=["red", "blue"]).status_code == 200
        after = red.state
        assert after["game_id"] != before["game_id"]
        assert after["state_id"] > before["state_id"]
        assert after["you"]["seats"] == ["red"]

    def test_a_phone_that_saw_the_old_game_is_told(self, host, red):
        seen = red.state["state_id"]
        host.post("/api/new", game="men")
        answer = red.post("/api/undo", count=1, state_id=seen)
        assert refused(answer) == (409, "stale_state")

    @pytest.mark.parametrize(
        "body",
        [
            {"game": "go"},
            {"game": "men", "seats": "red"},
            {"game": "men", "seats": ["green"]},
            {"game": "men", "options": []},
            {"game": "men", "options": {"pace": "fast"}},
            {"game": "men", "array": True},
        ],
    )
    def test_a_game_that_cannot_be_is_not_begun(self, host, body):
        before = host.state["game_id"]
        assert host.post("/api/new", body).status_code in (400, 404)
        assert host.state["game_id"] == before

    def test_a_start_array_is_kept_for_the_next_game(self, host, red):
        position = {"b1": "red man", "b3": "blue man"}
        red.say("/api/arrange", position=position)
        assert host.post("/api/array").status_code == 200
        assert host.get("/api/settings").json["choices"]["games"][0]["array"] is True
        host.post("/api/new", game="men", array=True)
        assert red.state["position"] == position

    def test_a_game_that_was_left_is_taken_up_again(self, host, table):
        table.play(Action("move", "a1", "a2"), "camera")
        first = host.state["game_id"]
        host.post("/api/new", game="men")
        assert host.post("/api/resume", number=first).status_code == 200
        assert host.state["position"]["a2"] == "red man"
        assert refused(host.post("/api/resume", number=99)) == (404, "no_game")

    def test_streams_follow_to_the_next_game(self, app, host):
        listener = app.extensions["context"].streams.open("192.168.1.9", "abcdefgh")
        assert listener.wait(0) == "changed"
        assert listener.wait(0) == "beat"
        host.post("/api/new", game="men")
        assert listener.wait(0) == "changed"
        app.extensions["context"].evening.table.play(Action("move", "a1", "a2"), "camera")
        assert listener.wait(0) == "changed"


class TestSettings:
    def test_the_settings_are_seen_by_all_and_kept(self, host, red, lamps):
        answer = host.post("/api/settings", sound=False, lights="errors", brightness=40)
        assert answer.json["settings"]["lights"] == "errors"
        assert red.state["settings"]["sound"] is False
        assert lamps.wanted == {"lights": "errors", "brightness": 40}

    @pytest.mark.parametrize("body", [{"sound": "loud"}, {"lights": "disco"}, {"play": "x"}])
    def test_what_does_not_fit_is_not_set(self, host, body):
        before = host.state["settings"]
        assert host.post("/api/settings", body).status_code == 400
        assert host.state["settings"] == before

    def test_what_can_be_chosen_is_told(self, red):
        choices = red.get("/api/settings").json["choices"]
        assert [game["name"] for game in choices["games"]] == ["men"]
        assert choices["present"]["seats"] == ["red", "blue"]


class TestPast:
    def test_results_and_standings_are_told(self, played):
        answer = played.get("/api/games").json
        (game,) = answer["games"]
        assert game["players"] == {"red": "Anna", "blue": "=Bela()"}
        assert game["outcome"]["winners"] == ["blue"]
        standing = [(p["name"], p["played"], p["won"]) for p in answer["players"]]
        assert standing == [("=Bela()", 1, 1), ("Anna", 1, 0)]

    def test_a_past_game_is_looked_at_after_each_action(self, played):
        start = played.get("/api/games/1?at=0").json
        assert start["position"]["a1"] == "red man"
        end = played.get("/api/games/1").json
        assert (end["at"], end["position"]["a2"]) == (1, "red man")
        assert end["moves"][0]["text"] == "red man a1 → a2"
        assert end["outcome"]["winners"] == ["blue"]
        assert played.get("/api/games/1?at=2").status_code == 400
        assert played.get("/api/games/7").status_code == 404

    @pytest.mark.parametrize("path", ["/games", "/games/1", "/games/1?at=0", "/settings", "/view"])
    def test_there_are_pages_for_all_of_it(self, played, path):
        assert played.get(path).status_code == 200

    def test_a_moment_is_kept_as_a_picture_with_who_played_and_what(self, played):
        answer = played.get("/games/1/moment.svg?at=1")
        assert answer.mimetype == "image/svg+xml"
        root = ElementTree.fromstring(answer.text)
        told = " ".join(root.itertext())
        for text in ("Men <of nine>", "Anna", "1. red man a1 → a2", "MEN-", "Won by blue."):
            assert text in told
        assert root.get("width") == "1200"
        start = played.get("/games/1/moment.svg?at=0").text
        assert "1. red man" not in start

    def test_a_record_from_elsewhere_is_looked_at_as_far_as_it_stands(self, host):
        record = "game: men\nseats: red, blue\n\na1-a2\nend\na3-c1\n"
        number = host.post("/api/import", record=record, title="at the club").json["number"]
        told = host.get(f"/api/games/{number}").json
        assert len(told["moves"]) == 2
        assert "a3-c1" in told["stopped"]
        listed = host.get("/api/games").json["games"][-1]
        assert (listed["imported"], listed["title"]) == (True, "Men <of nine>: at the club")
        assert host.get(f"/games/{number}").status_code == 200
        assert host.get(f"/export/{number}/record.txt").text == record

    def test_a_record_from_elsewhere_is_played_on_from_any_action(self, host, joined):
        record = "game: men\nseats: red, blue\n\na1-a2\nend\na3-c1\n"
        number = host.post("/api/import", record=record, title="at the club").json["number"]
        assert 'id="play-on"' in host.get(f"/games/{number}").text
        assert joined.post("/api/resume", number=number, at=1).status_code == 403
        assert host.post("/api/resume", number=number, at=3).status_code == 400
        assert host.post("/api/resume", number=number).status_code == 400
        assert host.post("/api/resume", number=number + 7, at=0).status_code == 404
        assert host.post("/api/resume", number=number, at=1).json["ok"]
        told = host.get("/api/games").json["games"]
        assert [one["actions"] for one in told if one["current"]] == [1]

    @pytest.mark.parametrize(
        "record", ["", "a1-a2", "game: go\n", "game: men\n\nz9-a1\n", "game: men\nplace: z9 = x\n"]
    )
    def test_what_is_no_record_is_not_kept(self, host, record):
        assert host.post("/api/import", record=record, title="x").status_code == 400
        assert len(host.get("/api/games").json["games"]) == 1

    def test_every_game_of_a_pgn_is_kept_or_none(self):
        game = find_game("chess")
        evening = Evening(Table.create(Journal(":memory:"), game, game.setup()))
        client = create_app(evening, config=Config(trust_machine=True)).test_client()

        def bring(pgn):
            told = {"record": pgn, "title": "club", "key": str(len(pgn)).zfill(20)}
            return client.post("/api/import", json=told, headers={"Origin": "http://localhost"})

        assert bring("1. e4 *\n1. d4 d4 *").status_code == 400
        assert not evening.journal.records()
        numbers = bring("1. e4 e5 *\n1. d4 *\n").json["numbers"]
        assert [client.get(f"/api/games/{n}").json["moves"][0]["text"] for n in numbers]
        assert [one[1] for one in evening.journal.records().values()] == ["club 1", "club 2"]
        tags = '[White "{}"]\n[Black "Bruno"]\n[Date "2024.05.??"]\n\n1. {} *\n'
        several = [("Anna", "e4"), ("Anna", "d4"), ("<b>", "c4")]
        assert bring("".join(tags.format(*one) for one in several)).status_code == 200
        assert [one[1] for one in evening.journal.records().values()][2:] == [
            "Anna - Bruno, 2024-05 1", "Anna - Bruno, 2024-05 2", "<b> - Bruno, 2024-05",
        ]  # fmt: skip
        assert bring("1. e4 *\n" * 99).status_code == 409

    def test_a_record_has_room_and_bounds(self, host):
        record = "game: men\n" + "# a remark\n" * 20_000
        assert host.post("/api/import", record=record, title="long").status_code == 200
        assert host.post("/api/import", record=3 * record, title="too long").status_code in (
            400, 413,
        )  # fmt: skip


class TestExport:
    def test_the_record_reads_back(self, played):
        answer = played.get("/export/1/record.txt")
        assert read_record(answer.text).actions == ("a1-a2",)
        assert "attachment" in answer.headers["Content-Disposition"]

    def test_scorecards_are_a_table_without_formulas(self, played):
        rows = list(csv.reader(io.StringIO(played.get("/export/1/scorecards.csv").text)))
        assert rows[0] == ["seat", "player", "field", "value", "tokens"]
        assert rows[1] == ["red", "Anna", "Men", "", "red man, red man"]
        assert rows[3][1] == "'=Bela()"

    def test_scorecards_are_a_page_to_print(self, played):
        answer = played.get("/export/1/scorecards.pdf")
        assert (answer.mimetype, answer.data[:5]) == ("application/pdf", b"%PDF-")

    def test_the_whole_game_is_printed_too(self, played):
        answer = played.get("/export/1/game.pdf")
        assert (answer.mimetype, answer.data[:5]) == ("application/pdf", b"%PDF-")

    @pytest.mark.parametrize("name", ["game.pgn", "passwd", "record.txt.exe"])
    def test_other_files_there_are_none(self, played, name):
        assert played.get(f"/export/1/{name}").status_code == 404


class TestDeleting:
    def test_photographs_are_for_those_at_the_table_and_can_be_deleted(self, played, phone, table):
        seq = next(event.seq for event in table.events() if event.photographs)
        path = f"/evidence/{seq}/after.jpg"
        assert played.get(path).data == b"\xff\xd8 picture"
        played.post("/api/delete", what="photographs")
        assert played.get(path).status_code == 404

    def test_all_is_deleted_but_the_present_game_and_the_host(self, played, red):
        played.post("/api/new", game="men")
        assert played.post("/api/delete", what="all").status_code == 200
        assert [game["current"] for game in played.get("/api/games").json["games"]] == [True]
        assert red.state["you"]["role"] == "guest"
        assert played.state["you"]["role"] == "host"

    def test_nothing_else_can_be_deleted(self, host):
        assert host.post("/api/delete", what="everything").status_code == 400
